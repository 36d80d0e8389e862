/**
 * The budget of a pipeline: work, memory, outputs. Every value that a pipeline makes passes here, so that no definition
 * and no data can stall the object or exhaust its memory. Clocks stand still while code computes on the platform, so
 * work is counted, never timed.
 */
import { LIMITS, MEMORY, WORK } from '../../domain/limits.ts';
import { Decimal, isFields, Long, ObjectId, type Value } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { isList } from '../../domain/values/tree.ts';

/** A value in a pipeline; `undefined` is a missing one, which is not null. */
export type Operand = Value | undefined;

export interface Budget {
  /** Units of work over the whole run. */
  readonly work: number;
  /** Units of work that one document may take: a caller that pauses between documents is never kept longer. */
  readonly step: number;
  /** Bytes, estimated, of all that groups, sorts and outputs keep at one time. */
  readonly held: number;
  readonly outputs: number;
}

export const DEFAULT_BUDGET: Budget = {
  work: WORK.pipeline,
  step: WORK.pipelinePerDocument,
  held: 32 * 1024 * 1024,
  outputs: 100_000,
};

/** The units of work of one step of a pipeline; a step takes 20 to 60 ns. */
const STEP = 2;
/** Bytes that are made or looked through in a step. */
const STEP_BYTES = 16;
/** Steps of reading a decimal, calculating with it and writing what comes of it, beside those for each character. */
const DECIMAL = 5;
const DECIMAL_CHARACTER = 2;

/**
 * A fault in the data, not in the definition. The runner of the stages turns it into a plain failure (or a fault of the
 * definition, where only constants are involved).
 */
export class Stop extends Error {
  /** True when the budget ran out rather than a value being wrong. */
  readonly overBudget: boolean;
  constructor(detail: string, overBudget: boolean) {
    // `onError` may catch one for each value, and nobody reads where it was thrown.
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = frames;
    this.overBudget = overBudget;
  }
}

/** The steps of a stop that is caught, as by `onError`. */
const CAUGHT = 100;

/** Whether what was thrown says that a value is wrong, in place of which an operator may give another. */
export function isCaught(error: unknown, meter: Meter): error is Stop {
  if (!(error instanceof Stop) || error.overBudget) return false;
  meter.spend(CAUGHT);
  return true;
}

/** Ends the run because of a wrong value; `detail` is a sentence for the client. */
export function stop(detail: string): never {
  throw new Stop(detail, false);
}

/** Ends the run because its budget is used up. */
export function exceed(detail: string): never {
  throw new Stop(detail, true);
}

interface Extent {
  readonly size: number;
  readonly depth: number;
  /** The work of looking through it. */
  readonly steps: number;
}

/**
 * The extents of composite values. Those that pipelines made may share parts, so a few steps can write down a value
 * with more parts than there are atoms: its extent is known when it is made, without a walk. Values of stored documents
 * are trees of at most a document's size and are walked once.
 */
const EXTENTS = new WeakMap<object, Extent>();

/** A few scalars are measured again in less time than it takes to write down what they measure. */
function note(value: object, extent: Extent, children: number): void {
  if (extent.depth > 1 || children > 16) EXTENTS.set(value, extent);
}

function extentOf(value: Operand): Extent {
  if (typeof value === 'object' && value !== null && (isList(value) || isFields(value))) {
    return EXTENTS.get(value) ?? measured(value);
  }
  return { size: scalarSize(value), depth: 0, steps: scalarSteps(value) };
}

function scalarSize(value: Operand): number {
  if (typeof value === 'string') return 16 + value.length;
  if (value instanceof Decimal) return 40 + value.text.length;
  if (value instanceof ObjectId) return 64;
  if (value instanceof Date) return 32;
  return value instanceof Long ? 32 : 8;
}

/** The extent of a value that was not measured before. */
function measured(value: Value & object): Extent {
  const children = isList(value) ? value : Object.values(value);
  const extent = measure(value, children);
  note(value, extent, children.length);
  return extent;
}

/** Characters of a name that many documents may share: memory has it once. */
const SHORT_NAME = 64;

/** Of each field of an object the name is looked at too. */
function measure(value: Value & object, children: readonly Value[]): Extent {
  const stepsEach = isList(value) ? 1 : 3;
  let size = 32 + 16 * children.length;
  if (!isList(value)) for (const name in value) if (name.length > SHORT_NAME) size += name.length;
  let steps = 2 + children.length * stepsEach;
  let depth = 0;
  for (const child of children) {
    if (typeof child === 'number') continue;
    const extent = extentOf(child);
    size += extent.size;
    steps += extent.steps;
    if (extent.depth > depth) depth = extent.depth;
  }
  return { size, depth: depth + 1, steps };
}

/** Estimated bytes of a value, shared parts counted each time. */
export function sizeOf(value: Operand): number {
  return typeof value === 'object' && value !== null ? extentOf(value).size : scalarSize(value);
}

export function sizeOfAll(values: readonly Operand[]): number {
  return values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
}

function scalarSteps(value: Operand): number {
  if (typeof value === 'string') return value.length / STEP_BYTES;
  if (value instanceof Decimal) return DECIMAL + DECIMAL_CHARACTER * value.text.length;
  return typeof value === 'object' && value !== null ? scalarSize(value) / STEP_BYTES : 0;
}

