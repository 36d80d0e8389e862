/**
 * One run of a pipeline: documents are pushed in, as slowly as the caller likes, and outputs come out at the end.
 * Here, and nowhere else, what data showed to be wrong becomes a plain failure that names its stage.
 */
import type { Fields } from '../domain/values.ts';
import { exceed, Meter, sizeOf, Stop, type Budget } from '../operators/core/meter.ts';
import type { Placed } from './read.ts';
import { startLimit, startSkip } from '../operators/stages/slice.ts';
import { startOrder } from '../operators/stages/sort.ts';
import type { Run, Sink } from '../operators/stages/stage.ts';

/** A failure that only data could show. */
export interface Failure {
  readonly ok: false;
  /** The place of the stage in the pipeline, from 0. */
  readonly stage: number;
  readonly detail: string;
}

export type Result = { readonly ok: true; readonly outputs: readonly Fields[] } | Failure;

/** What a run takes from outside. */
export interface RunOptions {
  readonly budget: Budget;
  /** `$$NOW`. */
  readonly now: Date;
  /** For `sample` and `$rand`: a number from 0 to below 1. */
  readonly random: () => number;
}

export class PipelineRun {
  readonly #outputs: Fields[] = [];
  readonly #meter: Meter;
  readonly #budget: Budget;
  readonly #first: Sink;
  readonly #last: number;
  #failure: Failure | undefined;
  #enough = false;

  constructor(stages: readonly Placed[], last: number, { budget, now, random }: RunOptions) {
    this.#meter = new Meter(budget);
    this.#budget = budget;
    this.#last = last;
    this.#first = chain(stages, this.#collect(budget.outputs, last), { meter: this.#meter, now, random });
  }

  /** Takes one document; says whether another one can still change the outputs. */
  push(document: Fields): 'more' | 'enough' {
    if (this.#enough) return 'enough';
    this.#meter.limitTo(this.#budget.step);
    return this.#attempt(() => this.#meter.transiently(() => this.#first.push(document))) ? 'more' : 'enough';
  }

  /** Units of work done so far, 20 to 60 ns each. */
  get spent(): number {
    return this.#budget.work - this.#meter.left;
  }

  /** The outputs, or what failed. To be called once, when there is nothing more to push. */
  finish(): Result {
    this.#meter.limitTo(Infinity);
    if (this.#failure === undefined) {
      this.#attempt(() => {
        this.#first.finish();
        return false;
      });
    }
    return this.#failure ?? { ok: true, outputs: this.#outputs };
  }

  #attempt(step: () => boolean): boolean {
    let wanted = false;
    try {
      wanted = step();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.#failure = { ok: false, stage: error.stage ?? this.#last, detail: error.message };
      this.#outputs.length = 0;
    }
    this.#enough ||= !wanted;
    return wanted;
  }

  #collect(most: number, last: number): Sink {
    const push = (document: Fields): boolean => {
      if (this.#outputs.length >= most) exceed(`A pipeline may give ${most} documents.`);
      this.#meter.hold(sizeOf(document));
      this.#outputs.push(document);
      return true;
    };
    return named({ push, finish: () => undefined }, last);
  }
}

/** The stages one behind the other, from the last to the first. */
function chain(stages: readonly Placed[], end: Sink, run: Run): Sink {
  return stages.reduceRight<Sink>((next, { index, stage }, position) => {
    switch (stage.kind) {
      case 'skip':
        return startSkip(stage.count, next);
      case 'limit':
        return startLimit(stage.count, next);
      case 'sort':
        return named(startOrder(stage.ordering, wantedBehind(stages, position), next, run), index);
      case 'step':
        return named(stage.start(next, run), index);
    }
  }, end);
}

/** How many documents the skips and the limit that follow a stage can want of it. */
function wantedBehind(stages: readonly Placed[], position: number): number {
  let skipped = 0;
  for (const { stage } of stages.slice(position + 1)) {
    if (stage.kind === 'limit') return skipped + stage.count;
    if (stage.kind !== 'skip') return Infinity;
    skipped += stage.count;
  }
  return Infinity;
}

/** What stops within a stage is told of that stage: the innermost one that it passes. */
function named(sink: Sink, index: number): Sink {
  function attempt<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      if (error instanceof Stop) error.stage ??= index;
      throw error;
    }
  }
  return {
    push: (document) => attempt(() => sink.push(document)),
    finish: () => {
      attempt(sink.finish);
    },
  };
}
