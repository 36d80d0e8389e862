/** `$sum`, `$avg`, `$count` and the standard deviations. What is no number does not count. */
import type { Operand } from '../core/meter.ts';
import { Decimal, isFields, type Value } from '../../domain/values.ts';
import { isNumber } from '../../query/order/numbers.ts';
import { doubleNumber, integerResult, toDouble } from '../numbers/kinds.ts';
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

/** Welford's method, in doubles as MongoDB's, decimals too. Of too few values there is no deviation. */
export function deviationState(kind: 'population' | 'sample'): State {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add: (value) => {
      if (!isNumber(value)) return;
      const number = value instanceof Decimal ? Number(value.text) : toDouble(value);
      count += 1;
      const delta = number - mean;
      mean += delta / count;
      squares += delta * (number - mean);
    },
    result: (): Operand => {
      const divisor = kind === 'population' ? count : count - 1;
      if (divisor <= 0) return null;
      return doubleNumber(Math.sqrt(squares / divisor));
    },
  };
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
