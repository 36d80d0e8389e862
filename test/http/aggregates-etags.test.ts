/** Conditional reads of aggregates: 304 as long as nothing that was shown has changed, and only then. */
import { beforeEach, describe, expect, test } from 'vitest';
import { defined, outputPath, outputsPath, redefine } from '../support/aggregates.ts';
import { Client, type Resource } from '../support/client.ts';

/** Totals of items by kind, each linking to its items and to a note of another aggregate. */
const TOTALS = [
  { group: { id: '$kind', total: { $sum: '$n' }, items: { $push: { type: '$type', id: '$id' } } } },
  { project: { total: 1, items: 1, labels: { type: 'agt.labels', id: '$id' } } },
  { output: { attributes: ['total'], relationships: ['items', 'labels'] } },
];

let client: Client;
let items: readonly (Resource & { readonly etag: string })[];
let label: Resource;
/** The ids of the definitions of totals and labels. */
let totals: string;
let labels: string;
beforeEach(async () => {
  client = await Client.create();
  items = [
    await client.make('items', { kind: 'a', n: 1 }),
    await client.make('items', { kind: 'a', n: 2 }),
    await client.make('items', { kind: 'b', n: 4 }),
  ];
  label = await client.make('notes', { kind: 'a', text: 'first' });
  totals = await defined(client, 'totals', 'items', TOTALS);
  labels = await defined(client, 'labels', 'notes', [{ project: { id: '$kind', text: 1 } }]);
});

const change = (index: number, attributes: object) => changeOf(items[index], attributes);
const changeOf = async (document: Resource | undefined, attributes: object): Promise<void> => {
  const { type, id } = document ?? { type: '', id: '' };
  const reply = await client.update(`/resources/${type}/${id}`, { attributes });
  if (reply.status !== 200) throw new Error(reply.text);
};
const LIST = outputsPath('totals');
const ONE = outputPath('totals', 'a');

/** What a read of a path answers to the tag of a read before some work. */
async function after(path: string, work: () => Promise<unknown>): Promise<number> {
  const { etag, status } = await client.get(path);
  expect(status).toBe(200);
  await work();
  const reply = await client.get(path, { 'if-none-match': etag });
  if (reply.status === 304) expect(reply.text).toBe('');
  return reply.status;
}

const PATHS = [
  LIST,
  ONE,
  `${ONE}/relationships/items`,
  `${ONE}/items`,
  `${ONE}/labels`,
  `${ONE}?include=items,labels`,
];

describe('nothing has changed', () => {
  test.each(PATHS)('%s answers 304, again and again', async (path) => {
    const { etag } = await client.get(path);
    for (let round = 0; round < 3; round += 1) {
      const reply = await client.get(path, { 'if-none-match': etag });
      expect([reply.status, reply.etag]).toEqual([304, etag]);
    }
    expect((await client.send('HEAD', path, { headers: { 'if-none-match': `W/${etag}` } })).status).toBe(304);
    expect((await client.get(path, { 'if-none-match': `"x", ${etag}` })).status).toBe(304);
    expect((await client.get(path, { 'if-none-match': '"x"' })).status).toBe(200);
  });

  test('whichever definition is the newer one', async () => {
    await redefine(client, totals, { pipeline: TOTALS });
    expect(await after(`${LIST}&include=labels,items`, () => Promise.resolve())).toBe(304);
    await redefine(client, labels, { note: 'newer' });
    expect(await after(`${LIST}&include=labels,items`, () => Promise.resolve())).toBe(304);
  });
});

describe('the input has changed', () => {
  test('and the output with it: 200 with another tag', async () => {
    const before = await client.get(ONE);
    expect(await after(ONE, () => change(0, { n: 10 }))).toBe(200);
    const now = await client.get(ONE);
    expect([now.body.data.attributes?.['total'], now.etag === before.etag]).toEqual([12, false]);
    expect(await after(LIST, () => change(2, { n: 5 }))).toBe(200);
  });

  test.each<readonly [string, () => Promise<unknown>, number]>([
    ['an attribute that does not come out', () => change(0, { other: 1 }), 304],
    ['another document than those it is made of', () => change(2, { n: 5 }), 304],
    [
      'and back again',
      async () => {
        await change(0, { n: 7 });
        await change(0, { n: 1 });
      },
      304,
    ],
    ['a new document elsewhere', () => client.make('items', { kind: 'c', n: 1 }), 304],
    ['a new document of its own', () => client.make('items', { kind: 'a', n: 1 }), 200],
    ['a document of its own is deleted', () => client.delete(`/resources/items/${items[0]?.id}`), 200],
  ])('%s', async (_, work, status) => {
    expect(await after(ONE, work)).toBe(status);
  });

  test('a new member answers 200 on the list', async () => {
    expect(await after(LIST, () => client.make('items', { kind: 'c', n: 0 }))).toBe(200);
  });

  test('a new count answers 200 on a page that is as it was', async () => {
    const page = outputsPath('totals', { 'page[limit]': '1' });
    expect(await after(page, () => client.make('items', { kind: 'c', n: 0 }))).toBe(200);
  });

  test('a document that is no longer made is 404', async () => {
    const { etag } = await client.get(outputPath('totals', 'b'));
    await client.delete(`/resources/items/${items[2]?.id}`);
    expect((await client.get(outputPath('totals', 'b'), { 'if-none-match': etag })).status).toBe(404);
  });
});

