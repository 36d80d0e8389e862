/** The operators in a plain mingo, as somebody would use them who has no part in this service. */
import { Aggregator } from 'mingo/aggregator';
import { evalExpr, OpType } from 'mingo/core';
import { Query } from 'mingo/query';
import type { Options } from 'mingo/types';
import { describe, expect, it } from 'vitest';
import { Decimal, Double, Long, ObjectId, type Fields } from '../../src/domain/values/values.ts';
import { CONTEXT } from '../../src/operators/context.ts';

const found = (criteria: Readonly<Record<string, unknown>>, documents: readonly Fields[]) => {
  const query = new Query<Fields>(criteria, { context: CONTEXT });
  return documents.flatMap((document, index) => (query.test(document) ? [index] : []));
};

const NUMBERS: readonly Fields[] = [
  { n: 5 },
  { n: new Long(5n) },
  { n: new Double(5) },
  { n: new Decimal('5.0') },
  { n: '5' },
  { n: [4, 5] },
  {},
];

describe('criteria as MongoDB has them', () => {
  it.each<[behaviour: string, criteria: Readonly<Record<string, unknown>>, expected: readonly number[]]>([
    ['a bare value is equality, across the kinds of numbers', { n: 5 }, [0, 1, 2, 3, 5]],
    ['operators under a field', { n: { $gt: 4, $lte: new Decimal('5.00') } }, [0, 1, 2, 3, 5]],
    ['negations hold of what is missing', { n: { $ne: 5 } }, [4, 6]],
    ['lists', { n: { $in: ['5', null] } }, [4, 6]],
    ['lists that must not hold', { n: { $nin: ['5', null] } }, [0, 1, 2, 3, 5]],
    ['$all', { n: { $all: [4, new Long(5n)] } }, [5]],
    ['$elemMatch', { n: { $elemMatch: { $gt: 4 } } }, [5]],
    ['$size and $exists', { n: { $exists: true, $size: 2 } }, [5]],
    ['$type', { n: { $type: ['long', 'string'] } }, [1, 4]],
    ['$mod', { n: { $mod: [2, 1] } }, [0, 1, 2, 3, 5]],
    ['$not', { n: { $not: { $gt: 4 } } }, [4, 6]],
    ['logical operators', { $or: [{ n: '5' }, { $nor: [{ n: { $exists: true } }] }] }, [4, 6]],
    ['$and', { $and: [{ n: { $gte: 5 } }, { n: { $type: 'number' } }, { n: { $lt: 4.5 } }] }, [5]],
  ])('%s', (_behaviour, criteria, expected) => {
    expect(found(criteria, NUMBERS)).toEqual(expected);
  });

  const TEXTS: readonly Fields[] = [{ s: 'Grüße' }, { s: ['x', 'grusse an'] }, { s: 'gruse\nb' }, { o: 1 }];

  it.each<[behaviour: string, criteria: Readonly<Record<string, unknown>>, expected: readonly number[]]>([
    ['a JavaScript expression', { s: /^gr/i }, [0, 1, 2]],
    ['$regex with $options', { s: { $regex: '^B', $options: 'im' } }, [2]],
    ['full text under the empty selector', { '': { $text: { $search: 'gruse' } } }, [2]],
  ])('%s', (_behaviour, criteria, expected) => {
    expect(found(criteria, TEXTS)).toEqual(expected);
  });

  it('geometries', () => {
    const places: readonly Fields[] = [
      { at: { type: 'Point', coordinates: [8.5, 47.4] } },
      { at: { type: 'Point', coordinates: [2.3, 48.9] } },
    ];
    const $geometry = { type: 'Point', coordinates: [8.54, 47.37] };
    expect(found({ at: { $near: { $geometry, $maxDistance: 20_000 } } }, places)).toEqual([0]);
  });

  it('object ids and dates', () => {
    const id = new ObjectId('65f0c0ffee65f0c0ffee65f0');
    const documents: readonly Fields[] = [
      { id, at: new Date(5) },
      { id: id.hex, at: 5 },
    ];
    expect(found({ id }, documents)).toEqual([0]);
    expect(found({ at: { $gte: new Date(5) } }, documents)).toEqual([0]);
  });

  it('paths go through arrays as in MongoDB', () => {
    const documents: readonly Fields[] = [{ a: [{ b: [1, 2] }, {}] }, { a: { b: [[1]] } }];
    expect(found({ 'a.b': 1 }, documents)).toEqual([0]);
    expect(found({ 'a.0.b': 2 }, documents)).toEqual([0]);
    expect(found({ 'a.b': null }, documents)).toEqual([0]);
  });

  it('what no filter may hold throws, and says why', () => {
    expect(() => found({ n: { $mod: [0, 1] } }, [])).toThrow('The divisor of $mod must not be 0.');
    expect(() => found({ s: { $regex: 'x'.repeat(1001) } }, [])).toThrow(
      'A pattern may have 1000 characters.',
    );
    expect(() => found({ n: { $strange: 1 } }, [])).toThrow(/unknown query operator/);
  });
});

