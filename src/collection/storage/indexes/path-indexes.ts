/**
 * Indexes that nobody declares: a collection learns from its searches which paths are worth one, builds it in steps
 * that let other requests in between, keeps it with every write, and drops it when it is no longer asked for, or saves
 * less work than another would. One holds the values at its path or, by its name (query/index/cells.ts), the cells of
 * the geometries there.
 */
import { decodeFields } from '../../../domain/codec.ts';
import { Lru } from '../../../domain/lru.ts';
import type { Fields } from '../../../domain/values.ts';
import { pathOfCells } from '../../../query/index/cells.ts';
import { keyOfValue } from '../../../query/index/keys.ts';
import type { PathEntries } from '../../../query/index/paths.ts';
import type { PathIndex } from '../../../query/index/path-index.ts';
import { Candidates, raised, worth, type Score } from './candidates.ts';
import { CellTable } from './cell-table.ts';
import { EntryTable } from './entry-table.ts';
import { extraction, isNews, isOfOwn, opened, type IndexRow, type LearnedIndex } from './learned-index.ts';
import type { DocumentReader } from '../documents.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from '../steps.ts';

/** A smaller collection is searched faster than an index is kept. */
const WORTHWHILE_DOCUMENTS = 500;

/** Indexes of one collection; each makes every write dearer. */
const MOST_INDEXES = 16;

/** Paths that wait to be looked for in the documents. */
const MOST_WAITING = 16;

/** How much more a path must be worth than an index whose place it takes. */
const BETTER = 2;

/** Paths that are remembered to be in no document, and for how many milliseconds. */
const MOST_BARREN = 100;
const BARREN = 3_600_000;

/** Entries of a dropped index that are deleted at a time. */
const DELETED_AT_ONCE = 2_000;

/** Before the id of an index that is being deleted, in place of its path: no field begins so. */
const DROPPED = '$dropped.';

/** Milliseconds after which an index that no search asked for goes. */
const IDLE = 14 * 86_400_000;

/** A path that is looked for in the documents before it gets an index. */
interface Waiting {
  readonly path: string;
  readonly score: Score;
  /** The documents up to this position do not have it. */
  looked: number;
  found: boolean;
}

