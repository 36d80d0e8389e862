/** Keywords about objects; whatever is no object passes them. */
import { inside } from '../../domain/pointer.ts';
import { compareNums, textOfNum } from '../exact.ts';
import { Seen, targetOf, type Check, type KeywordCheck, type KeywordChecks } from '../evaluate.ts';
import { isArray, isNum, isObject, memberOf, type Plain } from '../plain.ts';
import { matchesPattern } from './values.ts';

/** Applies a schema to a member. */
function applyTo(name: string, schema: Plain, { value, place, seen, evaluation }: Check, as: string): void {
  const member = isObject(value) ? memberOf(value, name) : undefined;
  if (member === undefined) return;
  seen.names.add(name);
  evaluation.apply(targetOf(schema), member, inside(place, name), new Seen(), as);
}

function count(holds: (difference: number) => boolean, words: string): KeywordCheck {
  return (argument, { value, fail }) => {
    if (isObject(value) && isNum(argument) && !holds(compareNums(Object.keys(value).length, argument))) {
      fail(`The object must have ${words} ${textOfNum(argument)} members.`);
    }
  };
}

/** Says which of the names an object lacks: at the object, as what is missing has no place. */
function requireNames(names: Plain | undefined, { value, fail, evaluation }: Check): void {
  if (names === undefined || !isArray(names) || !isObject(value)) return;
  evaluation.work.spend(names.length);
  for (const name of names) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      fail(`The member ${name.slice(0, 200)} is required.`);
  }
}

function namesOf(value: Plain | undefined): readonly string[] {
  return value !== undefined && isObject(value) ? Object.keys(value) : [];
}

/** For each member of the argument whose name the object has. */
function forPresent(argument: Plain, { value, evaluation }: Check, visit: (entry: Plain) => void): void {
  if (!isObject(value) || !isObject(argument)) return;
  const names = Object.keys(argument);
  evaluation.work.spend(names.length);
  for (const name of names) if (Object.hasOwn(value, name)) visit(memberOf(argument, name) ?? true);
}

export const OBJECT_KEYWORDS: KeywordChecks = {
  minProperties: count((difference) => difference >= 0, 'at least'),
  maxProperties: count((difference) => difference <= 0, 'at most'),
  required: requireNames,
  properties: (argument, check) => {
    if (!isObject(argument) || !isObject(check.value)) return;
    const names = namesOf(argument);
    check.evaluation.work.spend(names.length);
    for (const name of names) applyTo(name, memberOf(argument, name) ?? true, check, 'properties');
  },
  patternProperties: (argument, check) => {
    if (!isObject(argument) || !isObject(check.value)) return;
    const names = namesOf(check.value);
    const entries = Object.entries(argument);
    check.evaluation.work.spend(entries.length);
    for (const [pattern, schema] of entries) {
      for (const name of names) {
        const matches = matchesPattern(pattern, name, check);
        if (matches === undefined) check.fail('A name is too long for a pattern.', inside(check.place, name));
        else if (matches) applyTo(name, schema, check, 'patternProperties');
      }
    }
  },
  additionalProperties: (argument, check) => {
    const known = check.beside('properties');
    const patterns = namesOf(check.beside('patternProperties'));
    const names = namesOf(check.value);
    check.evaluation.work.spend(names.length + patterns.length);
    for (const name of names) {
      if (
        (isObject(known) && Object.hasOwn(known, name)) ||
        patterns.some((pattern) => matchesPattern(pattern, name, check) === true)
      )
        continue;
      applyTo(name, argument, check, 'additionalProperties');
    }
  },
  propertyNames: (argument, { value, place, evaluation }) => {
    for (const name of namesOf(value)) {
      evaluation.apply(targetOf(argument), name, inside(place, name), new Seen(), 'propertyNames');
    }
  },
  dependencies: (argument, check) => {
    forPresent(argument, check, (entry) => {
      if (isArray(entry)) requireNames(entry, check);
      else check.evaluation.apply(targetOf(entry), check.value, check.place, check.seen, 'dependencies');
    });
  },
  dependentRequired: (argument, check) => {
    forPresent(argument, check, (entry) => {
      requireNames(entry, check);
    });
  },
  dependentSchemas: (argument, check) => {
    forPresent(argument, check, (entry) => {
      check.evaluation.apply(targetOf(entry), check.value, check.place, check.seen, 'dependentSchemas');
    });
  },
  unevaluatedProperties: (argument, check) => {
    for (const name of namesOf(check.value)) {
      if (!check.seen.names.has(name)) applyTo(name, argument, check, 'unevaluatedProperties');
    }
  },
};
