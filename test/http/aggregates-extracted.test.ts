/**
 * Large collections give a pipeline no more of each document than it looks at, taken out by SQLite. Whatever the kinds
 * of values and the names of fields are, the outputs are those over whole documents.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined, outputsPath } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';

/** Values as requests write them; undefined for a document without the field. */
const VALUES: readonly (string | undefined)[] = [
  undefined,
  'null',
  'true',
  '1',
  '1.0',
  '1e0',
  '-0.0',
  '0',
  '0.1',
  '1e300',
  '9007199254740993',
  '{"$numberLong": "1"}',
  '{"$numberDecimal": "1.00"}',
  '{"$numberDecimal": "0.1"}',
  '{"$date": "2026-01-01T00:00:00Z"}',
  '{"$oid": "0123456789abcdef01234567"}',
  '""',
  '"1"',
  '"a\\"b\\\\c\\u0000\\ud83d\\ude00\\n"',
  '[]',
  '[1, [2], {"$date": 0}]',
  '{"a": 1, "b": {"$numberLong": "2"}}',
  '{"b": 1, "a": 1}',
  '{}',
];

const NAMES = [
  'n',
  'two words',
  "it's",
  'a"b',
  'a\\b',
  '{0}',
  '#',
  '*',
  'é😀',
  'a\u00a0b',
  'a\u2028b',
  '__proto__',
  'constructor',
  '0',
];

const groupBy = (name: string) => ({
  group: {
    id: { v: `$${name}` },
    count: { $sum: 1 },
    sum: { $sum: `$${name}` },
    least: { $min: `$${name}` },
    first: { $first: `$${name}` },
    all: { $push: [`$${name}`, { $type: `$${name}` }, '$id', '$type'] },
  },
});
const READABLE = {
  project: { id: { $toString: '$first_id' }, count: 1, sum: 1, least: 1, first: 1, all: 1 },
};
const FIRST_ID = { first_id: { $first: '$id' } };

/** The same pipeline over a few fields, and one that looks at the whole of each document besides. */
function pair(name: string): readonly [unknown, unknown] {
  const { group } = groupBy(name);
  const few = { group: { ...group, ...FIRST_ID } };
  const whole = { group: { ...group, ...FIRST_ID, whole: { $last: '$$ROOT' } } };
  return [
    [few, READABLE],
    [whole, READABLE],
  ];
}

let count = 0;

/** What two pipelines over the same documents answer. */
async function answers(type: string, pipelines: readonly unknown[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const pipeline of pipelines) {
    count += 1;
    const name = `extracted-${count}`;
    await defined(client, name, type, pipeline);
    const { text } = await client.get(outputsPath(name, { 'page[limit]': '1000' }));
    texts.push(text.replaceAll(`agt.${name}`, 'agt.outputs'));
  }
  return texts;
}

const client = await Client.create();

describe('kinds of values', () => {
  beforeAll(async () => {
    for (const value of [...VALUES, ...VALUES.toReversed()]) {
      const attributes = value === undefined ? '{}' : `{"k": ${value}, "other": "x"}`;
      const made = await client.post(
        '/resources/kinds',
        `{"data": {"type": "kinds", "attributes": ${attributes}}}`,
        { 'content-type': 'application/vnd.api+json' },
      );
      expect(made.status).toBe(201);
    }
  });

  test('group, sum and compare as in whole documents', async () => {
    const [few, whole] = await answers('kinds', pair('k'));
    expect(few).toBe(whole);
    expect(JSON.parse(few ?? '')).toMatchObject({ meta: { count: expect.any(Number) as number } });
  });

  test('sort, filter and unwind as in whole documents', async () => {
    const stages = [
      { filter: { k: { $exists: true } } },
      { sort: '-k' },
      { unwind: { path: '$k', includeArrayIndex: 'at', preserveNullAndEmptyArrays: true } },
      { group: { id: { $type: '$k' }, all: { $push: ['$k', '$at'] } } },
    ];
    const [few, whole] = await answers('kinds', [
      stages,
      [
        ...stages.slice(0, 1),
        { project: { zz: 0 } },
        ...stages.slice(1, 3),
        { group: { id: { $type: '$k' }, all: { $push: ['$k', '$at'] }, whole: { $last: '$$ROOT' } } },
        { project: { whole: 0 } },
      ],
    ]);
    expect(few).toBe(whole);
    expect(few).toContain('"objectId"');
  });
});

describe('names of fields', () => {
  test.each(NAMES)('%j is read as it is written', async (name) => {
    count += 1;
    const type = `names-${count}`;
    const value = (v: unknown) =>
      JSON.stringify({ x: 0 }).replace('"x":0', `${JSON.stringify(name)}:${JSON.stringify(v)}`);
    for (const each of ['one', 'two', 'one', null]) {
      const made = await client.post(
        `/resources/${type}`,
        `{"data": {"type": "${type}", "attributes": ${value(each)}}}`,
        { 'content-type': 'application/vnd.api+json' },
      );
      expect(made.text).toContain('"data"');
    }
    const [few, whole] = await answers(type, pair(name));
    expect(few).toBe(whole);
    expect((JSON.parse(few ?? '') as { meta: { count: number } }).meta.count).toBe(3);
  });
});

describe('equal requests at one time', () => {
  test('give equal answers, and see a change that was answered before them', async () => {
    const made = await client.make('shared', { n: 1 });
    await defined(client, 'shared', 'shared', [{ group: { sum: { $sum: '$n' } } }]);
    for (const n of [2, 3, 4]) {
      const changed = await client.patch(`/resources/shared/${made.id}`, {
        data: { type: 'shared', id: made.id, attributes: { n } },
      });
      expect(changed.status).toBe(200);
      const replies = await Promise.all(Array.from({ length: 6 }, () => client.get(outputsPath('shared'))));
      expect(replies.map(({ body }) => body.data[0]?.attributes?.['sum'])).toEqual(Array(6).fill(n));
    }
  });

  test('a failure on the data lasts until the data changes', async () => {
    const made = await client.make('failing', { n: 'text' });
    await defined(client, 'failing', 'failing', [{ project: { n: { $add: ['$n', 1] } } }]);
    for (let time = 0; time < 2; time += 1)
      expect((await client.get(outputsPath('failing'))).status).toBe(422);
    await client.patch(`/resources/failing/${made.id}`, {
      data: { type: 'failing', id: made.id, attributes: { n: 1 } },
    });
    const mended = await client.get(outputsPath('failing'));
    expect(mended.body.data[0]?.attributes?.['n']).toBe(2);
  });
});
