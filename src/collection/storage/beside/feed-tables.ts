/**
 * What the feed of changes needs beside the documents: the order of their last changes, and former states. Triggers keep
 * both from the first request on, so that writes know nothing of it and types without a feed pay nothing.
 *
 * A state stands from the number of one change of its document to that of the next. A deletion leaves its number in
 * `changes` for as long as the state that it ended is kept.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { packedAs, PROVENANCE } from '../documents.ts';
import { bytesOfId } from '../ids.ts';
import { LIMIT, type Select } from '../sql.ts';
import { WRITE_STEP_ROWS } from '../steps.ts';

/** Bytes of a row beside its body, about. */
const ROW = 200;

/** Milliseconds after which the last request is noted again: a feed that is read often does not write at every read. */
const NOTED_EVERY = 3_600_000;

const LAST = (row: 'OLD' | 'NEW' | 'documents') => `max(${row}.version, ${row}.acl_version)`;

/**
 * Rights at a state are those of its ACL and of the type's settings, which are compared apart: they do not stand with
 * the state. Before a document is deleted, its ACL is emptied with the number of the deletion, so updates tell all.
 */
const TRIGGERS: Readonly<Record<string, string>> = {
  feed_after_insert: `AFTER INSERT ON documents BEGIN
    INSERT OR IGNORE INTO changes VALUES (${LAST('NEW')}, NEW.id);
  END`,
  feed_after_update: `AFTER UPDATE ON documents WHEN ${LAST('NEW')} <> ${LAST('OLD')} BEGIN
    INSERT OR IGNORE INTO former_states VALUES (${LAST('NEW')}, OLD.id, ${LAST('OLD')},
      CAST(unixepoch('subsec') * 1000 AS INTEGER), OLD.body, OLD.relationships, OLD.acl, OLD.creator, OLD.created, OLD.updated);
    UPDATE feed SET bytes = bytes + length(OLD.body) + ${ROW};
    DELETE FROM changes WHERE number = ${LAST('OLD')} AND id = OLD.id;
    INSERT OR IGNORE INTO changes VALUES (${LAST('NEW')}, NEW.id);
  END`,
  feed_after_forgetting: `AFTER DELETE ON former_states BEGIN
    UPDATE feed SET bytes = bytes - length(OLD.body) - ${ROW}, horizon = max(horizon, OLD.ended);
    DELETE FROM changes WHERE number = OLD.ended AND id = OLD.id
      AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = OLD.id);
  END`,
};

/** A document in the order of last changes; without a position, its deletion. */
export interface ChangeRow {
  readonly number: number;
  readonly id: DocumentId;
  readonly seq: number | null;
  /** Packed (rpc/packing/packing.ts); null for a deletion. */
  readonly packed: string | null;
}

/** A state that a document had. */
export interface FormerState {
  readonly body: string;
  readonly relationships: string | null;
  /** JSON of an Acl, or null. */
  readonly acl: string | null;
  readonly provenance: string;
}

type Row = { epoch: string; horizon: number; asked: number; bytes: number; built: number; complete: number };

const NEXT_SIZES: Select = `SELECT number, coalesce(length(body), 0) AS size FROM changes LEFT JOIN documents ON documents.id = changes.id
         WHERE number > ? AND number <= ? ORDER BY number ${LIMIT}`;

const NEXT_CHANGES: Select = `SELECT number, lower(hex(changes.id)) AS id, seq, CASE WHEN seq IS NOT NULL THEN ${packedAs(true)} END AS packed
         FROM changes LEFT JOIN documents ON documents.id = changes.id
         WHERE number > ? AND number <= ? ORDER BY number`;

const LAST_CHANGES: Select = `SELECT lower(hex(id)) AS id, ${LAST('documents')} AS number FROM documents
       WHERE id IN (SELECT unhex(value) FROM json_each(?))`;

const STATES: Select = `SELECT json(body) AS body, relationships, acl, ${PROVENANCE} AS provenance FROM former_states
         WHERE id = ? AND ended > ? AND began <= ? ORDER BY ended DESC ${LIMIT}`;

const OLDEST_STATES: Select = `SELECT ended, at, length(body) + ${ROW} AS size FROM former_states ORDER BY ended ${LIMIT}`;

