/** `$exists`: whether a path leads to a value. */
import { kind } from '../../query/sql/body-test.ts';
import { inverse, NEVER, sql } from '../../query/sql/condition.ts';
import { isNumber, numberKey } from '../../query/order/numbers.ts';
import { compileWalk } from '../../query/walk.ts';
import { not } from '../filter/matching.ts';
import type { LeafOperator } from './operator.ts';
import { valueOf, type FieldOperator } from '../filter/scope.ts';

/** MongoDB takes any operand and asks whether it is true: not false, null or zero. */
const read: FieldOperator = ({ json, path, place, scope }) => {
  const value = valueOf(json, place, scope);
  const isFalse = value === false || value === null || (isNumber(value) && numberKey(value) === 0);
  return { op: 'exists', path, exists: !isFalse };
};

export const EXISTS: Readonly<Record<string, FieldOperator>> = { $exists: read };

export const exists: LeafOperator<'exists'> = {
  matches: (leaf, path, { looked }) => {
    const present = compileWalk(path, 'array', (value) => value !== undefined, looked);
    return leaf.exists ? present : not(present);
  },
  // Absence is certain only of a field of the document itself: elsewhere it may be in an array's elements.
  body: (leaf, path) => {
    const found = sql((row) => `${kind(row, path)} IS NOT NULL`);
    if (leaf.exists) return { may: found, must: found };
    const absent = inverse(found);
    return { may: absent, must: leaf.path.length === 1 ? absent : NEVER };
  },
};
