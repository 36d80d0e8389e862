/**
 * The log: versions that documents had, each with the numbers of the changes that began and ended it. It is kept while
 * somebody reads it: the feed of changes (feed-tables.ts), or an export that is read in pages while others write, and has
 * the documents as they were at its first page, its snapshot. A trigger writes it: types without readers pay nothing.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { joined, PROVENANCE } from '../documents.ts';
import { bytesOfId } from '../ids.ts';
import { LIMIT, type Select } from '../sql.ts';
import { WRITE_STEP_ROWS } from '../steps.ts';

/** A version that has ended. */
export interface Version {
  readonly body: string;
  readonly relationships: string | null;
  /** JSON of an Acl, or null. */
  readonly acl: string | null;
  readonly provenance: string;
}

/** A snapshot of the collection. */
export interface Snapshot {
  /** Null for one that is not kept: everything is read at once. */
  readonly id: string | null;
  readonly counter: number;
}

/** A deletion: who could read the document, as JSON, or null for nobody. */
export interface Deletion {
  readonly id: DocumentId;
  readonly readers: string | null;
}

/** The number of the last change of a row of `documents`. */
export const LAST = (row: 'OLD' | 'NEW' | 'documents'): string => `max(${row}.version, ${row}.acl_version)`;

/**
 * Rights of a version are those of its ACL; those that the type's settings give are compared apart. Before a document is
 * deleted, its ACL is emptied with the number of the deletion, so updates tell all.
 */
const TRIGGER = `CREATE TRIGGER IF NOT EXISTS log_after_update AFTER UPDATE ON documents
  WHEN ${LAST('NEW')} <> ${LAST('OLD')} BEGIN
    INSERT OR IGNORE INTO versions (ended, id, seq, began, at, body, relationships, acl, creator, created, updated)
    VALUES (${LAST('NEW')}, OLD.id, OLD.seq, ${LAST('OLD')}, CAST(unixepoch('subsec') * 1000 AS INTEGER),
      OLD.body, OLD.relationships, OLD.acl, OLD.creator, OLD.created, OLD.updated);
  END`;

const DROP = 'DROP TRIGGER IF EXISTS log_after_update';

/** Milliseconds for which the last page of a snapshot can be read again. */
const LINGERS = 60_000;

/** A document as one text: id, rights, relationships, provenance, body (rpc/transfer.ts). */
const PACKED = joined(
  'char(31)',
  'lower(hex(id))',
  `coalesce(acl, '')`,
  `coalesce(relationships, '')`,
  PROVENANCE,
  'json(body)',
);

const VERSION = `json(body) AS body, relationships, acl, ${PROVENANCE} AS provenance`;

/** The position of a document, or the one that it had before the change with a number. */
const SEQ = `coalesce((SELECT seq FROM documents WHERE id = ?), (SELECT seq FROM versions WHERE id = ? AND ended = ?))`;

const BETWEEN: Select = `SELECT ${VERSION} FROM versions WHERE seq = ${SEQ} AND id = ? AND ended > ? AND began <= ?
  ORDER BY ended DESC ${LIMIT}`;

const AROUND: Select = `SELECT ${VERSION}, ended FROM versions WHERE seq = ${SEQ} AND id = ? AND ended >= ?
  ORDER BY ended LIMIT 2`;

/** The statement of the rows of a snapshot behind a position: those that have not changed since, and those that have. */
function rowsOf(
  columns: string,
  { counter }: Snapshot,
  position: number,
  limit: number,
): readonly [Select, ...SqlStorageValue[]] {
  const statement: Select = `SELECT seq, ${columns} FROM documents WHERE seq > ? AND version <= ? AND acl_version <= ?
  UNION ALL SELECT seq, ${columns} FROM versions WHERE seq > ? AND began <= ? AND ended > ?
  ORDER BY seq ${LIMIT}`;
  return [statement, position, counter, counter, position, counter, counter, limit];
}

export class Versions {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Writes the log from now on. To be called inside a transaction, as all below that write. */
  begin(): void {
    this.#sql.exec(TRIGGER);
  }

  /** The number of the oldest snapshot: versions that ended later are needed for exports. */
  get floor(): number {
    const { floor } = this.#sql
      .exec<{ floor: number | null }>('SELECT min(counter) AS floor FROM moments')
      .one();
    return floor ?? Number.MAX_SAFE_INTEGER;
  }

  /** Versions of a document before a change, that began at the latest at one number and ended after another, the latest first. */
  between(
    { id, number }: VersionsOf,
    { began, ended }: Readonly<Record<'began' | 'ended', number>>,
    limit: number,
  ): readonly Version[] {
    const bytes = bytesOfId(id);
    return this.#sql
      .exec<{ [Name in keyof Version]: Version[Name] }>(
        BETWEEN,
        bytes,
        bytes,
        number,
        bytes,
        ended,
        began,
        limit,
      )
      .toArray();
  }

