/** `$sum`, `$avg`, `$count` and the standard deviations. They ignore values that are no numbers. */
import { isList } from '../../domain/values/tree.ts';
import { isFields, type Value, doubleOf } from '../../domain/values/values.ts';
import { isNumber } from '../../query/order/numbers.ts';
import type { Operand } from '../core/meter.ts';
import { integerResult, toDouble } from '../numbers/kinds.ts';
import { Moments, type MomentsOf } from '../numbers/moments.ts';
import { Total } from '../numbers/total.ts';
import { ofExpression, type ReadAccumulator, type AccumulatorState } from './accumulator.ts';

class SumState implements AccumulatorState {
  #total = new Total();
  readonly #resultOf: (total: Total) => Value;

  constructor(resultOf: (total: Total) => Value) {
    this.#resultOf = resultOf;
  }

  add(value: Operand): void {
    if (isNumber(value)) this.#total.add(value);
  }

  result(): Value {
    return this.#resultOf(this.#total);
  }

  merge(other: SumState): void {
    this.#total.merge(other.#total);
  }

  join(other: AccumulatorState): boolean {
    if (!(other instanceof SumState)) return false;
    this.merge(other);
    return this.#total.isExact;
  }

  packed(): Value | undefined {
    return this.#total.packed;
  }

  unpack(packed: Value): boolean {
    const total = Total.unpacked(packed);
    if (total !== undefined) this.#total = total;
    return total !== undefined;
  }
}

export const sumState = () => new SumState((total) => total.value);
export const averageState = () => new SumState((total) => total.mean);

class CountState implements AccumulatorState {
  #documents = 0n;

  add(): void {
    this.#documents += 1n;
  }

  result(): Value {
    return integerResult(this.#documents, 'int');
  }

  join(other: AccumulatorState): boolean {
    if (!(other instanceof CountState)) return false;
    this.#documents += other.#documents;
    return true;
  }

  packed(): Value {
    return this.#documents.toString();
  }

  unpack(packed: Value): boolean {
    if (typeof packed !== 'string') return false;
    this.#documents = BigInt(packed);
    return true;
  }
}

/** In doubles as MongoDB's, decimals too. Of too few values there is no deviation. */
export class DeviationState implements AccumulatorState {
  readonly #moments = new Moments();
  readonly #of: MomentsOf;

  constructor(of: MomentsOf) {
    this.#of = of;
  }

  add(value: Operand): void {
    if (isNumber(value)) this.#moments.add(toDouble(value));
  }

  merge(next: DeviationState): void {
    this.#moments.merge(next.#moments);
  }

  result(): Value {
    const variance = this.#moments.covariance(this.#of);
    return variance === null ? null : doubleOf(Math.sqrt(variance));
  }
}

const count: ReadAccumulator = (argument: Value, { name, place, scope }) => {
  if (!isFields(argument) || Object.keys(argument).length > 0) {
    scope.report(place, `${name} takes an empty object.`);
    return undefined;
  }
  return { operand: () => null, start: () => new CountState(), joins: true };
};

/** One expression. An array of several would be no number, and count for nothing. */
function ofNumber(start: () => AccumulatorState, joins = false): ReadAccumulator {
  const read = ofExpression(start, joins);
  return (argument, at) => {
    if (!isList(argument)) return read(argument, at);
    at.scope.report(at.place, `${at.name} takes one expression here, not an array of them.`);
    return undefined;
  };
}

export const NUMERIC: Readonly<Record<string, ReadAccumulator>> = {
  $sum: ofNumber(sumState, true),
  $avg: ofNumber(averageState, true),
  $stdDevPop: ofNumber(() => new DeviationState('population')),
  $stdDevSamp: ofNumber(() => new DeviationState('sample')),
  $count: count,
};
