/**
 * The documents that a search outward from a point has measured. Each is read once, and no more of it than necessary.
 */
import type { Nearest } from '../../../plan/prepare.ts';
import type { CellRings } from '../../../operators/query/geometries.ts';
import type { Viewer } from '../../../domain/rights.ts';
import type { SqlCondition } from '../../../query/sql/condition.ts';
import type { CellRange, CellRow } from '../../storage/indexes/cell-table.ts';
import type { SearchReader } from '../reading/reader.ts';
import { mayRead } from '../../storage/documents/rights.ts';
import { nextLimit, STEP_DOCUMENTS, STEP_UNITS } from '../../storage/steps.ts';

/** One index query takes about as long as looking at this number of documents. */
const QUESTION = 4;

/** This number of entries is checked in the time of one document. */
const ENTRIES = 16;

export interface NearestQuery {
  readonly plan: Nearest;
  readonly viewer: Viewer;
  /** Whether it is to be counted how many documents match, and how many these are if that is known. */
  readonly counted: boolean;
  readonly known: number | null;
  /**
   * The documents at some ascending positions that the viewer may read, with meters from the point, infinite if out of
   * bounds, and what measuring each took of a step.
   */
  readonly measure: (seqs: readonly number[]) => Iterable<Measured & { readonly units: number }>;
}

export interface Measured {
  readonly seq: number;
  readonly version: number;
  readonly distance: number;
}

/** An entry, and bounds in meters for the distances from the point to the places of its cell. */
export interface CellEntry extends Pick<CellRow, 'seq' | 'alone'> {
  readonly least: number;
  readonly most: number;
}

/** Where a page begins: behind the document with this distance and position. */
export type After = Pick<Measured, 'distance' | 'seq'> | null;

/** What a search reads, and how much it has done since its last pause. */
export class Measures {
  readonly records: SearchReader;
  readonly query: NearestQuery;
  readonly surroundings: CellRings;
  /** Bounds of what matches, in meters. */
  readonly least: number;
  readonly most: number;
  readonly #pause: () => Promise<void>;
  readonly #looked = new Set<number>();
  readonly #measured = new Map<number, Measured>();
  #work = 0;

  constructor(records: SearchReader, query: NearestQuery, around: CellRings, pause: () => Promise<void>) {
    this.records = records;
    this.query = query;
    this.surroundings = around;
    this.#pause = pause;
    this.least = query.plan.near.minDistance ?? 0;
    this.most = query.plan.near.maxDistance ?? Infinity;
  }

  /** How many were measured and are within the bounds. */
  get size(): number {
    return this.#measured.size;
  }
  /** How many were measured. */
  get looked(): number {
    return this.#looked.size;
  }

  has(seq: number): boolean {
    return this.#looked.has(seq);
  }

  /** The measured documents that are within the bounds. */
  at(seq: number): Measured | undefined {
    return this.#measured.get(seq);
  }

  /** True when every place from the nearest to the farthest is within the bounds. */
  isInside(nearest: number, farthest: number): boolean {
    return nearest >= this.least && farthest <= this.most;
  }
  isOutside(nearest: number, farthest: number): boolean {
    return nearest > this.most || farthest < this.least;
  }

  get readable(): SqlCondition {
    return mayRead(this.query.viewer);
  }

  /** The entries in some ranges, of documents that the viewer may read, when they are no more than `limit`. */
  entries(ranges: readonly CellRange[], limit: number) {
    const { cells } = this.records;
    const { rows, complete } = cells.rows(this.query.plan.index.id, ranges, limit, this.readable);
    this.#work += QUESTION + (complete ? rows.length : limit) / ENTRIES;
    const { reach } = this.surroundings;
    const entryOf = ({ cell, seq, alone }: CellRow): CellEntry => {
      const [least, most] = reach(cell);
      // An entry says where its document is, and not whether it matches.
      return { seq, alone: this.query.plan.filtered ? 0 : alone, least, most };
    };
    return { rows: rows.map(entryOf), complete };
  }

  /** Measures those documents at some positions that were not measured before. */
  async look(seqs: Iterable<number>): Promise<void> {
    let left = [...new Set(seqs)].filter((seq) => !this.#looked.has(seq)).sort((one, other) => one - other);
    let limit = STEP_DOCUMENTS;
    while (left.length > 0) {
      const step = left.slice(0, limit);
      let last = step.at(-1) ?? 0;
      let units = 0;
      for (const document of this.query.measure(step)) {
        if (document.distance < Infinity) this.#measured.set(document.seq, document);
        units += document.units;
        if (units <= STEP_UNITS) continue;
        last = document.seq;
        break;
      }
      const measured = step.filter((seq) => seq <= last);
      for (const seq of measured) this.#looked.add(seq);
      left = left.slice(measured.length);
      limit = nextLimit(limit, { rows: measured.length, units }, STEP_DOCUMENTS);
      this.#work += QUESTION + Math.max(measured.length, (STEP_DOCUMENTS * units) / STEP_UNITS);
      await this.rest();
    }
  }

  /** Pauses for other requests after enough work. */
  async rest(): Promise<void> {
    if (this.#work < STEP_DOCUMENTS) return;
    this.#work = 0;
    await this.#pause();
  }
}
