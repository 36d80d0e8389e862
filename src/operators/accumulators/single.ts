/** Accumulators that keep one value, or merge or collect them: `$first`, `$max`, `$push` and their kin. */
import type { Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { isNullish } from '../core/expression.ts';
import { keyOfValue } from '../core/keys.ts';
import { sizeOf, type Meter, type Operand } from '../core/meter.ts';
import { mergeInto } from '../expressions/objects.ts';
import { Kept, ofExpression, type ReadAccumulator, type State } from './accumulator.ts';

/** What a list costs for each item beside the item itself. */
const ENTRY = 16;
/** The same for a set, which keeps a key beside each. */
const SET_ENTRY = 64;

function firstState(meter: Meter): State {
  const kept = new Kept(meter);
  let found = false;
  return {
    add: (value) => {
      if (!found) kept.keep(value);
      found = true;
    },
    // What is missing in the first document is null, as MongoDB has it.
    result: () => kept.value ?? null,
  };
}

function lastState(meter: Meter): State {
  const kept = new Kept(meter);
  return {
    add: (value) => {
      kept.keep(value);
    },
    result: () => kept.value ?? null,
  };
}

/** The least or the greatest value by MongoDB's order; null and missing do not count. */
function extremeState(meter: Meter, sign: 1 | -1): State {
  const kept = new Kept(meter);
  return {
    add: (value) => {
      if (isNullish(value)) return;
      meter.spendOn([value]);
      if (kept.value === undefined || compareValues(value, kept.value) * sign < 0) kept.keep(value);
    },
    result: () => kept.value ?? null,
  };
}

function pushState(meter: Meter): State {
  const items: Value[] = [];
  return {
    add: (value) => {
      if (value === undefined) return;
      meter.hold(ENTRY + sizeOf(value));
      items.push(value);
    },
    result: () => meter.admit(items),
  };
}

function addToSetState(meter: Meter): State {
  const items = new Map<string, Value>();
  return {
    add: (value) => {
      if (value === undefined) return;
      meter.spendOn([value]);
      const key = keyOfValue(value);
      if (items.has(key)) return;
      meter.hold(SET_ENTRY + key.length + sizeOf(value));
      items.set(key, value);
    },
    result: () => meter.admit([...items.values()]),
  };
}

function mergeState(meter: Meter, name: string): State {
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
  $first: ofExpression(firstState),
  $last: ofExpression(lastState),
  $min: ofExpression((meter) => extremeState(meter, 1)),
  $max: ofExpression((meter) => extremeState(meter, -1)),
  $push: ofExpression(pushState),
  $addToSet: ofExpression(addToSetState),
  $mergeObjects: ofExpression(mergeState),
};
