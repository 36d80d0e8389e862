/**
 * The two forms of an expression: conditions on the fields of an object, and conditions on the value at one path. Every
 * name that starts with `$` is in a table here, or is refused by name.
 */
import { isParsedObject, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { shownName, unknownName, type Detail } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { faultOfPath, isAuditField, AUDIT_FIELD_NAMES } from '../../domain/audit-fields.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { isWrapperName } from '../../domain/values/wrappers.ts';
import type { Path } from '../../query/walk.ts';
import type { Condition } from './conditions.ts';
import { COMPARISON } from '../query/comparison.ts';
import { ELEMENT_MATCH } from '../query/element-match.ts';
import { EXISTS } from '../query/exists.ts';
import { GEO } from '../query/geo.ts';
import { isQueryOperator, NEGATION, QUERY_OPERATORS } from '../query/logic.ts';
import { MEMBERSHIP } from '../query/membership.ts';
import { MOD } from '../query/mod.ts';
import { REGEX } from '../query/regex.ts';
import { allOf, refuseCondition, valueOf, type FieldOperator, type Grammar, type Scope } from './scope.ts';
import { SIZE } from '../query/size.ts';
import { TYPE } from '../query/type.ts';

const FIELD_OPERATORS: Readonly<Record<string, FieldOperator>> = {
  ...COMPARISON,
  ...MEMBERSHIP,
  ...ELEMENT_MATCH,
  ...SIZE,
  ...NEGATION,
  ...EXISTS,
  ...TYPE,
  ...MOD,
  ...REGEX,
  ...GEO,
};

function query(json: ParsedObject, place: Place, scope: Scope): Condition {
  return allOf(
    Object.entries(json).map(([name, operand]) => {
      const at = inside(place, name);
      if (!name.startsWith('$') || isAuditField(name.split('.')[0])) return field(name, operand, at, scope);
      const operator = memberOf(QUERY_OPERATORS, name);
      if (operator !== undefined)
        return operator({ name, json: operand, place: at, path: [], scope, siblings: json });
      const known = memberOf(FIELD_OPERATORS, name) !== undefined;
      return refuseCondition(
        { place: at, scope },
        known ? `${name} stands under the name of a field.` : () => unknown(name, AUDIT_FIELD_NAMES),
      );
    }),
  );
}

function field(name: string, json: Parsed, place: Place, scope: Scope): Condition {
  const path = readPath(name, scope.auditFields);
  return typeof path === 'string'
    ? refuseCondition({ place, scope }, path)
    : expression(json, path, place, scope);
}

/** A dotted path, split; or, as a sentence, why it can be none. `auditFields`: as in a scope. */
export function readPath(text: string, auditFields: boolean): Path | string {
  const path = text.split('.');
  return faultOfPath(path, auditFields) ?? path;
}

function expression(json: Parsed, path: Path, place: Place, scope: Scope): Condition {
  const names = isParsedObject(json) ? Object.keys(json) : [];
  if (!isParsedObject(json) || !names.some((name) => name.startsWith('$')) || names.every(isWrapperName)) {
    return { op: 'eq', path, value: valueOf(json, place, scope) };
  }
  return allOf(
    Object.entries(json).map(([name, operand]) => {
      const at = inside(place, name);
      const operator = memberOf(FIELD_OPERATORS, name);
      if (operator !== undefined)
        return operator({ name, json: operand, place: at, path, scope, siblings: json });
      return refuseCondition({ place: at, scope }, misplaced(name));
    }),
  );
}

/** Why a name is no operator on a field. */
function misplaced(name: string): Detail {
  if (!name.startsWith('$')) return `The field ${shownName(name)} cannot stand beside operators.`;
  if (isWrapperName(name)) return `The wrapper ${name} stands alone in its object.`;
  if (isQueryOperator(name)) return `${name} stands beside the names of fields, not under one.`;
  return () => unknown(name);
}

/** `others` are names that are allowed there besides those of operators. */
function unknown(name: string, others: readonly string[] = []): string {
  const names = [...OPERATOR_NAMES, ...others];
  return unknownName(name, { what: 'operator', names, listed: '/docs/search#filters' });
}

export const GRAMMAR: Grammar = { query, expression };

/** The names of all operators, beside fields and under them. */
export const OPERATOR_NAMES = [
  ...Object.keys(QUERY_OPERATORS),
  ...Object.keys(FIELD_OPERATORS),
] as readonly `$${string}`[];
