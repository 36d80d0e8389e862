/** Cases of the stages that make other documents: unwind, group, project, output. */
import {
  cases,
  date,
  decimal,
  fails,
  list,
  long,
  oid,
  raw,
  refused,
  type PipelineCase,
} from './pipeline-case.ts';

const LISTS = [
  { k: 'a', v: [10, 20] },
  { k: 'b', v: [] },
  { k: 'c' },
  { k: 'd', v: null },
  { k: 'e', v: 'one' },
  { k: 'f', v: [[1, 2], null] },
];
const KV = {
  project: { id: { $concat: ['$k', '-', { $toString: { $ifNull: ['$i', 'x'] } }] }, k: 1, v: 1, i: 1 },
};

const unwind = cases('unwind', LISTS, [
  [
    'gives a document for each item',
    [{ unwind: { path: '$v', includeArrayIndex: 'i' } }, KV],
    [
      { id: 'a-0', k: 'a', v: 10, i: 0 },
      { id: 'a-1', k: 'a', v: 20, i: 1 },
      { id: 'e-x', k: 'e', v: 'one', i: null },
      { id: 'f-0', k: 'f', v: [1, 2], i: 0 },
      { id: 'f-1', k: 'f', v: null, i: 1 },
    ],
  ],
  [
    'keeps documents without items when told to',
    [
      { unwind: { path: '$v', preserveNullAndEmptyArrays: true } },
      { filter: { k: { $in: ['b', 'c', 'd'] } } },
      { output: { attributes: ['k', 'v'] } },
    ],
    [{ k: 'b' }, { k: 'c' }, { k: 'd', v: null }],
  ],
  [
    'gives a null position to what is no item',
    [
      { unwind: { path: '$v', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } },
      { filter: { k: 'b' } },
      { output: { attributes: ['k', 'i'] } },
    ],
    [{ k: 'b', i: null }],
  ],
  [
    'gives positions that are longs',
    [
      { limit: 1 },
      { unwind: { path: '$v', includeArrayIndex: 'i' } },
      { limit: 1 },
      { project: { t: { $type: '$i' } } },
    ],
    [{ t: 'long' }],
  ],
  [
    'twice goes into arrays of arrays',
    [{ filter: { k: 'f' } }, { unwind: '$v' }, { unwind: '$v' }, { group: { v: { $push: '$v' } } }],
    [{ v: [1, 2] }],
  ],
  [
    'stops early behind a limit',
    [{ unwind: '$v' }, { limit: 1 }, { output: { attributes: ['v'] } }],
    [{ v: 10 }],
  ],
  ['refuses a path without the sign', [{ unwind: 'v' }], refused('/pipeline/0/unwind')],
  ['refuses a variable', [{ unwind: '$$ROOT' }], refused('/pipeline/0/unwind')],
  ['refuses an object without path', [{ unwind: {} }], refused('/pipeline/0/unwind/path')],
  ...(
    [
      ['into', 'w'],
      ['includeArrayIndex', '$i'],
      ['includeArrayIndex', null],
      ['preserveNullAndEmptyArrays', 1],
    ] as const
  ).map(
    ([name, value]) =>
      [
        `refuses ${value} as ${name}`,
        [{ unwind: { path: '$v', [name]: value } }],
        refused(`/pipeline/0/unwind/${name}`),
      ] as const,
  ),
]);

const unwindDeep = cases(
  'unwind',
  [{ a: { b: [1, 2], c: 3 }, d: 4 }, { a: [{ b: [5] }] }],
  [
    [
      'goes into objects and keeps what is beside',
      [{ unwind: '$a.b' }, { group: { all: { $push: { a: '$a', d: '$d' } } } }],
      [
        {
          all: list({ a: { b: 1, c: 3 }, d: 4 }, { a: { b: 2, c: 3 }, d: 4 }),
        },
      ],
    ],
    [
      'puts the position where it is told to',
      [
        { unwind: { path: '$a.b', includeArrayIndex: 'a.i' } },
        { skip: 1 },
        { output: { attributes: ['a'] } },
      ],
      [{ a: { b: 2, c: 3, i: 1 } }],
    ],
  ],
);

