/**
 * State that the parsers of a filter share: their reports, their place in the filter, and what is allowed there.
 * Reading goes on after a fault, so one answer reports several. The tree of a faulty filter is thrown away.
 */
import { isParsedObject, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import type { Detail } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import { isWrapperName, readValue } from '../../domain/values/wrappers.ts';
import type { Path } from '../../query/walk.ts';
import { EVERYTHING, type Condition } from './conditions.ts';
import { isList } from '../../domain/values/tree.ts';

/**
 * The surroundings of an expression. `$near` orders the answer and so must hold of all of it: it stands only where all
 * conditions above are and-ed. `$text` may also be one alternative of an `$or`, and never be negated.
 */
export type Within = 'filter' | '$or' | 'negation or element';

/** The two ways to read an expression, handed down so that operators need not know the table they are in. */
export interface Grammar {
  /** Conditions on the fields of an object: `{a: 1, $or: [...]}`. */
  readonly query: (json: ParsedObject, place: Place, scope: Scope) => Condition;
  /** Reads the condition on the value at one path: `1` or `{$gt: 1}`. */
  readonly expression: (json: Parsed, path: Path, place: Place, scope: Scope) => Condition;
}

export interface Scope {
  readonly report: (place: Place, detail: Detail) => void;
  readonly within: Within;
  /** Whether conditions are on a stored document, of which the service knows more (domain/audit-fields.ts). */
  readonly auditFields: boolean;
  /** The operators seen that a filter may hold once. */
  readonly once: Set<string>;
  readonly grammar: Grammar;
}

/** One operator with its operand and the rest of its object. */
export interface OperatorClause {
  readonly name: string;
  readonly json: Parsed;
  readonly place: Place;
  readonly path: Path;
  readonly scope: Scope;
  readonly siblings: ParsedObject;
}

export type FieldOperator = (operand: OperatorClause) => Condition;

const DEPTH: Readonly<Record<Within, number>> = { filter: 0, $or: 1, 'negation or element': 2 };

/** The scope inside an `$or`, a negation or an element; what was forbidden outside stays forbidden. */
export function enter(scope: Scope, within: Within): Scope {
  return DEPTH[within] > DEPTH[scope.within] ? { ...scope, within } : scope;
}

/** Reports a fault of an operator and returns a condition in its place. */
export function refuseCondition(
  at: { readonly place: Place; readonly scope: Scope },
  detail: Detail,
): Condition {
  at.scope.report(at.place, detail);
  return EVERYTHING;
}

/** Marks the one use of an operator; false, with a fault reported, when it is not the first. */
export function claim(at: { readonly place: Place; readonly scope: Scope }, what: string): boolean {
  if (at.scope.once.has(what)) {
    at.scope.report(at.place, `A filter may hold one ${what}.`);
    return false;
  }
  at.scope.once.add(what);
  return true;
}

/**
 * The value an operand stands for, wrappers read. Names that no stored field can have are no fault here: such a
 * value equals nothing, as in MongoDB.
 */
export function valueOf(json: Parsed, place: Place, scope: Scope): Value {
  const stray = findStray(json, place);
  if (stray !== undefined) {
    const advice = 'what an inner field must be is written with a dotted path';
    scope.report(
      stray.place,
      `${stray.name} is neither a wrapper nor can it stand inside a value: ${advice}.`,
    );
    return null;
  }
  return readValue(json, place, (at, detail, kind) => {
    if (kind === 'value') scope.report(at, detail);
  });
}

/** The first object inside a value with a name in it that only an operator could have. */
function findStray(json: Parsed, place: Place): { readonly place: Place; readonly name: string } | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  if (!isList(json) && !isParsedObject(json)) return undefined;
  const names = isList(json) ? [] : Object.keys(json);
  const name = names.find((each) => each.startsWith('$') && !isWrapperName(each));
  if (name !== undefined) return { place, name };
  // What a wrapper holds is the wrapper's to judge.
  if (names.some(isWrapperName)) return undefined;
  for (const [key, child] of Object.entries(json)) {
    const found = findStray(child, inside(place, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The conjunction of conditions, as simple as it can be said. */
export function allOf(conditions: readonly Condition[]): Condition {
  const needed = conditions.filter((each) => each.op !== 'and' || each.conditions.length > 0);
  const [only, ...others] = needed;
  if (only === undefined) return EVERYTHING;
  return others.length === 0 ? only : { op: 'and', conditions: needed };
}

export function negate(condition: Condition): Condition {
  return { op: 'not', condition };
}
