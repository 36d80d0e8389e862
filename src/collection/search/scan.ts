/**
 * One pass over the documents that a plan must look at: all of them, or those whose positions an index found. It goes
 * in the order of creation, in steps between which other requests run. SQL decides most documents by itself; only those
 * that it cannot decide are decoded for the matcher.
 */
import { decodeFields, decodeText } from '../../domain/codec.ts';
import type { Viewer } from '../../domain/rights.ts';
import { ObjectId, setField, type Fields, type Value } from '../../domain/values.ts';
import { CERTAIN, type BodyTest } from '../../query/sql/body-test.ts';
import { jsonPath } from '../../query/sql/json-paths.ts';
import { ALWAYS, both, inverse, NEVER, type SqlCondition } from '../../query/sql/condition.ts';
import type { Ordering } from '../../query/order/ordering.ts';
import type { Plan, Source } from '../../query/plan/plan.ts';
import { idOfBytes } from '../storage/ids.ts';
import type { Reading, Row, Step } from './rows.ts';
import type { SearchReader } from './reader.ts';
import { isMany, mayRead, mayReadBetween, readablePositions } from '../storage/rights.ts';
import { STEP_UNITS } from '../storage/steps.ts';
import { TUNING, type Tuning } from './tuning.ts';

/** Where a pass looks. */
export interface Candidates {
  /** Positions, ascending; null for every document. */
  readonly seqs: readonly number[] | null;
  /** What SQL must decide for each of them. */
  readonly test: BodyTest;
}

/** Where a pass looks if an index has narrowed it. */
export interface Listed extends Candidates {
  readonly seqs: readonly number[];
}

/** What a visit wants: the next match, the next match after a pause, or no more. */
export type Next = 'more' | 'rest' | 'enough';

/** A document that matches. */
export interface Match {
  readonly seq: number;
  readonly version: number;
  /** The requested fields of the document; null if none were requested. */
  readonly fields: Fields | null;
}

/** The most fields that are read separately; for more of them the whole body is read. */
const MOST_COLUMNS = 8;

/** The number of rights that are read, or of identities whose rights are checked, in the time of one document. */
const RIGHTS_EACH = 10;
const IDENTITIES = 20;

export class Scan {
  readonly #records: SearchReader;
  readonly #type: string;
  readonly #plan: Plan;
  readonly #viewer: Viewer;
  readonly #readable: SqlCondition;
  readonly #pause: () => Promise<void>;
  readonly #tuning: Tuning;
  #paused = false;
  #visited = 0;
  #decoded = 0;

