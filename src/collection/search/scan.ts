/**
 * One pass over the documents that a plan must look at: all of them, or those whose positions an index found. It goes
 * in the order of creation, in steps between which other requests run. SQL decides most documents by itself; only those
 * that it cannot decide are decoded for the matcher.
 */
import type { Viewer } from '../../domain/rights.ts';
import type { WorkBudget } from '../../domain/work/work.ts';
import type { Ordering } from '../../query/order/ordering.ts';
import type { Prepared } from '../../plan/prepare.ts';
import { CERTAIN } from '../../query/sql/body-test.ts';
import { ALWAYS, both, inverse, NEVER, type SqlCondition } from '../../query/sql/condition.ts';
import { isMany, mayRead, mayReadBetween } from '../storage/documents/rights.ts';
import { nextLimit, STEP_UNITS } from '../storage/steps.ts';
import type { Candidates } from './candidates.ts';
import { Decoder, type Match } from './reading/decoder.ts';
import type { SearchReader } from './reading/reader.ts';
import type { RowReading, Row, PassStep, Wanted } from './reading/rows.ts';
import { TUNING, type Tuning } from './tuning.ts';

/** What a visit wants: the next match, the next match after a pause, or no more. */
export type Next = 'more' | 'rest' | 'enough';

/** The number of identities whose rights are checked in the time of one document. */
const IDENTITIES = 20;

/** The number of tests that are made of a document in the time in which it is read. */
export const TESTS = 8;

/** How often a geometry could be read while its shape is made. */
export const SHAPES = 10;

export class Scan {
  /** Opens what the pass reads. */
  readonly decoder: Decoder;
  readonly #records: SearchReader;
  readonly #viewer: Viewer;
  readonly #readable: SqlCondition;
  readonly #budget: WorkBudget;
  readonly #matches: Prepared['matches'];
  readonly #tests: number;
  readonly #shapes: number;
  /** Lets other requests in between. */
  readonly yield: () => Promise<void>;
  readonly #tuning: Tuning;
  #paused = false;
  #visited = 0;

  constructor(
    records: SearchReader,
    type: string,
    query: Prepared,
    viewer: Viewer,
    yieldToOthers: () => Promise<void>,
    tuning: Tuning = TUNING,
  ) {
    this.decoder = new Decoder(type, query);
    this.#records = records;
    this.#viewer = viewer;
    this.#readable = mayRead(viewer);
    this.#budget = query.budget;
    this.#matches = query.matches;
    this.#tests = Math.max(1, query.tests / TESTS);
    this.#shapes = query.shapes ? SHAPES : 1;
    this.#tuning = tuning;
    this.yield = async () => {
      this.#paused = true;
      await yieldToOthers();
    };
  }

  /** True after a pause in which other requests may have changed documents of this pass. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Documents that SQL looked at. */
  get visited(): number {
    return this.#visited;
  }

  /** Notes documents that a walk over an index looked at. */
  passed(count: number): void {
    this.#visited += count;
  }

