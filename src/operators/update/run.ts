/** State that the operators of one update share: the time, and the work that is left. */
import { isFields, type Value } from '../../domain/values/values.ts';
import { LIMITS } from '../../domain/limits.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { isList } from '../../domain/values/tree.ts';

/**
 * Work for each value of the document and besides, in units of `WorkBudget`: a write holds up all others of its
 * collection, and must stay in proportion to the document.
 */
const WORK_EACH = 100;
const WORK_BESIDES = 150_000;

/** Work of patterns, in the same units: subjects are as long as a document is large. */
const PATTERN_WORK = 5_000_000;

/** Bytes that a null takes in an array. */
const NULL_BYTES = 5;

export class Run {
  readonly now: Date;
  readonly patterns: WorkBudget;
  #nulls = Math.floor(LIMITS.document / NULL_BYTES);
  #work: WorkBudget | null = null;
  readonly #document: Value;
  readonly #shared: WorkBudget | null;

  /** `shared`: what this update takes is also taken from there. */
  constructor(now: Date, document: Value, shared: WorkBudget | null) {
    this.now = now;
    this.patterns = new WorkBudget(PATTERN_WORK, shared);
    this.#shared = shared;
    this.#document = document;
  }

  /** Reserves room for a number of nulls, which fill an array up to a position beyond its end; false without room. */
  fill(count: number): boolean {
    this.#nulls -= count;
    return this.#nulls >= 0;
  }

  /** Takes so much work; false when the update has had its share. */
  spend(work: number): boolean {
    this.#work ??= new WorkBudget(WORK_BESIDES + WORK_EACH * countValues(this.#document), this.#shared);
    return this.#work.spend(work);
  }
}

export function countValues(value: Value): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (!isList(value) && !isFields(value)) return 1;
  let count = 1;
  for (const child of Object.values(value) as readonly Value[]) count += countValues(child);
  return count;
}
