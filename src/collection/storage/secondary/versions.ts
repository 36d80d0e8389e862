/**
 * The log: versions that documents had, each with the numbers of the changes that began and ended it. It is kept while
 * somebody reads it: the feed of changes (feed-tables.ts), or an export that is read in pages while others write, and has
 * the documents as they were at its first page, its snapshot; and for as long as the history of the type says (edits.ts). A
 * trigger writes it: types without readers pay nothing.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { History } from '../../../domain/types/settings.ts';
import { joined, PROVENANCE } from '../documents/documents.ts';
import { bytesOfId } from '../ids.ts';
import { fitting, Table, LIMIT, type Select } from '../sql.ts';
import { WRITE_STEP_ROWS } from '../steps.ts';

/** A version that has ended. */
export interface Version {
  readonly body: string;
  readonly relationships: string | null;
  /** JSON of an Acl, or null. */
  readonly acl: string | null;
  readonly provenance: string;
}

type Row = { [Name in keyof Version]: Version[Name] };

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

/** A document as one text: id, rights, relationships, provenance, body (rpc/maintenance/transfer.ts). */
export const PACKED = joined(
  'char(31)',
  'lower(hex(id))',
  `coalesce(acl, '')`,
  `coalesce(relationships, '')`,
  PROVENANCE,
  'json(body)',
);

const VERSION = `json(body) AS body, relationships, acl, ${PROVENANCE} AS provenance`;

/** The position of a document, or the one that it had before the change with a number; and those before deletions. */
const SEQ = `(SELECT coalesce((SELECT seq FROM documents WHERE id = ?1), (SELECT seq FROM versions WHERE id = ?1 AND ended = ?2))
  UNION SELECT seq FROM edits JOIN versions ON ended = edits.version AND versions.id = edits.id
  WHERE edits.id = ?1 AND change = 'delete')`;

const ENDED: Select = `SELECT ${VERSION}, seq FROM versions WHERE ended = ? AND id = ?`;

const HAS: Select = `SELECT 1 FROM versions WHERE ended = ? AND id = ?`;

/** The last of the next rows of the log. */
const NEXT_ROWS: Select = `SELECT max(row) AS last FROM
  (SELECT rowid AS row FROM versions WHERE rowid > ? ORDER BY rowid ${LIMIT})`;

/** Forgets those of some rows that neither an export needs, nor the feed, nor the history. */
const PRUNE = `DELETE FROM versions WHERE rowid > ? AND rowid <= ? AND ended <= ? AND at < ? AND NOT EXISTS
  (SELECT 1 FROM edits WHERE edits.id = versions.id AND edits.version = versions.ended AND edits.at >= ? AND edits.n >
    (SELECT n FROM edits AS newest WHERE newest.id = versions.id ORDER BY version DESC LIMIT 1) - ?)
  RETURNING id, ended`;

/** Milliseconds after which the whole log is looked through again. */
const PRUNED_EVERY = 86_400_000;

/** What numbers the versions of a type with history (edits.ts). */
interface Numbers {
  readonly kept: History | null;
  begin(): void;
  end(): void;
  forget(id: ArrayBuffer, ended: number): void;
  clear(rows: number): boolean;
}

const BETWEEN: Select = `SELECT ${VERSION} FROM versions WHERE seq IN ${SEQ} AND id = ?1 AND ended > ?3 AND began <= ?4
  ORDER BY ended DESC LIMIT ?5 + 0`;

