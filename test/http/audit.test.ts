/** The audit trail: who has changed what, and when (docs/audit.md). */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Client, pathOf, type Reply, type Resource } from '../support/client.ts';
import { app, erase } from '../support/app.ts';
import { setAccounts } from '../support/accounts.ts';
import { faultsOf } from '../support/faults.ts';
import { feedMeta } from '../support/feed.ts';
import { change, restore } from '../support/history.ts';
import { operate } from '../support/operations.ts';
import { OwnService, SECRETS } from '../support/own-service.ts';
import { makeUser, may, underAcl, type Person } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const TRAIL = '/audit/core.audit-entry';
const APPLICATIONS = '/applications/core.application';

const setDays = (client: Client, days: unknown, secret = inject('operatorSecret')): Promise<Reply> =>
  client.update(
    `${APPLICATIONS}/${client.application}`,
    { attributes: { 'audit-days': days } },
    { authorization: `Bearer ${secret}` },
  );

/** The entries about a document, once there are so many: they arrive a moment after the answer. */
async function entriesOf(client: Client, id: string, count: number): Promise<readonly Resource[]> {
  const path = `${TRAIL}?filter[target-id]="${id}"&sort=at`;
  await expect.poll(async () => (await client.get(path)).body.meta.count).toBe(count);
  return (await client.get(path)).body.data;
}

const toldOf = (entries: readonly Resource[]) =>
  entries.map(({ attributes = {} }) => [attributes['change'], attributes['method'], attributes['fields']]);

