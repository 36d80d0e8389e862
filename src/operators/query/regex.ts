/** `$regex` with `$options`, alone or as an item of a list. Every pattern in the tree compiles. */
import { offerOf, shownName } from '../../domain/names.ts';
import type { Parsed, ParsedObject } from '../../domain/values/json.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import type { Pattern } from '../filter/conditions.ts';
import { kind } from '../../query/sql/body-test.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { prefixRange } from '../../query/index/keys.ts';
import { nameOfPath } from '../../query/index/paths.ts';
import { withinRange } from '../../query/sql/positions.ts';
import { normalOptions } from '../../query/regex/pcre/flags.ts';
import { literalPrefix } from '../../query/regex/pattern.ts';
import type { Predicate } from '../../query/walk.ts';
import { testPrefix } from './bounds.ts';
import type { Matching } from '../filter/matching.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import { faultOfPattern, patternTest } from './patterns.ts';
import { allOf, refuseCondition, type FieldOperator, type Scope } from '../filter/scope.ts';
import { memberOf } from '../../domain/values/tree.ts';

/** The pattern of `{$regex, $options}`, or null when it has a fault, which it reports. */
export function patternOf(json: ParsedObject, place: Place, scope: Scope): Pattern | null {
  const strange = Object.keys(json).find((name) => name !== '$regex' && name !== '$options');
  if (strange !== undefined) {
    scope.report(
      inside(place, strange),
      () => `${shownName(strange)} does not go with $regex here.${offerOf(strange, ['$options'])}`,
    );
    return null;
  }
  return readPattern(json, place, scope);
}

/** Reads `$regex` and `$options` of an object that may hold other operators too. */
function readPattern(json: ParsedObject, place: Place, scope: Scope): Pattern | null {
  const at = inside(place, '$regex');
  const pattern = memberOf(json, '$regex');
  const options = readOptions(memberOf(json, '$options'), inside(place, '$options'), scope);
  if (typeof pattern !== 'string') {
    scope.report(at, '$regex takes a string holding a pattern.');
    return null;
  }
  if (options === null) return null;
  const fault = faultOfPattern({ pattern, options });
  if (fault !== undefined) {
    scope.report(at, fault);
    return null;
  }
  return { pattern, options };
}

/** The options, each once and in order. */
function readOptions(json: Parsed | undefined, place: Place, scope: Scope): string | null {
  if (json === undefined) return '';
  const normal = typeof json === 'string' ? normalOptions(json) : undefined;
  if (normal === undefined) scope.report(place, '$options takes a string of the letters i, m, s and x.');
  return normal ?? null;
}

const read: FieldOperator = ({ path, place, scope, siblings }) => {
  const pattern = readPattern(siblings, place === null ? null : place.parent, scope);
  return pattern === null ? allOf([]) : { op: 'regex', path, ...pattern };
};

/** Read with its `$regex`; alone it means nothing. */
const options: FieldOperator = (operand) =>
  Object.hasOwn(operand.siblings, '$regex')
    ? allOf([])
    : refuseCondition(operand, '$options needs a $regex beside it.');

export const REGEX: Readonly<Record<string, FieldOperator>> = { $regex: read, $options: options };

export const regex: LeafOperator<'regex'> = {
  matches: ofValues('items and array', testPattern),
  index: ({ path, pattern, options }, find) => {
    const prefix = literalPrefix(pattern, options);
    if (prefix === undefined) return null;
    const index = find(nameOfPath(path));
    return index ? withinRange({ index, ...prefixRange(prefix), exact: false }) : null;
  },
  body: ({ pattern, options }, path) => {
    const strings = { may: sql((row) => `${kind(row, path)} IN ('text', 'array') IS TRUE`), must: NEVER };
    const prefix = literalPrefix(pattern, options);
    return (prefix === undefined ? undefined : testPrefix(prefix, path)) ?? strings;
  },
};

/** The test of a value that is to be a string in which the pattern is found. */
export function testPattern(pattern: Pattern, { budget }: Pick<Matching, 'budget'>): Predicate {
  const test = patternTest(pattern, budget);
  return (value) => typeof value === 'string' && test(value);
}
