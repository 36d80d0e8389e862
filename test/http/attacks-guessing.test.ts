/**
 * Attacks by guessing: whether a document that may not be seen can be found by its values, by what leads to it, or
 * from another application. A right guess must be answered as a wrong one is.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { moveIn, settle, type Person } from '../support/attack.ts';
import { apartFromSelf, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

/** Ada's friends may read a second note of hers; Mallory is none of them. */
let group: Link;
let shared: Link;
const [town, other] = await Promise.all([settle(), settle()]);
await share();
await town.keep();

async function share(): Promise<void> {
  const { web, ada } = town;
  const members = { users: { data: [{ type: ada.type, id: ada.id }] } };
  const made = await web.create('/users/core.user-group', { relationships: members }, ada.headers);
  group = { type: 'core.user-group', id: made.body.data.id };
  const note = await web.create('/resources/shared', { attributes: { a: 1 } }, ada.headers);
  shared = { type: 'shared', id: note.body.data.id };
  await web.update(`/resources/shared.acl/${shared.id}`, { attributes: { read: [group] } }, ada.headers);
}

const list = (query: string, path = '/resources/notes') =>
  town.web.get(`${path}?${query}`, town.mallory.headers);
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** By values of fields: rules/two-worlds.test.ts, at random. */
describe('a search answers a right guess as it answers a wrong one', () => {
  test.each<[string, (right: boolean) => string]>([
    ['an id', (right) => `filter[id]=${json({ $in: [{ $oid: right ? town.note.id : NO_ID }] })}`],
    ['a range of ids', (right) => `filter[id]=${json({ $gte: { $oid: right ? '0'.repeat(24) : NO_ID } })}`],
    ['the type', (right) => `filter[type]=${json(right ? 'notes' : 'other')}`],
    ['a page after it', (right) => `page[after]=&page[size]=${right ? 1 : 2}`],
    ['fields', (right) => `fields[notes]=${right ? 'pin' : 'nothing'}`],
    ['who may read it', (right) => `filter[acl.read]=${json(right ? town.ada.id : town.mallory.id)}`],
  ])('%s', async (name, query) => {
    // The right guess is one: whoever may read the note finds it so. Rights are no part of it.
    const found = await town.web.get(`/resources/notes?${query(true)}`, town.ada.headers);
    expect(found.body.meta.count).toBe(name === 'who may read it' ? 0 : 1);
    const [right, wrong] = [await list(query(true)), await list(query(false))];
    expect(right.body).toEqual({
      meta: { count: 0, warnings: [expect.objectContaining({ code: 'no-documents' })] },
      data: [],
      links: { self: expect.any(String) as string, first: null, last: null, prev: null, next: null },
    });
    expect([right.status, apartFromSelf(right)]).toEqual([wrong.status, apartFromSelf(wrong)]);
  });

  test.each<[string, string, (right: boolean) => string]>([
    ['a user by the name', '/users/core.user', (right) => `filter[username]=${json(right ? 'ada' : 'abc')}`],
    [
      'a user by the hash',
      '/users/core.user',
      (right) =>
        `filter[password]=${json({ $regex: right ? '^\\$s' : '^\\$t' })}&filter[username]=${json({ $ne: 'mallory' })}`,
    ],
    [
      'a group by its member',
      '/users/core.user-group',
      (right) => `filter[users.id]=${json({ $oid: right ? town.ada.id : NO_ID })}`,
    ],
    [
      'a key by its name',
      '/api-keys/core.api-key',
      (right) => `filter[name]=${json(right ? 'first key' : 'x')}`,
    ],
  ])('%s', async (_, path, query) => {
    const [right, wrong] = [await list(query(true), path), await list(query(false), path)];
    expect([right.status, apartFromSelf(right)]).toEqual([wrong.status, apartFromSelf(wrong)]);
    expect(right.body.data).toEqual([]);
  });

  test("and finds one's own", async () => {
    const found = await list(`filter[username]=${json('mallory')}`, '/users/core.user');
    expect(found.body.data.map(({ id }) => id)).toEqual([town.mallory.id]);
  });
});

