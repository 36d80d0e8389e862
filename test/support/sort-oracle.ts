/** The keys of a sort, found by writing down all there are: every combination that its paths give. */
import { compareValues } from '../../src/query/order/compare.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import { isFields, type Fields, type Value } from '../../src/domain/values/values.ts';
import { isList } from '../../src/domain/values/tree.ts';

type Part = Value | undefined;
/** The parts of some fields, by their number. */
type Combination = ReadonlyMap<number, Part>;

/** A field with what is left of its path. */
interface Left {
  readonly field: number;
  readonly path: readonly string[];
}

export function naiveKey(document: Fields, sort: readonly SortField[]): readonly Part[] {
  const keys = ofObject(
    document,
    sort.map(({ path }, field) => ({ field, path })),
  ).map((each) => sort.map((_, field) => each.get(field)));
  keys.sort((one, other) => {
    for (const [field, { direction }] of sort.entries()) {
      const difference = compareValues(one[field], other[field]);
      if (difference !== 0) return direction === 'ascending' ? difference : -difference;
    }
    return 0;
  });
  return keys[0] ?? [];
}

function product(groups: readonly (readonly Combination[])[]): readonly Combination[] {
  return groups.reduce<readonly Combination[]>(
    (all, group) => all.flatMap((one) => group.map((other) => new Map([...one, ...other]))),
    [new Map()],
  );
}

function constant(fields: readonly Left[], part: Part): Combination {
  return new Map(fields.map(({ field }) => [field, part]));
}

function byName(fields: readonly Left[]): readonly (readonly [string, readonly Left[]])[] {
  const names = [...new Set(fields.map(({ path }) => path[0] ?? ''))];
  return names.map((name) => [name, fields.filter(({ path }) => path[0] === name)]);
}

function behind(fields: readonly Left[]): readonly Left[] {
  return fields.map(({ field, path }) => ({ field, path: path.slice(1) }));
}

function isEnd({ path }: Left): boolean {
  return path.length === 0;
}

function ofObject(value: Part, fields: readonly Left[]): readonly Combination[] {
  if (value === undefined || !isFields(value)) return [constant(fields, null)];
  return product(
    byName(fields).map(([name, its]) => {
      const child = Object.hasOwn(value, name) ? value[name] : undefined;
      if (child === undefined) return [constant(its, null)];
      return isList(child) ? ofArray(child, behind(its)) : ofOne(child, behind(its));
    }),
  );
}

/** A value that is one, even an array. */
function ofOne(value: Value, fields: readonly Left[]): readonly Combination[] {
  const further = fields.filter((each) => !isEnd(each));
  return product([
    [constant(fields.filter(isEnd), value)],
    isList(value) ? ofArray(value, further) : ofObject(value, further),
  ]);
}

function ofArray(array: readonly Value[], fields: readonly Left[]): readonly Combination[] {
  const ends = fields.filter(isEnd);
  const further = fields.filter((each) => !isEnd(each));
  const named = byName(further).filter(
    ([name]) => /^(0|[1-9][0-9]*)$/.test(name) && Number(name) < array.length,
  );
  const through = further.filter((each) => !named.some(([, its]) => its.includes(each)));
  const elements =
    array.length === 0
      ? [new Map([...constant(ends, undefined), ...constant(through, null)])]
      : array.flatMap((element) => product([[constant(ends, element)], ofObject(element, through)]));
  return product([
    elements,
    ...named.map(([name, its]) => [
      ...ofOne(array[Number(name)] ?? null, behind(its)),
      ...array.flatMap((element) =>
        isFields(element) && Object.hasOwn(element, name) ? ofObject(element, its) : [],
      ),
    ]),
  ]);
}
