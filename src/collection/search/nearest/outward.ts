/**
 * The page of a search outward from a point: entries and cells by the least distance that they can have. A document is
 * read only when its entry does not determine its place in the order.
 */
import TinyQueue from 'tinyqueue';
import { childrenOf, rangeOf, type Cell } from '../../../query/geo/cells.ts';
import type { After, CellEntry, Measured, Measures } from './measures.ts';

/** Documents that are measured at a time. */
const TOGETHER = 24;

/** A cell with no more entries than this is read as a whole; a cell with more is opened part by part. */
const FEW_ENTRIES = 256;

/**
 * Entries around a point that are read at once rather than cell by cell, and those added for each requested document.
 */
const MANY_ENTRIES = 1_000;
const ENTRIES_EACH = 8;

/** The most entries beside the point's cell that are looked at to guess how far the search must go. */
const MOST_BESIDE = 200;

/** How much farther the search goes when the last ring was not enough. */
const FARTHER = 4;

/** No place is farther away, in meters. */
const FARTHEST = 21_000_000;

/** Everything that waits, ordered by its least possible distance; among equals, exact distances come last. */
interface Item {
  readonly least: number;
  /** Its greatest possible distance, if an entry or a measurement determines it. */
  readonly most: number;
  readonly seq: number;
  /** A cell to be opened; 'ring' for everything farther away. */
  readonly cell: Cell | 'ring' | null;
  readonly measured: Measured | null;
}

/** A document of the page; the version is 0 if the document was not read. */
export type NearestDocument = Pick<Measured, 'seq' | 'version'>;

export class Outward {
  readonly #measures: Measures;
  readonly #after: After;
  readonly #size: number;
  /** Nothing nearer belongs to the page. */
  readonly #from: number;
  readonly #queue = new TinyQueue<Item>(
    [],
    (a, b) => a.least - b.least || Number(a.measured !== null) - Number(b.measured !== null) || a.seq - b.seq,
  );
  /** Documents that wait with their measured distance, or with their only entry. */
  readonly #waiting = new Set<number>();

  constructor(measures: Measures, after: After, size: number) {
    this.#measures = measures;
    this.#after = after;
    this.#size = size;
    this.#from = Math.max(measures.least, after?.distance ?? 0);
  }

  /** The page among entries that hold all matches. */
  async among(rows: readonly CellEntry[]): Promise<readonly NearestDocument[] | null> {
    this.#addEntries(rows);
    return this.#take();
  }

  /**
   * The page among all entries of the index; `share` is about which part of them the viewer may read. Null when `most`
   * documents were met before.
   */
  async all(share: number, most = Infinity): Promise<readonly NearestDocument[] | null> {
    this.#addRing(this.#from, this.#guess(share));
    return this.#take(most);
  }

  async #take(most = Infinity): Promise<readonly NearestDocument[] | null> {
    const found: NearestDocument[] = [];
    while (found.length < this.#size) {
      if (this.#measures.looked > most) return null;
      const item = this.#queue.pop();
      if (item === undefined) break;
      if (item.cell === 'ring') this.#addRing(item.least, item.least * FARTHER);
      else if (item.cell !== null) this.#open(item.cell);
      else if (item.measured !== null) found.push(item.measured);
      else if (this.#isSettled(item)) found.push({ seq: item.seq, version: 0 });
      else await this.#measure(item);
      await this.#measures.rest();
    }
    return found;
  }

  /** An estimate of the distance of the page's last document, from the density of entries around the point. */
  #guess(share: number): number {
    const { surroundings, records, query } = this.#measures;
    const wanted = Math.min(this.#size, MOST_BESIDE);
    const beside = records.cells.beside(query.plan.index.id, surroundings.here, wanted);
    const distances = beside.map((cell) => surroundings.reach(cell)[1]).sort((one, other) => one - other);
    const radius = distances[wanted - 1] ?? FARTHEST;
    return Math.hypot(this.#from, radius * Math.sqrt(this.#size / wanted / share)) + 1;
  }

  /** Adds everything from one distance to another, and a sentinel where more follows. */
  #addRing(least: number, farther: number): void {
    const { most, surroundings } = this.#measures;
    const end = Math.min(most, farther);
    const { cells, ranges, ancestors } = surroundings.ring(least, end);
    const above = ancestors.map((cell) => [cell, cell] as const);
    const many = MANY_ENTRIES + ENTRIES_EACH * this.#size;
    const all = this.#measures.entries([...ranges, ...above], many);
    if (all.complete) this.#addEntries(all.rows);
    else {
      this.#addEntries(this.#measures.entries(above, Infinity).rows);
      this.#addCells(cells);
    }
    if (end < most && end < FARTHEST) {
      this.#queue.push({ least: end, most: Infinity, seq: 0, cell: 'ring', measured: null });
    }
  }

  #addCells(cells: readonly Cell[]): void {
    for (const cell of cells) {
      const [least, farthest] = this.#measures.surroundings.reach(cell);
      if (least > this.#measures.most || farthest < this.#from) continue;
      this.#queue.push({ least, most: Infinity, seq: 0, cell, measured: null });
    }
  }

  #addEntries(rows: readonly CellEntry[]): void {
    for (const { seq, alone, least, most } of rows) {
      if (this.#waiting.has(seq)) continue;
      const measured = this.#measures.at(seq);
      if (measured !== undefined) this.#addMeasured(measured);
      if (this.#measures.has(seq)) continue;
      if (least > this.#measures.most || most < this.#from) continue;
      if (alone === 1) this.#waiting.add(seq);
      this.#queue.push({ least, most: alone === 1 ? most : Infinity, seq, cell: null, measured: null });
    }
  }

  #addMeasured(measured: Measured): void {
    this.#waiting.add(measured.seq);
    if (!isBehind(measured, this.#after)) return;
    const { distance, seq } = measured;
    this.#queue.push({ least: distance, most: distance, seq, cell: null, measured });
  }

  /** Adds all entries of a cell, or the entries of the cell itself and its parts. */
  #open(cell: Cell): void {
    const parts = childrenOf(cell);
    const all = this.#measures.entries([rangeOf(cell)], parts.length === 0 ? Infinity : FEW_ENTRIES);
    if (all.complete) {
      this.#addEntries(all.rows);
      return;
    }
    this.#addEntries(this.#measures.entries([[cell, cell]], Infinity).rows);
    this.#addCells(parts);
  }

  /** True when the entry at the head of the queue shows that its document is the next of the page. */
  #isSettled({ least, most }: Item): boolean {
    const isPast = this.#after === null || least > this.#after.distance;
    return isPast && this.#measures.isInside(least, most) && most < (this.#queue.peek()?.least ?? Infinity);
  }

  /** Measures the document of an entry, and documents of later entries that may be nearer. */
  async #measure(first: Item): Promise<void> {
    const seqs = new Set([first.seq]);
    let { most } = first;
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      const isEntry = next.cell === null && next.measured === null;
      if (!isEntry || next.least > most || seqs.size >= TOGETHER) break;
      this.#queue.pop();
      seqs.add(next.seq);
      most = Math.max(most, next.most);
    }
    const fresh = [...seqs].filter((seq) => !this.#measures.has(seq));
    await this.#measures.look(fresh);
    for (const seq of fresh) {
      const measured = this.#measures.at(seq);
      if (measured !== undefined) this.#addMeasured(measured);
    }
  }
}

function isBehind({ distance, seq }: Pick<Measured, 'distance' | 'seq'>, after: After): boolean {
  return after === null || distance > after.distance || (distance === after.distance && seq > after.seq);
}
