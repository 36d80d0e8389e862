/** Documents in an order, one against another: what lists do with keys and cursors, without either. */
import type { Fields, Value } from '../../src/domain/values/values.ts';
import { compareValues } from '../../src/query/order/compare.ts';
import { bySortFields } from '../../src/query/order/ordering.ts';
import type { Direction, SortField } from '../../src/query/order/sort.ts';
import { memberOf } from '../../src/domain/values/tree.ts';

/** The value by which a document sorts on a path. `undefined` is an empty array, which sorts before null. */
export function sortKey(document: Fields, path: readonly string[], direction: Direction): Value | undefined {
  return bySortFields([{ path, direction }]).keyOf(document)[0];
}

/** Compares documents by the sort fields, then by id: zero only for one and the same document. */
export function compareDocuments(sort: readonly SortField[]): (a: Fields, b: Fields) => number {
  const { keyOf, compare } = bySortFields(sort);
  return (a, b) => compare(keyOf(a), keyOf(b)) || compareValues(memberOf(a, 'id'), memberOf(b, 'id'));
}