const AROUND: Select = `SELECT ${VERSION}, ended FROM versions WHERE seq IN ${SEQ} AND id = ?1 AND ended >= ?2
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

export class Versions extends Table {
  readonly #edits: Numbers;
  /** Up to where the log was looked through, and when that was done last: by a policy. */
  #pruned = { row: 0, at: 0, policy: '' };

  constructor(sql: SqlStorage, edits: Numbers) {
    super(sql);
    this.#edits = edits;
  }

  /** Whether the type has a history: then the log is pruned, and by nothing else. */
  get isHistory(): boolean {
    return this.#edits.kept !== null;
  }

  /** Begins or ends the history, as the settings of the type say. */
  follow(): void {
    if (!this.isHistory) this.#edits.end();
    else {
      this.begin();
      this.#edits.begin();
    }
  }

  /** Writes the log from now on. To be called inside a transaction, as all below that write. */
  begin(): void {
    this.sql.exec(TRIGGER);
  }

  /** The number of the oldest snapshot: versions that ended later are needed for exports. */
  get floor(): number {
    const { floor } = this.sql
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
    return this.sql.exec<Row>(BETWEEN, bytes, number, ended, began, limit).toArray();
  }

  /** The version of a document that a change has ended, and the next one if that has ended, too. */
  around({ id, number }: VersionsOf): readonly (Version & { readonly ended: number })[] {
    const bytes = bytesOfId(id);
    return this.sql.exec<Row & { ended: number }>(AROUND, bytes, number).toArray();
  }

  /** The version of a document that a change has ended. */
  endedBy(id: DocumentId, number: number): (Version & { readonly seq: number }) | undefined {
    return this.sql.exec<Row & { seq: number }>(ENDED, number, bytesOfId(id)).toArray()[0];
  }

  /** Whether there is one. This does not read it. */
  hasEnded(id: DocumentId, number: number): boolean {
    return this.sql.exec(HAS, number, bytesOfId(id)).toArray().length > 0;
  }

  /** This snapshot. It is not kept yet. */
  now(): Snapshot {
    return this.sql.exec<{ id: null; counter: number }>('SELECT NULL AS id, counter FROM meta').one();
  }

  /**
   * Keeps this snapshot for a reader. Whoever has not read on for longest has to begin again where there would be too many.
   * To be called inside the transaction that has read the first page.
   */
  keep({ counter }: Snapshot, id: string, now: number): void {
    this.endSnapshots(now);
    this.sql.exec(
      `DELETE FROM moments WHERE id NOT IN (SELECT id FROM moments ORDER BY until DESC ${LIMIT})`,
      LIMITS.exportMoments - 1,
    );
    this.sql.exec('INSERT INTO moments VALUES (?, ?, ?)', id, counter, now + LIMITS.exportPatience);
    this.begin();
  }

  /** The snapshot of a reader, if it is still kept. */
  resume(id: string, now: number): Snapshot | undefined {
    const [row] = this.sql
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
    this.sql.exec('UPDATE moments SET until = ? WHERE id = ?', now + LINGERS, id);
  }

  /** The packed documents of a snapshot behind a position, at most so many rows and bytes, but at least one. */
  documents(
    snapshot: Snapshot,
    position: number,
    rows: number,
    bytes: number,
  ): readonly { readonly seq: number; readonly packed: string }[] {
    const sizes = this.sql.exec<{ size: number }>(
      ...rowsOf('length(body) AS size', snapshot, position, rows),
    );
    const { length: count } = fitting(sizes, bytes);
    if (count === 0) return [];
    return this.sql
      .exec<{ seq: number; packed: string }>(...rowsOf(`${PACKED} AS packed`, snapshot, position, count))
      .toArray();
  }

  /** Whether a snapshot has documents behind a position. */
  hasAfter(snapshot: Snapshot, position: number): boolean {
    return this.sql.exec(...rowsOf('1 AS one', snapshot, position, 1)).toArray().length > 0;
  }

  /** The deletions before a snapshot, in the order of ids, after an id, or from the first on. */
  deletions({ counter }: Snapshot, after: DocumentId | null, limit: number): readonly Deletion[] {
    return this.sql
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
    return this.sql.exec<{ until: number | null }>('SELECT min(until) AS until FROM moments').one().until;
  }

  /** Ends all snapshots and the log: their readers begin anew. To be called where there is no feed; a history may `follow`. */
  end(): void {
    this.sql.exec('DELETE FROM moments');
    this.sql.exec(DROP);
    this.#edits.end();
  }

  /** Gives up snapshots whose readers have not read on. */
  endSnapshots(now: number): void {
    this.sql.exec('DELETE FROM moments WHERE until < ?', now);
  }

  /** Removes some versions that nobody reads; whether there may be more. To be called where there is no feed: it removes those that it has read. */
  tidy(now: number): boolean {
    this.endSnapshots(now);
    if (this.isHistory) return this.prune(now, null);
    if (this.next() === null) this.sql.exec(DROP);
    const removed = this.sql.exec(
      `DELETE FROM versions WHERE rowid IN (SELECT rowid FROM versions WHERE ended <= ? ORDER BY ended ${LIMIT}) RETURNING 1`,
      this.floor,
      WRITE_STEP_ROWS,
    );
    return removed.toArray().length > 0 || this.#edits.clear(WRITE_STEP_ROWS);
  }

  /** Looks at some more of the log of a history; whether there is more. `since`: from when on a feed needs all; null without one. */
  prune(now: number, since: number | null): boolean {
    const { days = null, versions = null } = this.#edits.kept ?? {};
    const policy = `${days} ${versions}`;
    const { row, at } = this.#pruned;
    if (row === 0 && this.#pruned.policy === policy && now - at < PRUNED_EVERY) return false;
    const { last } = this.sql.exec<{ last: number | null }>(NEXT_ROWS, row, WRITE_STEP_ROWS).one();
    this.#pruned = { row: last ?? 0, at: last === null ? now : at, policy };
    if (last === null) return false;
    const oldest = days === null ? 0 : now - days * PRUNED_EVERY;
    const bounds = [since ?? Number.MAX_SAFE_INTEGER, oldest, versions ?? Number.MAX_SAFE_INTEGER];
    const gone = this.sql.exec<{ id: ArrayBuffer; ended: number }>(PRUNE, row, last, this.floor, ...bounds);
    for (const { id, ended } of gone.toArray()) this.#edits.forget(id, ended);
    return true;
  }

  /** When the log of a history is to be looked through next; null where all is kept. */
  nextPrune(now: number): number | null {
    const { kept } = this.#edits;
    const isBounded = kept !== null && Object.values(kept).some((each) => each !== null);
    return isBounded ? now + PRUNED_EVERY : null;
  }
}

/** Versions of a document before the change with a number. */
interface VersionsOf {
  readonly id: DocumentId;
  readonly number: number;
}
