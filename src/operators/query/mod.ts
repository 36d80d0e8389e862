/** `$mod`: the remainder of a number without its fraction. */
import type { Parsed } from '../../domain/values/json.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { integerOf, type Value } from '../../domain/values/values.ts';
import { kind } from '../../query/sql/body-test.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { isNumber, truncated } from '../../query/order/numbers.ts';
import type { Predicate } from '../../query/walk.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import { refuseCondition, valueOf, type FieldOperator, type OperatorClause } from '../filter/scope.ts';
import { isList } from '../../domain/values/tree.ts';

const read: FieldOperator = (operand) => {
  const { json, path, place } = operand;
  if (!isList(json) || json.length !== 2) {
    return refuseCondition(operand, '$mod takes an array of two numbers, the divisor and the remainder.');
  }
  const [divisor, remainder] = json.map((item, index) => wholeOf(item, inside(place, index), operand));
  if (divisor === undefined || remainder === undefined)
    return refuseCondition(operand, '$mod takes numbers within 64 bits.');
  if (divisor === 0n) return refuseCondition(operand, 'The divisor of $mod must not be 0.');
  return {
    op: 'mod',
    path,
    divisor: integerOf(divisor) ?? 0,
    remainder: integerOf(remainder) ?? 0,
  };
};

/** Fractions of a divisor or remainder are cut off, as MongoDB does. */
function wholeOf(json: Parsed, place: Place, { scope }: OperatorClause): bigint | undefined {
  const value = valueOf(json, place, scope);
  return isNumber(value) ? truncated(value) : undefined;
}

export const MOD: Readonly<Record<string, FieldOperator>> = { $mod: read };

export const mod: LeafOperator<'mod'> = {
  matches: ofValues('items and array', ({ divisor, remainder }) => modTest(divisor, remainder)),
  body: (_leaf, path) => ({
    may: sql((row) => `${kind(row, path)} IN ('integer', 'real', 'object', 'array') IS TRUE`),
    must: NEVER,
  }),
};

/** Divisor and remainder are integers of 64 bits; the remainder of a negative number is negative, as MongoDB's. */
function modTest(divisor: Value, remainder: Value): Predicate {
  const by = isNumber(divisor) ? truncated(divisor) : undefined;
  const rest = isNumber(remainder) ? truncated(remainder) : undefined;
  if (by === undefined || by === 0n || rest === undefined) return () => false;
  const plainBy = Number(by);
  const plainRest = Number(rest);
  const plain = Number.isSafeInteger(plainBy) && Number.isSafeInteger(plainRest);
  return (value) => {
    if (plain && typeof value === 'number' && Number.isSafeInteger(Math.trunc(value))) {
      return Math.trunc(value) % plainBy === plainRest;
    }
    const dividend = isNumber(value) ? truncated(value) : undefined;
    return dividend !== undefined && dividend % by === rest;
  };
}
