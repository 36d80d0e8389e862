/** The history of documents (docs/history.md): which versions are kept, who sees them, and what they show. */
import { beforeAll, describe, expect, test } from 'vitest';
import { erase } from '../support/app.ts';
import { Client, NO_ID, pathOf, type Link, type Reply } from '../support/client.ts';
import { change, listed, versionOf, versionsIn, versionsOf } from '../support/history.ts';
import { operateWith } from '../support/operations.ts';
import { EVERY_METHOD, grant, makeUser, may, underAcl, type Person } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { resettle, settle } from '../support/type-settings.ts';

let types = 0;
const client = await Client.create();

async function newType(history: unknown = 'forever', settings: object = {}): Promise<string> {
  const type = `notes${(types += 1)}`;
  const settled = await settle(client, { name: type, history, ...settings });
  if (settled.status !== 201) throw new Error(settled.text);
  return type;
}

const told = (reply: Reply) => [reply.status, ...codes(reply)];

describe('the setting history', () => {
  test.each([
    ['forever', 201],
    [{ days: 30 }, 201],
    [{ versions: 50 }, 201],
    [{ days: 1, versions: 1 }, 201],
    [{ hold: '2020-01-01T00:00:00Z' }, 201],
    [{ days: 30, versions: 50, hold: '2020-01-01T00:00:00Z' }, 201],
    [null, 201],
    [{ hold: 'later' }, 422],
    [{ hold: 30 }, 422],
    [{ days: 30, hold: null }, 422],
    [true, 422],
    [{}, 422],
    [{ days: 0 }, 422],
    [{ days: 1.5 }, 422],
    [{ days: 36_501 }, 422],
    [{ versions: 1_001 }, 422],
    [{ days: 1, weeks: 1 }, 422],
  ])('%j is %s', async (history, status) => {
    const settled = await settle(client, { name: `set${(types += 1)}`, history });
    expect(settled.status).toBe(status);
    if (status === 422)
      expect(settled.body.errors[0]?.source).toEqual({ pointer: '/data/attributes/history' });
  });

  test('is for types of resources', async () => {
    expect(told(await settle(client, { name: 'core.user', history: 'forever' }))).toEqual([
      422,
      'invalid-attribute',
    ]);
  });
});

describe('every change makes a version', () => {
  test('newest first, with number, kind, time and key', async () => {
    const made = await client.make(await newType(), { name: 'a' });
    await change(client, made, { name: 'b' });
    await client.patch(`${pathOf(made)}/relationships/next`, { data: { type: made.type, id: made.id } });
    await client.delete(pathOf(made));
    const reply = await versionsOf(client, made);
    expect(listed(reply)).toEqual(['4 delete', '3 relationships', '2 update', '1 create']);
    const [deleted] = versionsIn(reply);
    expect(deleted).toEqual({
      number: 4,
      change: 'delete',
      at: expect.stringMatching(/^20.*Z$/) as string,
      until: null,
      user: null,
      key: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
    });
    expect(reply.body.data.map(({ type }) => type)).toEqual(Array(4).fill('core.version'));
  });

  test('in operations and changes of many, too', async () => {
    const made = await client.make(await newType(), { name: 'a' });
    const { type } = made;
    const content = { data: { type, attributes: { name: 'b' } }, meta: { limit: 9 } };
    const bulk = await client.withPermissions([{ path: '/.*', methods: [...EVERY_METHOD, 'bulk'] }]);
    expect((await bulk.patch(`/resources/${type}?filter[name]=a`, content)).body.meta.count).toBe(1);
    const ref = { type, id: made.id };
    const list = { 'atomic:operations': [{ op: 'remove', ref }] };
    expect((await operateWith(client, list)).status).toBe(204);
    expect(listed(await versionsOf(client, made))).toEqual(['3 delete', '2 update', '1 create']);
  });

  test('each shows the document as it was', async () => {
    const made = await client.make(await newType(), { name: 'a', at: { $date: '2026-01-01T00:00:00Z' } });
    await change(client, made, { name: 'b', more: 1 });
    await client.delete(pathOf(made));
    const [first, second, third, none] = await Promise.all(
      [1, 2, 3, 4].map((n) => versionOf(client, made, n)),
    );
    expect(first?.body.data).toMatchObject({ id: made.id, attributes: made.attributes });
    expect(first?.body.meta).toMatchObject({ number: 1, change: 'create' });
    expect(second?.body.data.attributes).toEqual({ ...made.attributes, name: 'b', more: 1 });
    expect(third?.body).toMatchObject({ data: null, meta: { number: 3, change: 'delete' } });
    expect(none && told(none)).toEqual([404, 'version-not-found']);
  });

  test('with the fields that are asked for', async () => {
    const made = await client.make(await newType(), { name: 'a', text: 'long' });
    const read = await client.get(`${pathOf(made)}/versions/1?fields[${made.type}]=name`);
    expect(read.body.data.attributes).toEqual({ name: 'a' });
  });
});

