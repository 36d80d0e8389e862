/** A pass over a few fields of documents, read many at a time or from an index of columns, sees what is stored. */
import fc from '../support/fast-check.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Aggregates } from '../../src/collection/aggregate/aggregation.ts';
import type { OutputPage } from '../../src/collection/rpc/results.ts';
import type { IndexFeedback } from '../../src/collection/search/index-feedback.ts';
import type { Viewer } from '../../src/domain/rights.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { Decimal, Double, Long, type Fields, type Value } from '../../src/domain/values/values.ts';
import { compileColumns, MOST_CHARACTERS, nameOfColumns } from '../../src/query/index/columns.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { typeOf } from '../support/names.ts';
import { scaled } from '../support/long.ts';

const TYPE = typeOf('place');
const READER = 'core.user 1';

/** One is no plain name, one is JavaScript's own, and one is a number. */
const NAMES = ["it's a 1:\u{1f4d0}", '__proto__', '7'] as const;
const COLUMNS = nameOfColumns(NAMES) ?? '';
const PIPELINE = [
  { group: { id: null, all: { $push: Object.fromEntries(NAMES.map((name) => [name, `$${name}`])) } } },
];

const VALUES: readonly Value[] = [
  null,
  0,
  new Double(-0),
  0.1,
  new Double(5),
  new Long(9007199254740993n),
  new Decimal('1.10'),
  new Date(5),
  true,
  '',
  '"\\{"$date":1},]\n\u2028\ud83d\ude00',
  { $a: 1 } as unknown as Value,
  ['[', { b: null, a: [new Date(-1)] }],
  { __proto__: null, deep: { er: [] } } as unknown as Value,
].map((value) => (isMade(value) ? { a: 1 } : value));

/** No client can write such a name. */
function isMade(value: Value): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$a');
}

// Some are about as long as what is still read with others, some longer, of characters of one and of four bytes.
const long = fc
  .tuple(fc.constantFrom('x', '\u{1f4d0}'), fc.constantFrom(-40, -1, 0, 1, 5_000), fc.nat(60))
  .map(([each, more, less]) => each.repeat(MOST_CHARACTERS + more - less));
const value = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 4, arbitrary: fc.jsonValue().map((json) => (isPlain(json) ? (json as Value) : 1)) },
  { weight: 1, arbitrary: long },
);

/** Field names begin with no `$`. */
function isPlain(json: unknown): boolean {
  return !/"\$/.test(JSON.stringify(json));
}

const fields = fc.array(fc.tuple(fc.constantFrom(...NAMES, 'other'), value), { maxLength: 4 }).map(objectOf);

function objectOf(members: readonly (readonly [string, Value])[]): Fields {
  const made: Record<string, Value> = {};
  for (const [name, each] of members)
    Object.defineProperty(made, name, { value: each, configurable: true, enumerable: true, writable: true });
  return made;
}

let collection: LocalCollection;
let lessons: IndexFeedback[];
beforeEach(() => {
  begin();
});
afterEach(() => {
  collection.close();
});

function begin(): void {
  collection = new LocalCollection();
  lessons = [];
}

async function read(pipeline: unknown, viewer: Viewer = null): Promise<OutputPage> {
  const { indexes, records, dirtyRanges, groups } = collection.tables;
  const request = {
    outputType: typeOf('agt.columns'),
    pipeline: JSON.stringify(pipeline),
    parameters: null,
    overrides: {},
    viewer,
    rule: null,
    select: {
      condition: encodeText({ op: 'and', conditions: [] }),
      sort: [],
      page: { offset: 0, limit: 10 },
    },
  };
  const input = {
    records: collection.reader(),
    state: records.state(),
    type: TYPE,
    find: (name: string) => indexes.find(name),
    pause: () => Promise.resolve(),
    prepare: <T>(condition: T) => Promise.resolve(condition),
    learning: {
      after: (feedback: IndexFeedback) => lessons.push(feedback),
      keep: () => Promise.resolve(),
    },
    settled: true,
  };
  const result = await new Aggregates({ dirtyRanges, groups }).run(request, input, TYPE);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}

/** What the pipeline makes of documents. */
function made(documents: Iterable<Fields>): readonly string[] {
  const all = [...documents].map((each) =>
    objectOf(
      NAMES.flatMap((name) => (Object.hasOwn(each, name) ? [[name, each[name] ?? null] as const] : [])),
    ),
  );
  return all.length === 0 ? [] : [encodeText({ all })];
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('make' as const), fields }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), at: fc.nat(), fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undone' as const), at: fc.nat(), fields }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('build' as const), steps: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'read' as const }) },
);

