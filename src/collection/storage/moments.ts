/**
 * Documents as they were at a moment, for exports that are read in pages while others write. From the second page on,
 * triggers keep every document as it was before its first change or deletion after the moment; positions that the reader
 * has are not kept. So a moment costs nothing but the documents that change meanwhile, and writes know nothing of it.
 */
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { PROVENANCE } from './documents.ts';
import { LIMIT, type Select } from './sql.ts';
import { WRITE_STEP_ROWS } from './steps.ts';

/** A moment of the collection. */
export interface Moment {
  /** Null for one that is not kept: everything is read at once. */
  readonly id: string | null;
  readonly counter: number;
  readonly last: number;
}

/** A deletion: who could read the document, as JSON, or null for nobody. */
export interface Deletion {
  readonly id: DocumentId;
  readonly readers: string | null;
}

const COLUMNS = 'seq, id, body, relationships, acl, creator, created, updated';
const OLD = COLUMNS.replaceAll(/\w+/g, 'OLD.$&');

/** Milliseconds for which the last page of a moment can be read again. */
const LINGERS = 60_000;

/** A document as one text: id, rights, relationships, provenance, body (rpc/transfer.ts). */
const PACKED = `concat_ws(char(31), lower(hex(id)), coalesce(acl, ''), coalesce(relationships, ''), ${PROVENANCE},
  json(body))`;

/** The statement of the rows of a moment behind a position: those that have not changed since, and those that were kept. */
function rowsOf(
  columns: string,
  { id, counter, last }: Moment,
  position: number,
  limit: number,
): readonly [Select, ...SqlStorageValue[]] {
  const statement: Select = `SELECT seq, ${columns} FROM documents
    WHERE seq > ? AND seq <= ? AND version <= ? AND acl_version <= ?
      AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.moment = ? AND kept.seq = documents.seq)
  UNION ALL SELECT seq, ${columns} FROM kept WHERE moment = ? AND seq > ? AND seq <= ?
  ORDER BY seq ${LIMIT}`;
  return [statement, position, last, counter, counter, id, id, position, last, limit];
}

export class Moments {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** This moment. It is not kept yet. */
  now(): Moment {
    return this.#sql
      .exec<{ id: null; counter: number; last: number }>(
        'SELECT NULL AS id, counter, (SELECT coalesce(max(seq), 0) FROM documents) AS last FROM meta',
      )
      .one();
  }

  /**
   * Keeps this moment for a reader who has come to a position. Whoever has not read on for longest has to begin again
   * where there would be too many. To be called inside the transaction that has read the first page.
   */
  keep({ counter, last }: Moment, id: string, position: number, now: number): void {
    this.#sql.exec('DELETE FROM moments WHERE until < ?', now);
    this.#sql.exec(
      `DELETE FROM moments WHERE id NOT IN (SELECT id FROM moments ORDER BY until DESC ${LIMIT})`,
      LIMITS.exportMoments - 1,
    );
    this.#sql.exec(
      'INSERT INTO moments VALUES (?, ?, ?, ?, ?)',
      id,
      counter,
      last,
      position,
      now + LIMITS.exportPatience,
    );
    for (const change of ['UPDATE', 'DELETE']) {
      this.#sql.exec(
        `CREATE TRIGGER IF NOT EXISTS ${nameOf(change)} BEFORE ${change} ON documents BEGIN
           INSERT OR IGNORE INTO kept (moment, ${COLUMNS}) SELECT moments.id, ${OLD} FROM moments
           WHERE OLD.seq > moments.position AND OLD.seq <= moments.last;
         END`,
      );
    }
  }

  /** The moment of a reader who has all up to a position, if it is still kept from there on. */
  resume(id: string, position: number, now: number): Moment | undefined {
    const [row] = this.#sql
      .exec<{ id: string; counter: number; last: number }>(
        `UPDATE moments SET position = ?, until = ? WHERE id = ? AND position <= ? AND until >= ?
         RETURNING id, counter, last`,
        position,
        now + LIMITS.exportPatience,
        id,
        position,
        now,
      )
      .toArray();
    return row;
  }

  /** Keeps a moment a little longer, whose last page is on its way: the reader may not get it. */
  linger(id: string, now: number): void {
    this.#sql.exec('UPDATE moments SET until = ? WHERE id = ?', now + LINGERS, id);
  }

  /** The packed documents of a moment behind a position, at most so many rows and bytes, but at least one. */
  documents(
    moment: Moment,
    position: number,
    rows: number,
    bytes: number,
  ): readonly { readonly seq: number; readonly packed: string }[] {
    const sizes = this.#sql
      .exec<{ size: number }>(...rowsOf('length(body) AS size', moment, position, rows))
      .toArray();
    let left = bytes;
    const end = sizes.findIndex(({ size }) => (left -= size) <= 0);
    const count = end === -1 ? sizes.length : end + 1;
    if (count === 0) return [];
    return this.#sql
      .exec<{ seq: number; packed: string }>(...rowsOf(`${PACKED} AS packed`, moment, position, count))
      .toArray();
  }

  /** Whether a moment has documents behind a position. */
  hasAfter(moment: Moment, position: number): boolean {
    return this.#sql.exec(...rowsOf('1 AS one', moment, position, 1)).toArray().length > 0;
  }

  /** The deletions before a moment, in the order of ids, after an id, or from the first on. */
  deletions({ counter }: Moment, after: DocumentId | null, limit: number): readonly Deletion[] {
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

  /** Milliseconds since 1970 when the next moment is given up; null without any. */
  next(): number | null {
    return this.#sql.exec<{ until: number | null }>('SELECT min(until) AS until FROM moments').one().until;
  }

  /** Removes some of what ended moments have left; whether there may be more. */
  tidy(now: number): boolean {
    this.#sql.exec('DELETE FROM moments WHERE until < ?', now);
    if (this.next() === null) {
      for (const change of ['UPDATE', 'DELETE']) this.#sql.exec(`DROP TRIGGER IF EXISTS ${nameOf(change)}`);
    }
    const removed = this.#sql.exec(
      `DELETE FROM kept WHERE rowid IN
         (SELECT rowid FROM kept WHERE moment NOT IN (SELECT id FROM moments) ${LIMIT}) RETURNING 1`,
      WRITE_STEP_ROWS,
    );
    return removed.toArray().length > 0;
  }
}

function nameOf(change: string): string {
  return `keep_before_${change.toLowerCase()}`;
}
