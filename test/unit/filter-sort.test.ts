/** The `sort` parameter, and the order of documents by it: MongoDB's order of kinds and its rule for arrays. */
import { describe, expect, it } from 'vitest';
import { Decimal, Double, Long, ObjectId, type Fields, type Value } from '../../src/domain/values/values.ts';
import { parseSort, type SortField } from '../../src/query/order/sort.ts';
import { compareDocuments, sortKey } from '../support/sorting.ts';

describe('the sort parameter', () => {
  it.each<[string, readonly SortField[]]>([
    ['a', [{ path: ['a'], direction: 'ascending' }]],
    ['-a', [{ path: ['a'], direction: 'descending' }]],
    ['a.b.0', [{ path: ['a', 'b', '0'], direction: 'ascending' }]],
    [
      '-a,b',
      [
        { path: ['a'], direction: 'descending' },
        { path: ['b'], direction: 'ascending' },
      ],
    ],
    ['id', [{ path: ['id'], direction: 'ascending' }]],
    ['a-b', [{ path: ['a-b'], direction: 'ascending' }]],
    ['__proto__', [{ path: ['__proto__'], direction: 'ascending' }]],
  ])('%s is read', (text, fields) => {
    expect(parseSort(text)).toEqual({ ok: true, value: fields });
  });

  it.each(['', ',', 'a,', ',a', '-', 'a,-', 'a..b', '.a', 'a.', '$a', '-$a', 'a.$b', 'a,a', 'a,-a', 'a,b,a'])(
    '"%s" is refused',
    (text) => {
      expect(parseSort(text)).toMatchObject({
        ok: false,
        problems: [{ code: 'invalid-parameter', source: { parameter: 'sort' } }],
      });
    },
  );
});

describe('the order of documents', () => {
  const rising: readonly (Value | undefined)[] = [
    [],
    null,
    new Decimal('-1E+100'),
    -5,
    0,
    new Decimal('0.1'),
    0.1,
    new Long(1n),
    new Double(2),
    new Long(9007199254740993n),
    new Decimal('1E+30'),
    '',
    'A',
    'a',
    'aa',
    'é',
    '\uFFFD',
    '\u{1F600}',
    {},
    { a: 1 },
    { a: 1, b: 1 },
    { a: 2 },
    { b: 0 },
    { a: 'x' },
    new ObjectId('000000000000000000000001'),
    new ObjectId('000000000000000000000002'),
    false,
    true,
    new Date(-1),
    new Date(0),
  ];

  function documentsOf(values: readonly (Value | undefined)[]): Fields[] {
    return values.map((value, index) => ({ id: index, ...(value !== undefined && { v: value }) }));
  }

  const ascending = compareDocuments([{ path: ['v'], direction: 'ascending' }]);
  const descending = compareDocuments([{ path: ['v'], direction: 'descending' }]);

  it('is by kind, then by value', () => {
    const documents = documentsOf(rising);
    expect(documents.toReversed().sort(ascending)).toEqual(documents);
    expect(documents.toSorted(descending)).toEqual(documents.toReversed());
  });

  it('is by id where values are equal, ascending either way', () => {
    const documents = documentsOf([1, new Double(1), new Long(1n), new Decimal('1.00')]);
    expect(documents.toReversed().sort(ascending)).toEqual(documents);
    expect(documents.toReversed().sort(descending)).toEqual(documents);
  });

  it('takes missing for null', () => {
    const documents = documentsOf([null, undefined, null]);
    expect(documents.toReversed().sort(ascending)).toEqual(documents);
  });

  it('is by the next field where values are equal', () => {
    const compare = compareDocuments([
      { path: ['a'], direction: 'descending' },
      { path: ['b', 'c'], direction: 'ascending' },
    ]);
    const documents: Fields[] = [
      { id: 3, a: 2, b: { c: 1 } },
      { id: 1, a: 2, b: { c: 2 } },
      { id: 2, a: 1, b: { c: 0 } },
    ];
    expect(documents.toReversed().sort(compare)).toEqual(documents);
  });
});

describe('the key of a document', () => {
  it.each<[string, Fields, string, Value | undefined, Value | undefined]>([
    ['is the value', { a: 5 }, 'a', 5, 5],
    ['is null where the field is missing', {}, 'a', null, null],
    ['is the least or greatest item', { a: [2, 9, 1] }, 'a', 1, 9],
    ['is by kind first', { a: ['x', 5, true] }, 'a', 5, true],
    ['is below null for an empty array', { a: [] }, 'a', undefined, undefined],
    ['is an item that is an array, as a whole', { a: [[5, 1], [2]] }, 'a', [2], [5, 1]],
    ['is that of the objects of an array', { a: [{ b: 3 }, { b: 1 }] }, 'a.b', 1, 3],
    ['counts an object without the field as null', { a: [{ b: 3 }, {}] }, 'a.b', null, 3],
    ['counts an item that is no object as null', { a: [{ b: 3 }, 7] }, 'a.b', null, 3],
    ['looks into arrays within arrays of objects', { a: [{ b: [4, 5] }, { b: 1 }] }, 'a.b', 1, 5],
    ['is null through an empty array', { a: [] }, 'a.b', null, null],
    ['counts an empty array at the end', { a: [{ b: [] }, { b: 1 }] }, 'a.b', undefined, 1],
    ['is null where a scalar stands in the way', { a: 5 }, 'a.b', null, null],
    ['is the item at a position', { a: [3, 1, 2] }, 'a.1', 1, 1],
    ['is an array at a position, as a whole', { a: [[3, 1]] }, 'a.0', [3, 1], [3, 1]],
    ['goes on from a position', { a: [{ b: 7 }, { b: 8 }] }, 'a.1.b', 8, 8],
    ['is null at a position beyond the array', { a: [1] }, 'a.5', null, null],
    ['is not inherited', {}, 'constructor', null, null],
  ])('%s', (_behaviour, document, path, least, greatest) => {
    expect(sortKey(document, path.split('.'), 'ascending')).toEqual(least);
    expect(sortKey(document, path.split('.'), 'descending')).toEqual(greatest);
  });
});
