/** What the operators of one update share while they are applied: the time, and how much work they may still take. */
import { isFields, isList, type Value } from '../../domain/values.ts';
import { workBudget, type WorkBudget } from '../query/patterns.ts';
import { LIMITS } from '../../domain/limits.ts';

/**
 * Comparisons of a value with a part of a condition, for each value of the document and besides: a write holds up all
 * others of its collection, and must stay in proportion to the document.
 */
const WORK_EACH = 30;
const WORK_BESIDES = 50_000;

/** Work of patterns, in the regex module's units of about 10 ns. */
const PATTERN_WORK = 5_000_000;

/** Bytes that a null takes in an array. */
const NULL_BYTES = 5;

export class Run {
  readonly now: Date;
  readonly patterns: WorkBudget = workBudget(PATTERN_WORK);
  #nulls = Math.floor(LIMITS.document / NULL_BYTES);
  #work: number | null = null;
  readonly #document: Value;

  constructor(now: Date, document: Value) {
    this.now = now;
    this.#document = document;
  }

  /** Takes room for so many nulls, which fill an array up to a position behind its end; false where there is none. */
  fill(count: number): boolean {
    this.#nulls -= count;
    return this.#nulls >= 0;
  }

  /** Takes so much work; false when the update has had its share. */
  spend(work: number): boolean {
    this.#work ??= WORK_BESIDES + WORK_EACH * countValues(this.#document);
    this.#work -= work;
    return this.#work >= 0;
  }
}

/** How many values a value is made of. */
export function countValues(value: Value): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (!isList(value) && !isFields(value)) return 1;
  let count = 1;
  for (const child of Object.values(value) as readonly Value[]) count += countValues(child);
  return count;
}
