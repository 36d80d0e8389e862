/** `$exists`: whether a path leads to a value at all. */
import { isNumber, numberKey } from '../../query/order/numbers.ts';
import { compileWalk } from '../../query/walk.ts';
import { not } from './matching.ts';
import type { LeafOperator } from './operator.ts';
import { valueOf, type FieldOperator } from './scope.ts';

/** MongoDB takes any operand and asks whether it is true: not false, null or zero. */
const read: FieldOperator = ({ json, path, place, scope }) => {
  const value = valueOf(json, place, scope);
  const isFalse = value === false || value === null || (isNumber(value) && numberKey(value) === 0);
  return { op: 'exists', path, exists: !isFalse };
};

export const EXISTS: Readonly<Record<string, FieldOperator>> = { $exists: read };

export const exists: LeafOperator<'exists'> = {
  matches: (leaf, path) => {
    const present = compileWalk(path, 'array', (value) => value !== undefined);
    return leaf.exists ? present : not(present);
  },
};