test('a pass sees what is stored: without an index of columns, while it is built, and with it', async () => {
  let served = 0;
  let unserved = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }),
      async (documents, steps) => {
        collection.close();
        begin();
        const known = new Map<string, Fields>();
        const make = (attributes: Fields) => known.set(collection.create(attributes), attributes);
        for (const each of documents) make(each);
        collection.learn(COLUMNS);
        for (const each of [...steps, { do: 'read' as const }]) {
          const id = 'at' in each ? [...known.keys()][each.at % Math.max(1, known.size)] : undefined;
          if (each.do === 'make') make(each.fields);
          else if (each.do === 'build') collection.build(each.steps);
          else if (each.do === 'restart') collection.restart();
          else if (each.do === 'read') {
            const { documents: outputs, plan } = await read(PIPELINE);
            expect(outputs.bodies).toEqual(made(known.values()));
            if (plan.used.includes(COLUMNS)) served += 1;
            else unserved += 1;
          } else if (id !== undefined && each.do === 'remove') {
            collection.remove(id);
            known.delete(id);
          } else if (id !== undefined && each.do === 'change') {
            collection.update(id, each.fields);
            known.set(id, { ...known.get(id), ...each.fields });
          } else if (id !== undefined && each.do === 'undone') {
            collection.undone(() => {
              collection.create(each.fields);
              collection.update(id, each.fields);
              collection.remove(id);
            });
          }
        }
        collection.build();
        const isIndexed = collection.indexes([COLUMNS]).length > 0;
        expect(collection.rows('columns')).toBe(isIndexed ? known.size : 0);
        for (const id of known.keys()) collection.remove(id);
        expect(collection.rows('columns')).toBe(0);
      },
    ),
    { numRuns: scaled(150) },
  );
  expect(served).toBeGreaterThan(scaled(100));
  expect(unserved).toBeGreaterThan(scaled(100));
});

describe('an index of columns', () => {
  const FEW = [{ group: { id: '$kind', n: { $sum: '$n' } } }];
  const NAME = nameOfColumns(['n', 'kind']) ?? '';

  test('is read for viewers too, whose rights are asked beside it', async () => {
    const count = 2_000;
    for (let n = 0; n < count; n += 1) {
      const id = collection.create({ kind: 'a', n });
      if (n % 2 === 0) collection.share(id, [READER]);
    }
    collection.learn(NAME);
    collection.build();
    const all = await read(FEW);
    const some = await read(FEW, [READER]);
    const sum = (count * (count - 1)) / 2;
    expect([all, some].map(({ plan, documents }) => [plan.used, documents.bodies])).toEqual([
      [[NAME], [`{"n":${sum}}`]],
      [[NAME], [`{"n":${(sum - count / 2) / 2}}`]],
    ]);
    expect((await read(FEW, ['core.user 2'])).documents.bodies).toEqual([]);
  });

  test.each<readonly [string, unknown, string | null]>([
    ['of what it reads', FEW, '$columns.kind.n'],
    ['of its type, which is not stored', [{ group: { id: ['$type', '$n'] } }], '$columns.n'],
    [
      'of a projection, which keeps ids that nobody reads',
      [{ project: { kind: 1, n: 1 } }, ...FEW],
      '$columns.kind.n',
    ],
    ['none where ids are read', [{ group: { id: '$id', n: { $sum: '$n' } } }], null],
    ['none where they are behind a projection', [{ project: { n: 1 } }, { group: { id: '$id' } }], null],
    ['none where a projection is what is shown', [{ project: { n: 1 } }, { limit: 5 }], null],
    ['none where nothing is read', [{ group: { id: null, n: { $sum: 1 } } }], null],
    ['none where it needs all', [{ sort: 'n' }], null],
    ['none where a filter decides', [{ filter: { n: { $gt: 1 } } }, ...FEW], null],
    ['none of what the service knows', [{ group: { id: '$$creator' } }], null],
    [
      'none of more than eight fields',
      [{ group: { id: null, all: { $push: ['$a', '$b', '$c', '$d', '$e', '$f', '$g', '$h', '$i'] } } }],
      null,
    ],
  ])('is taught by passes: %s', async (_, pipeline, name) => {
    for (let n = 0; n < 300; n += 1) collection.create({ kind: 'a', n });
    await read(pipeline);
    const wanted = lessons.flatMap(({ wanted: names }) =>
      names.filter((each) => each.startsWith('$columns')),
    );
    expect(wanted).toEqual(name === null ? [] : [name]);
  });

  test('is worth an eighth of a pass, and keeps what it has earned', async () => {
    for (let n = 0; n < 400; n += 1) collection.create({ kind: 'a', n });
    await read(FEW);
    expect(lessons).toContainEqual({ used: [], saved: 0, wanted: [NAME], looked: 50 });
    collection.learn(NAME);
    collection.build();
    lessons = [];
    await read(FEW);
    expect(lessons).toContainEqual({ used: [NAME], saved: 50, wanted: [], looked: 0 });
    collection.forget();
    expect(collection.rows('columns')).toBe(0);
  });

  test('holds fields that are too long as such, and not their text', () => {
    const columnsOf = compileColumns(['a', 'b']);
    const fitting = 'x'.repeat(MOST_CHARACTERS - ',"a":""'.length);
    expect(columnsOf({ a: fitting })).toHaveLength(MOST_CHARACTERS);
    expect(columnsOf({ a: `${fitting}x` })).toBeNull();
    expect(columnsOf({ a: fitting, b: 1 })).toBeNull();
    expect(columnsOf({})).toBe('');
  });
});
