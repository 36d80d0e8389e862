/** `$elemMatch`: one element of an array that meets all conditions. */
import { isParsedObject, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { kind } from '../../query/sql/body-test.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { POSITION } from '../../query/walk.ts';
import type { Condition } from '../filter/conditions.ts';
import { countTests } from '../filter/map.ts';
import { isQueryOperator } from './logic.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import { allOf, enter, refuseCondition, type FieldOperator, type Scope } from '../filter/scope.ts';
import { isList } from '../../domain/values/tree.ts';

/** MongoDB's object, or the spec's array of expressions that all hold for one element. */
export const elementMatch: FieldOperator = (operand) => {
  const { json, path, name } = operand;
  const place = operand.place;
  const scope = { ...enter(operand.scope, 'negation or element'), auditFields: false };
  const expected = `${name} takes an object, or an array of objects that is not empty.`;
  const list: { readonly json: Parsed; readonly place: Place }[] = isList(json)
    ? json.map((item, index) => ({ json: item, place: inside(place, index) }))
    : [{ json, place }];
  if (list.length === 0) return refuseCondition(operand, expected);
  let among: 'all' | 'objects' = 'all';
  const conditions: Condition[] = [];
  for (const item of list) {
    if (!isParsedObject(item.json)) return refuseCondition({ place: item.place, scope }, expected);
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

export const ELEMENT_MATCH: Readonly<Record<string, FieldOperator>> = { $elemMatch: elementMatch };

/**
 * Some element meets the condition; an array among the elements counts as an object of its positions. Inside another
 * `$elemMatch` a path with positions may lead from several elements to one array: those in which no element met the
 * condition are remembered (values never change), or each level could double the ways that there are.
 */
export const elemMatch: LeafOperator<'elemMatch'> = {
  matches: ofValues('array', ({ path, condition, among }, { compile, looked }) => {
    const test = compile(condition);
    const tests = countTests(condition);
    const without = path.some((name) => POSITION.test(name)) ? new WeakSet<readonly Value[]>() : null;
    return (value) => {
      if (value === undefined || !isList(value) || without?.has(value) === true) return false;
      if (looked?.spend(value.length * tests) === false) return false;
      for (const each of value) {
        if ((among === 'all' || isList(each) || isFields(each)) && test(each)) return true;
      }
      without?.add(value);
      return false;
    };
  }),
  body: (_leaf, path) => ({ may: sql((row) => `${kind(row, path)} IS 'array'`), must: NEVER }),
};
