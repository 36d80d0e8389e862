/** `$size`: how many items an array has. */
import { INT_MAX } from '../../domain/values/values.ts';
import { kind } from '../../query/sql/body-test.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import { refuseCondition, valueOf, type FieldOperator } from '../filter/scope.ts';
import { isList } from '../../domain/values/tree.ts';

const read: FieldOperator = (operand) => {
  const count = smallInteger(valueOf(operand.json, operand.place, operand.scope));
  if (count === undefined || count < 0 || count > INT_MAX) {
    return refuseCondition(operand, '$size takes an integer that is not negative.');
  }
  return { op: 'size', path: operand.path, size: count };
};

export const SIZE: Readonly<Record<string, FieldOperator>> = { $size: read };

export const size: LeafOperator<'size'> = {
  matches: ofValues(
    'array',
    (leaf) => (value) => value !== undefined && isList(value) && value.length === leaf.size,
  ),
  body: (_leaf, path) => ({ may: sql((row) => `${kind(row, path)} IS 'array'`), must: NEVER }),
};
