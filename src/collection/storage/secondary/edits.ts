/**
 * Who has made each version of the documents of a type with history (docs/history.md), how and when: rows of the log
 * (versions.ts), which has the state before with it.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { keyOf } from '../../../domain/documents.ts';
import type { Requester } from '../../../domain/rules.ts';
import { holdOf, type History } from '../../../domain/types/settings.ts';
import type { Edit, EditKind, Which } from '../../rpc/history.ts';
import type { WholeVersion } from '../../rpc/maintenance/transfer.ts';
import { textOfAcl } from '../documents/rights.ts';
import { bytesOfId } from '../ids.ts';
import { fitting, Table, LIMIT, type Select } from '../sql.ts';
import type { SettingsReader } from '../type-settings.ts';
import { STATE } from './differences.ts';
import { logged, LOGGED, packedWith, type PrunedEdit, type Snapshot } from './versions.ts';

/** An edit with the number of the collection that it took. */
export interface NumberedEdit extends Edit {
  readonly version: number;
  /** Greater than 0 where the version before is kept. */
  readonly former: number;
}

type Row = { [Name in keyof NumberedEdit]: NumberedEdit[Name] };

/** An edit with what its document was before, packed; null where that is not kept. */
type Exported = Omit<Row, 'former'> & { row: number; id: DocumentId; former: string | null };

const DAY = 86_400_000;

/** The version that a document is, null where it is not there; and the newest edit of it. */
const NEWEST = `SELECT version, ended, coalesce(n, 0) AS n FROM (SELECT 1) LEFT JOIN documents ON documents.id = ?1
  LEFT JOIN (SELECT ended, n FROM versions WHERE id = ?1 AND n IS NOT NULL ORDER BY ended DESC LIMIT 1)`;

/** What stands there before the first version that is counted is a version, too. */
const BEGIN = `INSERT INTO versions (id, ended, began, at, n, change)
  SELECT id, version, version, coalesce(updated, ?3), ?2, 'unknown' FROM documents WHERE id = ?1`;

const NOTE = `INSERT INTO versions (id, ended, n, change, user, key, ${LOGGED})
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ${logged('documents', '?2', '?7')} FROM (SELECT 1) LEFT JOIN documents ON id = ?1`;

const COLUMNS = 'ended AS version, body IS NOT NULL AS former, n, change, user, key, at';

const BEFORE: Select = `SELECT ${COLUMNS} FROM versions WHERE id = ? AND ended < ? AND n IS NOT NULL
  ORDER BY ended DESC ${LIMIT}`;

const AFTER: Select = `SELECT ${COLUMNS} FROM versions WHERE id = ? AND ended > ? AND n IS NOT NULL
  ORDER BY ended LIMIT 1`;

/** Deletions before a place, the last first, with the versions that they ended; no readers if the document is back. */
const DELETIONS: Select = `SELECT at || ' ' || lower(hex(versions.id)) AS place, lower(hex(versions.id)) AS id,
    CASE WHEN tombstones.id IS NOT NULL THEN coalesce(readers, '[]') END AS readers,
    ended AS version, body IS NOT NULL AS former, n - 1 AS n, change, user, key, at
  FROM versions LEFT JOIN tombstones ON tombstones.id = versions.id AND tombstones.version = ended
  WHERE change = 'delete' AND (at, versions.id) < (?, ?) ORDER BY at DESC, versions.id DESC ${LIMIT}`;

/** Edits in rows behind one, up to a snapshot: those of a document in their order. */
const exportedAs = (columns: string): Select => `SELECT ${columns} FROM versions
  WHERE rowid > ? AND ended <= ? AND n IS NOT NULL ORDER BY rowid ${LIMIT}`;

/** The bytes of what documents were before. */
const EXPORTED_SIZES = exportedAs(`coalesce(length(${STATE}), 0) AS size`);

const EXPORTED = exportedAs(`rowid AS row, lower(hex(id)) AS id, ended AS version, n, change, user, key, at,
  CASE WHEN body IS NOT NULL THEN ${packedWith(STATE)} END AS former`);

/** A version from elsewhere has a position that no document has: neither feeds nor exports know it. */
const TAKE = `INSERT INTO versions
    (id, ended, began, at, n, change, user, key, seq, body, relationships, acl, creator, created, updated)
  VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, -?2, jsonb(?8), ?9, ?10, ?11, ?12, ?13)`;

/** Who makes the write that runs. */
interface Writer {
  readonly requester?: Requester | null | undefined;
}

export class Edits extends Table {
  readonly #settings: Pick<SettingsReader, 'current'>;
  readonly #writer: Writer;
  readonly #time: () => number;

