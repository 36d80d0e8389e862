/** What the operator does about users, and in bulk, and what is left of an erased person (docs/operating.md). */
import { beforeAll, describe, expect, test } from 'vitest';
import { app, erase } from '../support/app.ts';
import { Client, NO_ID, type Link } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { versionsIn, versionsOf } from '../support/history.ts';
import {
  linkOf,
  logIn,
  makeExternalUser,
  makeGroup,
  makeUser,
  may,
  PASSWORD,
  underAcl,
} from '../support/people.ts';
import type { Person } from '../support/people.ts';
import { callOperator, exported } from '../support/transfer.ts';
import { settle } from '../support/type-settings.ts';

describe('users', () => {
  let client: Client;
  let ada: Person;
  let grace: Person;
  beforeAll(async () => {
    client = await Client.create();
    ada = await makeUser(client, 'ada');
    grace = await makeExternalUser(client);
  });

  test('are listed with their names and ids', async () => {
    expect(await app(['users', client.application])).toBe(
      `${ada.link.id}  core.user  ada\n${grace.link.id}  core.external-user\n`,
    );
  });

  test('lose all tokens at once', async () => {
    const under = await underAcl(client);
    const again = await logIn(client, 'ada', PASSWORD);
    const token = { authorization: `Token ${String(again.body.data.attributes?.['token'])}` };
    for (const headers of [ada.headers, token, grace.headers]) {
      expect((await under.get('/resources/things', headers)).status).toBe(200);
    }
    for (const { id } of [ada.link, grace.link]) {
      expect(await app(['end-tokens', client.application, id])).toContain(id);
    }
    for (const headers of [ada.headers, token, grace.headers]) {
      expect((await under.get('/resources/things', headers)).status).toBe(401);
    }
    expect((await logIn(client, 'ada', PASSWORD)).status).toBe(201);
  });

  test('lose them whatever checks and schemas say', async () => {
    const shop = await Client.create();
    const eve = await makeUser(shop, 'eve');
    const checks = [{ name: 'never', filter: { username: 'nobody' } }];
    const set = await settle(shop, { name: 'core.user', checks });
    const content = { properties: { attributes: { required: ['missing'] } } };
    const attributes = { target: 'core.user', content };
    const schema = await shop.create('/schemas/core.schema', { attributes });
    expect([set.status, schema.status]).toEqual([201, 201]);
    const under = await underAcl(shop);
    const path = `/users/core.user/${eve.link.id}`;
    const before = await shop.get(path);
    expect((await under.get('/resources/things', eve.headers)).status).toBe(200);
    await app(['end-tokens', shop.application, eve.link.id]);
    expect((await under.get('/resources/things', eve.headers)).status).toBe(401);
    expect((await shop.get(path)).body.data.attributes).toEqual(before.body.data.attributes);
  });

  test.each([
    ['DELETE', 'tokens'],
    ['GET', 'data'],
    ['DELETE', 'data'],
  ])('%s of the %s of somebody who never was is 404', async (method, what) => {
    const path = `${client.application}/users/core.user/${NO_ID}/${what}`;
    expect(faultsOf(await callOperator(method, path))).toEqual(['404 document-not-found']);
    expect((await callOperator(method, path.replace('core.user', 'things'))).status).toBe(404);
  });
});

test('collections lists types with their counts', async () => {
  const client = await Client.create();
  await client.make('things', {});
  expect(await app(['collections', client.application])).toMatch(/^ +1 {2}things$/m);
});

describe('documents that a filter finds', () => {
  let client: Client;
  const remaining = async () => (await client.get('/resources/things?page[limit]=1')).body.meta.count;
  beforeAll(async () => {
    client = await Client.create();
    await crowd(client, 'things', 1200, (n) => ({ n, old: n % 2 === 0 }));
    expect(await remaining()).toBe(1200);
  });

  test('are told first, and stay when nobody says the word', async () => {
    const args = ['delete-documents', client.application, 'things', '{"old": true}'];
    const told = await app([...args, '--dry-run']);
    expect(told).toMatch(/^600 documents of type things\n([0-9a-f]{24} {2}\{"n":\d,"old":true\}\n){3}$/);
    await expect(app(args, 'yes\n')).rejects.toThrow('Nothing was done');
    expect(await remaining()).toBe(1200);
  });

  test('are deleted in steps, and no others', async () => {
    const args = ['delete-documents', client.application, 'things', '{"old": true}'];
    expect(await app(args, 'things\n')).toMatch(/\n600 deleted\n$/);
    expect(await remaining()).toBe(600);
    const left = await client.get('/resources/things?filter[old]=true');
    expect(left.body.meta.count).toBe(0);
  });

  test('are refused with a filter that is none', async () => {
    await expect(app(['delete-documents', client.application, 'things', '{"$x": 1}'])).rejects.toThrow(
      'filter',
    );
    expect((await callOperator('GET', `${client.application}/resources/core.user`)).status).toBe(404);
  });
});