describe('a document that was there before its history', () => {
  test('has what it is now as its first version', async () => {
    const type = `notes${(types += 1)}`;
    const made = await client.make(type, { name: 'a' });
    await change(client, made, { name: 'b' });
    await settle(client, { name: type, history: 'forever' });
    expect(listed(await versionsOf(client, made))).toEqual(['1 unknown']);
    expect((await versionOf(client, made, 1)).body.data.attributes).toEqual({ name: 'b' });
    await change(client, made, { name: 'c' });
    expect(listed(await versionsOf(client, made))).toEqual(['2 update', '1 unknown']);
    expect((await versionOf(client, made, 1)).body.data.attributes).toEqual({ name: 'b' });
  });

  test('goes on counting where the history was off for a while', async () => {
    const made = await client.make(await newType(), { name: 'a' });
    await resettle(client, made.type, { history: null });
    await change(client, made, { name: 'unseen' });
    await resettle(client, made.type, { history: 'forever' });
    await change(client, made, { name: 'c' });
    const [newest, before] = versionsIn(await versionsOf(client, made));
    expect([newest?.change, before?.change]).toEqual(['update', 'unknown']);
    expect((await versionOf(client, made, before?.number ?? 0)).body.data.attributes).toEqual({
      name: 'unseen',
    });
  });
});