export class FeedTables {
  readonly #sql: SqlStorage;
  #active = false;
  #complete = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    const row = this.#row();
    this.#active = row !== undefined;
    this.#complete = row?.complete === 1;
  }

  /** Whether anybody has asked for the feed. */
  get active(): boolean {
    return this.#active;
  }

  /** Whether every document is in the order of changes. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Since when all is kept, and what tells this feed from one before it. Null where there is none. */
  get state(): Pick<Row, 'epoch' | 'horizon'> | null {
    return this.#row() ?? null;
  }

  /** Begins to keep what the feed needs. To be called inside a transaction, as all below that write. */
  begin(epoch: string, counter: number, now: number): void {
    // What a feed before it has left may not have gone yet.
    this.#sql.exec('DELETE FROM former_states');
    this.#sql.exec('DELETE FROM changes');
    this.#sql.exec('INSERT OR REPLACE INTO feed VALUES (1, ?, ?, ?, 0, 0, 0)', epoch, counter, now);
    for (const [name, trigger] of Object.entries(TRIGGERS)) {
      this.#sql.exec(`CREATE TRIGGER IF NOT EXISTS ${name} ${trigger}`);
    }
    this.load();
  }

  /** Puts some more documents into the order of changes; those that change meanwhile are put there by the triggers. */
  build(): void {
    const built = this.#row()?.built ?? 0;
    const { last } = this.#sql
      .exec<{ last: number | null }>(
        `SELECT max(seq) AS last FROM (SELECT seq FROM documents WHERE seq > ? ORDER BY seq ${LIMIT})`,
        built,
        WRITE_STEP_ROWS,
      )
      .one();
    if (last === null) this.#sql.exec('UPDATE feed SET complete = 1');
    else {
      this.#sql.exec(
        `INSERT OR IGNORE INTO changes SELECT ${LAST('documents')}, id FROM documents WHERE seq > ? AND seq <= ?`,
        built,
        last,
      );
      this.#sql.exec('UPDATE feed SET built = ?', last);
    }
    this.load();
  }

  /** Whether it is time to note that the feed is asked for. */
  isToBeNoted(now: number): boolean {
    const row = this.#row();
    return row !== undefined && Math.abs(now - row.asked) > NOTED_EVERY;
  }

  note(now: number): void {
    this.#sql.exec('UPDATE feed SET asked = ?', now);
  }

  /** The next documents in the order of last changes after a number, at most so many and so many bytes, but at least one. */
  after(number: number, upTo: number, documents: number, bytes: number): readonly ChangeRow[] {
    const sizes = this.#sql
      .exec<{ number: number; size: number }>(NEXT_SIZES, number, upTo, documents)
      .toArray();
    let left = bytes;
    const last = (sizes.find(({ size }) => (left -= size) <= 0) ?? sizes.at(-1))?.number;
    if (last === undefined) return [];
    return this.#sql
      .exec<{ number: number; id: DocumentId; seq: number | null; packed: string | null }>(
        NEXT_CHANGES,
        number,
        last,
      )
      .toArray();
  }

  /** The numbers of the last changes of some documents that are there. */
  lastOf(ids: readonly DocumentId[]): ReadonlyMap<DocumentId, number> {
    const rows = this.#sql.exec<{ id: DocumentId; number: number }>(LAST_CHANGES, JSON.stringify(ids));
    return new Map(Array.from(rows, ({ id, number }) => [id, number]));
  }

  /** States of a document that began at the latest at one number and ended after another, the latest first. */
  statesOf(id: DocumentId, { began, ended }: Readonly<Record<'began' | 'ended', number>>, limit: number) {
    return this.#sql
      .exec<{ [Name in keyof FormerState]: FormerState[Name] }>(STATES, bytesOfId(id), ended, began, limit)
      .toArray();
  }

  /** Whether states are to be forgotten now, because of their bytes. */
  get isFull(): boolean {
    return this.#active && (this.#row()?.bytes ?? 0) > LIMITS.feedBytes;
  }

  /** Ends the feed: no mark of it holds any more. What it has kept goes in steps, or when another one begins. */
  end(): void {
    for (const name of Object.keys(TRIGGERS)) this.#sql.exec(`DROP TRIGGER IF EXISTS ${name}`);
    this.#sql.exec('DELETE FROM feed');
    this.load();
  }

  /** Forgets some states that are past their time, or that take too much; whether there may be more. */
  forget(now: number): boolean {
    const row = this.#row();
    if (row === undefined) return this.#forgetAll();
    if (now - row.asked > LIMITS.feedRetention) {
      this.end();
      return true;
    }
    const oldest = this.#sql
      .exec<{ ended: number; at: number; size: number }>(OLDEST_STATES, WRITE_STEP_ROWS)
      .toArray();
    let excess = row.bytes - LIMITS.feedBytes;
    const gone = oldest.findIndex(({ at, size }) => {
      const stays = excess <= 0 && now - at <= LIMITS.feedRetention;
      excess -= size;
      return stays;
    });
    const last = oldest[(gone === -1 ? oldest.length : gone) - 1];
    if (last === undefined) return false;
    this.#sql.exec('DELETE FROM former_states WHERE ended <= ?', last.ended);
    return gone === -1;
  }

  /** When something is to be forgotten next, in milliseconds since 1970; null for never. */
  next(): number | null {
    const row = this.#row();
    if (row === undefined) return null;
    const { at } = this.#sql
      .exec<{ at: number | null }>('SELECT (SELECT at FROM former_states ORDER BY ended LIMIT 1) AS at')
      .one();
    return Math.min(at ?? Infinity, row.asked) + LIMITS.feedRetention;
  }

  /** Removes some of what an ended feed has left. */
  #forgetAll(): boolean {
    let removed = 0;
    for (const [table, key] of [
      ['former_states', 'ended'],
      ['changes', 'number'],
    ] as const) {
      removed += this.#sql
        .exec(
          `DELETE FROM ${table} WHERE (${key}, id) IN (SELECT ${key}, id FROM ${table} ORDER BY ${key} ${LIMIT}) RETURNING 1`,
          WRITE_STEP_ROWS,
        )
        .toArray().length;
    }
    return removed > 0;
  }

  #row(): Row | undefined {
    const [row] = this.#sql
      .exec<Row>('SELECT epoch, horizon, asked, bytes, built, complete FROM feed')
      .toArray();
    return row;
  }
}
