/**
 * `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`: one value against one value. Values compare only within their bracket of
 * kinds; null and missing are one there. The operand is looked at once, so that the test itself is a single comparison
 * for common kinds.
 */
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import { Double, ObjectId, type Value } from '../../domain/values/values.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { idsAmong, isScalar, keysAmong, SYMBOLS, where } from '../../query/sql/positions.ts';
import { bracketOf, compareValues } from '../../query/order/compare.ts';
import { comparingWith, isNotANumber, isNumber, type NumberValue } from '../../query/order/numbers.ts';
import { compareStrings } from '../../query/order/strings.ts';
import type { Predicate } from '../../query/walk.ts';
import { rangeOf, testBound, type Bound } from './bounds.ts';
import type { Comparison, Condition } from '../filter/conditions.ts';
import { testEquality } from './equality.ts';
import { isNullish } from '../core/expression.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import {
  negate,
  refuseCondition,
  valueOf,
  type FieldOperator,
  type OperatorClause,
} from '../filter/scope.ts';

function compare(op: Comparison): FieldOperator {
  return (operand) => {
    if (isRegex(operand.json))
      return refuseCondition(operand, `${operand.name} takes no regular expression.`);
    return conditionOf(op, operand);
  };
}

function conditionOf(op: Comparison, { json, path, place, scope }: OperatorClause): Condition {
  return { op, path, value: valueOf(json, place, scope) };
}

/** True for `{$regex: ...}`, which means a pattern where a value is expected. */
export function isRegex(json: Parsed): boolean {
  return isParsedObject(json) && Object.hasOwn(json, '$regex');
}

const equal = compare('eq');

export const COMPARISON: Readonly<Record<string, FieldOperator>> = {
  $eq: equal,
  $ne: (operand) => negate(equal(operand)),
  $gt: compare('gt'),
  $gte: compare('gte'),
  $lt: compare('lt'),
  $lte: compare('lte'),
};

export const equality: LeafOperator<'eq'> = {
  matches: ofValues('items and array', ({ value }) => compareTest('eq', value)),
  index: ({ path, value }, find) => (isScalar(value) ? keysAmong(path, [value], find) : null),
  ofId: ({ value }) => idsAmong([value]),
  body: ({ value }, path) => testEquality([value], path),
};

export function bound(op: Bound): LeafOperator<Bound> {
  return {
    matches: ofValues('items and array', ({ value }) => compareTest(op, value)),
    range: rangeOf,
    // An id is an object id, and compares with no value of another kind.
    ofId: ({ value }) =>
      value instanceof ObjectId
        ? where(
            sql((row) => `${row}.id ${SYMBOLS[op]} unhex(?)`, value.hex),
            true,
          )
        : where(NEVER, true),
    body: ({ value }, path) => testBound(op, value, path),
  };
}

const ACCEPTS: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  eq: (difference) => difference === 0,
  gt: (difference) => difference > 0,
  gte: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  lte: (difference) => difference <= 0,
};

function compareTest(op: Comparison, operand: Value): Predicate {
  if (operand === null) return op === 'gt' || op === 'lt' ? never : isNullish;
  if (typeof operand === 'string') return stringTest(op, operand);
  if (isNumber(operand)) return numberTest(op, operand);
  const accepts = ACCEPTS[op];
  const bracket = bracketOf(operand);
  return (value) => bracketOf(value) === bracket && accepts(compareValues(value, operand));
}

function never(): boolean {
  return false;
}

function stringTest(op: Comparison, operand: string): Predicate {
  if (op === 'eq') return (value) => value === operand;
  const accepts = ACCEPTS[op];
  return (value) => typeof value === 'string' && accepts(compareStrings(value, operand));
}

function numberTest(op: Comparison, operand: NumberValue): Predicate {
  // NaN equals itself, and is neither below nor above anything.
  if (isNotANumber(operand)) {
    return op === 'gt' || op === 'lt' ? never : (value) => isNumber(value) && isNotANumber(value);
  }
  const accepts = ACCEPTS[op];
  const compare = comparingWith(operand);
  const exact: Predicate = (value) => isNumber(value) && !isNotANumber(value) && accepts(compare(value));
  const plain = operand instanceof Double ? operand.value : operand;
  if (typeof plain !== 'number') return exact;
  return (value) => (typeof value === 'number' ? accepts(differenceOf(value, plain)) : exact(value));
}

/** NaN where one of them is: no comparison accepts that. */
function differenceOf(value: number, operand: number): number {
  if (value === operand) return 0;
  return value < operand ? -1 : value > operand ? 1 : NaN;
}