  /** How much smaller a step is when the rights of many identities may be checked for each document. */
  get weight(): number {
    return isMany(this.#viewer) ? 1 + this.#viewer.length / IDENTITIES : 1;
  }

  /** The same when the filter makes many tests of each document besides. */
  get load(): number {
    return this.weight * this.#tests;
  }

  /** What reading a row takes of a step. */
  unitsOf({ units }: Pick<Row, 'units'>): number {
    return units * this.#tests * this.#shapes;
  }

  /** What the viewer may read, and may match. */
  wanted(may: SqlCondition): Wanted {
    return { readable: this.#readable, may };
  }

  /**
   * The documents at some positions that the viewer may read, with their numeric sort key; if asked for, it is infinite
   * for those that do not match.
   */
  *among(
    seqs: readonly number[],
    names: readonly string[] | null,
    { keyOf }: Ordering,
    filtered = false,
  ): Generator<Record<'seq' | 'version' | 'distance' | 'units', number>> {
    const reading = this.decoder.reading(CERTAIN, names);
    const step = { from: 0, to: seqs.reduce((a, b) => Math.max(a, b), 0), end: 0, size: seqs.length };
    const request = { ...step, among: seqs.toSorted((one, other) => one - other) };
    const rows = this.#records.passes.rows(request, this.wanted(ALWAYS), reading, seqs.length);
    this.#visited += seqs.length;
    for (const row of rows) {
      const match = this.decoder.open(row, reading);
      const fields = match?.fields ?? {};
      const distance = filtered && !this.#matches(fields) ? Infinity : Number(keyOf(fields)[0]);
      yield { seq: row.seq, version: row.version, distance, units: this.unitsOf(row) };
    }
  }

  /**
   * Visits the matches among the candidates after a position, with the named fields of each (null for all of them),
   * until a visit wants no more; `expected` is about how many visits that takes. False if it ended having
   * looked at `most` of them.
   */
  async each(
    candidates: Candidates,
    after: number,
    names: readonly string[] | null,
    visit: (match: Match) => Next,
    expected = Infinity,
    mostVisited = Infinity,
  ): Promise<boolean> {
    const { test, columns } = candidates;
    const reading = this.decoder.reading(test, names, columns);
    const most = this.#rowsInStep(reading);
    let limit = Math.min(expected, most);
    const end = this.#visited + mostVisited;
    let unrested = 0;
    for (const step of this.#steps(candidates, after, mostVisited)) {
      let { from } = step;
      while (from < step.to) {
        const left = { ...step, from };
        const reached = this.#step(left, this.#wantedIn(left, test.may), reading, limit, visit);
        if (reached === 'enough' || this.#budget.exceeded) return true;
        from = reached.to;
        if (from < step.end && this.#visited >= end) return false;
        unrested += reached.units;
        const isDue = reached.rest || limit === most || from === step.to || unrested > STEP_UNITS;
        if (from < step.end && isDue) {
          unrested = 0;
          await this.yield();
        }
        limit = nextLimit(limit, reached, most);
      }
    }
    return true;
  }

  /** How many candidates after a position match. */
  async count(candidates: Candidates, after: number): Promise<number> {
    const { test } = candidates;
    let total = 0;
    const unsure: Candidates['test'] = {
      may: both(test.may, inverse(test.must)),
      must: NEVER,
    };
    const reading = this.decoder.reading(unsure, []);
    for (const step of this.#steps(candidates, after)) {
      const { passes } = this.#records;
      const wanted = this.#wantedIn(step, test.may);
      const { certain, possible, large } = passes.count(step, wanted, test.must);
      this.#visited += step.size;
      total += certain;
      let isUnsure = possible > certain;
      let units = 0;
      for (const each of large) {
        const row = passes.countAlone(each, this.wanted(test.may), { ...reading, must: test.must });
        if (row.possible && row.certain) total += 1;
        isUnsure ||= row.possible && !row.certain;
        units += row.units * this.load;
        if (units <= STEP_UNITS) continue;
        units = 0;
        await this.yield();
      }
      if (isUnsure) {
        let { from } = step;
        const most = this.#rowsInStep(reading);
        let limit = most;
        while (from < step.to && !this.#budget.exceeded) {
          const left = { ...step, from, size: 0 };
          const reached = this.#step(left, this.#wantedIn(left, unsure.may), reading, limit, () => {
            total += 1;
            return 'more';
          });
          if (reached === 'enough') break;
          from = reached.to;
          limit = nextLimit(limit, reached, most);
          if (from < step.to) await this.yield();
        }
      }
      if (this.#budget.exceeded) break;
      if (step.to < step.end) await this.yield();
    }
    return total;
  }

  /** The same within a step. */
  #wantedIn({ from, to, among }: PassStep, may: SqlCondition): Wanted {
    return isMany(this.#viewer) && among === null
      ? { readable: mayReadBetween(this.#viewer, from, to), may }
      : this.wanted(may);
  }

  /** Rows of one statement: some fields are small, bodies are as large as documents. */
  #rowsInStep({ isWhole }: RowReading): number {
    const decodedInStep = Math.max(1, Math.floor(this.#tuning.decodedInStep / this.#tests));
    if (!isWhole) return decodedInStep;
    return Math.max(1, Math.min(decodedInStep, Math.ceil(STEP_UNITS / this.#records.bytesPerDocument())));
  }

  /** One step, or its first rows; tells how far it came, and what was read on the way. */
  #step(step: PassStep, wanted: Wanted, reading: RowReading, limit: number, visit: (match: Match) => Next) {
    const visited = this.#visited;
    let units = 0;
    let rows = 0;
    this.#visited += step.size;
    for (const row of this.#records.passes.rows(step, wanted, reading, limit)) {
      rows += 1;
      const match = row.possible ? this.decoder.open(row, reading) : null;
      const next = match === null ? 'more' : visit(match);
      const enough = next === 'enough';
      if (enough) this.#visited = visited + (step.among === null ? row.seq - step.from : rows);
      if (enough || this.#budget.exceeded) return 'enough';
      units += this.unitsOf(row);
      if (next === 'rest' || rows === limit || units > STEP_UNITS) {
        this.#visited = visited + (step.among === null ? row.seq - step.from : rows);
        return { to: row.seq, rest: next === 'rest', rows, units };
      }
    }
    return { to: step.to, rest: false, rows, units };
  }

  *#steps(
    { seqs, last = Infinity, ids: range = null }: Pick<Candidates, 'seqs' | 'last' | 'ids'>,
    after: number,
    most = Infinity,
  ): Generator<PassStep> {
    const { documentsInStep, bytesInStep } = this.#tuning;
    const fitting = Math.floor(bytesInStep / this.#records.bytesPerDocument());
    const size = Math.max(1, Math.floor(Math.min(documentsInStep / this.load, fitting / this.load, most)));
    if (seqs === null) {
      const ids = range && this.#records.between(range);
      const end = Math.min(ids === null ? this.#records.lastSeq() : ids.to, last);
      for (let from = Math.max(after, ids?.from ?? 0); from < end; from += size) {
        const to = Math.min(from + size, end);
        yield { from, to, end, among: null, size: to - from };
      }
      return;
    }
    const left = after === 0 ? seqs : seqs.filter((seq) => seq > after);
    const end = left.at(-1) ?? 0;
    for (let at = 0; at < left.length; at += size) {
      const among = left.slice(at, at + size);
      const to = among.at(-1) ?? 0;
      yield { from: (among[0] ?? 1) - 1, to, end, among, size: among.length };
    }
  }
}
