/** `$inc`, `$mul`, `$min`, `$max`: an operand and the value at its path. Exact, by MongoDB's rules of widening. */
import { integerOf, isUnwritable, kindOf, longOf, type Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { isNumber, type NumberValue } from '../../query/order/numbers.ts';
import { add, EXACT, multiply } from '../numbers/arithmetic.ts';
import { numberKind, toBigInt, widest } from '../numbers/kinds.ts';
import { UpdateRefusal, refuseUpdate, valueOf, type UpdateOperator } from './operator.ts';

interface Arithmetic {
  readonly verb: string;
  readonly compute: (a: NumberValue, b: NumberValue) => NumberValue;
  readonly exact: (a: bigint, b: bigint) => bigint;
  /** The value that the operator computes with where the field is missing. */
  readonly missing: (operand: NumberValue) => NumberValue;
}

function arithmetic({
  verb,
  compute,
  exact,
  missing,
}: Arithmetic): UpdateOperator<'$inc'> & UpdateOperator<'$mul'> {
  return {
    creates: true,
    read: (json, at) => {
      const value = valueOf(json, at, at.place);
      return isNumber(value) ? { value } : refuseUpdate(at, `${at.name} takes a number.`);
    },
    apply: ({ value }, current) => {
      if (!isNumber(value)) return new UpdateRefusal('The operand is no number.');
      if (current === undefined) return missing(value);
      if (!isNumber(current)) {
        return new UpdateRefusal(
          `Only a number can be ${verb}; what stands there is of the kind ${kindOf(current)}.`,
        );
      }
      const kind = widest(numberKind(current), numberKind(value));
      if (kind === 'double' || kind === 'decimal') return finite(compute(current, value));
      const integer = exact(toBigInt(current), toBigInt(value));
      const result = kind === 'int' ? integerOf(integer) : longOf(integer);
      return result ?? new UpdateRefusal('The result is an integer beyond 64 bits.');
    },
  };
}

function finite(result: NumberValue): Value | UpdateRefusal {
  return isUnwritable(result)
    ? new UpdateRefusal('The result is beyond what its kind of number holds.')
    : result;
}

export const inc = arithmetic({
  verb: 'incremented',
  compute: add,
  exact: EXACT.add,
  missing: (operand) => operand,
});

export const mul = arithmetic({
  verb: 'multiplied',
  compute: multiply,
  exact: EXACT.multiply,
  missing: (operand) => multiply(operand, 0),
});

/** Keeps the current value unless the operand is beyond it, in MongoDB's order of all kinds. */
function bound(isBeyond: (difference: number) => boolean): UpdateOperator<'$min'> & UpdateOperator<'$max'> {
  return {
    creates: true,
    read: (json, at) => ({ value: valueOf(json, at, at.place) }),
    apply: ({ value }, current) =>
      current === undefined || isBeyond(compareValues(value, current)) ? value : current,
  };
}

export const min = bound((difference) => difference < 0);
export const max = bound((difference) => difference > 0);