describe('a person who is erased', () => {
  let client: Client;
  let under: Client;
  let ada: Person;
  let eve: Person;
  let shared: Link;
  let readable: Link;
  let deleted: Link;
  let id: string;
  beforeAll(async () => {
    client = await Client.create();
    id = client.application;
    ada = await makeUser(client, 'ada');
    eve = await makeUser(client, 'eve');
    under = await underAcl(client);
    const make = async (person: Person, headers = {}) =>
      linkOf(
        await under.create(
          '/resources/notes',
          { attributes: { text: 'secretword' } },
          { ...person.headers, ...headers },
        ),
      );
    await make(ada, { 'idempotency-key': 'once' });
    await make(ada);
    // One that Eve may change the rights of as well, one that Ada may read, one that she could.
    shared = await make(ada);
    const rights = (link: Link, level: string, attributes: unknown) =>
      client.update(`/resources/notes.${level}/${link.id}`, { attributes });
    await rights(shared, 'acl.acl', { update: [ada.link, eve.link] });
    readable = await make(eve);
    await rights(readable, 'acl', { read: [eve.link, ada.link] });
    deleted = await make(eve);
    await rights(deleted, 'acl', { read: [eve.link, ada.link] });
    await client.delete(`/resources/notes/${deleted.id}`);
    await makeGroup(client, [ada, eve]);
    await client.withPermissions([
      may('get', '/x', { acl: { active: true, 'endpoint-access-list': [ada.link, eve.link] } }),
    ]);
    await client.create('/schemas/core.type', {
      attributes: { name: 'others', rights: { read: [ada.link, eve.link] } },
    });
    // Full text has an index by now.
    await client.get('/resources/notes?filter[*]={"$text":{"$search":"secretword"}}');
  });

  const everything = async () => {
    const types = (await callOperator('GET', `${id}/types`)).body.meta['types'] as {
      name: string;
      exported: boolean;
    }[];
    const texts = types.filter((type) => type.exported).map(({ name }) => exported(id, name));
    return (await Promise.all(texts)).join('');
  };

  test('is told first, by type', async () => {
    const told = await app(['erase', id, ada.link.id, '--dry-run']);
    expect(told.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual(
      expect.arrayContaining([
        '2 theirs 2 name them notes',
        '1 theirs 0 name them core.user',
        '1 theirs 0 name them core.user.token',
        '0 theirs 1 name them core.user-group',
        '0 theirs 1 name them core.api-key',
        '0 theirs 1 name them core.type',
      ]),
    );
    expect((await under.get('/resources/notes', ada.headers)).body.meta.count).toBe(4);
  });

  test('stays when nobody says the word', async () => {
    await expect(app(['erase', id, ada.link.id], 'ada\n')).rejects.toThrow('Nothing was done');
    expect((await logIn(client, 'ada', PASSWORD)).status).toBe(201);
  });

  test('is gone, with the documents that are theirs', async () => {
    expect(await app(['erase', id, ada.link.id], `${ada.link.id}\n`)).toContain(`${ada.link.id}  erased`);
    expect((await under.get('/resources/notes', ada.headers)).status).toBe(401);
    expect(faultsOf(await logIn(client, 'ada', PASSWORD))).toEqual(['401 invalid-login Authorization:']);
    const left = await client.get('/resources/notes');
    expect(left.body.data.map((each) => each.id)).toEqual([shared.id, readable.id]);
    const found = await client.get('/resources/notes?filter[*]={"$text":{"$search":"secretword"}}');
    expect(found.body.meta.count).toBe(2);
  });

  test('is named nowhere: only that there was a user of this id is known', async () => {
    const text = await everything();
    const lines = text.split('\n').filter((line) => line.includes(ada.link.id));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { ...ada.link, meta: { deleted: true, readers: [] } },
    ]);
    expect(text).not.toContain('"ada"');
  });

  test('leaves what others answer for, with their rights', async () => {
    const acl = (level: string, link: Link) => client.get(`/resources/notes.${level}/${link.id}`);
    expect((await acl('acl.acl', shared)).body.data.attributes).toEqual({
      read: [],
      update: [eve.link],
    });
    expect((await acl('acl', readable)).body.data.attributes?.['read']).toEqual([eve.link]);
    expect((await under.get('/resources/notes', eve.headers)).body.meta.count).toBe(1);
  });

  test('frees what was unique, and is nobody when the name comes again', async () => {
    const again = await makeUser(client, 'ada');
    expect(again.link.id).not.toBe(ada.link.id);
    expect((await under.get('/resources/notes', again.headers)).body.meta.count).toBe(0);
  });

  test('is not told again what was answered before', async () => {
    const body = { data: { type: 'notes', attributes: { text: 'secretword' } } };
    const refused = await under.post('/resources/notes', body, { ...ada.headers, 'idempotency-key': 'once' });
    expect(refused.status).toBe(401);
  });

  test('can be erased again', async () => {
    expect(await app(['erase', id, ada.link.id, '--yes'])).toBe(`There is nothing of ${ada.link.id}.\n`);
    for (const ids of [
      [id, ada.link.id],
      [id.toUpperCase(), ada.link.id.toUpperCase()],
    ]) {
      const again = await callOperator('DELETE', ids.join('/users/core.user/') + '/data');
      expect(again.body.meta).toEqual({ types: [], more: false, held: [] });
    }
  });
});