const SALES = [
  { item: 'abc', price: 10, quantity: 2, day: date('2014-03-01T08:00:00Z') },
  { item: 'jkl', price: 20, quantity: 1, day: date('2014-03-01T09:00:00Z') },
  { item: 'xyz', price: 5, quantity: 10, day: date('2014-03-15T09:00:00Z') },
  { item: 'xyz', price: 5, quantity: 20, day: date('2014-04-04T11:21:39.736Z') },
  { item: 'abc', price: 10, quantity: 10, day: date('2014-04-04T21:23:13.331Z') },
];

const group = cases('group', SALES, [
  ['counts', [{ group: { n: { $sum: 1 } } }], [{ id: 'null', n: 5 }]],
  ['takes null for an id', [{ group: { id: null, n: { $count: {} } } }], [{ id: 'null', n: 5 }]],
  [
    'gathers by a field, in the order of first coming',
    [{ group: { id: '$item', total: { $sum: { $multiply: ['$price', '$quantity'] } } } }],
    list({ id: 'abc', total: 120 }, { id: 'jkl', total: 20 }, { id: 'xyz', total: 150 }),
  ],
  [
    'gathers by an expression',
    [{ group: { id: { $dateToString: { date: '$day', format: '%Y-%m' } }, n: { $sum: 1 } } }],
    list({ id: '2014-03', n: 3 }, { id: '2014-04', n: 2 }),
  ],
  [
    'gathers by several values',
    [
      { group: { id: { item: '$item', month: { $month: '$day' } }, n: { $sum: 1 } } },
      { sort: '-n' },
      { limit: 1 },
    ],
    [{ id: '{"item":"abc","month":3}', n: 1 }],
  ],
  [
    'lets the sign of accumulators be left out',
    [{ group: { n: { sum: '$quantity' }, items: { addToSet: '$item' } } }],
    [{ n: 43, items: ['abc', 'jkl', 'xyz'] }],
  ],
  [
    'without accumulators gives the values',
    [{ group: { id: '$item' } }],
    [{ id: 'abc' }, { id: 'jkl' }, { id: 'xyz' }],
  ],
  ['gives nothing of nothing', [{ filter: { item: 'none' } }, { group: { n: { $sum: 1 } } }], []],
  ['feeds another group', [{ group: { id: '$item' } }, { group: { n: { $sum: 1 } } }], [{ n: 3 }]],
  [
    'takes the first and last in the order that it is given',
    [{ sort: '-quantity' }, { group: { top: { $first: '$item' }, low: { $last: '$item' } } }],
    [{ top: 'xyz', low: 'jkl' }],
  ],
  ['refuses what is no object', [{ group: '$item' }], refused('/pipeline/0/group')],
  ['refuses _id', [{ group: { _id: '$item' } }], refused('/pipeline/0/group/_id')],
  ['refuses a field without accumulator', [{ group: { n: '$price' } }], refused('/pipeline/0/group/n')],
  ['refuses two accumulators', [{ group: { n: { $sum: 1, $avg: 1 } } }], refused('/pipeline/0/group/n')],
  ['refuses unknown accumulators', [{ group: { n: { $total: 1 } } }], refused('/pipeline/0/group/n/$total')],
  ['refuses operators as accumulators', [{ group: { n: { $add: 1 } } }], refused('/pipeline/0/group/n/$add')],
  [
    'refuses $accumulator',
    [{ group: { n: { $accumulator: {} } } }],
    refused('/pipeline/0/group/n/$accumulator'),
  ],
  ['refuses dotted names', [{ group: { 'a.b': { $sum: 1 } } }], refused('/pipeline/0/group/a.b')],
]);

