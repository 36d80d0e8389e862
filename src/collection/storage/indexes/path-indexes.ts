/**
 * Indexes that nobody declares: a collection learns from its searches which paths are worth an index. It builds the
 * index in steps between which other requests run, updates it with every write, and drops it when no search uses it, or
 * when another would save more work. An index holds the values at its path or, by its name, the cells of the geometries
 * there (query/index/cells.ts), or some fields of every document (query/index/columns.ts).
 */
import { LIMITS } from '../../../domain/limits.ts';
import { Lru } from '../../../domain/caching/lru.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { indexKeyOf } from '../../../query/index/keys.ts';
import type { PathEntries } from '../../../query/index/paths.ts';
import type { PathIndex } from '../../../query/index/path-index.ts';
import { Candidates, raised, worth, type Score } from './candidates.ts';
import { CellTable } from './cell-table.ts';
import { EntryTable, type KeyChange } from './entry-table.ts';
import { CachedCounts } from './cached-counts.ts';
import { extraction, isNews, isOfOwn, opened, type IndexRow, type LearnedIndex } from './learned-index.ts';
import { flatOf } from '../../../domain/values/stored.ts';
import { shareBuilt, type IndexUsage } from '../../rpc/maintenance/usage.ts';
import type { DocumentReader } from '../documents/documents.ts';
import { WRITE_STEP_DOCUMENTS, WRITE_STEP_ROWS, WRITE_STEP_UNITS } from '../steps.ts';
import type { Touched } from '../touched.ts';
import { Table } from '../sql.ts';

/** In a smaller collection, a full pass costs less than the upkeep of an index. */
const WORTHWHILE_DOCUMENTS = 500;

/** Paths that wait until the documents are checked for them. */
const MOST_WAITING = 16;

/** How much more a path must be worth than the index that it replaces. */
const BETTER = 2;

/** Paths that are remembered to be in no document, and for how many milliseconds. */
const MOST_BARREN = 100;
const BARREN = 3_600_000;

/** The prefix of the id of an index that is being deleted, in place of its path: no field begins like this. */
const DROPPED = '$dropped.';

/** Milliseconds after which an unused index is dropped. */
const IDLE = 14 * 86_400_000;

/** The tables of what indexes hold, and what tells apart the rows of one index there. */
const ROWS_OF_INDEXES = { entries: 'key, seq', cells: 'cell, seq', columns: 'seq' };

/** A path for which the documents are checked before it gets an index. */
interface Waiting {
  readonly path: string;
  readonly score: Score;
  /** The documents up to this position do not have the path. */
  looked: number;
  found: boolean;
}

export class PathIndexes extends Table {
  /** How many entries there are, as far as that is known. */
  readonly counts: CachedCounts;
  readonly #entries: EntryTable;
  readonly #cells: CellTable;
  #indexes = new Map<string, LearnedIndex>();
  /** Of indexes whose entries are being deleted. */
  #dropped: number[] = [];
  readonly #candidates = new Candidates();
  readonly #waiting = new Map<string, Waiting>();
  /** When a check has shown that no document has a path. */
  readonly #barren = new Lru<string, number>(MOST_BARREN);

