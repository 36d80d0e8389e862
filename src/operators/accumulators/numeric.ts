/** `$sum`, `$avg`, `$count` and the standard deviations. What is no number does not count. */
import { isFields, type Value, doubleOf } from '../../domain/values/values.ts';
import { isNumber } from '../../query/order/numbers.ts';
import { integerResult, toDouble } from '../numbers/kinds.ts';
import { Moments } from '../numbers/moments.ts';
import { Total } from '../numbers/total.ts';
import { ofExpression, type ReadAccumulator, type State } from './accumulator.ts';

export function sumState(): State {
  const total = new Total();
  return {
    add: (value) => {
      if (isNumber(value)) total.add(value);
    },
    result: () => total.value,
  };
}

export function averageState(): State {
  const total = new Total();
  return {
    add: (value) => {
      if (isNumber(value)) total.add(value);
    },
    result: () => total.mean,
  };
}

/** In doubles as MongoDB's, decimals too. Of too few values there is no deviation. */
export function deviationState(kind: 'population' | 'sample'): State {
  const moments = new Moments();
  return {
    add: (value) => {
      if (isNumber(value)) moments.add(toDouble(value));
    },
    result: () => deviationOf(moments, kind),
  };
}

export function deviationOf(moments: Moments, kind: 'population' | 'sample'): Value {
  const variance = moments.variance(kind);
  return variance === null ? null : doubleOf(Math.sqrt(variance));
}

const count: ReadAccumulator = (argument: Value, { name, place, scope }) => {
  if (!isFields(argument) || Object.keys(argument).length > 0) {
    scope.report(place, `${name} takes an empty object.`);
    return undefined;
  }
  return {
    operand: () => null,
    start: () => {
      let documents = 0n;
      return {
        add: () => {
          documents += 1n;
        },
        result: () => integerResult(documents, 'int'),
      };
    },
  };
};

export const NUMERIC: Readonly<Record<string, ReadAccumulator>> = {
  $sum: ofExpression(sumState),
  $avg: ofExpression(averageState),
  $stdDevPop: ofExpression(() => deviationState('population')),
  $stdDevSamp: ofExpression(() => deviationState('sample')),
  $count: count,
};
