/** `$in`, `$nin`, `$all`: one value against a list of values and patterns. */
import { isParsedArray, isParsedObject, type Parsed } from '../../../domain/json.ts';
import { inside } from '../../../domain/pointer.ts';
import type { Value } from '../../../domain/values.ts';
import type { Condition, Pattern } from '../conditions.ts';
import { allOf, negate, refuse, valueOf, type FieldOperator, type Operand } from '../scope.ts';
import { isRegex } from './comparison.ts';
import { elementMatch } from './elements.ts';
import { patternOf } from './regex.ts';

/** The values and patterns of a list, which takes no other operators. */
function readList(operand: Operand, list: readonly Parsed[]): { values: Value[]; patterns: Pattern[] } {
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
  if (!isParsedArray(json)) return refuse(operand, `${name} takes an array of values.`);
  return { op: 'in', path, ...readList(operand, json) };
};

const all: FieldOperator = (operand) => {
  const { json, path, name } = operand;
  if (!isParsedArray(json)) return refuse(operand, `${name} takes an array of values.`);
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
function allElements(operand: Operand, list: readonly Parsed[]): Condition {
  return allOf(
    list.map((item, index) => {
      const place = inside(operand.place, index);
      if (!isParsedObject(item) || !isElementMatch(item) || Object.keys(item).length > 1) {
        return refuse({ ...operand, place }, '$all takes either values or $elemMatch expressions, not both.');
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
