/**
 * The settings of the type (docs/types.md) as its collection has them: those in force, those that come and are being
 * checked, and those that leave, while what they made is being removed. Kept in memory, because every write asks.
 */
import { NO_SETTINGS, type TypeSettings } from '../../domain/types/settings.ts';
import { Table, type ReadSql } from './sql.ts';

type State = 'in-force' | 'coming' | 'leaving';

interface Row {
  readonly id: number;
  readonly number: number;
  readonly settings: TypeSettings | null;
  readonly state: State;
  /** The last position that was checked, or freed. */
  readonly built: number;
}

export class SettingsReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  protected rows: readonly Row[] = [];

  /** To be called when there are tables, and after writes were undone. */
  load(): void {
    this.rows = this.sql
      .exec<{ id: number; number: number; content: string; state: State; built: number }>(
        'SELECT id, number, content, state, built FROM type_settings ORDER BY id',
      )
      .toArray()
      .map(({ content, ...row }) => ({ ...row, settings: settingsOf(content) }));
  }

  get current(): TypeSettings | null {
    return this.#row('in-force')?.settings ?? null;
  }

  /** What every write obeys: the settings in force and those that come. */
  get obeyed(): readonly TypeSettings[] {
    if (this.rows.length === 0) return NONE;
    return this.rows.flatMap(({ settings, state }) =>
      settings === null || state === 'leaving' ? [] : settings,
    );
  }

  /** What may have left its traces in the tables: those that leave as well. */
  get all(): readonly TypeSettings[] {
    if (this.rows.length === 0) return NONE;
    return this.rows.flatMap(({ settings }) => settings ?? []);
  }

  get coming(): Row | undefined {
    return this.#row('coming');
  }

  get leaving(): Row | undefined {
    return this.#row('leaving');
  }

  /** What gives rights, with how far it has come to be or to go: equal texts give equal rights. */
  get givenRights(): string {
    if (!this.rows.some(({ settings }) => (settings?.rights ?? null) !== null)) return '';
    const isChanging = this.rows.some(({ state }) => state !== 'in-force');
    return JSON.stringify(
      this.rows.map(({ id, settings, state, built }) => [
        settings?.rights ?? null,
        ...(isChanging ? [id, state, built] : []),
      ]),
    );
  }

  /** The number of the last change of settings that arrived here. */
  get number(): number {
    return Math.max(0, ...this.rows.map(({ number }) => number));
  }

  #row(state: State): Row | undefined {
    return this.rows.find((row) => row.state === state);
  }
}

/** Stored settings, with those that came with a later release. */
function settingsOf(content: string): TypeSettings | null {
  const stored = JSON.parse(content) as Partial<TypeSettings> | null;
  return stored && { ...NO_SETTINGS, ...stored };
}

const NONE: readonly TypeSettings[] = [];

/** To be used inside a transaction. */
export class SettingsWriter extends SettingsReader<SqlStorage> {
  /** From now on writes obey these settings too. What came before, and was not put into force, leaves. */
  stage(number: number, settings: TypeSettings | null): void {
    this.refuse();
    const staged = `INSERT INTO type_settings (number, content, state, built) VALUES (?, ?, 'coming', 0)`;
    this.sql.exec(staged, number, JSON.stringify(settings));
    this.load();
  }

  refuse(): void {
    this.sql.exec(`UPDATE type_settings SET state = 'leaving', built = 0 WHERE state = 'coming'`);
    this.load();
  }

  /** Puts settings into force that come or are in force, and lets the others leave; false where they are neither. */
  settle(number: number, settings: TypeSettings | null): boolean {
    const text = JSON.stringify(settings);
    const row = this.rows.findLast(
      (each) => each.state !== 'leaving' && JSON.stringify(each.settings) === text,
    );
    if (row === undefined) return false;
    const others = `UPDATE type_settings SET state = 'leaving', built = 0 WHERE id <> ? AND state <> 'leaving'`;
    this.sql.exec(others, row.id);
    this.sql.exec(`UPDATE type_settings SET state = 'in-force', number = ? WHERE id = ?`, number, row.id);
    this.load();
    return true;
  }

  /** Notes how far a row has been checked, or freed. */
  note({ id }: Row, built: number): void {
    this.sql.exec('UPDATE type_settings SET built = ? WHERE id = ?', built, id);
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, built } : row));
  }

  /** Forgets settings whose traces are gone. */
  drop({ id }: Row): void {
    this.sql.exec('DELETE FROM type_settings WHERE id = ?', id);
    this.load();
  }
}