test('a person with thousands of documents is erased in several calls', async () => {
  const client = await Client.create();
  const { link } = await makeUser(client, 'prolific');
  const lines = Array.from({ length: 2500 }, (_, n) =>
    JSON.stringify({
      type: 'notes',
      id: n.toString(16).padStart(24, '0'),
      attributes: { n },
      meta: { created: null, updated: null, creator: n % 5 === 0 ? null : link },
    }),
  );
  for (const from of [0, 1000, 2000]) {
    const body = `${lines.slice(from, from + 1000).join('\n')}\n`;
    const path = `${client.application}/documents/notes`;
    expect((await callOperator('POST', path, body)).status).toBe(200);
  }
  await erase(client, link);
  expect((await client.get('/resources/notes?page[limit]=1')).body.meta.count).toBe(500);
});

test('nobody has deleted what goes with a person, whoever wrote last', async () => {
  const own = await Client.create();
  await settle(own, { name: 'notes', history: 'forever' });
  const acl = await underAcl(own);
  const [ada, eve] = [await makeUser(own, 'ada'), await makeUser(own, 'eve')];
  const make = ({ headers }: Person) => acl.create('/resources/notes', { attributes: { n: 1 } }, headers);
  const { id } = (await make(ada)).body.data;
  await make(eve);
  await erase(own, ada.link);
  const [end] = versionsIn(await versionsOf(own, { type: 'notes', id }));
  expect(end).toMatchObject({ change: 'delete', user: null, key: null });
});

test('no check of the type keeps a user from being erased', async () => {
  const own = await Client.create();
  const under = await underAcl(own);
  const ada = await makeUser(own, 'ada');
  await settle(own, {
    name: 'core.user',
    checks: [{ name: 'keep', on: ['delete'], filter: { never: true } }],
  });
  const path = `/users/core.user/${ada.link.id}`;
  expect((await own.delete(path)).status).toBe(403);
  const erased = await callOperator('DELETE', `${own.application}${path}/data`);
  expect(erased.body.meta['types']).toContainEqual({ name: 'core.user', owned: 1, named: 0 });
  expect((await own.get(path)).body.data).toBeNull();
  expect((await logIn(own, 'ada', PASSWORD)).status).toBe(401);
  expect((await under.get('/resources/notes', ada.headers)).status).toBe(401);
});
