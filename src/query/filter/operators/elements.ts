/** `$elemMatch`, `$size` and `$not`: what is asked of an array, and of what an expression must not hold. */
import { isParsedArray, isParsedObject, type Parsed, type ParsedObject } from '../../../domain/json.ts';
import { inside, type Place } from '../../../domain/pointer.ts';
import { INT_MAX } from '../../../domain/values.ts';
import type { Condition } from '../conditions.ts';
import { allOf, enter, negate, refuse, type FieldOperator, type Scope } from '../scope.ts';
import { integerOf } from './integers.ts';
import { isQueryOperator } from './query.ts';

/** MongoDB's object, or the spec's array of expressions that all hold for one element. */
export const elementMatch: FieldOperator = (operand) => {
  const { json, path, name } = operand;
  const place = operand.place;
  const scope = enter(operand.scope, 'negation or element');
  const expected = `${name} takes an object, or an array of objects that is not empty.`;
  const list: { readonly json: Parsed; readonly place: Place }[] = isParsedArray(json)
    ? json.map((item, index) => ({ json: item, place: inside(place, index) }))
    : [{ json, place }];
  if (list.length === 0) return refuse(operand, expected);
  let among: 'all' | 'objects' = 'all';
  const conditions: Condition[] = [];
  for (const item of list) {
    if (!isParsedObject(item.json)) return refuse({ place: item.place, scope }, expected);
    if (asksOfFields(item.json)) among = 'objects';
    conditions.push(readElement(item.json, item.place, scope));
  }
  return { op: 'elemMatch', path, among, condition: allOf(conditions) };
};

function readElement(json: ParsedObject, place: Place, scope: Scope): Condition {
  return asksOfFields(json)
    ? scope.grammar.query(json, place, scope)
    : scope.grammar.expression(json, [], place, scope);
}

/** True when an element is asked for its fields, false when it is tested itself: the first name tells. */
function asksOfFields(json: ParsedObject): boolean {
  const [first = ''] = Object.keys(json);
  return !first.startsWith('$') || isQueryOperator(first);
}

const size: FieldOperator = (operand) => {
  const count = integerOf(operand.json, operand.place, operand.scope);
  if (count === undefined || count < 0 || count > INT_MAX) {
    return refuse(operand, '$size takes an integer that is not negative.');
  }
  return { op: 'size', path: operand.path, size: count };
};

const not: FieldOperator = (operand) => {
  const { json, path, place } = operand;
  if (!isParsedObject(json) || !Object.keys(json).some((name) => name.startsWith('$'))) {
    return refuse(operand, '$not takes an object of operators.');
  }
  const scope = enter(operand.scope, 'negation or element');
  return negate(scope.grammar.expression(json, path, place, scope));
};

export const ELEMENTS: Readonly<Record<string, FieldOperator>> = {
  $elemMatch: elementMatch,
  $size: size,
  $not: not,
};