/** The steps of looking through values. Numbers and the like take none beside what looks at them. */
export function stepsOf(values: readonly Operand[]): number {
  let steps = 0;
  for (const value of values) {
    if (typeof value === 'string') steps += value.length / STEP_BYTES;
    else if (typeof value === 'object' && value !== null) steps += extentOf(value).steps;
  }
  return steps;
}

export class Meter {
  readonly #work: WorkBudget;
  /** The present document's share. */
  #document: WorkBudget;
  readonly #mostHeld: number;
  readonly #mostMade: number;
  #held = 0;
  #transient = 0;

  /** `made`: bytes that may be made on the way of one document. */
  constructor({
    work,
    held,
    made = MEMORY.pipelineDocument,
  }: Pick<Budget, 'work' | 'held'> & { readonly made?: number }) {
    this.#work = new WorkBudget(work);
    this.#document = this.#work;
    this.#mostHeld = held;
    this.#mostMade = made;
  }

  get left(): number {
    return this.#work.left;
  }

  /** A budget for a part of what may be done now: for the present document, if that has bounds of its own. */
  part(units: number): WorkBudget {
    return this.#document.part(units);
  }

  spend(steps: number): void {
    this.spendUnits(steps * STEP);
  }

  spendUnits(units: number): void {
    if (this.#document.spend(units)) return;
    if (this.#work.exceeded) exceed('The pipeline takes too much work over these documents.');
    exceed('The pipeline takes too much work over one document.');
  }

  /** From here on at most this number of units of work may be done. */
  limitTo(units: number): void {
    this.#document = this.#work.part(units);
  }

  /** The work of looking through operands: what a comparison, a search, a copy of them or a calculation takes. */
  spendOn(operands: readonly Operand[]): void {
    this.spend(1 + stepsOf(operands));
  }

  /** The work of sorting: each item is compared with as many others as the logarithm of their number. */
  spendOnSorting(items: readonly Operand[]): void {
    this.spend(Math.ceil(Math.log2(items.length + 1)) * (items.length + stepsOf(items)));
  }

  /** The work of calculating with one of many values: that of a decimal is worth a count. */
  spendOnNumber(value: Operand): void {
    if (value instanceof Decimal) this.spendOn([value]);
  }

  /** Refuses what would become too large, before it is made. */
  expect(bytes: number): void {
    if (bytes > MEMORY.pipelineValue) exceed(`A value would be larger than ${MEMORY.pipelineValue} bytes.`);
    if (this.#transient + bytes > this.#mostMade) {
      exceed(`The values made from one document would take more than ${this.#mostMade} bytes.`);
    }
  }

  /** Takes note of a value that was just made, or refuses it. Values that were there before cost nothing. */
  admit<T extends Operand>(value: T): T {
    if (typeof value === 'string') {
      if (value.length > 64) this.#make(value.length, value.length);
    } else if (typeof value === 'object' && value !== null && !EXTENTS.has(value)) {
      if (isList(value) || isFields(value)) this.#admitComposite(value);
      else this.#make(32, 32);
    }
    return value;
  }

  #admitComposite(value: Value & object): void {
    const children = isList(value) ? value : Object.values(value);
    const extent = measure(value, children);
    this.#make(extent.size, 32 + 16 * children.length);
    this.#checkDepth(extent.depth);
    note(value, extent, children.length);
  }

  /**
   * Takes note of a copy of a document with another value at a path, whose extent follows from that of the rest:
   * copying a document for each of its items must not walk all of it each time. `width` is how many fields were copied
   * in all, `levels` in how many objects.
   */
  expectCopy(
    copy: Value & object,
    rest: Value & object,
    changed: Operand,
    width: number,
    levels: number,
  ): void {
    const base = extentOf(rest);
    const part = extentOf(changed);
    const size = base.size + 64 * levels + part.size;
    const depth = Math.max(base.depth, part.depth + levels);
    this.#make(size, 32 * levels + 16 * width);
    this.#checkDepth(depth);
    note(copy, { size, depth, steps: base.steps + levels + part.steps }, width);
  }

  #make(size: number, own: number): void {
    this.expect(size);
    this.#transient += own;
    this.spend(own / STEP_BYTES);
  }

  #checkDepth(depth: number): void {
    if (depth > LIMITS.pipelineDepth) exceed(`A value would nest more than ${LIMITS.pipelineDepth} levels.`);
  }

  /** The results of `step` are garbage once it returns, except for held ones. */
  transiently<T>(step: () => T): T {
    const before = this.#transient;
    try {
      return step();
    } finally {
      this.#transient = before;
    }
  }

  /** The current count of made values, to return to when they are garbage. */
  checkpoint(): number {
    return this.#transient;
  }

  /** Back to a checkpoint: of everything made since, this number of bytes is still kept. */
  rewind(checkpoint: number, kept: number): void {
    this.#transient = checkpoint;
    this.expect(kept);
    this.#transient += kept;
  }

  get held(): number {
    return this.#held;
  }

  /** Keeps a number of bytes beyond the document that they came with. */
  hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > this.#mostHeld) {
      exceed(`The pipeline would keep more than ${this.#mostHeld} bytes at one time.`);
    }
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
