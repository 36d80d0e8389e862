/** Accumulators as expressions: over the items of an array, or over several operands. */
import type { Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import type { AccumulatorState } from '../accumulators/accumulator.ts';
import { averageState, DeviationState, sumState } from '../accumulators/numeric.ts';
import { countOperand } from '../accumulators/ranked.ts';
import { isNullish, NOTHING } from '../core/expression.ts';
import type { Meter, Operand } from '../core/meter.ts';
import {
  listOf,
  named,
  positional,
  REQUIRED,
  unary,
  type Operator,
  type Operators,
  call,
} from '../core/operator.ts';
import { isList } from '../../domain/values/tree.ts';
import { OrderedDoubles } from '../numbers/ordered.ts';
import { median, percentile, quantilesOf, sampleOf, type ReadQuantiles } from '../numbers/quantiles.ts';

/** A single operand that is an array counts as its items. Of several operands, each counts as it is. */
function itemsOf(operands: readonly Operand[]): readonly Operand[] {
  const [only] = operands;
  return operands.length === 1 && only !== undefined && isList(only) ? only : operands;
}

function over(start: () => AccumulatorState): Operator {
  return positional(0, Infinity, (operands) => {
    const state = start();
    for (const item of itemsOf(operands)) state.add(item);
    return state.result();
  });
}

function extreme(sign: 1 | -1): Operator {
  return positional(0, Infinity, (operands) => {
    let found: Operand;
    for (const item of itemsOf(operands)) {
      if (!isNullish(item) && (found === undefined || compareValues(item, found) * sign < 0)) found = item;
    }
    return found ?? null;
  });
}

function end(index: 0 | -1): Operator {
  return unary((value, _frame, name) => (isNullish(value) ? null : listOf(value, name).at(index)), {
    cheap: true,
  });
}

/** `{n, input}` over an array. */
function several(pick: (items: readonly Value[], n: number, meter: Meter) => readonly Value[]): Operator {
  return named(
    { input: REQUIRED, n: REQUIRED },
    ([input, n], frame, name) => {
      const items = listOf(input, name, 'an array as input');
      frame.meter.spend(items.length);
      return [...pick(items, countOperand(n, name), frame.meter)];
    },
    { checks: { n: countOperand } },
  );
}

function sorted(sign: 1 | -1): Operator {
  return several((items, n, meter) => {
    meter.spendOnSorting(items);
    return items
      .filter((item) => !isNullish(item))
      .toSorted((a, b) => sign * compareValues(a, b))
      .slice(0, n);
  });
}

export const OVER_ARRAYS: Operators = {
  $sum: over(sumState),
  $avg: over(averageState),
  $stdDevPop: over(() => new DeviationState('population')),
  $stdDevSamp: over(() => new DeviationState('sample')),
  $min: extreme(1),
  $max: extreme(-1),
  $first: end(0),
  $last: end(-1),
  $firstN: several((items, n) => items.slice(0, n)),
  $lastN: several((items, n) => items.slice(-n)),
  $minN: sorted(1),
  $maxN: sorted(-1),
};

/** `$percentile` and `$median` as expressions over the items of an array. A number counts as an array of one item. */
function overArray(read: ReadQuantiles): Operator {
  return (argument, at) => {
    const quantiles = read(argument, at);
    if (quantiles === undefined) return NOTHING;
    return call(
      [quantiles.input],
      ([input], { meter }) => {
        const sample = new OrderedDoubles();
        for (const item of input !== undefined && isList(input) ? input : [input]) {
          const number = sampleOf(item);
          if (number === undefined) continue;
          meter.spend(sample.units);
          sample.add(number);
        }
        return quantilesOf(quantiles, sample, meter);
      },
      at,
    );
  };
}

export const QUANTILES: Operators = {
  $percentile: overArray(percentile),
  $median: overArray(median),
};
