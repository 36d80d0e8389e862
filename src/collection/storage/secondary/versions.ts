/**
 * The log: versions that documents had, each with the numbers of the changes that began and ended it, and the edit that
 * ended it where the type has a history (edits.ts); without a state where there was none before it. It is kept while
 * somebody reads it: the feed of changes (feed-tables.ts), or an export that is read in pages while others write, and
 * has the documents as they were at its first page, its snapshot; and as long as the history of the type says
 * (edits.ts). A trigger writes it: types without readers pay nothing.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { History } from '../../../domain/types/settings.ts';
import { joined, AUDIT_FIELDS } from '../documents/documents.ts';
import { textOfAcl } from '../documents/rights.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { fitting, Table, LIMIT, NOW, type Select } from '../sql.ts';
import { WRITE_STEP_ROWS } from '../steps.ts';
import { Differences, STATE } from './differences.ts';

/** A version that has ended. */
export interface Version {
  readonly body: string;
  readonly relationships: string | null;
  /** JSON of an Acl, or null. */
  readonly acl: string | null;
  readonly auditFields: string;
}

type Row = { [Name in keyof Version]: Version[Name] };

/** A snapshot of the collection. */
export interface Snapshot {
  /** Null for one that is not kept: everything is read at once. */
  readonly id: string | null;
  readonly counter: number;
}

/** The number of the last change of a row of `documents`. */
export const LAST = (row: 'OLD' | 'NEW' | 'documents'): string => `max(${row}.version, ${row}.acl_version)`;

/** What the log has of a version that ends, beside the edit that ends it. */
export const LOGGED = 'began, at, seq, export_seq, body, relationships, acl, creator, created, updated';

/** The same of a row of `documents`; where there is none, the version begins when it ends. */
export const logged = (row: 'OLD' | 'documents', number: string, at: string = NOW): string =>
  `coalesce(${LAST(row)}, ${number}), ${at}, ${row}.seq, CASE WHEN EXISTS (SELECT 1 FROM moments) THEN ${row}.seq END,
    ${['body', 'relationships', 'acl', 'creator', 'created', 'updated'].map((name) => `${row}.${name}`).join(', ')}`;

/**
 * Rights of a version are those of its ACL; those from the type's settings are compared apart. Before a document is
 * deleted, its ACL is emptied with the number of the deletion, so updates tell all. An edit is there before (edits.ts).
 */
const TRIGGER = `CREATE TRIGGER IF NOT EXISTS log_after_update AFTER UPDATE ON documents
  WHEN ${LAST('NEW')} <> ${LAST('OLD')} AND
    NOT EXISTS (SELECT 1 FROM versions WHERE id = OLD.id AND ended = ${LAST('NEW')}) BEGIN
    INSERT INTO versions (id, ended, ${LOGGED}) VALUES (OLD.id, ${LAST('NEW')}, ${logged('OLD', LAST('NEW'))});
  END`;

const DROP = 'DROP TRIGGER IF EXISTS log_after_update';

/** Milliseconds for which the last page of a snapshot can be read again. */
const LINGERS = 60_000;

/** A document as one text: id, rights, relationships, audit fields, body (rpc/maintenance/transfer.ts). */
export const packedWith = (body: string): string =>
  joined(
    'char(31)',
    'lower(hex(id))',
    `coalesce(acl, '')`,
    `coalesce(relationships, '')`,
    AUDIT_FIELDS,
    `json(${body})`,
  );

const VERSION = `json(${STATE}) AS body, relationships, acl, ${AUDIT_FIELDS} AS auditFields`;

const ENDED: Select = `SELECT ${VERSION}, seq FROM versions WHERE ended = ? AND id = ? AND body IS NOT NULL`;

/** The last of the next rows of the log after one; null where there are no more. */
export const NEXT_ROWS: Select = `SELECT max(row) AS last FROM
  (SELECT rowid AS row FROM versions WHERE rowid > ? ORDER BY rowid ${LIMIT})`;

/** What is left of a row that goes. */
export const PRUNED = 'rowid AS row, id, ended, at, n, change, user, key';

/** Forgets those of some rows that neither an export needs, nor the feed, nor the history. */
const PRUNE = `DELETE FROM versions WHERE rowid > ? AND rowid <= ? AND body IS NOT NULL AND ended <= ? AND at < ? AND
  (n IS NULL OR at < ? OR n <=
    (SELECT newest.n FROM versions AS newest WHERE newest.id = versions.id AND newest.n IS NOT NULL
    ORDER BY newest.ended DESC LIMIT 1) - ?)
  RETURNING ${PRUNED}`;

