/** Relationships of aggregate documents: to stored documents and to other aggregates, read, followed and included. */
import { describe, expect, test } from 'vitest';
import { defined, idsOf, includedOf, outputPath, outputsPath } from '../support/aggregates.ts';
import { Client, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();
const made = new Map<string, Link>();
const id = (name: string): string => made.get(name)?.id ?? name;

const make = async (
  name: string,
  type: string,
  relationships: Readonly<Record<string, string | string[]>> = {},
) => {
  const data = (names: string | string[]) =>
    Array.isArray(names) ? names.map((each) => made.get(each)) : (made.get(names) ?? null);
  const linked = Object.entries(relationships).map(([key, names]) => [key, { data: data(names) }]);
  made.set(name, await client.make(type, { name }, Object.fromEntries(linked)));
};
await make('fr', 'countries');
await make('uk', 'countries');
await make('hugo', 'writers', { country: 'fr' });
await make('wells', 'writers', { country: 'uk' });
await make('nobody', 'writers', { country: 'none' });
await make('b1', 'books', { writer: 'hugo', others: ['wells', 'nobody'] });
await make('b2', 'books', { writer: 'hugo', others: [] });
await make('b3', 'books', { writer: 'wells', others: ['hugo'] });
await make('b4', 'books', { writer: 'none' });

await defined(client, 'title', 'books', [
  {
    project: { id: { $concat: ['t-', '$name'] }, book: { type: '$type', id: '$id' }, writer: 1, others: 1 },
  },
  { output: { attributes: [], relationships: ['book', 'writer', 'others'] } },
]);
await defined(client, 'shelf', 'books', [
  { filter: { writer: { $ne: null } } },
  {
    group: {
      id: '$writer.id',
      writer: { $first: '$writer' },
      books: { $push: { type: '$type', id: '$id' } },
      titles: { $push: { type: 'agt.title', id: { $concat: ['t-', '$name'] } } },
      lost: { $push: { type: 'agt.title', id: 'nowhere' } },
    },
  },
  { output: { attributes: [], relationships: ['writer', 'books', 'titles', 'lost'] } },
]);
await defined(client, 'library', 'writers', [
  { group: { id: 'all', shelves: { $push: { type: 'agt.shelf', id: { $toString: '$id' } } } } },
  {
    project: {
      shelves: 1,
      nothing: null,
      itself: { type: 'agt.library', id: 'all' },
      unknown: { type: 'agt.gone', id: 'x' },
    },
  },
  { output: { attributes: [], relationships: ['shelves', 'nothing', 'itself', 'unknown'] } },
]);

test('a link whose id is null or missing is null, and none among others', async () => {
  await defined(client, 'credits', 'books', [
    { sort: 'name' },
    {
      project: {
        name: 1,
        writer: { type: 'writers', id: '$writer.id' },
        both: [
          { type: 'writers', id: '$writer.id' },
          { type: 'books', id: '$id' },
        ],
        typed: { type: '$writer.type', id: '$writer.id' },
        output: { type: 'agt.title', id: null },
      },
    },
    { output: { attributes: ['name'], relationships: ['writer', 'both', 'typed', 'output'] } },
  ]);
  const list = await client.get(outputsPath('credits'));
  const orphan = list.body.data.find(({ attributes }) => attributes?.['name'] === 'b4');
  const shown = Object.entries(orphan?.relationships ?? {}).map(([name, { data }]) => [name, data]);
  expect(Object.fromEntries(shown)).toEqual({
    writer: null,
    both: [{ type: 'books', id: id('b4') }],
    typed: null,
    output: null,
  });
  expect(list.body.meta.count).toBe(4);
});

const shelf = (): string => outputPath('shelf', id('hugo'));
const named = (entries: readonly string[]): readonly string[] => {
  const names = new Map(Array.from(made, ([name, link]) => [link.id, name]));
  return entries
    .map((entry) => {
      const [type = '', ...rest] = entry.split(' ');
      const key = rest.join(' ');
      return `${type} ${names.get(key) ?? key}`;
    })
    .sort();
};

describe('a relationship', () => {
  test.each([
    ['writer', () => ({ type: 'writers', id: id('hugo') })],
    [
      'books',
      () => [
        { type: 'books', id: id('b1') },
        { type: 'books', id: id('b2') },
      ],
    ],
    [
      'titles',
      () => [
        { type: 'agt.title', id: 't-b1' },
        { type: 'agt.title', id: 't-b2' },
      ],
    ],
    ['lost', () => [{ type: 'agt.title', id: 'nowhere' }]],
  ])('%s is read with its links', async (name, data) => {
    const self = `${client.url}${shelf()}/relationships/${name}`;
    const related = `${client.url}${shelf()}/${name}`;
    const reply = await client.get(`${shelf()}/relationships/${name}`);
    expect(reply.body).toEqual({ data: data(), links: { self, related } });
    const document = await client.get(shelf());
    expect(document.body.data.relationships?.[name]).toEqual({ data: data(), links: { self, related } });
  });

  test('that is empty is null', async () => {
    const path = outputPath('library', 'all');
    expect((await client.get(`${path}/relationships/nothing`)).body.data).toBeNull();
    expect((await client.get(`${path}/nothing`)).body.data).toEqual([]);
  });

  test('of a stored document is carried on as it is', async () => {
    const { body } = await client.get(outputPath('title', 't-b1'));
    expect(body.data.relationships?.['writer']?.data).toEqual(
      made.get('hugo') && { type: 'writers', id: id('hugo') },
    );
    expect(body.data.relationships?.['others']?.data).toHaveLength(2);
    const without = await client.get(outputPath('title', 't-b4'));
    expect(without.body.data.relationships?.['writer']?.data).toBeNull();
    expect(without.body.data.relationships).not.toHaveProperty('others');
  });
});

describe('related documents', () => {
  test.each([
    ['writer', ['writers hugo']],
    ['books', ['books b1', 'books b2']],
    ['titles', ['agt.title t-b1', 'agt.title t-b2']],
    ['lost', []],
  ])('%s', async (name, expected) => {
    const reply = await client.get(`${shelf()}/${name}`);
    expect(reply.status).toBe(200);
    expect(named(reply.body.data.map((each) => `${each.type} ${each.id}`))).toEqual(expected);
  });

  test('come in the order of the links, with fields and includes of their own', async () => {
    const reply = await client.get(
      `${shelf()}/titles?include=book&fields[agt.title]=book&fields[books]=name`,
    );
    expect(idsOf(reply)).toEqual(['t-b1', 't-b2']);
    expect(Object.keys(reply.body.data[0]?.relationships ?? {})).toEqual(['book']);
    expect(reply.body.included.map(({ attributes }) => attributes)).toEqual([{ name: 'b1' }, { name: 'b2' }]);
  });
});

describe('include', () => {
  test.each([
    ['a document', 'writer', ['writers hugo']],
    ['many documents', 'books', ['books b1', 'books b2']],
    ['another aggregate', 'titles', ['agt.title t-b1', 'agt.title t-b2']],
    ['documents behind documents', 'writer.country', ['countries fr', 'writers hugo']],
    [
      'documents behind an aggregate',
      'titles.book',
      ['agt.title t-b1', 'agt.title t-b2', 'books b1', 'books b2'],
    ],
    [
      'documents behind documents behind an aggregate',
      'titles.writer.country',
      ['agt.title t-b1', 'agt.title t-b2', 'countries fr', 'writers hugo'],
    ],
    [
      'several paths',
      'writer,titles.others',
      ['agt.title t-b1', 'agt.title t-b2', 'writers hugo', 'writers nobody', 'writers wells'],
    ],
    ['what is not there', 'lost', []],
    ['a name that is none', 'nobody.nothing', []],
  ])('reaches %s', async (_, paths, expected) => {
    expect(named(includedOf(await client.get(`${shelf()}?include=${paths}`)))).toEqual(expected);
  });

  test('reaches aggregates behind aggregates and the documents behind those', async () => {
    const reply = await client.get(outputsPath('library', { include: 'shelves.titles.book.writer.country' }));
    expect(named(includedOf(reply))).toEqual(
      named([
        ...['hugo', 'wells'].map((name) => `agt.shelf ${id(name)}`),
        ...['t-b1', 't-b2', 't-b3'].map((each) => `agt.title ${each}`),
        ...['b1', 'b2', 'b3'].map((name) => `books ${id(name)}`),
        ...['hugo', 'wells'].map((name) => `writers ${id(name)}`),
        ...['fr', 'uk'].map((name) => `countries ${id(name)}`),
      ]),
    );
  });

  test('repeats no primary document', async () => {
    const reply = await client.get(outputsPath('library', { include: 'itself.itself' }));
    expect([idsOf(reply), includedOf(reply)]).toEqual([['all'], []]);
  });

  test('passes over an aggregate that is not defined', async () => {
    const reply = await client.get(outputsPath('library', { include: 'unknown' }));
    expect([reply.status, includedOf(reply)]).toEqual([200, []]);
    expect((await client.get(`${outputPath('library', 'all')}/unknown`)).body.data).toEqual([]);
  });

  test('of more than five levels is refused', async () => {
    const reply = await client.get(outputsPath('library', { include: 'a.b.c.d.e.f' }));
    expect(faultsOf(reply)).toEqual(['400 invalid-parameter ?include']);
  });

  test('of an aggregate that fails tells so', async () => {
    await defined(client, 'broken', 'books', [{ project: { a: { $add: ['$name', 1] } } }]);
    await defined(client, 'to-broken', 'books', [
      { limit: 1 },
      { project: { other: { type: 'agt.broken', id: 'x' } } },
      { output: { attributes: [], relationships: ['other'] } },
    ]);
    expect((await client.get(outputsPath('to-broken'))).status).toBe(200);
    const reply = await client.get(outputsPath('to-broken', { include: 'other' }));
    expect(faultsOf(reply)).toEqual(['422 pipeline-failed']);
  });

  test('shows aggregates with the defaults of their parameters', async () => {
    const pipeline = [{ limit: '$$parameters.most' }, { project: { id: '$name' } }];
    await defined(client, 'limited', 'books', pipeline, { most: 1 });
    await defined(client, 'to-limited', 'books', [
      { group: { id: 'all', each: { $push: { type: 'agt.limited', id: '$name' } } } },
      { output: { attributes: [], relationships: ['each'] } },
    ]);
    const reply = await client.get(outputsPath('to-limited', { include: 'each' }));
    expect(includedOf(reply)).toEqual(['agt.limited b1']);
  });
});
