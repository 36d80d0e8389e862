/**
 * Who has made each version of the documents of a type with history (docs/history.md), how and when. Triggers number the
 * versions, so that none is missed and types without history pay nothing. What a version was is in the log (versions.ts):
 * the state that the next version has ended.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { keyOf } from '../../../domain/documents.ts';
import type { Requester } from '../../../domain/rules.ts';
import { holdOf, type History } from '../../../domain/types/settings.ts';
import type { Edit, EditKind, Which } from '../../rpc/history.ts';
import type { WholeVersion } from '../../rpc/maintenance/transfer.ts';
import { textOfAcl } from '../documents/rights.ts';
import { bytesOfId } from '../ids.ts';
import { Table, LIMIT, type Select } from '../sql.ts';
import type { SettingsReader } from '../type-settings.ts';
import { LAST, PACKED, type Snapshot } from './versions.ts';

/** An edit with the number of the collection that it took. */
export interface NumberedEdit extends Edit {
  readonly version: number;
}

/** The place of an edit among all, which go by documents; `id` is '' before the first. */
export interface EditPlace {
  readonly id: DocumentId | '';
  readonly version: number;
}

export const FIRST_EDIT: EditPlace = { id: '', version: 0 };

type Row = { [Name in keyof NumberedEdit]: NumberedEdit[Name] };

const DAY = 86_400_000;

const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

/** The number of the newest version of a document, as SQL; 0 for none. */
const NEWEST = (id: string) =>
  `coalesce((SELECT newest.n FROM edits AS newest WHERE newest.id = ${id} ORDER BY newest.version DESC LIMIT 1), 0)`;

const insert = (id: string, version: string, change: EditKind, at = NOW) =>
  `INSERT OR IGNORE INTO edits VALUES (${id}, ${version}, ${NEWEST(id)} + 1, '${change}', NULL, NULL, ${at});`;

/** What stands there before the first version that is counted is a version, too. */
const FORMER = insert('OLD.id', 'OLD.version', 'unknown', `coalesce(OLD.updated, ${NOW})`);

/** An update of rights alone makes no version. */
const TRIGGERS: Readonly<Record<string, string>> = {
  edits_after_insert: `AFTER INSERT ON documents BEGIN ${insert('NEW.id', 'NEW.version', 'create')} END`,
  edits_after_update: `AFTER UPDATE OF version ON documents WHEN NEW.version <> OLD.version BEGIN
    ${FORMER} ${insert('NEW.id', 'NEW.version', 'unknown')} END`,
  edits_after_delete: `AFTER DELETE ON documents BEGIN
    ${FORMER} ${insert('OLD.id', LAST('OLD'), 'delete')} END`,
};

const COLUMNS = 'version, n, change, user, key, at';

const BEFORE: Select = `SELECT ${COLUMNS} FROM edits WHERE id = ? AND version < ? ORDER BY version DESC ${LIMIT}`;

const AFTER: Select = `SELECT ${COLUMNS} FROM edits WHERE id = ? AND version > ? ORDER BY version LIMIT 1`;

/** The deletions before a place, the last first, with the number of the version that each has ended; of a document that is there again, without readers. */
const DELETIONS: Select = `SELECT edits.at || ' ' || lower(hex(edits.id)) AS place, lower(hex(edits.id)) AS id,
    CASE WHEN tombstones.id IS NOT NULL THEN coalesce(readers, '[]') END AS readers, edits.version, n - 1 AS n, change, user, key, at
  FROM edits LEFT JOIN tombstones ON tombstones.id = edits.id AND tombstones.version = edits.version
  WHERE change = 'delete' AND (at, edits.id) < (?, ?) ORDER BY at DESC, edits.id DESC ${LIMIT}`;

/** Edits behind a place, up to a snapshot. */
const EXPORTED: Select = `SELECT lower(hex(id)) AS id, ${COLUMNS} FROM edits
  WHERE (id, version) > (?, ?) AND version <= ? ORDER BY id, version ${LIMIT}`;

/** What a document was before an edit. */
const FORMER_STATE: Select = `SELECT ${PACKED} AS packed FROM versions WHERE ended = ? AND id = ?`;

/** A version from elsewhere has a position that no document has: neither feeds nor exports know it. */
const TAKE = `INSERT INTO versions (ended, id, seq, began, at, body, relationships, acl, creator, created, updated)
  VALUES (?1, ?2, -?1, ?1, ${NOW}, jsonb(?3), ?4, ?5, ?6, ?7, ?8)`;

/** Who makes the write that runs. */
interface Writer {
  readonly requester?: Requester | null | undefined;
}

export class Edits extends Table {
  readonly #settings: Pick<SettingsReader, 'current'>;
  readonly #writer: Writer;

  constructor(sql: SqlStorage, settings: Pick<SettingsReader, 'current'>, writer: Writer = {}) {
    super(sql);
    this.#settings = settings;
    this.#writer = writer;
  }

  /** Which versions are kept; null where the type has no history. */
  get kept(): History | null {
    const { current } = this.#settings;
    return holdOf(current) > 0
      ? { ...current?.history, days: null, versions: null }
      : (current?.history ?? null);
  }

  /** Until when a version is kept that ended at a time, in milliseconds since 1970; null where time does not end that. */
  untilOf(end: number): number | null {
    const { current } = this.#settings;
    const days = current?.history?.days ?? null;
    return days === null ? null : Math.max(end + days * DAY, holdOf(current));
  }