/** A row of the log that is pruned; `n` is null where no edit has ended the version. */
export type PrunedEdit = {
  readonly row: number;
  readonly id: ArrayBuffer;
  readonly ended: number;
  readonly at: number;
  readonly n: number | null;
  readonly change: string | null;
  readonly user: string | null;
  readonly key: string | null;
};

/** Milliseconds after which the whole log is looked through again. */
const PRUNED_EVERY = 86_400_000;

/** What numbers the versions of a type with history (edits.ts). */
interface Numbers {
  readonly retention: History | null;
  forget(pruned: PrunedEdit): void;
}

const BETWEEN: Select = `SELECT ${VERSION} FROM versions WHERE id = ? AND ended > ? AND began <= ? AND began < ended
  ORDER BY ended DESC ${LIMIT}`;

const AROUND: Select = `SELECT ${VERSION}, ended FROM versions WHERE id = ? AND ended >= ? AND began < ended
  ORDER BY ended LIMIT 2`;

/** Among the positions in the log, this one stands for a document that was deleted before: a restore ends that. */
const DELETED_BEFORE = -1;

const EXHUMED = `UPDATE versions SET export_seq = ${DELETED_BEFORE}, acl = ?
  WHERE id = ? AND ended = ? AND EXISTS (SELECT 1 FROM moments)`;

/** Those that are deleted since before a snapshot, and those whose first change since was a restore. */
const DELETED: Select = `SELECT lower(hex(key)) AS id, readers FROM (
    SELECT id AS key, readers FROM tombstones WHERE id > unhex(coalesce(?1, '')) AND version <= ?2
    UNION ALL SELECT id, acl ->> 'read' FROM versions AS restore
    WHERE export_seq = ${DELETED_BEFORE} AND ended > ?2 AND id > unhex(coalesce(?1, '')) AND NOT EXISTS
      (SELECT 1 FROM versions WHERE id = restore.id AND ended > ?2 AND ended < restore.ended)
    ORDER BY key LIMIT ?3 + 0) ORDER BY key`;

/** The statement of the rows of a snapshot behind a position: those that have not changed since, and the others. */
function rowsOf(
  columns: (body: string) => string,
  { counter }: Snapshot,
  position: number,
  limit: number,
): readonly [Select, ...SqlStorageValue[]] {
  const statement: Select = `SELECT seq, ${columns('body')} FROM documents
    WHERE seq > ? AND version <= ? AND acl_version <= ?
  UNION ALL SELECT export_seq AS seq, ${columns(STATE)} FROM versions WHERE export_seq > ? AND began <= ? AND ended > ?
  ORDER BY seq ${LIMIT}`;
  return [statement, position, counter, counter, position, counter, counter, limit];
}

export class Versions extends Table {
  readonly #edits: Numbers;
  readonly #differences: Differences;
  /** Up to where the log was looked through, and when that was done last: by a policy. */
  #pruned = { row: 0, at: 0, policy: '' };

  constructor(sql: SqlStorage, edits: Numbers) {
    super(sql);
    this.#edits = edits;
    this.#differences = new Differences(sql);
  }

  /** Whether the type has a history: then the log is pruned, and by nothing else. */
  get isHistory(): boolean {
    return this.#edits.retention !== null;
  }

  /** Begins a history, if the settings of the type say so. */
  follow(): void {
    if (this.isHistory) this.begin();
  }

  /** Writes the log from now on. To be called inside a transaction, as all below that write. */
  begin(): void {
    this.sql.exec(TRIGGER);
  }

  /** The number of the oldest snapshot: versions that ended later are needed for exports. */
  get floor(): number {
    return this.numberOf('SELECT min(counter) FROM moments') ?? Number.MAX_SAFE_INTEGER;
  }

  /** Versions of a document that began at the latest at one number and ended after another, the latest first. */
  between(
    id: DocumentId,
    { began, ended }: Readonly<Record<'began' | 'ended', number>>,
    limit: number,
  ): readonly Version[] {
    return this.sql.exec<Row>(BETWEEN, bytesOfId(id), ended, began, limit).toArray();
  }

  /** The version of a document that a change has ended, and the next one if that has ended, too. */
  around(id: DocumentId, number: number): readonly (Version & { readonly ended: number })[] {
    return this.sql.exec<Row & { ended: number }>(AROUND, bytesOfId(id), number).toArray();
  }

  /** The version of a document that a change has ended. */
  endedBy(id: DocumentId, number: number): (Version & { readonly seq: number }) | undefined {
    return this.sql.exec<Row & { seq: number }>(ENDED, number, bytesOfId(id)).toArray()[0];
  }

  /** This snapshot. It is not kept yet. */
  now(): Snapshot {
    return this.sql.exec<{ id: null; counter: number }>('SELECT NULL AS id, counter FROM meta').one();
  }

