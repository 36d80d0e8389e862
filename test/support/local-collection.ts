/**
 * The tables, indexes and searches of a collection on Node's SQLite, without the object around them: for properties
 * that need thousands of searches, and indexes in every state of being built.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Counts } from '../../src/collection/search/counts/count-cache.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { TablesOnDemand } from '../../src/collection/storage/missing-tables.ts';
import { ON_DEMAND } from '../../src/collection/storage/tables.ts';
import { unpackFound, unpackDocuments } from '../../src/collection/rpc/packing/packing.ts';
import { SearchReader } from '../../src/collection/search/reading/reader.ts';
import type { ListPage, ListResult } from '../../src/collection/rpc/results.ts';
import { searchIn } from '../../src/collection/search/search.ts';
import type { Extents } from '../../src/collection/write/tables.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { TUNING, type Tuning } from '../../src/collection/search/tuning.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import type { Link } from '../../src/domain/documents.ts';
import type { Viewer } from '../../src/domain/rights.ts';
import { ObjectId, type Fields } from '../../src/domain/values/values.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { flatOf, packContent, type StoredDocument } from '../../src/domain/values/stored.ts';
import { idOf, typeOf } from './names.ts';

const TYPE = typeOf('place');
const TRUSTED = { viewer: null, rule: null, ifMatch: null };

type Row = Record<string, unknown>;
type Value = string | number | null | Uint8Array | ArrayBuffer;

/** Statements that stay prepared, as the runtime keeps them. */
const STATEMENTS = 500;

/** What the collection uses of an object's storage. `told` sees the rows that each statement gives. */
export function storageOf(
  database: DatabaseSync,
  told: (rows: readonly Row[]) => void = () => undefined,
): SqlStorage {
  const statements = new Map<string, StatementSync | null>();
  /** Null for several statements: only the first would be prepared. */
  const prepared = (query: string): StatementSync | null => {
    const known = statements.get(query);
    if (known !== undefined) return known;
    if (statements.size >= STATEMENTS) statements.clear();
    const made = /;\s*\S/.test(query) ? null : database.prepare(query);
    statements.set(query, made);
    return made;
  };
  const perform = (query: string, ...parameters: Value[]) => {
    const statement = prepared(query);
    if (statement === null) database.exec(query);
    const given = parameters.map((each) => (each instanceof ArrayBuffer ? new Uint8Array(each) : each));
    const rows = statement?.all(...given) ?? [];
    told(rows);
    return {
      rowsRead: rows.length,
      raw: () => rows.map((row) => Object.values(row).map(plain))[Symbol.iterator](),
      toArray: (): Row[] => rows,
      one: (): Row => {
        const [row] = rows;
        if (row === undefined || rows.length > 1) throw new Error(`Not one row: ${query}`);
        return row;
      },
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  };
  // Only this much of the interface is used.
  const bare = { exec: perform } as unknown as SqlStorage;
  const tables = new TablesOnDemand(bare);
  const exec = (query: string, ...parameters: Value[]) => tables.exec(query, parameters);
  return { exec, databaseSize: 1_000_000 } as unknown as SqlStorage;
}

/** Makes the tables of a collection that has used them all, for tests that look into these themselves. */
export function makeTables(sql: SqlStorage): void {
  migrate(sql);
  for (const name of Object.keys(ON_DEMAND)) sql.exec(`SELECT * FROM ${name} LIMIT 1`);
}

/** Bytes come as an object gives them. */
function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice().buffer : value;
}

export interface ListOptions {
  readonly sort?: readonly SortField[];
  readonly viewer?: Viewer;
  readonly tuning?: Tuning;
  /** What others do when the search lets them in. */
  readonly pause?: () => void;
}

/** A page with its documents unpacked. */
export type Found = Omit<ListResult, 'documents'> & { readonly documents: readonly StoredDocument[] };

/** The tables of a collection that has nothing yet. */
let empty: Uint8Array | undefined;

export class LocalCollection {
  readonly #sql: SqlStorage;
  readonly #database = new DatabaseSync(':memory:');
  readonly #counts = new Counts();
  tables: Transactor;

  readonly #extents: Partial<Extents>;

