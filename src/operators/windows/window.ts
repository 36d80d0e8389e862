/**
 * A window function: for each document of a partition, in order, the value of its window. A partition goes in and comes
 * out a document at a time, so that no step is long.
 */
import type { Place } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import type { Key, Ordering } from '../../query/order/ordering.ts';
import type { SortField } from '../../query/order/sort.ts';
import type { Frame } from '../core/expression.ts';
import { sizeOf, type Meter, type Operand } from '../core/meter.ts';
import { refuseExpression, type At } from '../core/operator.ts';

export interface WindowAt extends At {
  /** `sortBy` of the stage; null without it. */
  readonly sortBy: readonly SortField[] | null;
  /** The value of `window`, and its place. */
  readonly window: Value | undefined;
  readonly windowPlace: Place;
}

/** State that the functions of one partition share: it ends with the partition. */
export class Keep {
  readonly meter: Meter;
  #bytes = 0;

  constructor(meter: Meter) {
    this.meter = meter;
  }

  hold(bytes: number): void {
    this.meter.hold(bytes);
    this.#bytes += bytes;
  }

  end(): void {
    this.meter.release(this.#bytes);
    this.#bytes = 0;
  }
}

export class Column {
  readonly #keep: Keep;
  readonly #values: Operand[] = [];

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  get length(): number {
    return this.#values.length;
  }

  add(value: Operand): void {
    this.#keep.hold(8 + sizeOf(value));
    this.#values.push(value);
  }

  at(index: number): Operand {
    return this.#values[index];
  }
}

export interface WindowState {
  /** Takes the next document: that of the frame, with the key that it is sorted by. */
  readonly add: (frame: Frame, key: Key) => void;
  /** The value for the document with that index. Each is asked for once, in order, when all have been taken. */
  readonly at: (index: number) => Value;
}

export interface WindowFunction {
  /** `frame` is that of the first document of the partition. */
  readonly start: (keep: Keep, frame: Frame, ordering: Ordering) => WindowState;
}

/** Undefined when it reported a fault. */
export type ReadWindowFunction = (argument: Value, at: WindowAt) => WindowFunction | undefined;

/** For functions that decide themselves which documents they look at. */
export function withoutWindow(read: ReadWindowFunction): ReadWindowFunction {
  return (argument, at) => {
    const made = read(argument, at);
    if (at.window === undefined) return made;
    refuseExpression({ ...at, place: at.windowPlace }, `${at.name} takes no window.`);
    return undefined;
  };
}

/** For functions that need an order. */
export function sorted(read: ReadWindowFunction): ReadWindowFunction {
  return (argument, at) => {
    const made = read(argument, at);
    if (at.sortBy !== null) return made;
    refuseExpression(at, `${at.name} needs sortBy.`);
    return undefined;
  };
}

/** The path of the one field that the documents are sorted by; undefined, with a fault reported, if there is none. */
export function sortPath(at: WindowAt): readonly string[] | undefined {
  const [first, ...others] = at.sortBy ?? [];
  if (first !== undefined && others.length === 0) return first.path;
  refuseExpression(at, `${at.name} needs sortBy with one field.`);
  return undefined;
}
