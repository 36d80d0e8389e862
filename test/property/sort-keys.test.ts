/** Keys of a sort by several fields: those of MongoDB's compound indexes, against all combinations written down. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Fields, Value } from '../../src/domain/values/values.ts';
import { bySortFields } from '../../src/query/order/ordering.ts';
import { parseSort, type SortField } from '../../src/query/order/sort.ts';
import { anyDocument } from '../support/filter-arbitraries.ts';
import { naiveKey } from '../support/sort-oracle.ts';
import { scaled } from '../support/long.ts';

function fieldsOf(text: string): readonly SortField[] {
  const sort = parseSort(text);
  if (!sort.ok) throw new Error(text);
  return sort.value;
}

describe('the key of several fields', () => {
  const shelf = {
    a: [
      { b: 1, c: 2 },
      { b: 9, c: 5 },
      { b: 4, c: 2 },
    ],
  };
  test.each<[string, Fields, string, readonly (Value | undefined)[]]>([
    ['is one combination of one element', shelf, 'a.c,-a.b', [2, 4]],
    ['is the greatest where that comes first', shelf, '-a.c,a.b', [5, 9]],
    ['goes by the first field first', shelf, 'a.b,-a.c', [1, 2]],
    ['takes other fields as they are', { ...shelf, x: 7 }, 'a.c,x,-a.b', [2, 7, 4]],
    ['holds elements beside their fields', { a: [{ b: 2 }, { b: 1 }] }, '-a.b,a', [2, { b: 2 }]],
    ['takes arrays that are independent each for itself', { a: [3, 1], b: [4, 8] }, 'a,-b', [1, 8]],
    ['takes those inside one element each for itself', { a: [{ b: [2, 1], c: [3, 4] }] }, 'a.b,-a.c', [1, 4]],
    ['is null where an element has no such field', { a: [{ b: 1 }, { c: 0 }] }, 'a.b,-a.c', [null, 0]],
    ['is null through an empty array', { a: [] }, 'a.b,a.c', [null, null]],
    [
      'goes through arrays in elements',
      {
        a: [
          {
            b: [
              { c: 1, d: 5 },
              { c: 0, d: 1 },
            ],
          },
        ],
      },
      'a.b.c,-a.b.d',
      [0, 1],
    ],
    ['takes an item by its position apart', { a: [{ b: 5 }, { b: 1, c: 3 }] }, 'a.0.b,a.b,a.c', [5, 1, 3]],
  ])('%s', (_behaviour, document, sort, key) => {
    expect(bySortFields(fieldsOf(sort)).keyOf(document)).toEqual(key);
  });

  test('is the first of all combinations there are', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', '0', '1'), { minLength: 1, maxLength: 3 })
      .map((names) => names.join('.'));
    const sort = fc
      .uniqueArray(path, { minLength: 1, maxLength: 3 })
      .chain((paths) => fc.tuple(...paths.map((each) => fc.constantFrom(each, `-${each}`))))
      .map((parts) => fieldsOf(parts.join()));
    fc.assert(
      fc.property(anyDocument, sort, (document, fields) => {
        expect(bySortFields(fields).keyOf(document)).toEqual(naiveKey(document, fields));
      }),
      { numRuns: scaled(5000) },
    );
  });

  test('is found in one pass, however often positions are names as well', () => {
    let nested: Value = 1;
    for (let level = 0; level < 30; level += 1) nested = [{ 0: nested }];
    const path = `a${'.0'.repeat(60)}`;
    expect(bySortFields(fieldsOf(`${path},-${path}.1`)).keyOf({ a: nested })).toEqual([null, null]);
  });
});
