/**
 * One run of a pipeline in mingo's `Aggregator`. The caller pushes documents in, and takes outputs at the end, both in
 * steps. Only here do faults in the data become plain failures that name their stage.
 */
import { Aggregator } from 'mingo/aggregator';
import type { Fields } from '../domain/values/values.ts';
import { CONTEXT, variablesOf } from '../operators/context.ts';
import { exceed, Meter, sizeOf, Stop, type Budget } from '../operators/core/meter.ts';
import { Flow, nextOf, type Documents } from '../operators/stages/flow.ts';
import { StageOperand } from '../operators/stages/stage.ts';
import { startOf } from '../operators/stages/table.ts';
import type { Placed } from './read.ts';

export interface Failure {
  readonly ok: false;
  /** The place of the stage in the pipeline, from 0. */
  readonly stage: number;
  readonly detail: string;
}

export type Result = { readonly ok: true; readonly outputs: readonly Fields[] } | Failure;

export interface RunOptions {
  readonly budget: Budget;
  readonly now: Date;
  /** For `sample` and `$rand`: a number from 0 to below 1. */
  readonly random: () => number;
}

export class PipelineRun {
  readonly #outputs: Fields[] = [];
  readonly #meter: Meter;
  readonly #budget: Budget;
  readonly #flow = new Flow();
  readonly #stream: Documents;
  readonly #last: number;
  /** The document that was pushed last, until somebody asks for it. */
  #offered: Fields | undefined;
  #result: Result | undefined;

  constructor(stages: readonly Placed[], last: number, { budget, now, random }: RunOptions) {
    this.#meter = new Meter(budget);
    this.#budget = budget;
    this.#last = last;
    const variables = variablesOf({ meter: this.#meter, flow: this.#flow, now, random });
    const aggregator = new Aggregator(stages.map(asked), { context: CONTEXT, variables });
    this.#stream = aggregator.stream(() => this.#feed());
  }

  /** Takes one document; says whether another one can still change the outputs. */
  push(document: Fields): 'more' | 'enough' {
    if (this.#hasEnough()) return 'enough';
    this.#meter.limitTo(this.#budget.step);
    this.#offered = document;
    this.#flow.turns = Infinity;
    try {
      while (this.#take());
    } catch (error) {
      this.#fail(error);
    }
    return this.#hasEnough() ? 'enough' : 'more';
  }

  /** Units of work done so far. */
  get spent(): number {
    return this.#budget.work - this.#meter.left;
  }

  /** Bytes that are kept beyond single documents. */
  get held(): number {
    return this.#meter.held;
  }

  /**
   * Goes on when there is nothing more to push, for about this number of units of work: the outputs, or what failed;
   * undefined when there is more to do.
   */
  proceed(units: number): Result | undefined {
    const flow = this.#flow;
    flow.ending = true;
    const until = this.spent + units;
    while (this.#result === undefined && this.spent < until) {
      this.#meter.limitTo(this.#budget.step);
      flow.turns = 1;
      try {
        if (!this.#take() && flow.over) this.#result = { ok: true, outputs: this.#outputs };
      } catch (error) {
        this.#fail(error);
      }
    }
    return this.#result;
  }

  /** The same, all of it. */
  finish(): Result {
    return this.proceed(Infinity) ?? this.finish();
  }

  #hasEnough(): boolean {
    return this.#result !== undefined || this.#flow.enough;
  }

  /** The source of mingo's iterators: the document that was pushed, once. */
  #feed() {
    const value = this.#offered;
    this.#offered = undefined;
    if (value === undefined) this.#flow.reason = this.#flow.ending ? 'nothing' : 'input';
    // What was made of the document before is garbage, but for what is held.
    else this.#meter.rewind(0, 0);
    return { done: value === undefined, value };
  }

  #take(): boolean {
    const document = nextOf(this.#stream);
    if (document === undefined) return false;
    this.#flow.stage = this.#last;
    const { outputs } = this.#budget;
    if (this.#outputs.length >= outputs) exceed(`A pipeline may give ${outputs} documents.`);
    this.#meter.hold(sizeOf(document));
    this.#outputs.push(document);
    return true;
  }

  #fail(error: unknown): void {
    if (!(error instanceof Stop)) throw error;
    this.#result = { ok: false, stage: this.#flow.stage, detail: error.message };
    this.#outputs.length = 0;
  }
}

/** A stage as mingo is asked for it. */
function asked(
  { index, stage }: Placed,
  position: number,
  stages: readonly Placed[],
): Record<string, unknown> {
  if (stage.kind === 'skip') return { $skip: stage.count };
  const start = startOf(stage, wantedBehind(stages, position));
  return { $stage: new StageOperand({ start, index }) };
}

/** The most documents that the skips and the limit behind a stage can want of it. */
function wantedBehind(stages: readonly Placed[], position: number): number {
  let skipped = 0;
  for (const { stage } of stages.slice(position + 1)) {
    if (stage.kind === 'limit') return skipped + stage.count;
    if (stage.kind !== 'skip') return Infinity;
    skipped += stage.count;
  }
  return Infinity;
}
