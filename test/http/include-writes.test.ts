/** `include` and `fields` on creates and changes: the answer to a write shows what a read would. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, link, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { EVERY_METHOD, grant, makeUser, may, type Person } from '../support/people.ts';

const client = await Client.create();
const ada = link(await client.make('people', { name: 'Ada', age: 36 }));
const bob = link(await client.make('people', { name: 'Bob', age: 20 }, { boss: { data: ada } }));

const article = () => ({
  type: 'articles',
  attributes: { title: 'T', words: 3 },
  relationships: { author: { data: bob } },
});

function namesIn({ body }: Reply): readonly unknown[] {
  return body.included.map(({ attributes }) => attributes?.['name']);
}

describe.each<[string, (query: string) => Promise<Reply>]>([
  ['a create', (query) => client.post(`/resources/articles?${query}`, { data: article() })],
  [
    'a change',
    async (query) => {
      const { id } = await client.make('articles', { title: 'T', words: 3 });
      return client.patch(`/resources/articles/${id}?${query}`, { data: { ...article(), id } });
    },
  ],
])('The answer to %s', (_, write) => {
  test('includes what is asked for, in the fields that are asked for', async () => {
    const reply = await write('include=author.boss&fields[articles]=title,author&fields[people]=name');
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.body.data.attributes).toEqual({ title: 'T' });
    expect(reply.body.included.map(({ attributes }) => attributes)).toEqual([
      { name: 'Bob' },
      { name: 'Ada' },
    ]);
  });

  test('has included, empty, where there is nothing', async () => {
    expect((await write('include=nothing')).body.included).toEqual([]);
    expect(Object.keys((await write('')).body)).not.toContain('included');
  });

  test('is what a read of links.self shows, and has a tag that is valid for both', async () => {
    const written = await write('include=author');
    const self = written.body.links.self ?? '';
    const read = await client.get(self);
    expect(read.text).toBe(written.text);
    expect((await client.get(self, { 'if-none-match': written.etag })).status).toBe(304);
    const { id } = written.body.data;
    const data = { type: 'articles', id, attributes: { words: 4 } };
    const changed = await client.patch(`/resources/articles/${id}`, { data }, { 'if-match': written.etag });
    expect(changed.status).toBe(204);
    expect((await client.get(self, { 'if-none-match': written.etag })).status).toBe(200);
  });

  test('has a tag that a change of what is included ends', async () => {
    const written = await write('include=author');
    await client.update(`/resources/people/${bob.id}`, { attributes: { age: Math.random() } });
    const again = { 'if-none-match': written.etag };
    expect((await client.get(written.body.links.self ?? '', again)).status).toBe(200);
  });

  test('is no error when the include is too large: it is written, and a warning says what is left out', async () => {
    const ids = await crowd(client, 'many', 1001);
    const list = { data: ids.map((id) => ({ type: 'many', id })) };
    const holder = await client.make('holders', {}, { all: list });
    const reply = await client.patch(`/resources/holders/${holder.id}?include=all`, {
      data: { type: 'holders', id: holder.id, attributes: { n: 1 } },
    });
    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
    expect(reply.body.data.attributes).toEqual({ n: 1 });
    expect(reply.body.included).toBeUndefined();
    expect(reply.body.meta['warnings']).toEqual([
      expect.objectContaining({ code: 'include-too-large', source: { parameter: 'include' } }),
    ]);
  });
});

describe('Only what could be read at its own address is included', () => {
  let user: Person;
  beforeAll(async () => {
    user = await makeUser(client, 'user');
    await grant(client, `/resources/people/${ada.id}`, { read: [user.link] });
  });

  const data = () => ({ type: 'notes', relationships: { of: { data: [ada, bob] } } });
  const acl = { active: true };

  test.each<[string, readonly object[], readonly string[]]>([
    ['by rights', [may(EVERY_METHOD, '/.*', { acl })], ['Ada']],
    [
      'through fields that the key shows',
      [
        may('post', '/resources/notes'),
        may('get', '/resources/notes/.*', { fields: { read: ['text'] } }),
        may('get', '/resources/people/.*'),
      ],
      [],
    ],
  ])('%s', async (_, permissions, expected) => {
    const by = await client.withPermissions(permissions);
    await client.update(`/resources/people/${bob.id}`, { attributes: { age: 20 } });
    const reply = await by.post('/resources/notes?include=of', { data: data() }, user.headers);
    expect(reply.status, reply.text).toBe(201);
    expect(namesIn(reply)).toEqual(expected);
  });
});

test('The answer that an Idempotency-Key repeats has its include, too', async () => {
  const key = { 'idempotency-key': 'once' };
  const first = await client.post('/resources/articles?include=author', { data: article() }, key);
  const again = await client.post('/resources/articles?include=author', { data: article() }, key);
  expect(again.text).toBe(first.text);
  expect(namesIn(again)).toEqual(['Bob']);
});
