/** The operators beside field names (`$and`, `$or`, `$nor`, `$text`), and `$not`, which is under one. */
import { isParsedObject, memberAt } from '../../domain/values/json.ts';
import { inside } from '../../domain/pointer.ts';
import type { Condition } from '../filter/conditions.ts';
import {
  allOf,
  claim,
  enter,
  negate,
  refuseCondition,
  type FieldOperator,
  type OperatorClause,
  type Within,
} from '../filter/scope.ts';
import { isList } from '../../domain/values/tree.ts';

/** Like a field operator, but its path is empty and never used. */
export type QueryOperator = (operand: OperatorClause) => Condition;

function branches(within: Within, combine: (conditions: readonly Condition[]) => Condition): QueryOperator {
  return (operand) => {
    const { json, name, place } = operand;
    if (!isList(json) || json.length === 0) {
      return refuseCondition(operand, `${name} takes an array of expressions that is not empty.`);
    }
    const scope = enter(operand.scope, within);
    return combine(
      json.map((item, index) => {
        const at = inside(place, index);
        if (!isParsedObject(item))
          return refuseCondition({ place: at, scope }, `Each item of ${name} must be an object.`);
        return scope.grammar.query(item, at, scope);
      }),
    );
  };
}

/**
 * The switches of MongoDB's `$text` that may be given because they say what holds anyway: words are taken as
 * they stand, without the rules of a language, and neither case nor diacritics count.
 */
const FIXED: Readonly<Record<string, unknown>> = {
  $language: 'none',
  $caseSensitive: false,
  $diacriticSensitive: false,
};

const text: QueryOperator = (operand) => {
  const { json, place, scope } = operand;
  if (scope.within === 'negation or element') {
    return refuseCondition(operand, '$text cannot stand in $nor, $not or $elemMatch.');
  }
  const search = memberAt(json, '$search');
  if (!isParsedObject(json) || typeof search !== 'string') {
    return refuseCondition(operand, '$text takes an object with $search, a string.');
  }
  for (const [name, value] of Object.entries(json)) {
    const fixed = Object.hasOwn(FIXED, name);
    if (name === '$search' || (fixed && value === FIXED[name])) continue;
    const detail = fixed
      ? `${name} can only be ${JSON.stringify(FIXED[name])}.`
      : `$text does not know ${name}.`;
    scope.report(inside(place, name), detail);
  }
  return claim(operand, '$text') ? { op: 'text', search } : allOf([]);
};

export const QUERY_OPERATORS: Readonly<Record<string, QueryOperator>> = {
  $and: branches('filter', allOf),
  $or: branches('$or', (conditions) => ({ op: 'or', conditions })),
  $nor: branches('negation or element', (conditions) => negate({ op: 'or', conditions })),
  $text: text,
};

export function isQueryOperator(name: string): boolean {
  return Object.hasOwn(QUERY_OPERATORS, name);
}

const not: FieldOperator = (operand) => {
  const { json, path, place } = operand;
  if (!isParsedObject(json) || !Object.keys(json).some((name) => name.startsWith('$'))) {
    return refuseCondition(operand, '$not takes an object of operators.');
  }
  const scope = enter(operand.scope, 'negation or element');
  return negate(scope.grammar.expression(json, path, place, scope));
};

export const NEGATION: Readonly<Record<string, FieldOperator>> = { $not: not };
