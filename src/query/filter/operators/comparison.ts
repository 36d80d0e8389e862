/** `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`: one value against one value. */
import { isParsedObject, type Parsed } from '../../../domain/json.ts';
import type { Comparison, Condition } from '../conditions.ts';
import { negate, refuse, valueOf, type FieldOperator, type Operand } from '../scope.ts';

function compare(op: Comparison): FieldOperator {
  return (operand) => {
    if (isRegex(operand.json)) return refuse(operand, `${operand.name} takes no regular expression.`);
    return conditionOf(op, operand);
  };
}

function conditionOf(op: Comparison, { json, path, place, scope }: Operand): Condition {
  return { op, path, value: valueOf(json, place, scope) };
}

/** True for `{$regex: ...}`, which stands for a pattern where a value is expected. */
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