  /** Numbers versions from now on. To be called inside a transaction, as all below that write. */
  begin(): void {
    for (const [name, trigger] of Object.entries(TRIGGERS))
      this.sql.exec(`CREATE TRIGGER IF NOT EXISTS ${name} ${trigger}`);
  }

  end(): void {
    for (const name of Object.keys(TRIGGERS)) this.sql.exec(`DROP TRIGGER IF EXISTS ${name}`);
  }

  /** Notes how the version that was just made came about. */
  note(id: DocumentId, version: number, change: EditKind): void {
    if (this.kept === null) return;
    const { key = null, named = null } = this.#writer.requester ?? {};
    this.sql.exec(
      'UPDATE edits SET change = ?, user = ?, key = ? WHERE id = ? AND version = ?',
      change,
      named && keyOf(named.user),
      key,
      bytesOfId(id),
      version,
    );
  }

  /** Edits of a document before a number, newest first. */
  before(id: DocumentId, version: number, limit: number): readonly NumberedEdit[] {
    return this.sql.exec<Row>(BEFORE, bytesOfId(id), version, limit).toArray();
  }

  /** The edit that has ended the version of a number. */
  after(id: DocumentId, version: number): NumberedEdit | undefined {
    return this.sql.exec<Row>(AFTER, bytesOfId(id), version).toArray()[0];
  }

  find(id: DocumentId, which: Which): NumberedEdit | undefined {
    const [sql, value] = typeof which === 'number' ? (['n = ?', which] as const) : ['at <= ?', which.at];
    const found: Select = `SELECT ${COLUMNS} FROM edits WHERE id = ? AND ${sql} ORDER BY version DESC LIMIT 1`;
    return this.sql.exec<Row>(found, bytesOfId(id), value).toArray()[0];
  }

  deletions(before: string | null, limit: number) {
    const [at = Number.MAX_SAFE_INTEGER, id = ''] = before?.split(' ') ?? [];
    return this.sql
      .exec<Row & { id: DocumentId; place: string; readers: string | null }>(
        DELETIONS,
        Number(at),
        bytesOfId(id),
        limit,
      )
      .toArray()
      .map((row) => ({ ...row, readers: JSON.parse(row.readers ?? 'null') as readonly string[] | null }));
  }

  /** Edits of a snapshot behind a place, with what documents were before: at most so many and so many bytes, but one. */
  exported(
    { counter }: Snapshot,
    { id, version }: EditPlace,
    limit: number,
    bytes: number,
  ): readonly (Row & { readonly id: DocumentId; readonly former: string | null })[] {
    if (this.kept === null) return [];
    const found: (Row & { readonly id: DocumentId; readonly former: string | null })[] = [];
    let left = bytes;
    for (const row of this.sql
      .exec<Row & { id: DocumentId }>(EXPORTED, bytesOfId(id), version, counter, limit)
      .toArray()) {
      if (left <= 0) break;
      const [state] = this.sql
        .exec<{ packed: string }>(FORMER_STATE, row.version, bytesOfId(row.id))
        .toArray();
      left -= state?.packed.length ?? 0;
      found.push({ ...row, former: state?.packed ?? null });
    }
    return found;
  }

  /** Takes an edit from elsewhere, with what the document was before, as one of a number. */
  take({ id, edit, former }: WholeVersion, version: number): void {
    const bytes = bytesOfId(id);
    const { n, change, user, key, at } = edit;
    this.sql.exec('INSERT INTO edits VALUES (?, ?, ?, ?, ?, ?, ?)', bytes, version, n, change, user, key, at);
    if (former === null) return;
    const { content, acl, provenance } = former;
    const { creator = null, created = null, updated = null } = provenance ?? {};
    const known = [creator && keyOf(creator), created, updated];
    this.sql.exec(TAKE, version, bytes, content.body, content.relationships, textOfAcl(acl), ...known);
  }

  /** Gives the last edit that came before a document, or before its deletion, the number that this has. */
  adopt(id: DocumentId, version: number, isDeletion: boolean): void {
    const [last] = this.before(id, version, 1);
    if (last === undefined || (last.change === 'delete') !== isDeletion) return;
    const bytes = bytesOfId(id);
    this.sql.exec('DELETE FROM edits WHERE id = ? AND version = ?', bytes, version);
    this.sql.exec('UPDATE edits SET version = ? WHERE id = ? AND version = ?', version, bytes, last.version);
    this.sql.exec('UPDATE versions SET ended = ? WHERE ended = ? AND id = ?', version, last.version, bytes);
  }

  /** After all documents have got other numbers: the newest version of each is what the document is. */
  restamp(): void {
    this.sql.exec(
      `UPDATE edits SET version = (SELECT version FROM documents WHERE documents.id = edits.id)
       WHERE id IN (SELECT id FROM documents) AND n = ${NEWEST('edits.id')}`,
    );
  }

  /** Forgets the edits whose versions were: those before one that has ended a state. */
  forget(id: ArrayBuffer, ended: number): void {
    this.sql.exec(
      `DELETE FROM edits WHERE id = ? AND (version < ? OR version = ? AND change = 'delete')
       AND EXISTS (SELECT 1 FROM edits AS ends WHERE ends.id = ? AND ends.version = ?)`,
      id,
      ended,
      ended,
      id,
      ended,
    );
  }

  /** Forgets some edits; whether there may be more. */
  clear(rows: number): boolean {
    const gone = this.sql.exec(
      `DELETE FROM edits WHERE (id, version) IN (SELECT id, version FROM edits ${LIMIT}) RETURNING 1`,
      rows,
    );
    return gone.toArray().length > 0;
  }
}
