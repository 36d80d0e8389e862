/** Keywords that put schemas together for the same value. */
import { isList } from '../../domain/values/tree.ts';
import type { Plain } from '../plain.ts';
import { all, type Applied, type Keyword, type Keywords, type Own } from './rule.ts';

function schemasIn(argument: Plain, own: Own): readonly Applied[] {
  return isList(argument) ? argument.map((each) => own.schema(each)) : [];
}

const condition: Keyword = (argument, { beside, schema }) => {
  const test = schema(argument);
  const [then, otherwise] = [schema(beside('then'), 'then'), schema(beside('else'), 'else')];
  return (at, run) => run.apply(run.satisfies(test, at) ? then : otherwise, at);
};

export const OF_SCHEMAS: Keywords = {
  allOf: (argument, own) => {
    const schemas = schemasIn(argument, own);
    return (at, run) => all(run, schemas, (each) => run.apply(each, at));
  },
  anyOf: (argument, own) => {
    const schemas = schemasIn(argument, own);
    return (at, run) => {
      const holds = (each: Applied) => run.satisfies(each, at);
      // Each that holds has looked at something.
      const some = at.seen === null ? schemas.some(holds) : schemas.filter(holds).length > 0;
      const detail = 'The value must satisfy at least one of the schemas of anyOf.';
      return some || run.fail(at.place, own.name, () => detail);
    };
  },
  oneOf: (argument, own) => {
    const schemas = schemasIn(argument, own);
    return (at, run) => {
      const count = schemas.filter((each) => run.satisfies(each, at)).length;
      const detail = () => `The value must satisfy one schema of oneOf, not ${count}.`;
      return count === 1 || run.fail(at.place, own.name, detail);
    };
  },
  not: (argument, { name, schema }) => {
    const refused = schema(argument);
    return (at, run) =>
      !run.satisfies(refused, { ...at, seen: null }) ||
      run.fail(at.place, name, () => 'The value must not satisfy the schema of not.');
  },
  if: condition,
};