describe('expressions and accumulators as MongoDB has them', () => {
  const options = { context: CONTEXT } as unknown as Options;
  const document: Fields = { a: 1, l: [new Long(3n), new Decimal('0.10')], o: { b: 'x' } };

  it.each<[behaviour: string, expression: unknown, expected: unknown]>([
    ['kinds of numbers stay', { $add: ['$a', new Long(1n)] }, new Long(2n)],
    ['decimals are exact', { $multiply: [new Decimal('0.1'), 3] }, new Decimal('0.3')],
    ['operators stand in one another', { $concat: ['$o.b', { $toString: { $size: '$l' } }] }, 'x2'],
    [
      'variables',
      { $map: { input: '$l', as: 'n', in: { $add: ['$$n', '$$ROOT.a'] } } },
      [new Long(4n), new Decimal('1.10')],
    ],
    ['over arrays', { $sum: '$l' }, new Decimal('3.10')],
    ['what is missing is null', { $add: ['$none', 1] }, null],
  ])('%s', (_behaviour, expression, expected) => {
    expect(evalExpr(document, expression, options)).toEqual(expected);
  });

  it('what no expression may hold throws, and says why', () => {
    expect(() => evalExpr(document, { $add: [{ $strange: 1 }] }, options)).toThrow(
      'There is no operator $strange.',
    );
    expect(() => evalExpr({ s: 'x' }, { $add: ['$s'] }, options)).toThrow(/numbers and dates/);
  });

  it('accumulators take the documents of a group', () => {
    const push = CONTEXT.getOperator(OpType.ACCUMULATOR, '$push');
    expect(push?.([{ a: 1 }, {}, { a: new Double(2) }], '$a', options)).toEqual([1, new Double(2)]);
    expect(evalExpr([1, new Long(2n)], { $addToSet: '$$CURRENT' }, options)).toEqual([1, new Long(2n)]);
  });
});

describe('stages as MongoDB has them', () => {
  const run = (pipeline: readonly Readonly<Record<string, unknown>>[], documents: readonly Fields[]) =>
    new Aggregator([...pipeline], { context: CONTEXT }).stream(documents).collect<Fields>();
  const DOCUMENTS: readonly Fields[] = [
    { _id: 1, k: 5, l: [new Long(1n), 'x'] },
    { _id: 2, k: new Long(5n), l: [] },
    { _id: 3, k: new Decimal('5.0'), l: null },
    { _id: 4, k: '5' },
  ];
  const ids = (documents: readonly Fields[]) => documents.map((document) => document['_id']);

  it('$group: numbers that are equal are one group, whatever their kinds', () => {
    expect(run([{ $group: { _id: '$k', n: { $sum: 1 }, ids: { $push: '$_id' } } }], DOCUMENTS)).toEqual([
      { _id: 5, n: 3, ids: [1, 2, 3] },
      { _id: '5', n: 1, ids: [4] },
    ]);
  });

  it('$match, $sort, $skip and $limit, which ends', () => {
    const endless = {
      *[Symbol.iterator]() {
        for (let id = 0; ; id += 1) yield { _id: id };
      },
    };
    expect(
      run([{ $match: { k: { $gt: 4 } } }, { $sort: { k: -1, _id: -1 } }, { $skip: 1 }], DOCUMENTS),
    ).toHaveLength(2);
    const first = new Aggregator([{ $limit: 3 }], { context: CONTEXT }).stream(endless);
    expect(ids(first.collect<Fields>())).toEqual([0, 1, 2]);
  });

  it('$sort is in MongoDB’s order of kinds', () => {
    expect(ids(run([{ $sort: { l: 1 } }], DOCUMENTS))).toEqual([2, 3, 4, 1]);
  });

  it('$unwind leaves its input as it is, and keeps the kinds of items', () => {
    const found = run(
      [{ $unwind: { path: '$l', includeArrayIndex: 'at' } }, { $project: { _id: 0, l: 1, at: 1 } }],
      DOCUMENTS,
    );
    expect(found).toEqual([
      { l: new Long(1n), at: new Long(0n) },
      { l: 'x', at: new Long(1n) },
    ]);
    expect(DOCUMENTS[0]).toEqual({ _id: 1, k: 5, l: [new Long(1n), 'x'] });
  });

  it('$sample takes each document once', () => {
    expect(ids(run([{ $sample: { size: 9 } }, { $sort: { _id: 1 } }], DOCUMENTS))).toEqual([1, 2, 3, 4]);
  });

  it('$bucket, $bucketAuto and $setWindowFields', () => {
    expect(run([{ $bucket: { groupBy: '$_id', boundaries: [0, 3, 9] } }], DOCUMENTS)).toEqual([
      { _id: 0, count: 2 },
      { _id: 3, count: 2 },
    ]);
    expect(run([{ $bucketAuto: { groupBy: '$_id', buckets: 2 } }], DOCUMENTS)).toEqual([
      { _id: { min: 1, max: 3 }, count: 2 },
      { _id: { min: 3, max: 4 }, count: 2 },
    ]);
    const output = { n: { $sum: '$_id', window: { documents: ['unbounded', 'current'] } } };
    const windows = { $setWindowFields: { partitionBy: { $type: '$k' }, sortBy: { _id: 1 }, output } };
    expect(run([windows, { $sort: { _id: 1 } }], DOCUMENTS).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  });

  it('our own names, where documents have an id', () => {
    const found = run([{ group: { id: '$k', n: { $count: {} } } }, { sort: '-id' }, { limit: 1 }], DOCUMENTS);
    expect(found).toEqual([{ id: '5', n: 1 }]);
  });

  it('a wrong argument throws, and says why', () => {
    expect(() => run([{ $limit: 0 }], DOCUMENTS)).toThrow('$limit takes an integer above zero.');
    expect(() => run([{ $group: { _id: 1, n: { $total: 1 } } }], DOCUMENTS)).toThrow(
      'There is no accumulator $total.',
    );
  });
});