  /** `time`: of the write that runs: all writes of a list have one, or a moment would show a part of it. */
  constructor(
    sql: SqlStorage,
    settings: Pick<SettingsReader, 'current'>,
    writer: Writer = {},
    time = () => Date.now(),
  ) {
    super(sql);
    this.#settings = settings;
    this.#writer = writer;
    this.#time = time;
  }

  /** Which versions are kept; null where the type has no history. */
  get retention(): History | null {
    const { current } = this.#settings;
    return holdOf(current) > 0
      ? { ...current?.history, days: null, versions: null }
      : (current?.history ?? null);
  }

  /** Until when a version is kept that ended at a time, in milliseconds since 1970; null for no such time. */
  untilOf(end: number): number | null {
    const { current } = this.#settings;
    const days = current?.history?.days ?? null;
    return days === null ? null : Math.max(end + days * DAY, holdOf(current));
  }

  /**
   * Notes how a write makes the next version: each write of a document's content must. One of the
   * service itself is `nobodys`. To be called inside a transaction, as all below that write.
   */
  note(id: DocumentId, version: number, change: EditKind, nobodys = false): void {
    if (this.retention === null) return;
    const { key = null, named = null } = (nobodys ? null : this.#writer.requester) ?? {};
    const bytes = bytesOfId(id);
    const newest = this.sql
      .exec<{ version: number | null; ended: number | null; n: number }>(NEWEST, bytes)
      .one();
    const isCounted = newest.version === null || newest.version === newest.ended;
    const n = isCounted ? newest.n : newest.n + 1;
    const now = this.#time();
    if (!isCounted) this.sql.exec(BEGIN, bytes, n, now);
    this.sql.exec(NOTE, bytes, version, n + 1, change, named && keyOf(named.user), key, now);
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
    const found: Select = `SELECT ${COLUMNS} FROM versions WHERE id = ? AND ${sql} AND n IS NOT NULL
      ORDER BY ended DESC LIMIT 1`;
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

  /** Edits of a snapshot behind a row, with what documents were before: at most so many and so many bytes, but one. */
  exported({ counter }: Snapshot, row: number, limit: number, bytes: number): readonly Exported[] {
    if (this.retention === null) return [];
    const sizes = this.sql.exec<{ size: number }>(EXPORTED_SIZES, row, counter, limit);
    return this.sql.exec<Exported>(EXPORTED, row, counter, fitting(sizes, bytes).length).toArray();
  }

  /** Takes an edit from elsewhere, with what the document was before, as one of a number. */
  take({ id, edit, former }: WholeVersion, version: number): void {
    const { n, change, user, key, at } = edit;
    const { content = null, acl = null, auditFields } = former ?? {};
    const { creator = null, created = null, updated = null } = auditFields ?? {};
    const { body = null, relationships = null } = content ?? {};
    const known = [acl && textOfAcl(acl), creator && keyOf(creator), created, updated];
    this.sql.exec(TAKE, bytesOfId(id), version, at, n, change, user, key, body, relationships, ...known);
  }

  /** Gives the last edit that came before a document, or before its deletion, the number that this has. */
  adopt(id: DocumentId, version: number, isDeletion: boolean): void {
    const [last] = this.before(id, version, 1);
    if (last === undefined || (last.change === 'delete') !== isDeletion) return;
    const bytes = bytesOfId(id);
    this.sql.exec('DELETE FROM versions WHERE id = ? AND ended = ?', bytes, version);
    const adopted = 'UPDATE versions SET ended = ?1, began = ?1 WHERE id = ?2 AND ended = ?3';
    this.sql.exec(adopted, version, bytes, last.version);
  }

  /** After all documents have got other numbers: the newest version of each is what the document is. */
  restamp(): void {
    this.sql.exec(
      `UPDATE versions SET ended = documents.version FROM documents WHERE documents.id = versions.id AND ended =
         (SELECT max(ended) FROM versions AS newest WHERE newest.id = documents.id AND n IS NOT NULL)`,
    );
  }

  /** Keeps an edit whose former state has gone, and forgets those before it. That of a deletion goes as well. */
  forget(pruned: PrunedEdit): void {
    this.sql.exec('DELETE FROM versions WHERE id = ? AND ended < ?', pruned.id, pruned.ended);
    if (pruned.change !== 'delete') keepEdit(this.sql, pruned);
  }
}

/** Keeps an edit without the state before, in its old row: who walks over the log in steps would miss it in another. */
export function keepEdit(sql: SqlStorage, { row, id, ended, at, n, change, user, key }: PrunedEdit): void {
  const insert = `INSERT INTO versions (rowid, id, ended, began, at, n, change, user, key)
    VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8)`;
  sql.exec(insert, row, id, ended, at, n, change, user, key);
}
