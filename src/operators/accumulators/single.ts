/** Accumulators that keep one value, or merge or collect them: `$first`, `$max`, `$push` and their kin. */
import { isList } from '../../domain/values/tree.ts';
import type { Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { isNullish } from '../core/expression.ts';
import { keyOfOperand } from '../core/keys.ts';
import { sizeOf, type Meter, type Operand } from '../core/meter.ts';
import { mergeInto } from '../expressions/objects.ts';
import { HeldValue, ofExpression, type ReadAccumulator, type AccumulatorState } from './accumulator.ts';

/** Bytes of a list for each item, beside the item. */
const ENTRY = 16;
/** The same for a set, which keeps a key beside each. */
const SET_ENTRY = 64;

/** The value of the first document, or of the last one. */
class EndState implements AccumulatorState {
  readonly #held: HeldValue;
  readonly #isFirst: boolean;
  #found = false;

  constructor(meter: Meter, isFirst: boolean) {
    this.#held = new HeldValue(meter);
    this.#isFirst = isFirst;
  }

  add(value: Operand): void {
    if (!this.#found || !this.#isFirst) this.#held.hold(value);
    this.#found = true;
  }

  // What is missing in the first document is null, as MongoDB has it.
  result(): Value {
    return this.#held.value ?? null;
  }

  join(other: AccumulatorState): boolean {
    if (!(other instanceof EndState)) return false;
    if (other.#found) this.add(other.#held.value);
    return true;
  }

  /** Nothing found, what is missing, or a value. */
  packed(): Value {
    if (!this.#found) return null;
    return this.#held.value === undefined ? [] : [this.#held.value];
  }

  unpack(packed: Value): boolean {
    if (packed === null) return true;
    if (isList(packed)) this.add(packed[0]);
    return isList(packed);
  }
}

/** The least or the greatest value by MongoDB's order; null and missing do not count. */
export class ExtremeState implements AccumulatorState {
  readonly #held: HeldValue;
  readonly #meter: Meter;
  readonly #sign: 1 | -1;

  /** `keeper`: null where the value is kept, and counted, anyway. */
  constructor(meter: Meter, sign: 1 | -1, keeper: Meter | null = meter) {
    this.#held = new HeldValue(keeper);
    this.#meter = meter;
    this.#sign = sign;
  }

  add(value: Operand): void {
    if (isNullish(value)) return;
    this.#meter.spendOn([value]);
    const { value: least } = this.#held;
    if (least === undefined || compareValues(value, least) * this.#sign < 0) this.#held.hold(value);
  }

  result(): Value {
    return this.#held.value ?? null;
  }

  merge(other: ExtremeState): void {
    this.add(other.#held.value);
  }

  join(other: AccumulatorState): boolean {
    if (!(other instanceof ExtremeState)) return false;
    this.merge(other);
    return true;
  }

  // Null is no extreme: it stands for none.
  packed(): Value {
    return this.#held.value ?? null;
  }

  unpack(packed: Value): boolean {
    this.add(packed);
    return true;
  }
}

/** All values, or with keys of those that were taken, each once. */
class CollectState implements AccumulatorState {
  readonly #items: Value[] = [];
  readonly #meter: Meter;
  readonly #keys: Set<string> | null;

  constructor(meter: Meter, keys: Set<string> | null) {
    this.#meter = meter;
    this.#keys = keys;
  }

  add(value: Operand): void {
    if (value === undefined) return;
    let bytes = ENTRY;
    if (this.#keys !== null) {
      this.#meter.spendOn([value]);
      const key = keyOfOperand(value);
      if (this.#keys.has(key)) return;
      this.#keys.add(key);
      bytes = SET_ENTRY + key.length;
    }
    this.#meter.hold(bytes + sizeOf(value));
    this.#items.push(value);
  }

  result(): Value {
    return this.#meter.admit(this.#items);
  }

  join(other: AccumulatorState): boolean {
    return other instanceof CollectState && this.unpack(other.#items);
  }

  packed(): Value {
    return this.#items;
  }

  unpack(packed: Value): boolean {
    if (!isList(packed)) return false;
    for (const item of packed) this.add(item);
    return true;
  }
}

function mergeState(meter: Meter, name: string): AccumulatorState {
  const merged = new Map<string, Value>();
  return {
    add: (value: Operand) => {
      if (isNullish(value)) return;
      // Replaced fields stay counted: the total includes all of them.
      meter.hold(sizeOf(value));
      mergeInto(merged, value, name);
    },
    result: () => meter.admit(Object.fromEntries(merged)),
  };
}

export const SINGLE: Readonly<Record<string, ReadAccumulator>> = {
  $first: ofExpression((meter) => new EndState(meter, true), true),
  $last: ofExpression((meter) => new EndState(meter, false), true),
  $min: ofExpression((meter) => new ExtremeState(meter, 1), true),
  $max: ofExpression((meter) => new ExtremeState(meter, -1), true),
  $push: ofExpression((meter) => new CollectState(meter, null), true),
  $addToSet: ofExpression((meter) => new CollectState(meter, new Set()), true),
  $mergeObjects: ofExpression(mergeState),
};
