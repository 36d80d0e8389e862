/** Keywords about the items of arrays; whatever is no array satisfies them. */
import { inside } from '../../domain/pointer.ts';
import { isList } from '../../domain/values/tree.ts';
import { compareNums, textOfNum } from '../num.ts';
import { isNum, type Plain } from '../plain.ts';
import { all, type Applied, type At, type Keyword, type Keywords, type Rule } from './rule.ts';

/** Applies a schema to the items with some of the indexes. */
const items =
  (of: (index: number, at: At) => Applied | undefined): Rule =>
  (at, run) => {
    const { value, place, seen } = at;
    if (!isList(value)) return true;
    return all(run, value.entries(), ([index, item]) => {
      const applied = of(index, at);
      if (applied === undefined) return true;
      seen?.add(index);
      return run.apply(applied, { value: item, place: inside(place, index), seen: null });
    });
  };

/** Each by the schema at its index. */
const prefix: Keyword = (argument, { schema }) => {
  const schemas = isList(argument) ? argument.map((each) => schema(each)) : [];
  return items((index) => schemas[index]);
};

const rest = (before: Plain | undefined, applied: Applied): Rule => {
  const start = isList(before) ? before.length : 0;
  return items((index) => (index < start ? undefined : applied));
};

const contains: Keyword = (argument, { name, draft, beside, schema }) => {
  const wanted = schema(argument);
  const [least = 1, most] = ['minContains', 'maxContains'].map((each) => {
    const number = draft >= 2019 ? beside(each) : undefined;
    return isNum(number) ? number : undefined;
  });
  return ({ value, place, seen }, run) => {
    if (!isList(value)) return true;
    const found = [...value.keys()].filter((index) =>
      run.satisfies(wanted, { value: value[index] ?? null, place: inside(place, index), seen: null }),
    );
    if (draft >= 2020) for (const index of found) seen?.add(index);
    const isLess = compareNums(found.length, least) < 0;
    if (!isLess && (most === undefined || compareNums(found.length, most) <= 0)) return true;
    const bound = isLess ? `least ${textOfNum(least)}` : `most ${textOfNum(most ?? 0)}`;
    return run.fail(place, name, () => `The array must contain at ${bound} items that satisfy contains.`);
  };
};

export const OF_ITEMS: Keywords = {
  prefixItems: prefix,
  items: (argument, own) => {
    if (isList(argument)) return prefix(argument, own);
    return rest(own.draft >= 2020 ? own.beside('prefixItems') : undefined, own.schema(argument));
  },
  additionalItems: (argument, { beside, schema }) => {
    const before = beside('items');
    return isList(before) ? rest(before, schema(argument)) : undefined;
  },
  contains,
  unevaluatedItems: (argument, { schema }) => {
    const applied = schema(argument);
    return items((index, { seen }) => (seen?.has(index) === true ? undefined : applied));
  },
};