  /**
   * Keeps this snapshot for a reader. If there would be too many, whoever has not read on for longest begins again. To
   * be called inside the transaction that has read the first page.
   */
  keep({ counter }: Snapshot, id: string, now: number): void {
    this.endSnapshots(now);
    const oldest = `DELETE FROM moments WHERE id NOT IN (SELECT id FROM moments ORDER BY until DESC ${LIMIT})`;
    this.sql.exec(oldest, LIMITS.exportMoments - 1);
    this.sql.exec('INSERT INTO moments VALUES (?, ?, ?)', id, counter, now + LIMITS.exportPatience);
    this.begin();
  }

  /** The snapshot of a reader, if it is still kept. */
  resume(id: string, now: number): Snapshot | undefined {
    const resumed = 'UPDATE moments SET until = ? WHERE id = ? AND until >= ? RETURNING counter';
    const counter = this.numberOf(resumed, now + LIMITS.exportPatience, id, now);
    return counter === null ? undefined : { id, counter };
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
      ...rowsOf((body) => `length(${body}) AS size`, snapshot, position, rows),
    );
    const { length: count } = fitting(sizes, bytes);
    if (count === 0) return [];
    return this.sql
      .exec<{ seq: number; packed: string }>(
        ...rowsOf((body) => `${packedWith(body)} AS packed`, snapshot, position, count),
      )
      .toArray();
  }

  hasAfter(snapshot: Snapshot, position: number): boolean {
    return this.finds(...rowsOf(() => '1 AS one', snapshot, position, 1));
  }

  /** The deletions before a snapshot, in the order of ids, after an id, or from the first on. */
  deletions({ counter }: Snapshot, after: DocumentId | null, limit: number) {
    type Row = { id: DocumentId; readers: string | null };
    return this.sql.exec<Row>(DELETED, after, counter, limit).toArray();
  }

  /** Lets snapshots know that a document was deleted until a change, and who could read it. */
  exhumed(id: DocumentId, version: number, readers: readonly string[]): void {
    this.sql.exec(EXHUMED, textOfAcl({ read: readers }), bytesOfId(id), version);
  }

  /** Milliseconds since 1970 when the next snapshot is given up; null without any. */
  next(): number | null {
    return this.numberOf('SELECT min(until) FROM moments');
  }

  /** Ends all snapshots and the log: readers begin anew. To be called where no feed is; a history may `follow`. */
  end(): void {
    this.sql.exec('DELETE FROM moments');
    this.sql.exec(DROP);
  }

  /** Gives up snapshots whose readers have not read on. */
  endSnapshots(now: number): void {
    this.sql.exec('DELETE FROM moments WHERE until < ?', now);
  }

  /** Removes some versions that nobody reads; whether there may be more. A feed removes what it has read by itself. */
  tidy(now: number): boolean {
    this.endSnapshots(now);
    if (this.isHistory) return this.prune(now, null);
    if (this.next() === null) this.sql.exec(DROP);
    const some = `DELETE FROM versions
      WHERE rowid IN (SELECT rowid FROM versions WHERE ended <= ? ${LIMIT}) RETURNING 1`;
    return this.finds(some, this.floor, WRITE_STEP_ROWS);
  }

  /**
   * Looks through more of a history's log, then stores states as differences; whether there is more. `since`: from when
   * on a feed needs all, or null.
   */
  prune(now: number, since: number | null): boolean {
    return this.#prune(now, since) || this.#differences.store();
  }

  #prune(now: number, since: number | null): boolean {
    const { days = null, versions = null } = this.#edits.retention ?? {};
    const policy = `${days} ${versions}`;
    const { row, at } = this.#pruned;
    if (row === 0 && this.#pruned.policy === policy && now - at < PRUNED_EVERY) return false;
    const last = this.numberOf(NEXT_ROWS, row, WRITE_STEP_ROWS);
    this.#pruned = { row: last ?? 0, at: last === null ? now : at, policy };
    if (last === null) return false;
    const oldest = days === null ? 0 : now - days * PRUNED_EVERY;
    const bounds = [since ?? Number.MAX_SAFE_INTEGER, oldest, versions ?? Number.MAX_SAFE_INTEGER];
    const gone = this.sql.exec<PrunedEdit>(PRUNE, row, last, this.floor, ...bounds).toArray();
    // Of each document the last one: it forgets those before it.
    const edits = gone.filter(({ n }) => n !== null).map((each) => [idOfBytes(each.id), each] as const);
    for (const edit of new Map(edits).values()) this.#edits.forget(edit);
    return true;
  }

  /** When the log is to be looked through next; null without a history. */
  nextPrune(now: number): number | null {
    return this.isHistory ? now + PRUNED_EVERY : null;
  }
}
