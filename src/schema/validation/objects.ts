/** Keywords about the members of objects; whatever is no object satisfies them. */
import { inside } from '../../domain/pointer.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { isObject, type Plain } from '../plain.ts';
import { all, type Applied, type At, type Keyword, type Keywords, type Rule, type Run } from './rule.ts';

function applyTo(name: string, schema: Applied, { value, place, seen }: At, run: Run): boolean {
  const member = isObject(value) ? memberOf(value, name) : undefined;
  if (member === undefined) return true;
  seen?.add(name);
  return run.apply(schema, { value: member, place: inside(place, name), seen: null });
}

const namesOf = (value: Plain | undefined): readonly string[] => (isObject(value) ? Object.keys(value) : []);

const membersOf = (argument: Plain) => (isObject(argument) ? Object.entries(argument) : []);

const has = (value: Plain | undefined, name: string): boolean =>
  isObject(value) && Object.hasOwn(value, name);

/** What is missing has no place: the object is told. */
function required(argument: Plain, keyword: string): Rule {
  const names = isList(argument) ? argument.filter((each) => typeof each === 'string') : [];
  return ({ value, place }, run) =>
    !isObject(value) ||
    all(
      run,
      names,
      (name) =>
        has(value, name) ||
        run.fail(place, keyword, () => `The member ${name.slice(0, SCHEMA_LIMITS.shown)} is required.`),
    );
}

/** A rule for each of some names, where the object has it. */
const dependent: Keyword = (argument, { name: keyword, schema }) => {
  const rules = membersOf(argument).map(([name, each]): readonly [string, Rule] => {
    if (isList(each)) return [name, required(each, keyword)];
    const applied = schema(each);
    return [name, (at, run) => run.apply(applied, at)];
  });
  return (at, run) => all(run, rules, ([name, rule]) => !has(at.value, name) || rule(at, run));
};

const patternProperties: Keyword = (argument, { name: keyword, schema }) => {
  const schemas = membersOf(argument).map(([pattern, each]) => [pattern, schema(each)] as const);
  return (at, run) =>
    all(run, schemas, ([pattern, each]) =>
      all(run, namesOf(at.value), (name) => {
        const matches = run.matches(pattern, name);
        if (matches !== undefined) return !matches || applyTo(name, each, at, run);
        return run.fail(inside(at.place, name), keyword, () => 'A name is too long for a pattern.');
      }),
    );
};

/** The members for which no other keyword has a schema. */
const others =
  (rest: Applied, isOther: (name: string, at: At, run: Run) => boolean): Rule =>
  (at, run) => {
    const names = namesOf(at.value);
    run.work.spend(names.length * SCHEMA_LIMITS.memberWork);
    return all(run, names, (name) => !isOther(name, at, run) || applyTo(name, rest, at, run));
  };

export const OF_MEMBERS: Keywords = {
  required: (argument, { name }) => required(argument, name),
  properties: (argument, { schema }) => {
    const schemas = membersOf(argument).map(([name, each]) => [name, schema(each)] as const);
    return (at, run) => all(run, schemas, ([name, each]) => applyTo(name, each, at, run));
  },
  patternProperties,
  additionalProperties: (argument, { beside, schema }) => {
    const known = beside('properties');
    const patterns = namesOf(beside('patternProperties'));
    const isOther = (name: string, _at: At, run: Run) =>
      !has(known, name) && !patterns.some((pattern) => run.matches(pattern, name) === true);
    return others(schema(argument), isOther);
  },
  propertyNames: (argument, { schema }) => {
    const allowed = schema(argument);
    return ({ value, place }, run) =>
      all(run, namesOf(value), (name) =>
        run.apply(allowed, { value: name, place: inside(place, name), seen: null }),
      );
  },
  dependencies: dependent,
  dependentRequired: dependent,
  dependentSchemas: dependent,
  unevaluatedProperties: (argument, { schema }) =>
    others(schema(argument), (name, { seen }) => seen?.has(name) !== true),
};