describe('pages', () => {
  test('go by cursor, newest first', async () => {
    const made = await client.make(await newType(), { n: 1 });
    for (let n = 2; n <= 5; n += 1) await change(client, made, { n });
    const seen: number[] = [];
    let next: string | null = `${pathOf(made)}/versions?page[size]=2`;
    for (let pages = 0; next !== null && pages < 5; pages += 1) {
      const page: Reply = await client.get(next);
      seen.push(...versionsIn(page).map(({ number }) => number));
      next = page.body.links.next;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  test('of one document are no pages of another', async () => {
    const type = await newType();
    const [one, other] = [await client.make(type, { n: 1 }), await client.make(type, { n: 1 })];
    await change(client, one, { n: 2 });
    const { next } = (await versionsOf(client, one, {}, '?page[size]=1')).body.links;
    expect(told(await client.get(String(next).replace(one.id, other.id)))).toEqual([
      400,
      'invalid-parameter',
    ]);
  });

  test.each(['page[number]=2', 'page[offset]=1', 'filter[n]=1', 'sort=n', 'include=next', 'fields[x]=y'])(
    '%s is 400',
    async (query) => {
      const made = await client.make(await newType(), { n: 1 });
      expect(told(await versionsOf(client, made, {}, `?${query}`))).toEqual([400, 'invalid-parameter']);
    },
  );
});

describe('what is kept', () => {
  test('as many versions as the setting says, at once', async () => {
    const made = await client.make(await newType({ versions: 2 }), { n: 1 });
    for (let n = 2; n <= 5; n += 1) await change(client, made, { n });
    expect(listed(await versionsOf(client, made))).toEqual(['5 update', '4 update', '3 update']);
    expect(told(await versionOf(client, made, 2))).toEqual([404, 'version-not-found']);
    expect((await versionOf(client, made, 3)).body.data.attributes).toEqual({ n: 3 });
  });

  test('nothing where the setting goes: a relationship may have the name then', async () => {
    const made = await client.make(await newType(), { n: 1 });
    await change(client, made, { n: 2 });
    await client.patch(`${pathOf(made)}/relationships/versions`, {
      data: { type: made.type, id: made.id },
    });
    await resettle(client, made.type, { history: null });
    const related = await client.get(`${pathOf(made)}/versions?fields[${made.type}]=n`);
    expect(related.body.data.map(({ id }) => id)).toEqual([made.id]);
    expect(told(await versionOf(client, made, 1))).toEqual([404, 'version-not-found']);
  });
});

describe('versions are for those who may read the document now', () => {
  let acl: Client;
  let ada: Person;
  let eve: Person;
  beforeAll(async () => {
    acl = await underAcl(client);
    ada = await makeUser(client, 'ada');
    eve = await makeUser(client, 'eve');
  });

  async function makeAs(person: Person): Promise<Link> {
    const type = await newType();
    const made = await acl.create(`/resources/${type}`, { attributes: { n: 1 } }, person.headers);
    return { type, id: made.body.data.id };
  }

  test('with the user who made each, and no key', async () => {
    const made = await makeAs(ada);
    await change(acl, made, { n: 2 }, ada.headers);
    await change(client, made, { n: 3 });
    const seen = versionsIn(await versionsOf(acl, made, ada.headers));
    expect(seen.map(({ user }) => user)).toEqual([null, ada.link, ada.link]);
    expect(seen.every((version) => !('key' in version))).toBe(true);
  });

  test('who may not read it learns no more than of a document that never was', async () => {
    const made = await makeAs(ada);
    const there = [await versionsOf(acl, made, eve.headers), await versionOf(acl, made, 1, eve.headers)];
    const never = { ...made, id: NO_ID };
    const nowhere = [await versionsOf(acl, never, eve.headers), await versionOf(acl, never, 1, eve.headers)];
    expect(there.map(told)).toEqual([
      [404, 'document-not-found'],
      [404, 'version-not-found'],
    ]);
    const bare = ({ text }: Reply) => text.replaceAll(made.id, '').replaceAll(NO_ID, '');
    expect(there.map(bare)).toEqual(nowhere.map(bare));
  });
});

describe('rules of a key', () => {
  const all = may(EVERY_METHOD, '/.*');
  const withRule = (rule: object) => client.withPermissions([{ ...all, ...rule }]);

  test('where: the document as it is, and each version as it was, must meet it', async () => {
    const made = await client.make(await newType(), { open: false, n: 1 });
    await change(client, made, { open: true, n: 2 });
    await change(client, made, { open: true, n: 3 });
    const some = await withRule({ where: { open: true } });
    expect(listed(await versionsOf(some, made))).toEqual(['3 update', '2 update']);
    expect((await versionOf(some, made, 2)).body.data.attributes).toEqual({ open: true, n: 2 });
    expect(told(await versionOf(some, made, 1))).toEqual([404, 'version-not-found']);
    await change(client, made, { open: false });
    expect((await versionsOf(some, made)).status).toBe(404);
    expect((await versionOf(some, made, 2)).status).toBe(404);
    await change(client, made, { open: true });
    await client.delete(pathOf(made));
    expect(listed(await versionsOf(some, made))).toEqual(['6 delete', '5 update', '3 update', '2 update']);
    expect((await some.get(pathOf(made))).body.data).toBeNull();
  });

  test.each([
    ['its end did not meet the where', 'forever', { open: false }],
    ['there is no history', null, { open: true }],
  ])('where: a deleted document was never there, if %s', async (_, history, attributes) => {
    const type = await newType(history);
    const made = await client.make(type, attributes);
    await client.delete(pathOf(made));
    const some = await withRule({ where: { open: true } });
    expect(told(await some.get(pathOf(made)))).toEqual([403, 'forbidden']);
  });

  test('fields: hidden ones are in no version, nor is what hides with them', async () => {
    const made = await client.make(await newType(), { name: 'a', salary: 1 });
    await change(client, made, { salary: 2 });
    const some = await withRule({ fields: { read: ['name'] } });
    const read = await versionOf(some, made, 1);
    expect(read.body.data.attributes).toEqual({ name: 'a' });
    expect(Object.keys(read.body.meta)).toEqual(['number', 'change', 'key']);
  });

  test('the permission of the address of the document counts, too', async () => {
    const type = await newType();
    const made = await client.make(type, { name: 'a', salary: 1 });
    const path = `/resources/${type}/[^/]+`;
    const narrow = await client.withPermissions([
      may('get', path, { fields: { read: ['name'] } }),
      may('get', `${path}/versions.*`),
    ]);
    expect((await versionOf(narrow, made, 1)).body.data.attributes).toEqual({ name: 'a' });
    const none = await client.withPermissions([
      may('get', `${path}/versions.*`, { fields: { read: ['salary'] } }),
    ]);
    expect((await versionOf(none, made, 1)).status).toBe(404);
  });
});

test.each(['0', '-1', '01', '1.0', 'x', '1'.repeat(16)])('the number %s is no address', async (number) => {
  const made = await client.make(await newType(), { n: 1 });
  expect(told(await client.get(`${pathOf(made)}/versions/${number}`))).toEqual([404, 'not-found']);
});

test('a user who is erased is in no version', async () => {
  const own = await Client.create();
  await settle(own, { name: 'notes', history: 'forever' });
  const ada = await makeUser(own, 'ada');
  const acl = await underAcl(own);
  const made = await own.make('notes', { n: 1 });
  await grant(own, pathOf(made), { read: '*', update: '*' });
  await change(acl, made, { n: 2 }, ada.headers);
  await change(own, made, { n: 3 });
  await erase(own, ada.link);
  const versions = await versionsOf(own, made);
  expect(versions.text).not.toContain(ada.link.id);
  expect(versionsIn(versions).map(({ user }) => user)).toEqual([null, 'erased', null]);
});
