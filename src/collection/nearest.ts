/**
 * Searches outward from a point: opens the cells of an index in the order of their distance, and looks at no document
 * that is farther away than the page reaches. What is within bounds is counted by cells, and only documents
 * whose cells a bound passes through are looked at for that.
 */
import type { Viewer } from '../domain/rights.ts';
import { isUnbounded, surroundingsOf, type Surroundings } from '../query/filter/geometries.ts';
import { childrenOf, rangeOf, type Cell } from '../query/geo/cells.ts';
import type { SqlCondition } from '../query/index/sql.ts';
import type { NearestPlan } from '../query/plan.ts';
import type { CellRange, CellRow } from './cell-table.ts';
import { Queue } from './queue.ts';
import type { Positioned, Reader } from './records.ts';
import { mayRead } from './rights.ts';
import { STEP_DOCUMENTS } from './steps.ts';

/** A cell with no more entries than this is looked at as a whole; one with more is opened part by part. */
const FEW_ENTRIES = 64;

/** So few documents are all measured sooner than searched for. */
const FEW_DOCUMENTS = 500;

/** A question to the index takes about as long as looking at so many documents. */
const QUESTION = 4;

/** So many entries are weighed in the time that one document is looked at. */
const ENTRIES = 4;

const ALL = Number.MAX_SAFE_INTEGER;

export interface NearestQuery {
  readonly plan: NearestPlan;
  readonly viewer: Viewer;
  /** Meters from the point to a document; infinite when that is out of bounds. */
  readonly distanceOf: (document: Positioned) => number;
}

export interface Measured {
  readonly seq: number;
  readonly version: number;
  readonly distance: number;
}

/** Where a page begins: behind the document with this distance and position. */
export type After = Pick<Measured, 'distance' | 'seq'> | null;

export interface NearestPage {
  /** All that match, over all pages. */
  readonly total: number;
  /** In order, at most as many as asked for. */
  readonly found: readonly Measured[];
  readonly decoded: number;
}

/** A cell still to be opened, or a document, by the least distance that it can have. */
type Item =
  | { readonly least: number; readonly cell: Cell; readonly seq: 0 }
  | { readonly least: number; readonly cell: null; readonly seq: number; readonly document: Measured };

/** The first `size` documents behind a place in the order; null when a scan finds them sooner. */
export async function searchNearest(
  records: Reader,
  query: NearestQuery,
  after: After,
  size: number,
  pause: () => Promise<void>,
): Promise<NearestPage | null> {
  return new Nearest(records, query, pause).run(after, size);
}

class Nearest {
  readonly #records: Reader;
  readonly #query: NearestQuery;
  readonly #pause: () => Promise<void>;
  readonly #surroundings: Surroundings;
  readonly #least: number;
  readonly #most: number;
  /** Positions that were looked at, and what was found there within the bounds. */
  readonly #looked = new Set<number>();
  readonly #measured = new Map<number, Measured>();
  #work = 0;

  constructor(records: Reader, query: NearestQuery, pause: () => Promise<void>) {
    this.#records = records;
    this.#query = query;
    this.#pause = pause;
    const { near } = query.plan;
    this.#surroundings = surroundingsOf(near);
    this.#least = near.minDistance ?? 0;
    this.#most = near.maxDistance ?? Infinity;
  }