describe('an application with a trail', () => {
  let client: Client;
  let ada: Person;
  let under: Client;
  beforeAll(async () => {
    client = await Client.create('audited');
    await client.make('things', { before: true });
    expect((await setDays(client, 30)).status).toBe(200);
    ada = await makeUser(client, 'ada');
    under = await underAcl(client);
  });

  test('notes that a version was restored, of a document that is there and of a deleted one', async () => {
    await settle(client, { name: 'papers', history: 'forever' });
    const made = await client.make('papers', { n: 1 });
    await change(client, made, { n: 2 });
    await restore(client, made, 1);
    await client.delete(pathOf(made));
    await restore(client, made, 2);
    const changes = toldOf(await entriesOf(client, made.id, 5)).map(([kind, , fields]) => [kind, fields]);
    expect(changes.toSorted()).toEqual([
      ['create', ['n']],
      ['delete', []],
      ['restore', ['n']],
      ['restore', ['n']],
      ['update', ['n']],
    ]);
  });

  test('notes changes of account settings, and their feed has them', async () => {
    const id = await setAccounts(client, { name: 'Shop', 'sign-up': 'closed' });
    const type = 'core.account-settings';
    const { mark } = feedMeta(await client.get(`/users/${type}/changes?changes[since]=`));
    const changed = await client.update(`/users/${type}/${id}`, { attributes: { 'sign-up': 'open' } });
    expect(changed.status).toBe(200);
    const { data } = (await client.get(`/users/${type}/changes?changes[since]=${mark}`)).body;
    expect(data).toEqual([changed.body.data]);
    expect(toldOf(await entriesOf(client, id, 2))).toEqual([
      ['create', 'POST', ['name', 'sign-up', 'scope']],
      ['update', 'PATCH', ['sign-up']],
    ]);
  });

  test('notes every kind of change, with names of fields and never values', async () => {
    const friend = await client.make('things', { name: 'friend' });
    const made = await client.make('things', { title: 'S3cret-title', n: 1 });
    const path = `/resources/things/${made.id}`;
    await client.update(path, { attributes: { n: 2, title: 'S3cret-title' } });
    const link = { type: 'things', id: friend.id };
    await client.patch(`${path}/relationships/friend`, { data: link });
    await client.update(`/resources/things.acl/${made.id}`, { attributes: { read: [ada.link] } });
    await client.delete(path);
    const entries = await entriesOf(client, made.id, 5);
    const told = toldOf(entries);
    expect(told).toHaveLength(5);
    expect(told).toEqual(
      expect.arrayContaining([
        ['create', 'POST', ['title', 'n']],
        ['update', 'PATCH', ['n']],
        ['relationships', 'PATCH', ['friend']],
        ['acl', 'PATCH', ['acl.read']],
        ['delete', 'DELETE', []],
      ]),
    );
    expect(JSON.stringify(entries)).not.toContain('S3cret');
  });

  test('notes the key, the user, the request and the time', async () => {
    const made = await under.create('/resources/things', {}, ada.headers);
    const [entry] = await entriesOf(client, made.body.data.id, 1);
    const keys = await client.get('/api-keys/core.api-key?filter[name]=a key');
    expect(entry?.attributes).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      expires: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      change: 'create',
      'target-type': 'things',
      'target-id': made.body.data.id,
      fields: [],
      method: 'POST',
      key: keys.body.data[0]?.id,
      'key-name': 'a key',
      user: ada.link,
      request: made.headers.get('x-request-id'),
    });
    const { at, expires } = entry?.attributes ?? {};
    expect(Date.parse(String(expires)) - Date.parse(String(at))).toBe(30 * 86_400_000);
  });

  test('notes each operation of a list, and none of a list that was undone', async () => {
    const add = (n: number) => ({ op: 'add', data: { type: 'things', attributes: { list: n } } });
    const operations = Array.from({ length: 250 }, (_, n) => add(n));
    const sent = await operate(client, operations);
    expect(sent.status).toBe(200);
    const request = sent.headers.get('x-request-id') ?? '';
    const path = `${TRAIL}?filter[request]="${request}"&page[limit]=1`;
    await expect.poll(async () => (await client.get(path)).body.meta.count).toBe(250);
    const undone = await operate(client, [
      add(1),
      { op: 'remove', ref: { type: 'things', id: 'f'.repeat(24) } },
    ]);
    expect(undone.status).toBe(404);
    const last = await client.make('things', { last: true });
    await entriesOf(client, last.id, 1);
    const none = `${TRAIL}?filter[request]="${undone.headers.get('x-request-id') ?? ''}"`;
    expect((await client.get(none)).body.meta.count).toBe(0);
  });

  test('tells changes of users and keys without their secrets', async () => {
    const made = await client.create('/users/core.user', {
      attributes: { username: 'carl', password: 'S3cret-pass' },
    });
    const entries = await entriesOf(client, made.body.data.id, 1);
    expect(toldOf(entries)).toEqual([['create', 'POST', ['username', 'password']]]);
    expect(JSON.stringify(entries)).not.toMatch(/S3cret|scrypt|carl/);
  });

  test('lets nobody write it', async () => {
    const [entry] = (await client.get(`${TRAIL}?page[limit]=1`)).body.data;
    const data = { type: 'core.audit-entry', id: entry?.id, attributes: { change: 'forged' } };
    const one = `${TRAIL}/${entry?.id ?? ''}`;
    for (const [method, path] of [
      ['POST', TRAIL],
      ['PATCH', one],
      ['DELETE', one],
      ['DELETE', TRAIL],
    ] as const) {
      const refused = await client.send(method, path, { body: { data } });
      expect(faultsOf(refused)).toEqual(['405 method-not-allowed']);
      expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
    const forged = { type: 'core.audit-entry', attributes: { change: 'forged' } };
    const listed = await operate(client, [{ op: 'add', data: forged }]);
    expect(listed.status).toBeGreaterThanOrEqual(400);
    for (const path of ['/resources/core.audit-entry', `/audit/core.audit-entry.acl/${entry?.id ?? ''}`]) {
      expect((await client.get(path)).status).toBe(404);
    }
    expect((await client.get(`${TRAIL}?filter[change]=forged`)).body.meta.count).toBe(0);
    const linked = await client.create('/resources/things', {
      relationships: { entry: { data: { type: 'core.audit-entry', id: entry?.id } } },
    });
    expect(linked.status).toBe(422);
    const aggregate = await client.create('/aggregates/core.aggregate', {
      attributes: {
        'input-type': 'core.audit-entry',
        'output-type': 'agt.trail',
        pipeline: [{ limit: 1 }],
      },
    });
    expect(aggregate.status).toBe(422);
  });

  test('shows it to keys that permit it, and of users to those alone whom no ACL concerns', async () => {
    expect((await under.get(TRAIL, ada.headers)).body.meta.count).toBe(0);
    const [entry] = (await client.get(`${TRAIL}?page[limit]=1`)).body.data;
    expect((await under.get(`${TRAIL}/${entry?.id ?? ''}`, ada.headers)).status).toBe(403);
    const other = await client.withPermissions([may('get', '/resources/.*')]);
    expect((await other.get(TRAIL)).status).toBe(403);
    const reader = await client.withPermissions([may('get', '/audit/core\\.audit-entry')]);
    expect(
      (await reader.get(`${TRAIL}?filter[change]=create&sort=-at&page[limit]=2`)).body.data,
    ).toHaveLength(2);
    const acl = { active: true, 'document-access-list': [ada.link] };
    const exempting = await client.withPermissions([may('get', '/audit/core\\.audit-entry', { acl })]);
    const eve = await makeUser(client, 'hers');
    const seen = [ada, eve].map(({ headers }) => exempting.get(TRAIL, headers));
    expect((await Promise.all(seen)).map(({ body }) => body.meta.count > 0)).toEqual([true, false]);
  });

  test('keeps no name of a person who is erased', async () => {
    const eve = await makeUser(client, 'eve');
    const made = await under.create('/resources/things', {}, eve.headers);
    await entriesOf(client, made.body.data.id, 1);
    await erase(client, eve.link);
    const [entry] = await entriesOf(client, made.body.data.id, 1);
    expect(entry?.attributes?.['user']).toBeNull();
    const naming = await client.get(`${TRAIL}?filter[user.id]="${eve.link.id}"`);
    expect(naming.body.meta.count).toBe(0);
    expect((await client.get(`${TRAIL}?filter[target-id]="${eve.link.id}"`)).body.meta.count).toBe(0);
  });

  test('ends with the command', async () => {
    expect(await app(['audit', client.application, 'off'])).toContain('no audit trail');
    const before = await client.make('things', { quiet: true });
    expect(await app(['audit', client.application, '1'])).toContain('for 1 days');
    const after = await client.make('things', { quiet: false });
    await entriesOf(client, after.id, 1);
    expect((await client.get(`${TRAIL}?filter[target-id]="${before.id}"`)).body.meta.count).toBe(0);
  });
});

test('without being asked for there is none', async () => {
  const client = await Client.create();
  await client.make('things', {});
  expect((await client.get(TRAIL)).body.meta.count).toBe(0);
});

test.each([0, 1.5, 4000, '30', true])('it is not kept for %j days', async (days) => {
  const client = await Client.create();
  expect(faultsOf(await setDays(client, days))).toEqual([
    '422 invalid-attribute /data/attributes/audit-days',
  ]);
});

describe('a crash after the answer', () => {
  let service: OwnService;
  beforeAll(async () => {
    service = await OwnService.start();
  });
  afterAll(() => service.stop());

  test('loses no entry', async () => {
    await setDays(service.client, 30, SECRETS.OPERATOR_SECRET);
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, n) => service.client.make('things', { n })),
    );
    await service.restart();
    const path = `${TRAIL}?filter[target-type]=things&page[limit]=1`;
    await expect.poll(async () => (await service.client.get(path)).body.meta.count).toBe(made.length);
  });
});