const MIXED_KEYS = [
  { k: 1 },
  { k: raw('1.0') },
  { k: decimal('1.00') },
  { k: long('1') },
  { k: '1' },
  { k: null },
  {},
  { k: [1] },
  { k: { a: 1, b: 2 } },
  { k: { b: 2, a: 1 } },
  { k: { a: raw('1.0'), b: 2 } },
];
const groupKeys = cases('group', MIXED_KEYS, [
  [
    'takes equal values of all kinds together, and missing with null',
    [{ group: { id: '$k', n: { $sum: 1 } } }],
    [
      { id: '1', n: 4 },
      { id: '1', n: 1 },
      { id: 'null', n: 2 },
      { id: '[1]', n: 1 },
      { id: '{"a":1,"b":2}', n: 2 },
      { id: '{"b":2,"a":1}', n: 1 },
    ].map(({ n }) => ({ n })),
  ],
]).map((each) => ({
  ...each,
  // Ids of two outputs are alike as strings, so others are made.
  pipeline: JSON.stringify([
    ...(JSON.parse(each.pipeline) as unknown[]),
    { group: { all: { $push: '$n' } } },
    { unwind: { path: '$all', includeArrayIndex: 'i' } },
    { project: { id: '$i', n: '$all' } },
  ]),
}));

const DOCUMENT = [{ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }, 5, { e: 6 }] }, g: 'text' }];
const project = cases('project', DOCUMENT, [
  ['takes fields', [{ project: { a: 1, g: true } }], [{ a: 1, g: 'text' }]],
  ['takes fields in the order of the document', [{ project: { g: 1, a: 1 } }], [{ a: 1, g: 'text' }]],
  [
    'leaves fields out',
    [{ project: { b: 0, g: false } }, { output: { attributes: ['a', 'b', 'g'] } }],
    [{ a: 1 }],
  ],
  ['takes a path', [{ project: { 'b.c': 1 } }], [{ b: { c: 2 } }]],
  ['takes nested fields', [{ project: { b: { c: 1 } } }], [{ b: { c: 2 } }]],
  ['goes through arrays', [{ project: { 'b.d.e': 1 } }], [{ b: { d: [{ e: 3 }, { e: 6 }] } }]],
  [
    'leaves out through arrays',
    [{ project: { 'b.d.e': 0, a: 0, g: 0, type: 0 } }],
    [{ b: { c: 2, d: [{ f: 4 }, 5, {}] } }],
  ],
  ['renames', [{ project: { z: '$b.c' } }], [{ z: 2 }]],
  ['takes strings without the sign as they are', [{ project: { z: 'b.c' } }], [{ z: 'b.c' }]],
  ['takes null as it is', [{ project: { z: null } }], [{ z: null }]],
  ['makes arrays', [{ project: { z: ['$a', '$none', 'x'] } }], [{ z: [1, null, 'x'] }]],
  [
    'makes objects of expressions',
    [{ project: { z: { y: '$a', x: { $add: ['$a', 1] } } } }],
    [{ z: { y: 1, x: 2 } }],
  ],
  [
    'numbers inside of objects take fields over',
    [{ project: { b: { c: 1, z: '$a' } } }],
    [{ b: { c: 2, z: 1 } }],
  ],
  ['takes a number as it is with $literal', [{ project: { z: { $literal: 1 } } }], [{ z: 1 }]],
  ['leaves out what is missing', [{ project: { z: '$none', a: 1 } }], [{ a: 1 }]],
  ['removes by $$REMOVE', [{ project: { a: { $cond: [true, '$$REMOVE', 1] }, g: 1 } }], [{ g: 'text' }]],
  ['adds new fields behind those taken', [{ project: { z: '$a', g: 1 } }], [{ g: 'text', z: 1 }]],
  [
    'puts new fields into each object of an array',
    [{ project: { 'b.d.z': '$a' } }],
    [{ b: { d: [{ z: 1 }, { z: 1 }, { z: 1 }] } }],
  ],
  ['sees the document as it was', [{ project: { a: '$g', g: '$a' } }], [{ a: 'text', g: 1 }]],
  [
    'makes the id',
    [{ project: { id: { $concat: ['x-', { $toString: '$a' }] }, a: 1 } }],
    [{ id: 'x-1', a: 1 }],
  ],
  [
    'takes dates as ids',
    [{ project: { id: date('2020-01-02T03:04:05Z'), a: 1 } }],
    [{ id: '2020-01-02T03:04:05.000Z', a: 1 }],
  ],
  ['takes numbers as ids', [{ project: { id: decimal('1.50'), a: 1 } }], [{ id: '1.50', a: 1 }]],
  [
    'takes object ids as ids',
    [{ project: { id: oid('5f0000000000000000000001'), a: 1 } }],
    [{ id: '5f0000000000000000000001', a: 1 }],
  ],
  ['refuses an empty object', [{ project: {} }], refused('/pipeline/0/project')],
  ['refuses empty objects inside', [{ project: { b: {} } }], refused('/pipeline/0/project/b')],
  [
    'refuses taking and leaving out together',
    [{ project: { a: 1, b: 0 } }],
    refused('/pipeline/0/project/b'),
  ],
  [
    'refuses expressions beside leaving out',
    [{ project: { a: 0, z: '$b' } }],
    refused('/pipeline/0/project/z'),
  ],
  [
    'refuses a made id beside leaving out',
    [{ project: { id: '$k', o: 0 } }],
    refused('/pipeline/0/project/o'),
  ],
  ['and behind it', [{ project: { o: 0, id: '$k' } }], refused('/pipeline/0/project/id')],
  ['refuses a field and a part of it', [{ project: { b: 1, 'b.c': 1 } }], refused('/pipeline/0/project/b.c')],
  [
    'refuses a part of a field and the field',
    [{ project: { 'b.c': 1, b: 1 } }],
    refused('/pipeline/0/project/b'),
  ],
  ['refuses operators as names', [{ project: { $add: [1, 2] } }], refused('/pipeline/0/project/$add')],
  ['refuses unknown operators', [{ project: { z: { $plus: [1] } } }], refused('/pipeline/0/project/z/$plus')],
  ['refuses $function', [{ project: { z: { $function: {} } } }], refused('/pipeline/0/project/z/$function')],
  ['refuses $lookup', [{ lookup: {} }], refused('/pipeline/0/lookup')],
  ['an output without id fails', [{ project: { id: 0, a: 1 } }], fails(0)],
]);

