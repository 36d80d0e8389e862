/** Marks of the feed of changes (docs/live.md): which are taken, and who may not read at all. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { feedMeta, feedsOf, goneIn } from '../support/feed.ts';
import { makeGroup, makeUser, may, underAcl } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

let types = 0;
const client = await Client.create();

const newType = () => `type${(types += 1)}`;
const codes = ({ status, body }: Reply) => [status, ...body.errors.map(({ code }) => code)];

const { feed, markOf } = feedsOf(client);

describe('a mark', () => {
  let type: string;
  let mark: string;
  let last: string;
  beforeAll(async () => {
    type = newType();
    await client.make(type, { name: 'a' });
    mark = await markOf(type);
    last = mark.endsWith('A') ? 'B' : 'A';
  });

  const wrong: [sentence: string, ask: () => Promise<Reply>][] = [
    ['of nobody', () => feed(type, 'x'.repeat(80))],
    ['that was changed', () => feed(type, `${mark.slice(0, -1)}${last}`)],
    ['of another filter', () => feed(type, mark, '&filter[name]=a')],
    ['of another type', () => feed(`${type}-other`, mark)],
    ['of another key', async () => feed(type, mark, '', await client.withPermissions([may('get', '/.*')]))],
    [
      'that is a cursor',
      async () => {
        const list = await client.get(`/resources/${type}?page[after]=&page[size]=1`);
        return feed(
          type,
          new URL(list.body.links.first ?? '').searchParams.get('page[after]') || 'A'.repeat(64),
        );
      },
    ],
  ];
  test.each(wrong)('%s is 400', async (_, ask) => {
    expect(codes(await ask())).toEqual([400, 'invalid-parameter']);
  });

  test('of another user of the same key is 400', async () => {
    const acl = await underAcl(client);
    const [ada, bob] = [await makeUser(client, 'mark-ada'), await makeUser(client, 'mark-bob')];
    const hers = await markOf(type, '', acl, ada.headers);
    expect(codes(await feed(type, hers, '', acl, bob.headers))).toEqual([400, 'invalid-parameter']);
    expect((await feed(type, hers, '', acl, ada.headers)).status).toBe(200);
  });

  test('has expired when the groups of the user have changed', async () => {
    const acl = await underAcl(client);
    const ada = await makeUser(client, 'group-ada');
    const hers = await markOf(type, '', acl, ada.headers);
    await makeGroup(client, [ada]);
    expect(codes(await feed(type, hers, '', acl, ada.headers))).toEqual([410, 'mark-expired']);
  });

  test('has expired when the permissions of the key have changed', async () => {
    const permissions = [may('get', '/resources/.*')];
    const { client: other, path } = await client.newKey(permissions);
    const its = await markOf(type, '', other);
    expect((await feed(type, its, '', other)).status).toBe(200);
    const attributes = { permissions: [may('get', '/resources/.*', { where: { name: 'b' } })] };
    await client.update(path, { attributes });
    expect(codes(await feed(type, its, '', other))).toEqual([410, 'mark-expired']);
  });

  test('has expired when the settings of the type give other rights', async () => {
    const before = await markOf(type);
    await settle(client, { name: type, rights: { read: ['*'] } });
    expect(codes(await feed(type, before))).toEqual([410, 'mark-expired']);
  });
});

describe('who may not', () => {
  test('GET the feed is refused, and so is what is no feed', async () => {
    const type = newType();
    await client.make(type, {});
    const lists = await client.withPermissions([may('get', `/resources/${type}`)]);
    expect(codes(await feed(type, '', '', lists))).toEqual([403, 'forbidden']);
    expect(codes(await client.post(`/resources/${type}/changes`, {}))).toEqual([405, 'method-not-allowed']);
    expect(codes(await client.get(`/resources/${type}.acl/changes`))).toEqual([404, 'not-found']);
    expect(codes(await client.get('/api-keys/core.api-key/changes'))).toEqual([404, 'not-found']);
    expect(codes(await feed(type, '', '&page[offset]=1'))).toEqual([400, 'unknown-parameter']);
    expect(codes(await feed(type, '', '&sort=name'))).toEqual([400, 'unknown-parameter']);
  });

  test('GET a document at its own address is not told of it', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a', secret: 's' });
    const b = await client.make(type, { name: 'b', secret: 's' });
    const one = await client.withPermissions([
      may('get', `/resources/${type}/changes`),
      may('get', `/resources/${type}/${a.id}`, { fields: { read: ['name'] } }),
    ]);
    const reply = await feed(type, '', '', one);
    expect(reply.body.data.map(({ attributes }) => attributes)).toEqual([{ name: 'a' }]);
    expect(reply.body.meta['warnings']).toMatchObject([{ code: 'left-out' }]);
    await client.delete(`/resources/${type}/${b.id}`);
    await client.delete(`/resources/${type}/${a.id}`);
    expect(goneIn(await feed(type, feedMeta(reply).mark, '', one))).toEqual([a.id]);
  });

  test('be told exactly is refused: under a rule about the time, with a filter on linked documents', async () => {
    const type = newType();
    const other = await client.make(`${type}-other`, { name: 'x' });
    const link = { data: { type: other.type, id: other.id } };
    await client.make(type, { at: { $date: '2026-01-01T00:00:00Z' } }, { other: link });
    const timed = await client.withPermissions([
      may('get', '/resources/.*', { where: { at: { $lt: '$$now' } } }),
    ]);
    expect(codes(await feed(type, '', '', timed))).toEqual([403, 'forbidden']);
    expect(codes(await feed(type, '', '&filter[other.name]=x'))).toEqual([400, 'invalid-filter']);
    expect((await feed(type, '', `&filter[other.id]={"$oid":"${other.id}"}`)).status).toBe(200);
  });
});