  constructor(sql: SqlStorage, touched: Touched, counts = new CachedCounts()) {
    super(sql);
    this.counts = counts;
    this.#entries = new EntryTable(sql, counts, touched);
    this.#cells = new CellTable(sql, touched);
  }

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    this.counts.rollBack();
    const rows = this.sql.exec<IndexRow>('SELECT * FROM path_indexes').toArray();
    const kept = rows.filter(({ path }) => !path.startsWith(DROPPED));
    this.#indexes = new Map(kept.map((row) => [row.path, opened(row)]));
    this.#dropped = rows.filter((row) => !kept.includes(row)).map(({ id }) => id);
    // Former releases learned these, and they are empty.
    for (const index of [...this.#indexes.values()]) if (isOfOwn(index.path)) this.#drop(index);
  }

  /** The index of a name, if it covers every document. */
  find(path: string): PathIndex | undefined {
    const index = this.#indexes.get(path);
    return index?.complete === true ? index : undefined;
  }

  get any(): boolean {
    return this.#indexes.size > 0;
  }

  /** How many there are, complete or not. */
  get count(): number {
    return this.#indexes.size;
  }

  /** What is indexed, the most useful first, and how far each is built: `last` is the position of the last document. */
  usage(last: number, now: number): readonly IndexUsage[] {
    return [...this.#indexes.values()]
      .sort((one, other) => worth(other.score, now) - worth(one.score, now))
      .map(({ path, built, complete }) => ({
        path,
        built: shareBuilt(complete, built, last),
      }));
  }

  /** True while there is work in the background. */
  get pending(): boolean {
    if (this.#dropped.length > 0 || this.#waiting.size > 0) return true;
    return [...this.#indexes.values()].some(({ complete }) => !complete);
  }

  /** Notes that a search used indexes, and how many documents it did not look at because of them. In memory only. */
  used(paths: readonly string[], saved: number, now: number): void {
    for (const path of paths) {
      const index = this.#indexes.get(path);
      if (index === undefined) continue;
      index.used = now;
      index.score = raised(index.score, saved / paths.length, now);
    }
  }

  /** True when something must be stored before a restart. */
  hasNews(now: number): boolean {
    return [...this.#indexes.values()].some((index) => isNews(index, now));
  }

  /** Stores what must survive a restart. */
  note(now: number): void {
    for (const index of this.#indexes.values()) {
      if (!isNews(index, now)) continue;
      const noted = 'UPDATE path_indexes SET used = ?, score = ?, scored = ? WHERE id = ?';
      this.sql.exec(noted, index.used, index.score.value, index.score.at, index.id);
      index.noted = index.score;
    }
  }

  /**
   * Notes that a search over a number of documents looked at some of them because indexes on paths were missing. In
   * memory only. When a path has cost as much as building an index, the documents are checked for it, and it gets an
   * index if there is a place: so background work never exceeds that of the searches.
   */
  learn(paths: readonly string[], looked: number, documents: number, now: number): void {
    if (documents < WORTHWHILE_DOCUMENTS) return;
    const wanted = paths.filter((path) => this.#isCandidate(path, now));
    for (const path of wanted) {
      const earned = this.#candidates.add(path, looked / wanted.length, now);
      if (earned < documents || this.#waiting.size >= MOST_WAITING || !this.#hasPlace(earned, now)) continue;
      this.#candidates.delete(path);
      this.#waiting.set(path, { path, score: { value: earned, at: now }, looked: 0, found: false });
    }
  }

  #isCandidate(path: string, now: number): boolean {
    if (this.#indexes.has(path) || this.#waiting.has(path) || isOfOwn(path)) return false;
    const since = now - (this.#barren.get(path) ?? -Infinity);
    return since < 0 || since >= BARREN;
  }

  #hasPlace(score: number, now: number): boolean {
    if (this.#indexes.size < LIMITS.learnedIndexes) return true;
    return score >= BETTER * worth(this.#weakest(now).score, now);
  }

  #weakest(now: number): LearnedIndex {
    return [...this.#indexes.values()].reduce((least, each) =>
      worth(each.score, now) < worth(least.score, now) ? each : least,
    );
  }

  /** Updates the indexes after a change of the document at a position; null stands for no document before or after. */
  change(seq: number, before: Fields | null, after: Fields | null): void {
    // The build reaches documents beyond the built part later.
    const covering = [...this.#indexes.values()].filter(({ complete, built }) => complete || seq <= built);
    if (covering.length > 0) this.#replace(covering, seq, before, after);
  }

  /** One step of the background work, inside a transaction. False when only the work of `tidy` is left. */
  step(records: DocumentReader, now: number): boolean {
    const index = [...this.#indexes.values()].find(({ complete }) => !complete);
    if (index !== undefined) this.#build(index, records);
    else if (this.#dropped.length > 0) this.#deleteSome();
    else {
      const waiting = [...this.#waiting.values()].find(({ found }) => !found);
      if (waiting === undefined) return false;
      this.#look(waiting, records, now);
    }
    return true;
  }

  /** Looks for a path in some documents: a path that no document has gets no index. */
  #look(waiting: Waiting, records: DocumentReader, now: number): void {
    const { entriesOf, cellsOf, columnsOf } = extraction(waiting.path);
    let last = waiting.looked;
    let units = 0;
    for (const stored of records.next(waiting.looked, WRITE_STEP_DOCUMENTS, WRITE_STEP_UNITS)) {
      const document = flatOf(stored);
      last = stored.seq;
      units += stored.body.length;
      const has = entriesOf?.(document).keys.some((key) => key !== NULL_KEY) ?? false;
      waiting.found = has || (cellsOf?.(document).cells.length ?? 0) > 0 || Boolean(columnsOf?.(document));
      if (waiting.found || units > WRITE_STEP_UNITS) break;
    }
    if (waiting.found) {
      if (this.#indexes.size < LIMITS.learnedIndexes) this.#begin(waiting, now);
    } else if (last === waiting.looked) {
      this.#waiting.delete(waiting.path);
      this.#barren.set(waiting.path, now);
    }
    waiting.looked = last;
  }

  #build(index: LearnedIndex, records: DocumentReader): void {
    let units = 0;
    let last = index.built;
    for (const stored of records.next(index.built, WRITE_STEP_DOCUMENTS, WRITE_STEP_UNITS)) {
      units += stored.body.length + this.#replace([index], stored.seq, null, flatOf(stored));
      last = stored.seq;
      if (units > WRITE_STEP_UNITS) break;
    }
    index.complete = last === index.built;
    index.built = last;
    const noted = 'UPDATE path_indexes SET built = ?, complete = ? WHERE id = ?';
    this.sql.exec(noted, last, Number(index.complete), index.id);
  }

  /**
   * Drops indexes that no search has used for a long time, and those that save less than a path that waits for a place.
   * Not while a search runs, because it may use them.
   */
  tidy(now: number): void {
    for (const index of [...this.#indexes.values()]) if (now - index.used >= IDLE) this.#drop(index);
    for (const waiting of [...this.#waiting.values()].filter(({ found }) => found)) {
      const score = worth(waiting.score, now);
      if (!this.#hasPlace(score, now)) this.#waiting.delete(waiting.path);
      else if (this.#indexes.size < LIMITS.learnedIndexes) this.#begin(waiting, now);
      // Earlier dropped indexes must be deleted first.
      else if (this.#dropped.length === 0) {
        this.#drop(this.#weakest(now));
        this.#begin(waiting, now);
      }
    }
  }

  /** No search finds the index any more; its entries are deleted in steps. */
  #drop({ id, path }: LearnedIndex): void {
    this.sql.exec('UPDATE path_indexes SET path = ?, complete = 0 WHERE id = ?', `${DROPPED}${id}`, id);
    this.#indexes.delete(path);
    this.counts.drop(id);
    this.#dropped.push(id);
  }

  #deleteSome(): void {
    const [id = 0] = this.#dropped;
    for (const [table, row] of Object.entries(ROWS_OF_INDEXES)) {
      const some = `SELECT ${row} FROM ${table} WHERE path = ?1 LIMIT ?2 + 0`;
      this.sql.exec(`DELETE FROM ${table} WHERE path = ?1 AND (${row}) IN (${some})`, id, WRITE_STEP_ROWS);
      if (this.finds(`SELECT 1 FROM ${table} WHERE path = ? LIMIT 1`, id)) return;
    }
    this.sql.exec('DELETE FROM path_indexes WHERE id = ?', id);
    this.#dropped.shift();
  }

  #begin({ path, score }: Waiting, now: number): void {
    const row = this.sql
      .exec<IndexRow>(
        `INSERT INTO path_indexes (path, built, complete, exact, single, used, score, scored)
         VALUES (?1, 0, 0, ?2, ?2, ?3, ?4, ?5) RETURNING *`,
        path,
        // Cells and columns are not keys: they decide no equality and no order.
        extraction(path).entriesOf === null ? 0 : 1,
        now,
        score.value,
        score.at,
      )
      .one();
    this.#indexes.set(path, opened(row));
    this.#waiting.delete(path);
  }

  /** Replaces the old entries of a document by the new ones. Returns the cost beyond reading it, in units of text. */
  #replace(
    indexes: readonly LearnedIndex[],
    seq: number,
    before: Fields | null,
    after: Fields | null,
  ): number {
    const changes: KeyChange[] = [];
    let cost = 0;
    for (const index of indexes) {
      const { id, entriesOf, cellsOf, columnsOf } = index;
      if (columnsOf !== null) {
        const of = (document: Fields | null) => (document === null ? undefined : columnsOf(document));
        this.#replaceColumns(id, seq, of(before), of(after));
      }
      if (entriesOf !== null) {
        const had = before === null ? NO_KEYS : entriesOf(before).keys;
        const has = after && entriesOf(after);
        changes.push({ index: id, had, has: has?.keys ?? NO_KEYS });
        if (has !== null) this.#note(index, has);
      }
      if (cellsOf === null) continue;
      const entries = after && cellsOf(after);
      this.#cells.replace(id, seq, before && cellsOf(before), entries);
      cost += entries?.cost ?? 0;
    }
    this.#entries.replace(seq, changes);
    return cost;
  }

  /** Of an index of columns: null where the fields are too long, undefined for no document before or after. */
  #replaceColumns(
    index: number,
    seq: number,
    before: string | null | undefined,
    after: string | null | undefined,
  ): void {
    if (before === after) return;
    const put = 'INSERT INTO columns VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET fields = excluded.fields';
    if (after !== undefined) this.sql.exec(put, index, seq, after);
    else this.sql.exec('DELETE FROM columns WHERE path = ? AND seq = ?', index, seq);
  }

  /** Notes what the keys of the index no longer guarantee after a document has such entries. */
  #note(index: LearnedIndex, { exact, single }: PathEntries): void {
    if ((exact || !index.exact) && (single || !index.single)) return;
    index.exact &&= exact;
    index.single &&= single;
    const noted = 'UPDATE path_indexes SET exact = ?, single = ? WHERE id = ?';
    this.sql.exec(noted, Number(index.exact), Number(index.single), index.id);
  }
}

const NO_KEYS: readonly string[] = [];

/** A missing value has this key, too. */
const NULL_KEY = indexKeyOf(null).hex;