const LINKS = [{ a: 1, l: { type: 'article', id: oid('5f0000000000000000000001') }, s: 'text' }];
const output = cases('output', LINKS, [
  ['says which fields are attributes', [{ output: { attributes: ['a'] } }], [{ a: 1 }]],
  [
    'says which fields are relationships',
    [{ output: { attributes: ['a'], relationships: ['l'] } }],
    [{ a: 1 }],
  ],
  [
    'passes over fields that are missing',
    [{ output: { attributes: ['a', 'none'], relationships: ['no'] } }],
    [{ a: 1 }],
  ],
  ['may name nothing', [{ output: {} }], [{}]],
  ['fails on what is no link', [{ output: { relationships: ['s'] } }], fails(0)],
  ['stands at the end only', [{ output: {} }, { limit: 1 }], refused('/pipeline/0/output')],
  ['refuses an array', [{ output: ['a'] }], refused('/pipeline/0/output')],
  [
    'refuses attributes that are no array',
    [{ output: { attributes: 'a' } }],
    refused('/pipeline/0/output/attributes'),
  ],
  [
    'refuses id and type',
    [{ output: { attributes: ['a', 'id'] } }],
    refused('/pipeline/0/output/attributes/1'),
  ],
  [
    'refuses one name in both',
    [{ output: { attributes: ['a'], relationships: ['a'] } }],
    refused('/pipeline/0/output'),
  ],
  ['refuses unknown members', [{ output: { links: ['a'] } }], refused('/pipeline/0/output/links')],
]);

export const SHAPE_CASES: readonly PipelineCase[] = [
  ...unwind,
  ...unwindDeep,
  ...group,
  ...groupKeys,
  ...project,
  ...output,
];
