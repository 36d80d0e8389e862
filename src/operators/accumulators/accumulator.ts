/** An accumulator: a state for each group, fed with one value of each document. */
import type { Place } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import type { Expression, Frame, Scope } from '../core/expression.ts';
import { sizeOf, type Meter, type Operand } from '../core/meter.ts';

/** The state of one group. What it keeps, it has the meter hold. */
export interface AccumulatorState {
  readonly add: (value: Operand) => void;
  readonly result: () => Operand;
  /**
   * Takes all that another state of the same accumulator has taken, as if it came behind. False where the result could
   * then be another in its last digit; the state is of no use any more. States of accumulators that join have it.
   */
  readonly join?: (other: AccumulatorState) => boolean;
  /** All that it has taken, as a value; undefined where no value says it. States of accumulators that join have it. */
  readonly packed?: () => Value | undefined;
  /** Takes what a state of the same accumulator has packed, before anything else; false for what is not that. */
  readonly unpack?: (packed: Value) => boolean;
}

export interface Accumulator {
  /** The value that it takes from a document. */
  readonly operand: (frame: Frame) => Operand;
  /** A new group. `frame` is that of the group's first document: some arguments may depend on the group. */
  readonly start: (meter: Meter, name: string, frame: Frame) => AccumulatorState;
  /** Whether its states can be made of several, each of a segment of the documents. */
  readonly joins: boolean;
}

export type ReadAccumulator = (
  argument: Value,
  at: { name: string; place: Place; scope: Scope },
) => Accumulator | undefined;

export function ofExpression(start: Accumulator['start'], joins = false): ReadAccumulator {
  return (argument, { place, scope }) => {
    const expression: Expression = scope.parse(argument, place, scope);
    return { operand: expression.evaluate, start, joins };
  };
}

/** A value that is held and may be replaced by another. */
export class HeldValue {
  readonly #meter: Meter | null;
  #size = 0;
  value: Operand;
  constructor(meter: Meter | null) {
    this.#meter = meter;
  }

  hold(value: Operand): void {
    this.value = value;
    if (this.#meter === null) return;
    const size = sizeOf(value);
    this.#meter.hold(size - this.#size);
    this.#size = size;
  }
}