  /** The version of a document that a change has ended, and the next one if that has ended, too. */
  around({ id, number }: VersionsOf): readonly (Version & { readonly ended: number })[] {
    const bytes = bytesOfId(id);
    return this.#sql
      .exec<{ [Name in keyof Version]: Version[Name] } & { ended: number }>(
        AROUND,
        bytes,
        bytes,
        number,
        bytes,
        number,
      )
      .toArray();
  }

  /** This snapshot. It is not kept yet. */
  now(): Snapshot {
    return this.#sql.exec<{ id: null; counter: number }>('SELECT NULL AS id, counter FROM meta').one();
  }

  /**
   * Keeps this snapshot for a reader. Whoever has not read on for longest has to begin again where there would be too many.
   * To be called inside the transaction that has read the first page.
   */
  keep({ counter }: Snapshot, id: string, now: number): void {
    this.#sql.exec('DELETE FROM moments WHERE until < ?', now);
    this.#sql.exec(
      `DELETE FROM moments WHERE id NOT IN (SELECT id FROM moments ORDER BY until DESC ${LIMIT})`,
      LIMITS.exportMoments - 1,
    );
    this.#sql.exec('INSERT INTO moments VALUES (?, ?, ?)', id, counter, now + LIMITS.exportPatience);
    this.begin();
  }

  /** The snapshot of a reader, if it is still kept. */
  resume(id: string, now: number): Snapshot | undefined {
    const [row] = this.#sql
      .exec<{ id: string; counter: number }>(
        'UPDATE moments SET until = ? WHERE id = ? AND until >= ? RETURNING id, counter',
        now + LIMITS.exportPatience,
        id,
        now,
      )
      .toArray();
    return row;
  }

  /** Keeps a snapshot a little longer, whose last page is on its way: the reader may not get it. */
  linger(id: string, now: number): void {
    this.#sql.exec('UPDATE moments SET until = ? WHERE id = ?', now + LINGERS, id);
  }

  /** The packed documents of a snapshot behind a position, at most so many rows and bytes, but at least one. */
  documents(
    snapshot: Snapshot,
    position: number,
    rows: number,
    bytes: number,
  ): readonly { readonly seq: number; readonly packed: string }[] {
    const sizes = this.#sql
      .exec<{ size: number }>(...rowsOf('length(body) AS size', snapshot, position, rows))
      .toArray();
    let left = bytes;
    const end = sizes.findIndex(({ size }) => (left -= size) <= 0);
    const count = end === -1 ? sizes.length : end + 1;
    if (count === 0) return [];
    return this.#sql
      .exec<{ seq: number; packed: string }>(...rowsOf(`${PACKED} AS packed`, snapshot, position, count))
      .toArray();
  }

  /** Whether a snapshot has documents behind a position. */
  hasAfter(snapshot: Snapshot, position: number): boolean {
    return this.#sql.exec(...rowsOf('1 AS one', snapshot, position, 1)).toArray().length > 0;
  }

  /** The deletions before a snapshot, in the order of ids, after an id, or from the first on. */
  deletions({ counter }: Snapshot, after: DocumentId | null, limit: number): readonly Deletion[] {
    return this.#sql
      .exec<{ id: DocumentId; readers: string | null }>(
        `SELECT lower(hex(id)) AS id, readers FROM tombstones WHERE id > unhex(coalesce(?, '')) AND version <= ?
         ORDER BY tombstones.id ${LIMIT}`,
        after,
        counter,
        limit,
      )
      .toArray();
  }

  /** Milliseconds since 1970 when the next snapshot is given up; null without any. */
  next(): number | null {
    return this.#sql.exec<{ until: number | null }>('SELECT min(until) AS until FROM moments').one().until;
  }

  /** Ends all snapshots and the log: their readers begin anew. To be called where there is no feed. */
  end(): void {
    this.#sql.exec('DELETE FROM moments');
    this.#sql.exec(DROP);
  }

  /** Removes some versions that nobody reads; whether there may be more. The feed removes those that it has read. */
  tidy(now: number): boolean {
    this.#sql.exec('DELETE FROM moments WHERE until < ?', now);
    if (this.#sql.exec('SELECT 1 FROM feed').toArray().length > 0) return false;
    if (this.next() === null) this.#sql.exec(DROP);
    const removed = this.#sql.exec(
      `DELETE FROM versions WHERE rowid IN (SELECT rowid FROM versions WHERE ended <= ? ORDER BY ended ${LIMIT}) RETURNING 1`,
      this.floor,
      WRITE_STEP_ROWS,
    );
    return removed.toArray().length > 0;
  }
}

/** Versions of a document before the change with a number. */
interface VersionsOf {
  readonly id: DocumentId;
  readonly number: number;
}