  async run(after: After, size: number): Promise<NearestPage | null> {
    if (!isUnbounded(this.#query.plan.near)) {
      const { total, all } = await this.#countWithin();
      const found = all ? this.#sorted(after, size) : await this.#outward(after, size);
      return { total, found, decoded: this.#looked.size };
    }
    const total = this.#countAll();
    if (total <= FEW_DOCUMENTS) return null;
    return { total, found: await this.#outward(after, size), decoded: this.#looked.size };
  }

  /** How many match where every geometry does. */
  #countAll(): number {
    const { plan, viewer } = this.#query;
    const documents = this.#records.cells.documents(plan.index.id);
    if (viewer === null) return documents;
    // Who has a geometry need not be asked where all have one.
    return documents === this.#records.count()
      ? this.#records.countReadable(viewer)
      : this.#records.countPositions(plan.source, mayRead(viewer, 'found.seq'), -1);
  }

  /** How many are within the bounds, and whether all of them were measured for that. */
  async #countWithin(): Promise<{ readonly total: number; readonly all: boolean }> {
    const waiting = await this.#start();
    const inside: CellRange[] = [];
    const surely: number[] = [];
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      const [nearest, farthest] = this.#surroundings.reach(cell);
      if (nearest > this.#most || farthest < this.#least) continue;
      if (nearest >= this.#least && farthest <= this.#most) inside.push(rangeOf(cell));
      else {
        const { rows, parts } = this.#open(cell);
        waiting.push(...parts);
        await this.#look(this.#undecided(rows, surely));
      }
    }
    // A document with more than one Point has other entries, perhaps nearer: it must be looked at itself.
    const { cells } = this.#records;
    const { index } = this.#query.plan;
    if (inside.length > 0) await this.#look(cells.notAlone(index.id, inside));
    const all = inside.length === 0 && surely.length <= FEW_DOCUMENTS;
    if (all) {
      await this.#look(surely);
      return { total: this.#measured.size, all };
    }
    const readable = this.#readable;
    const sure =
      (inside.length > 0 ? cells.countAlone(index.id, inside, readable) : 0) +
      (this.#query.viewer === null ? surely.length : this.#records.countAmong(surely, readable));
    return { total: sure + this.#measured.size, all };
  }

  /** The documents of entries whose cells do not tell whether they are within the bounds; those that are go to `surely`. */
  #undecided(rows: readonly CellRow[], surely: number[]): readonly number[] {
    return rows
      .filter(({ cell, seq, alone }) => {
        if (alone === 0) return true;
        const [nearest, farthest] = this.#surroundings.reach(cell);
        const isInside = nearest >= this.#least && farthest <= this.#most;
        if (isInside) surely.push(seq);
        return !isInside && nearest <= this.#most && farthest >= this.#least;
      })
      .map(({ seq }) => seq);
  }

  /** What was measured, in order. */
  #sorted(after: After, size: number): readonly Measured[] {
    return [...this.#measured.values()]
      .filter((document) => isBehind(document, after))
      .sort((a, b) => a.distance - b.distance || a.seq - b.seq)
      .slice(0, size);
  }

  async #outward(after: After, size: number): Promise<readonly Measured[]> {
    const from = Math.max(this.#least, after?.distance ?? 0);
    const queue = new Queue<Item>((a, b) => a.least - b.least || a.seq - b.seq);
    const queued = new Set<number>();
    const addDocuments = (seqs: Iterable<number>) => {
      for (const seq of seqs) {
        const document = this.#measured.get(seq);
        if (document === undefined || queued.has(seq)) continue;
        queued.add(seq);
        if (!isBehind(document, after)) continue;
        queue.add({ least: document.distance, cell: null, seq, document });
      }
    };
    const addCells = (cells: readonly Cell[]) => {
      for (const cell of cells) {
        const [nearest, farthest] = this.#surroundings.reach(cell);
        if (nearest <= this.#most && farthest >= from) queue.add({ least: nearest, cell, seq: 0 });
      }
    };
    addCells(await this.#start());
    addDocuments(this.#measured.keys());
    const found: Measured[] = [];
    while (found.length < size) {
      const item = queue.take();
      if (item === undefined) break;
      if (item.cell === null) {
        found.push(item.document);
        continue;
      }
      const { rows, parts } = this.#open(item.cell);
      const seqs = rows.map(({ seq }) => seq);
      await this.#look(seqs);
      addDocuments(seqs);
      addCells(parts);
    }
    return found;
  }

  /** The cells to begin with, once the geometries that are larger than these were looked at. */
  async #start(): Promise<Cell[]> {
    const { cells, ancestors } = this.#surroundings.start;
    if (ancestors.length > 0) {
      await this.#look(this.#records.cells.positionsAt(this.#query.plan.index.id, ancestors));
    }
    return [...cells];
  }

  /** What a cell holds: all of it, or what is stored in it as a whole, and then its parts are still to be opened. */
  #open(cell: Cell): { readonly rows: readonly CellRow[]; readonly parts: readonly Cell[] } {
    const parts = childrenOf(cell);
    const rows = this.#rows(rangeOf(cell), parts.length === 0 ? ALL : FEW_ENTRIES + 1);
    const isWhole = parts.length === 0 || rows.length <= FEW_ENTRIES;
    return isWhole ? { rows, parts: [] } : { rows: this.#rows([cell, cell], ALL), parts };
  }

  #rows(range: CellRange, limit: number): readonly CellRow[] {
    const rows = this.#records.cells.rows(this.#query.plan.index.id, range, limit);
    this.#work += QUESTION + rows.length / ENTRIES;
    return rows;
  }

  /** Measures the documents at some positions that were not looked at before. */
  async #look(seqs: readonly number[]): Promise<void> {
    const fresh = seqs.filter((seq) => !this.#looked.has(seq));
    for (let at = 0; at < fresh.length; at += STEP_DOCUMENTS) {
      this.#measure(fresh.slice(at, at + STEP_DOCUMENTS));
      await this.#rest();
    }
    await this.#rest();
  }

  #measure(seqs: readonly number[]): void {
    for (const document of this.#records.at(seqs, this.#readable).values()) {
      const { seq, version } = document;
      const distance = this.#query.distanceOf(document);
      this.#looked.add(seq);
      if (distance < Infinity) this.#measured.set(seq, { seq, version, distance });
    }
    this.#work += seqs.length;
  }

  get #readable(): SqlCondition {
    return mayRead(this.#query.viewer, 'documents.seq');
  }

  /** Lets others in when enough was done. */
  async #rest(): Promise<void> {
    if (this.#work < STEP_DOCUMENTS) return;
    this.#work = 0;
    await this.#pause();
  }
}

function isBehind({ distance, seq }: Pick<Measured, 'distance' | 'seq'>, after: After): boolean {
  return after === null || distance > after.distance || (distance === after.distance && seq > after.seq);
}