describe('a link to what may not be seen shows nothing of it', () => {
  let path: string;
  const pointing = { note: '', group: '', ada: '' };
  beforeAll(async () => {
    const to = (link: Link) => ({ data: { type: link.type, id: link.id } });
    const relationships = { note: to(town.note), group: to(group), ada: to(town.ada), shared: to(shared) };
    const made = await town.web.create('/resources/pointers', { relationships }, town.mallory.headers);
    path = `/resources/pointers/${made.body.data.id}`;
    Object.assign(pointing, relationships);
  });

  test('by include, however deep', async () => {
    const read = await town.web.get(
      `${path}?include=note,group.users,ada,shared,note.a.b.c.d`,
      town.mallory.headers,
    );
    expect(read.body.included).toEqual([]);
    const listed = await list('include=note,group,ada,shared', '/resources/pointers');
    expect([listed.body.meta.count, listed.body.included]).toEqual([1, []]);
  });

  test.each(['note', 'group', 'ada', 'shared'])('by the related read of %s', async (name) => {
    const related = await town.web.get(`${path}/${name}?include=users`, town.mallory.headers);
    expect([related.body.data, related.body.included]).toEqual([[], []]);
  });

  test('by a filter through the link', async () => {
    const found = await list(`filter[note.pin]=${json(4711)}`, '/resources/pointers');
    expect(found.body.meta.count).toBe(0);
  });

  test('of a user token not even to a service, because no endpoint reads one', async () => {
    const [, payload = ''] = town.ada.token.split('.');
    const id = atob(payload).split('/')[2] ?? '';
    const token = { data: { type: 'core.user.token', id } };
    const made = await town.service.make('pointers', undefined, { token });
    const own = `/resources/pointers/${made.id}`;
    expect((await town.service.get(`${own}?include=token`)).body.included).toEqual([]);
    expect((await town.service.get(`${own}/token`)).body.data).toEqual([]);
    expect((await town.service.get(`/users/core.user.token/${id}`)).status).toBe(405);
  });
});

describe("a group is joined by nobody on one's own account", () => {
  const users = (...members: readonly Person[]) => ({
    users: { data: members.map(({ type, id }) => ({ type, id })) },
  });

  test('not by changing it, nor its rights', async () => {
    const { web, mallory } = town;
    const data = { type: group.type, id: group.id, relationships: users(mallory) };
    expect(
      faultsOf(await web.patch(`/users/core.user-group/${group.id}`, { data }, mallory.headers)),
    ).toEqual(['403 forbidden']);
    const rights = {
      type: 'core.user-group.acl',
      id: group.id,
      attributes: { update: [{ type: mallory.type, id: mallory.id }] },
    };
    expect(
      (await web.patch(`/users/core.user-group.acl/${group.id}`, { data: rights }, mallory.headers)).status,
    ).toBe(403);
    expect((await web.get(`/resources/shared/${shared.id}`, mallory.headers)).status).toBe(403);
  });

  test('not by a group of the same make', async () => {
    const { web, mallory, ada, service } = town;
    const body = {
      data: { type: 'core.user-group', attributes: { id2: group.id }, relationships: users(mallory, ada) },
    };
    const made = await web.post('/users/core.user-group', body, mallory.headers);
    expect(made.status).toBe(201);
    expect((await web.get(`/resources/shared/${shared.id}`, mallory.headers)).status).toBe(403);
    await service.delete(`/users/core.user-group/${made.body.data.id}`);
  });
});

describe('another application is another world', () => {
  test('its users have no rights here, not even where they are named', async () => {
    const { web, ada, service } = town;
    const note = await web.create('/resources/open', {}, ada.headers);
    const named = { read: [{ type: other.mallory.type, id: other.mallory.id }] };
    const path = `/resources/open.acl/${note.body.data.id}`;
    expect((await web.update(path, { attributes: named }, ada.headers)).status).toBe(200);
    expect((await web.get(path.replace('.acl', ''), other.mallory.headers)).status).toBe(401);
    expect((await other.service.get(path.replace('.acl', ''))).status).toBe(404);
    await service.delete(path.replace('.acl', ''));
  });

  test('its passwords open nothing here', async () => {
    const stranger = await moveIn(other.service, 'stranger');
    const login = await town.web.post('/users/core.user.token', undefined, {
      authorization: `Basic ${btoa(`${stranger.name}:${stranger.password}`)}`,
    });
    expect(faultsOf(login)).toEqual(['401 invalid-login Authorization:']);
  });
});

test('after all of this nothing is changed, and Ada reads her note', () => town.expectUntouched());