export class PathIndexes {
  readonly #sql: SqlStorage;
  readonly #entries: EntryTable;
  readonly #cells: CellTable;
  #indexes = new Map<string, LearnedIndex>();
  /** Of indexes whose entries are being deleted. */
  #dropped: number[] = [];
  readonly #candidates = new Candidates();
  readonly #waiting = new Map<string, Waiting>();
  /** When it was seen that no document has a path. */
  readonly #barren = new Lru<string, number>(MOST_BARREN);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#entries = new EntryTable(sql);
    this.#cells = new CellTable(sql);
  }

  /** To be called once there are tables. */
  load(): void {
    const rows = this.#sql.exec<IndexRow>('SELECT * FROM path_indexes').toArray();
    const kept = rows.filter(({ path }) => !path.startsWith(DROPPED));
    this.#indexes = new Map(kept.map((row) => [row.path, opened(row)]));
    this.#dropped = rows.filter((row) => !kept.includes(row)).map(({ id }) => id);
    // Learned by former releases, and empty.
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

  /** True while there is something to be done in the background. */
  get pending(): boolean {
    if (this.#dropped.length > 0 || this.#waiting.size > 0) return true;
    return [...this.#indexes.values()].some(({ complete }) => !complete);
  }

  /** Notes that a search used indexes, and so many documents that it did not look at thanks to them. Memory only. */
  used(paths: readonly string[], saved: number, now: number): void {
    for (const path of paths) {
      const index = this.#indexes.get(path);
      if (index === undefined) continue;
      index.used = now;
      index.score = raised(index.score, saved / paths.length, now);
    }
  }

  /** True when there is something that a restart must not forget. */
  hasNews(now: number): boolean {
    return [...this.#indexes.values()].some((index) => isNews(index, now));
  }

  /** Writes down what a restart must not forget. */
  note(now: number): void {
    for (const index of this.#indexes.values()) {
      if (!isNews(index, now)) continue;
      this.#sql.exec(
        'UPDATE path_indexes SET used = ?, score = ?, scored = ? WHERE id = ?',
        index.used,
        index.score.value,
        index.score.at,
        index.id,
      );
      index.noted = index.score;
    }
  }

  /**
   * Notes that a search over so many documents looked at some of them for want of indexes on paths. Memory only. One that
   * has cost as much as building an index does is looked for in the documents, and gets one if there is a place for it: so
   * what goes on in the background never takes more than what was asked for.
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
    if (this.#indexes.size < MOST_INDEXES) return true;
    return score >= BETTER * worth(this.#weakest(now).score, now);
  }

  #weakest(now: number): LearnedIndex {
    return [...this.#indexes.values()].reduce((least, each) =>
      worth(each.score, now) < worth(least.score, now) ? each : least,
    );
  }

  /** Keeps the indexes over a change of the document at a position; null where there was or is none. */
  change(seq: number, before: Fields | null, after: Fields | null): void {
    for (const index of this.#indexes.values()) {
      // Documents beyond what is built come to their turn with the building.
      if (!index.complete && seq > index.built) continue;
      this.#replace(index, seq, before, after);
    }
  }

  /** One step of what is to be done, inside a transaction. False when nothing is left but what `tidy` does. */
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

  /** Looks for a path in some documents: what none has gets no index. */
  #look(waiting: Waiting, records: DocumentReader, now: number): void {
    const { entriesOf, cellsOf } = extraction(waiting.path);
    let last = waiting.looked;
    let units = 0;
    for (const { seq, body } of records.next(waiting.looked, STEP_DOCUMENTS, STEP_UNITS)) {
      const document = decodeFields(body);
      last = seq;
      units += body.length;
      const has = entriesOf?.(document).keys.some((key) => key !== NULL_KEY) ?? false;
      waiting.found = has || (cellsOf?.(document).cells.length ?? 0) > 0;
      if (waiting.found || units > STEP_UNITS) break;
    }
    if (waiting.found) {
      if (this.#indexes.size < MOST_INDEXES) this.#begin(waiting, now);
    } else if (last === waiting.looked) {
      this.#waiting.delete(waiting.path);
      this.#barren.set(waiting.path, now);
    }
    waiting.looked = last;
  }

  #build(index: LearnedIndex, records: DocumentReader): void {
    let units = 0;
    let last = index.built;
    for (const { seq, body } of records.next(index.built, STEP_DOCUMENTS, STEP_UNITS)) {
      units += body.length + this.#replace(index, seq, null, decodeFields(body));
      last = seq;
      if (units > STEP_UNITS) break;
    }
    index.complete = last === index.built;
    index.built = last;
    this.#sql.exec(
      'UPDATE path_indexes SET built = ?, complete = ? WHERE id = ?',
      last,
      index.complete ? 1 : 0,
      index.id,
    );
  }

  /**
   * Drops what no search has asked for in a long time, and what saves less than a path that waits for a place. Not while
   * a search runs: it may use them.
   */
  tidy(now: number): void {
    for (const index of [...this.#indexes.values()]) if (now - index.used >= IDLE) this.#drop(index);
    for (const waiting of [...this.#waiting.values()].filter(({ found }) => found)) {
      const score = worth(waiting.score, now);
      if (!this.#hasPlace(score, now)) this.#waiting.delete(waiting.path);
      else if (this.#indexes.size < MOST_INDEXES) this.#begin(waiting, now);
      // What was dropped before is to be gone first.
      else if (this.#dropped.length === 0) {
        this.#drop(this.#weakest(now));
        this.#begin(waiting, now);
      }
    }
  }

  /** Nobody finds the index any more; its entries go in steps. */
  #drop({ id, path }: LearnedIndex): void {
    this.#sql.exec('UPDATE path_indexes SET path = ?, complete = 0 WHERE id = ?', `${DROPPED}${id}`, id);
    this.#indexes.delete(path);
    this.#dropped.push(id);
  }

  #deleteSome(): void {
    const [id = 0] = this.#dropped;
    if (!this.#entries.dropSome(id, DELETED_AT_ONCE) || !this.#cells.dropSome(id, DELETED_AT_ONCE)) return;
    this.#sql.exec('DELETE FROM path_indexes WHERE id = ?', id);
    this.#dropped.shift();
  }

  #begin({ path, score }: Waiting, now: number): void {
    const row = this.#sql
      .exec<IndexRow>(
        `INSERT INTO path_indexes (path, built, complete, exact, single, used, score, scored)
         VALUES (?1, 0, 0, ?2, ?2, ?3, ?4, ?5) RETURNING *`,
        path,
        // Cells are not values: they decide no equality and no order.
        pathOfCells(path) === undefined ? 1 : 0,
        now,
        score.value,
        score.at,
      )
      .one();
    this.#indexes.set(path, opened(row));
    this.#waiting.delete(path);
  }

  /** Puts what a document is now in place of what it was. Tells what that took beyond reading it, in units of text. */
  #replace(index: LearnedIndex, seq: number, before: Fields | null, after: Fields | null): number {
    const { id, entriesOf, cellsOf } = index;
    if (entriesOf !== null) {
      const had = before === null ? NO_KEYS : entriesOf(before).keys;
      const has = after && entriesOf(after);
      this.#entries.replace(id, seq, had, has?.keys ?? NO_KEYS);
      if (has !== null) this.#note(index, has);
    }
    if (cellsOf === null) return 0;
    const entries = after && cellsOf(after);
    this.#cells.replace(id, seq, before && cellsOf(before), entries);
    return entries?.cost ?? 0;
  }

  /** Notes what keys do not tell any more once a document has such entries. */
  #note(index: LearnedIndex, { exact, single }: PathEntries): void {
    if ((exact || !index.exact) && (single || !index.single)) return;
    index.exact &&= exact;
    index.single &&= single;
    this.#sql.exec(
      'UPDATE path_indexes SET exact = ?, single = ? WHERE id = ?',
      index.exact ? 1 : 0,
      index.single ? 1 : 0,
      index.id,
    );
  }
}

const NO_KEYS: readonly string[] = [];

/** What is missing has this key, too. */
const NULL_KEY = keyOfValue(null).hex;
