/** `$in`, `$nin`, `$all`: one value against a list of values and patterns. */
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import { inside } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import { idsAmong, isScalar, keysAmong } from '../../query/sql/positions.ts';
import { isRegex } from './comparison.ts';
import type { Condition, Pattern } from '../filter/conditions.ts';
import { elementMatch } from './element-match.ts';
import { testEquality } from './equality.ts';
import { some } from '../filter/matching.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import { patternOf, testPattern } from './regex.ts';
import {
  allOf,
  negate,
  refuseCondition,
  valueOf,
  type FieldOperator,
  type OperatorClause,
} from '../filter/scope.ts';
import { indexValues } from './value-index.ts';
import { isList } from '../../domain/values/tree.ts';

/** The values and patterns of a list, which takes no other operators. */
function readList(operand: OperatorClause, list: readonly Parsed[]) {
  const values: Value[] = [];
  const patterns: Pattern[] = [];
  list.forEach((item, index) => {
    const place = inside(operand.place, index);
    if (isRegex(item) && isParsedObject(item)) {
      const pattern = patternOf(item, place, operand.scope);
      if (pattern !== null) patterns.push(pattern);
    } else {
      values.push(valueOf(item, place, operand.scope));
    }
  });
  return { values, patterns };
}

const oneOf: FieldOperator = (operand) => {
  const { json, path, name } = operand;
  if (!isList(json)) return refuseCondition(operand, `${name} takes an array of values.`);
  return { op: 'in', path, ...readList(operand, json) };
};

const all: FieldOperator = (operand) => {
  const { json, path, name } = operand;
  if (!isList(json)) return refuseCondition(operand, `${name} takes an array of values.`);
  // All of nothing is asked of no document: MongoDB's rule (decisions, section 3).
  if (json.length === 0) return { op: 'in', path, values: [], patterns: [] };
  if (json.some(isElementMatch)) return allElements(operand, json);
  const { values, patterns } = readList(operand, json);
  return allOf([
    ...values.map((value): Condition => ({ op: 'eq', path, value })),
    ...patterns.map((pattern): Condition => ({ op: 'regex', path, ...pattern })),
  ]);
};

/** `$all: [{$elemMatch: ...}, ...]`: each must find an element, not necessarily the same one. */
function allElements(operand: OperatorClause, list: readonly Parsed[]): Condition {
  return allOf(
    list.map((item, index) => {
      const place = inside(operand.place, index);
      if (!isParsedObject(item) || !isElementMatch(item) || Object.keys(item).length > 1) {
        return refuseCondition(
          { ...operand, place },
          '$all takes either values or $elemMatch expressions, not both.',
        );
      }
      const json = item['$elemMatch'] ?? null;
      return elementMatch({
        ...operand,
        name: '$elemMatch',
        json,
        place: inside(place, '$elemMatch'),
        siblings: item,
      });
    }),
  );
}

function isElementMatch(json: Parsed): boolean {
  return isParsedObject(json) && Object.hasOwn(json, '$elemMatch');
}

export const MEMBERSHIP: Readonly<Record<string, FieldOperator>> = {
  $in: oneOf,
  $nin: (operand) => negate(oneOf(operand)),
  $all: all,
};

/** True for a value that equals one of the list, null also standing for missing, or that a pattern matches. */
export const among: LeafOperator<'in'> = {
  matches: ofValues('items and array', ({ values, patterns }, matching) => {
    const { find } = indexValues(values);
    return some([
      ...(values.length > 0 ? [(value: Parameters<typeof find>[0]) => find(value) !== -1] : []),
      ...patterns.map((pattern) => testPattern(pattern, matching)),
    ]);
  }),
  index: ({ path, values, patterns }, find) =>
    patterns.length === 0 && values.every(isScalar) ? keysAmong(path, values, find) : null,
  ofId: ({ values, patterns }) => (patterns.length === 0 ? idsAmong(values) : null),
  body: ({ values, patterns }, path) => (patterns.length === 0 ? testEquality(values, path) : undefined),
};