  constructor(
    records: SearchReader,
    type: string,
    plan: Plan,
    viewer: Viewer,
    pause: () => Promise<void>,
    tuning: Tuning = TUNING,
  ) {
    this.#tuning = tuning;
    this.#records = records;
    this.#type = type;
    this.#plan = plan;
    this.#viewer = viewer;
    this.#readable = mayRead(viewer);
    this.#pause = async () => {
      this.#paused = true;
      await pause();
    };
  }

  /** True after a pause in which other requests may have changed documents of this pass. */
  get paused(): boolean {
    return this.#paused;
  }
  /** Documents that SQL looked at, and those that were decoded for the matcher. */
  get visited(): number {
    return this.#visited;
  }
  get decoded(): number {
    return this.#decoded;
  }

  /** Lets other requests in between. */
  rest(): Promise<void> {
    return this.#pause();
  }

  /** The documents at some positions that the viewer may read, with their numeric sort key; without the matcher. */
  *among(
    seqs: readonly number[],
    names: readonly string[] | null,
    { keyOf }: Ordering,
  ): Generator<{ readonly seq: number; readonly version: number; readonly distance: number }> {
    const reading = this.reading(CERTAIN, names);
    const step = { from: 0, to: seqs.reduce((a, b) => Math.max(a, b), 0), end: 0, size: seqs.length };
    const asked = { ...step, among: JSON.stringify(seqs) };
    const rows = this.#records.rows(asked, this.#readable, reading, seqs.length);
    this.#visited += seqs.length;
    for (const row of rows) {
      const match = this.open(row, reading);
      const distance = Number(keyOf(match?.fields ?? {})[0]);
      yield { seq: row.seq, version: row.version, distance };
    }
  }

  /** How much smaller a step is when the rights of many identities may be checked for each document. */
  get weight(): number {
    return isMany(this.#viewer) ? 1 + this.#viewer.length / IDENTITIES : 1;
  }

  /** Positions that contain all matches, or null when no index leaves few enough of them. */
  listed(): Listed | null {
    return isMany(this.#viewer) ? this.#listedOfMany(this.#viewer) : this.#listed();
  }

  /** The same for a viewer of many identities: each statement checks rights on only a few documents. */
  #listedOfMany(viewer: readonly string[]): Listed | null {
    const { few, mostListed, worthwhileShare } = this.#tuning;
    const readable = this.#records.fewReadable(viewer, few * RIGHTS_EACH);
    if (readable !== null) return { seqs: readable, test: this.all().test };
    const best = this.#smallest(this.#plan.sources);
    if (best === undefined) return null;
    const total = this.#records.countPositions(best, ALWAYS, mostListed + 1);
    if (total > Math.min(mostListed, this.#records.count() * worthwhileShare)) return null;
    // Rights are checked in steps: even a document that surely matches must be looked at. So the test is a copy, which
    // is never the one that spares the look.
    return { seqs: this.#records.positions(best, ALWAYS, total), test: { ...best.test() } };
  }

  #listed(): Listed | null {
    const sources: readonly Source[] = [...this.#plan.sources, ...this.#readableSource()];
    const best = this.#smallest(sources);
    if (best === undefined) return null;
    const readable = mayRead(this.#viewer);
    const { few, mostListed, worthwhileShare } = this.#tuning;
    const seqs = this.#records.positions(best, readable, few + 1);
    if (seqs.length <= few) return { seqs, test: best.test() };
    const total = this.#records.countPositions(best, readable, mostListed + 1);
    if (total > mostListed || total > this.#records.count() * worthwhileShare) return null;
    return { seqs: this.#records.positions(best, readable, total), test: best.test() };
  }

  /** The same within a step. */
  #readableIn({ from, to, among }: Step, condition: SqlCondition): SqlCondition {
    return isMany(this.#viewer) && among === null
      ? both(condition, mayReadBetween(this.#viewer, from, to))
      : this.readable(condition);
  }

  /** A condition, restricted to what the viewer may read. */
  readable(condition: SqlCondition): SqlCondition {
    return both(condition, this.#readable);
  }

  /** Every document. */
  all(): Candidates {
    return { seqs: null, test: this.#plan.everything ? CERTAIN : this.#plan.test() };
  }

  /**
   * Visits the matches among the candidates after a position, with the named fields of each (null for all of them),
   * until a visit wants no more; `expected` is about how many visits that takes.
   */
  async each(
    { seqs, test }: Candidates,
    after: number,
    names: readonly string[] | null,
    visit: (match: Match) => Next,
    expected = Infinity,
  ): Promise<void> {
    const reading = this.reading(test, names);
    const most = this.#rowsInStep(reading);
    let limit = Math.min(expected, most);
    for (const step of this.#steps(seqs, after)) {
      let { from } = step;
      while (from < step.to) {
        const left = { ...step, from };
        const reached = this.#step(left, this.#readableIn(left, test.may), reading, limit, visit);
        if (reached === 'enough' || this.#plan.budget.exceeded) return;
        from = reached;
        if (from < step.end && (limit === most || from === step.to)) await this.#pause();
        limit = Math.min(limit * 4, most);
      }
    }
  }

  /** How many candidates after a position match. */
  async count({ seqs, test }: Candidates, after: number): Promise<number> {
    let total = 0;
    const unsure: Candidates['test'] = {
      may: both(test.may, inverse(test.must)),
      must: NEVER,
    };
    const reading = this.reading(unsure, []);
    for (const step of this.#steps(seqs, after)) {
      const where = this.#readableIn(step, test.may);
      const { certain, possible } = this.#records.tally(step, where, test.must);
      this.#visited += step.size;
      total += certain;
      if (possible > certain) {
        let { from } = step;
        while (from < step.to && !this.#plan.budget.exceeded) {
          const left = { ...step, from, size: 0 };
          const reached = this.#step(
            left,
            this.#readableIn(left, unsure.may),
            reading,
            this.#rowsInStep(reading),
            () => {
              total += 1;
              return 'more';
            },
          );
          from = reached === 'enough' ? step.to : reached;
          if (from < step.to) await this.#pause();
        }
      }
      if (this.#plan.budget.exceeded) break;
      if (step.to < step.end) await this.#pause();
    }
    return total;
  }

  /** Whether the current state of a document matches. */
  matches(id: string, body: string): boolean {
    this.#decoded += 1;
    return this.#plan.matches(this.whole(id, body));
  }

  /** A document as filters see it (decisions, section 2). */
  whole(id: string, body: string): Fields {
    return { ...decodeFields(body), id: new ObjectId(id), type: this.#type };
  }

  /** A match from a row that SQL selected; null when the matcher rejects it. */
  open(row: Row, { names, always, withId }: Reading): Match | null {
    const { seq, version, certain } = row;
    if (certain && !always) return { seq, version, fields: null };
    this.#decoded += 1;
    const fields =
      names === null ? this.whole(idOfBytes(row.id), row.columns[0] ?? '{}') : this.#some(row, names, withId);
    return certain || this.#plan.matches(fields) ? { seq, version, fields } : null;
  }

  /** Which columns a pass reads: `names` for every match, and what the matcher needs where SQL is not sure. */
  reading({ must }: BodyTest, names: readonly string[] | null): Reading {
    const always = names === null || names.length > 0;
    if (must.kind === 'always' && !always) return { names: [], columns: [], must, always, withId: false };
    const wanted = names === null || this.#plan.fields === null ? null : [...names, ...this.#plan.fields];
    const own = wanted && [...new Set(wanted)].filter((name) => name !== 'id' && name !== 'type');
    const paths = own?.map((name) => jsonPath([name])) ?? [];
    if (wanted === null || own === null || own.length > MOST_COLUMNS || paths.includes(undefined)) {
      return { names: null, columns: ['json(documents.body)'], must, always, withId: true };
    }
    const columns = paths.map((path) => `documents.body -> ${path ?? ''}`);
    return { names: own, columns, must, always, withId: wanted.includes('id') };
  }

  /** Rows of one statement: columns are small, bodies are as large as documents. */
  #rowsInStep({ names }: Reading): number {
    const { decodedInStep } = this.#tuning;
    if (names !== null) return decodedInStep;
    return Math.max(1, Math.min(decodedInStep, Math.ceil(STEP_UNITS / this.#records.bytesPerDocument())));
  }

  /** One step, or its first rows; tells how far it came. */
  #step(
    step: Step,
    where: SqlCondition,
    reading: Reading,
    limit: number,
    visit: (match: Match) => Next,
  ): number | 'enough' {
    const visited = this.#visited;
    let units = 0;
    let rows = 0;
    this.#visited += step.size;
    for (const row of this.#records.rows(step, where, reading, limit)) {
      rows += 1;
      const match = this.open(row, reading);
      const next = match === null ? 'more' : visit(match);
      const enough = next === 'enough';
      if (enough) this.#visited = visited + (step.among === null ? row.seq - step.from : rows);
      if (enough || this.#plan.budget.exceeded) return 'enough';
      for (const column of row.columns) units += column?.length ?? 0;
      if (next === 'rest' || rows === limit || units > STEP_UNITS) {
        this.#visited = visited + (step.among === null ? row.seq - step.from : rows);
        return row.seq;
      }
    }
    return step.to;
  }

  /** The candidates after a position, in steps. */
  *#steps(seqs: readonly number[] | null, after: number): Generator<Step> {
    const { documentsInStep, bytesInStep } = this.#tuning;
    const fitting = Math.floor(bytesInStep / this.#records.bytesPerDocument());
    const size = Math.max(1, Math.floor(Math.min(documentsInStep, fitting) / this.weight));
    if (seqs === null) {
      const end = this.#records.lastSeq();
      for (let from = after; from < end; from += size) {
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
      yield { from: (among[0] ?? 1) - 1, to, end, among: JSON.stringify(among), size: among.length };
    }
  }

  #smallest(sources: readonly Source[]): Source | undefined {
    if (sources.length < 2) return sources[0];
    const sizes = sources.map((source) => this.#records.countPositions(source, ALWAYS, this.#tuning.few + 1));
    return sources[sizes.indexOf(Math.min(...sizes))];
  }

  /** The documents that the viewer may read are a source like any index. */
  #readableSource(): readonly Source[] {
    if (this.#viewer === null) return [];
    return [{ ...readablePositions(this.#viewer), ascending: false, test: () => this.all().test }];
  }

  #some({ columns, id }: Row, names: readonly string[], withId: boolean): Fields {
    const fields: Record<string, Value> = {};
    for (const [index, text] of columns.entries()) {
      if (text !== null) setField(fields, names[index] ?? '', decodeText(text));
    }
    // Last, as in whole documents.
    if (withId) fields['id'] = new ObjectId(idOfBytes(id));
    fields['type'] = this.#type;
    return fields;
  }
}