  /** `told` sees the rows that each statement gives. */
  constructor(extents: Partial<Extents> = {}, told?: (rows: readonly Row[]) => void) {
    this.#extents = extents;
    this.#sql = storageOf(this.#database, told);
    if (empty === undefined) {
      makeTables(this.#sql);
      empty = this.#database.serialize();
    } else this.#database.deserialize(empty);
    this.tables = new Transactor(this.#sql, extents);
  }

  close(): void {
    this.#database.close();
  }

  /** What a restart of the object does: all that is not in the tables is forgotten. */
  restart(): void {
    this.tables = new Transactor(this.#sql, this.#extents);
    this.tables.load();
  }

  /** As `Writes` does it: each write is one transaction. */
  #committed<T>(write: () => T): T {
    const { groups, indexes } = this.tables;
    indexes.counts.rollBack();
    groups.rollBack();
    const result = write();
    // Of several that are undone together, none is committed.
    if (this.#isOpen) return result;
    indexes.counts.commit();
    groups.commit();
    return result;
  }

  #isOpen = false;

  /** Does several writes in one transaction, and undoes them. */
  undone(work: () => void): void {
    this.#isOpen = true;
    this.#database.exec('BEGIN');
    work();
    this.#database.exec('ROLLBACK');
    this.#isOpen = false;
    this.tables.load();
  }

  reader(): SearchReader {
    return new SearchReader(this.#sql);
  }

  /** Returns the id. */
  create(
    attributes: Fields,
    owners: readonly string[] = [],
    creator: Link | null = null,
    now = 1_000_000,
  ): string {
    const content = packContent({ attributes, relationships: {} });
    const draft = { content, owners, ownsItself: false, rule: null, ...(creator !== null && { creator }) };
    const made = this.#committed(() => this.tables.create(TYPE, draft, now));
    if (!made.ok) throw new Error(JSON.stringify(made));
    return made.value.document.id;
  }

  /** Makes a document one that a former release stored. */
  forgetAuditFields(id: string): void {
    this.#sql.exec(
      'UPDATE documents SET creator = NULL, created = NULL, updated = NULL WHERE id = unhex(?)',
      id,
    );
  }

  /** A document as a filter sees it. */
  flat(id: string): Fields {
    const { document } = unpackFound(this.tables.records.read(idOf(id), true) ?? '');
    return { ...flatOf(document), id: new ObjectId(idOf(id)), type: TYPE };
  }

  update(id: string, attributes: Fields): void {
    const content = packContent({ attributes, relationships: {} });
    const done = this.#committed(() =>
      this.tables.update(TYPE, idOf(id), { kind: 'merge', content }, TRUSTED, null),
    );
    if (!done.ok) throw new Error(JSON.stringify(done));
  }

  /** Lets these read a document, and nobody else. */
  share(id: string, readers: readonly string[]): void {
    const done = this.tables.updateAcl(TYPE, idOf(id), 'acl', { read: readers }, TRUSTED);
    if (!done.ok) throw new Error(JSON.stringify(done));
  }

  remove(id: string): void {
    const done = this.#committed(() => this.tables.remove(TYPE, idOf(id), TRUSTED));
    if (!done.ok) throw new Error(JSON.stringify(done));
  }

  /** What a search over a million documents would teach, for want of indexes or thanks to them. */
  search(wanted: readonly string[], used: readonly string[] = [], now = 0): void {
    this.tables.indexes.learn(wanted, 1_000_000, 1_000_000, now);
    this.tables.indexes.used(used, 1_000_000, now);
  }

  /** Has an index begun, as searches that scan would. */
  learn(name: string): void {
    this.search([name]);
    this.search([name]);
  }

  /** Builds indexes for some steps; true when there is nothing left to do. */
  build(steps = Infinity, now = 0): boolean {
    for (let step = 0; step < steps; step += 1) {
      if (!this.tables.indexes.step(this.tables.records, now)) return true;
    }
    return !this.tables.indexes.pending;
  }

  /** Drops all indexes, as when nothing asks for them any more. */
  forget(): void {
    this.tidy(Number.MAX_SAFE_INTEGER);
    this.build();
  }

  tidy(now = 0): void {
    this.tables.indexes.tidy(now);
    this.tables.indexes.note(now);
  }

  /** The names of the indexes that serve searches. */
  indexes(among: readonly string[]): readonly string[] {
    return among.filter((name) => this.tables.indexes.find(name) !== undefined);
  }

  /** How many rows a table has. */
  rows(
    table: 'cells' | 'columns' | 'entries' | 'path_indexes' | 'stored_aggregates' | 'stored_groups',
  ): number {
    return Number(this.#database.prepare(`SELECT count(*) AS total FROM ${table}`).get()?.['total']);
  }

  /** Has the index of words cover every document, as searches do before they ask it. Each step calls `told`. */
  buildWords(told: () => void = () => undefined): Promise<void> {
    const { words, records } = this.tables;
    while (!words.complete) {
      words.step(TYPE, records);
      told();
    }
    return Promise.resolve();
  }

  /** The names of the tables of words, and of what is noted of them. */
  wordTables(): readonly string[] {
    const tables = `SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'`;
    return this.#database
      .prepare(`${tables} UNION ALL SELECT 'noted ' || name FROM indexes`)
      .all()
      .map(({ name }) => String(name));
  }

  /** Leaves what the first release did: an index of words by another rule, which is said to be complete. */
  keepFormerWords(table: string): void {
    this.#database.exec(
      `CREATE VIRTUAL TABLE ${table} USING fts5(content, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    );
    this.#database.exec(`INSERT INTO indexes VALUES ('${table}', 1000000, 1)`);
  }

  async list(
    condition: Condition,
    page: ListPage,
    { sort = [], viewer = null, tuning = TUNING, pause = () => undefined }: ListOptions = {},
  ): Promise<Found> {
    const { indexes } = this.tables;
    // A condition is plain data with values in it.
    const request = { condition: encodeText(condition), sort, page, viewer, rule: null, hidden: [] };
    const records = new SearchReader(this.#sql);
    const searched = () => ({
      records,
      state: this.tables.records.state(),
      type: TYPE,
      find: (name: string) => indexes.find(name),
      counts: this.#counts,
      entries: indexes.counts,
      pause: () => {
        pause();
        return Promise.resolve();
      },
      tuning,
    });
    const { result } = await searchIn(searched, request, { condition, viewer, sort });
    if (!result.ok) throw new Error(JSON.stringify(result));
    return { ...result.value, documents: unpackDocuments(result.value.documents) };
  }
}
