/** The order of an array's items, as MongoDB's `$push` and `$sortArray` have it. */
import { memberOf, isList } from '../../domain/values/tree.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { POSITION, type Path } from '../../query/walk.ts';

/** The order of the items themselves, or by their fields. */
export type ItemOrder =
  | 'ascending'
  | 'descending'
  | readonly { readonly path: Path; readonly descending: boolean }[];

export function inOrder(items: readonly Value[], order: ItemOrder): readonly Value[] {
  if (order === 'ascending') return items.toSorted(compareValues);
  if (order === 'descending') return items.toSorted((a, b) => compareValues(b, a));
  const keyed = items.map((item) => ({ item, key: order.map(({ path }) => valueAt(item, path)) }));
  keyed.sort((a, b) => {
    for (const [index, { descending }] of order.entries()) {
      const difference = compareValues(a.key[index], b.key[index]);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

/**
 * The sort key of an item: null if it lacks the field, and an array as a whole. An array on the way has positions, but
 * no fields.
 */
function valueAt(item: Value, path: Path): Value {
  let value: Value | undefined = isFields(item) ? item : undefined;
  for (const name of path) {
    if (value === undefined) return null;
    if (isList(value)) value = POSITION.test(name) ? value[Number(name)] : undefined;
    else value = isFields(value) ? memberOf(value, name) : undefined;
  }
  return value ?? null;
}