describe('an included or related document', () => {
  const included = `${ONE}?include=items,labels`;

  test.each<readonly [string, string, () => Promise<unknown>, number]>([
    ['that is stored has changed', included, () => change(0, { other: 1 }), 200],
    ['that is stored has changed, though it was not asked for', ONE, () => change(0, { other: 1 }), 304],
    ['of another aggregate has changed', included, () => changeOf(label, { text: 'second' }), 200],
    ['of another aggregate is as it was', included, () => changeOf(label, { other: 1 }), 304],
    ['has lost its definition', included, () => client.delete(`/aggregates/core.aggregate/${labels}`), 200],
    [
      'has another definition',
      included,
      () => redefine(client, labels, { pipeline: [{ project: { id: '$kind' } }] }),
      200,
    ],
    ['is a related output and has changed', `${ONE}/labels`, () => changeOf(label, { text: 'second' }), 200],
  ])('%s', async (_, path, work, status) => {
    expect(await after(path, work)).toBe(status);
  });

  test('appears', async () => {
    expect(
      await after(`${outputPath('totals', 'b')}?include=labels`, () => client.make('notes', { kind: 'b' })),
    ).toBe(200);
  });
});

describe('the definition has changed', () => {
  const doubled = TOTALS.map((stage) =>
    'group' in stage ? { group: { ...stage.group, total: { $sum: { $multiply: ['$n', 2] } } } } : stage,
  );

  test.each(['', '&include=items'])('and the output with it (%s): 200', async (query) => {
    expect(await after(LIST + query, () => redefine(client, totals, { pipeline: doubled }))).toBe(200);
    expect(await after(ONE, () => redefine(client, totals, { pipeline: TOTALS }))).toBe(200);
  });

  test('and the output is as it was: 304', async () => {
    expect(await after(LIST, () => redefine(client, totals, { pipeline: [{ skip: 0 }, ...TOTALS] }))).toBe(
      304,
    );
    expect(await after(ONE, () => redefine(client, totals, { note: 'about' }))).toBe(304);
  });

  test('and is another one of the same name', async () => {
    const work = async () => {
      await client.delete(`/aggregates/core.aggregate/${totals}`);
      await defined(client, 'totals', 'items', [{ limit: 1 }, { project: { id: 'a' } }]);
    };
    expect(await after(ONE, work)).toBe(200);
  });
});

test('what related documents include is gone: 200', async () => {
  const author = await client.make('people', { name: 'Ada' });
  const { type, id } = author;
  await client.make('items', { kind: 'a', n: 3 }, { author: { data: { type, id } } });
  const gone = await after(`${ONE}/items?include=author`, () => client.delete(`/resources/people/${id}`));
  expect(gone).toBe(200);
});

describe('one tag is good for every document of its answer', () => {
  test('for the members of a list, while their input is as it was', async () => {
    const { etag } = await client.get(`${LIST}&include=items,labels`);
    const tag = { 'if-none-match': etag };
    const statuses = async () => [
      (await client.get(ONE, tag)).status,
      (await client.get(outputPath('totals', 'b'), tag)).status,
      (await client.get(outputPath('labels', 'a'), tag)).status,
      (await client.get(`/resources/items/${items[0]?.id}`, tag)).status,
    ];
    expect(await statuses()).toEqual([304, 304, 304, 304]);
    await change(0, { n: 9 });
    expect(await statuses()).toEqual([200, 200, 304, 200]);
    await changeOf(label, { text: 'second' });
    expect((await client.get(outputPath('labels', 'a'), tag)).status).toBe(200);
  });

  test('and for If-Match of its stored documents', async () => {
    const { etag } = await client.get(`${ONE}/items`);
    const { type, id } = items[0] ?? { type: '', id: '' };
    const send = () =>
      client.patch(
        `/resources/items/${id}`,
        { data: { type, id, attributes: { n: 3 } } },
        { 'if-match': etag },
      );
    expect((await send()).status).toBe(204);
    expect((await send()).status).toBe(412);
  });

  test('but not the other way round: the tag of a document, or of another list, says nothing of a list', async () => {
    const { etag } = await client.get(ONE);
    const page = await client.get(outputsPath('totals', { 'page[limit]': '1' }));
    for (const tag of [etag, page.etag]) {
      expect((await client.get(LIST, { 'if-none-match': tag })).status).toBe(200);
    }
  });

  test('nor of a document of another aggregate with the same content', async () => {
    await defined(client, 'same', 'notes', [{ project: { id: '$kind', text: 1 } }]);
    const { etag } = await client.get(outputPath('labels', 'a'));
    expect((await client.get(outputPath('same', 'a'), { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('a pipeline that gives other outputs another time', () => {
  test('is told by its outputs alone', async () => {
    await defined(client, 'now', 'items', [
      { limit: 1 },
      { project: { id: 'now', at: '$$NOW', r: { $rand: {} } } },
    ]);
    expect(await after(outputPath('now', 'now'), () => Promise.resolve())).toBe(200);
    await defined(client, 'today', 'items', [{ sample: 3 }, { group: { id: 'n', n: { $sum: '$n' } } }]);
    expect(await after(outputPath('today', 'n'), () => Promise.resolve())).toBe(304);
  });
});
