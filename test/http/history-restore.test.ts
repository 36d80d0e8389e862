/** Versions that are restored (docs/history.md#restore): a change like any, also of a document that was deleted. */
import { describe, expect, test } from 'vitest';
import { NO_ID, pathOf, type Link, type Reply } from '../support/client.ts';
import { feedMeta } from '../support/feed.ts';
import { useHistoryUsers } from '../support/history-users.ts';
import { change, listed, restore, versionsOf } from '../support/history.ts';
import { ACL, EVERY_METHOD, grant, may, type Person } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { makeSchema, resettle } from '../support/type-settings.ts';

const world = useHistoryUsers();

const told = (reply: Reply) => [reply.status, ...(reply.status < 400 ? [] : codes(reply))];
const read = (document: Link, headers = {}) => world.client.get(pathOf(document), headers);
const remove = (document: Link) => world.client.delete(pathOf(document));

/** A document of Ada's, changed once: its first version has n = 1. */
async function makeAs(person: Person, settings: object = {}): Promise<Link> {
  const type = await world.newType(settings);
  const made = await world.acl.create(`/resources/${type}`, { attributes: { n: 1 } }, person.headers);
  const document = { type, id: made.body.data.id };
  await change(world.client, document, { n: 2, more: true });
  return document;
}

describe('a version of a document that is there', () => {
  test('is what the document is from then on, without the fields that came later', async () => {
    const made = await world.client.make(await world.newType(), { n: 1, old: 'x' });
    await change(world.client, made, { n: 2, more: true });
    const restored = await restore(world.client, made, 1);
    expect([restored.status, restored.body.data.attributes]).toEqual([200, { n: 1, old: 'x' }]);
    expect((await read(made)).body.data.attributes).toEqual({ n: 1, old: 'x' });
    expect(restored.etag).toBe((await read(made)).etag);
    expect(listed(await versionsOf(world.client, made))).toEqual(['3 restore', '2 update', '1 create']);
  });

  test('with its relationships', async () => {
    const type = await world.newType();
    const target = await world.client.make(type, {});
    const made = await world.client.make(type, {}, { next: { data: { type, id: target.id } } });
    await world.client.patch(`${pathOf(made)}/relationships/next`, { data: null });
    await restore(world.client, made, 1);
    expect((await read(made)).body.data.relationships?.['next']?.data).toEqual({ type, id: target.id });
  });

  test.each([
    ['a version that never was', 9, 'version-not-found'],
    ['a document that never was', 1, 'version-not-found'],
  ])('%s is 404', async (what, n, code) => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    const id = what.startsWith('a document') ? NO_ID : made.id;
    expect(told(await restore(world.client, { ...made, id }, n))).toEqual([404, code]);
  });

  test('of a type without a history, there is none', async () => {
    const made = await world.client.make('plain', { n: 1 });
    expect(told(await restore(world.client, made, 1))).toEqual([404, 'version-not-found']);
    expect(told(await restore(world.client, { type: 'never', id: NO_ID }, 1))).toEqual([
      404,
      'version-not-found',
    ]);
  });

  test('only where If-Match holds', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    const changed = await change(world.client, made, { n: 2 });
    const stale = await restore(world.client, made, 1, { 'if-match': made.etag });
    expect(told(stale)).toEqual([412, 'precondition-failed']);
    expect((await restore(world.client, made, 1, { 'if-match': changed.etag })).status).toBe(200);
    expect((await read(made)).body.data.attributes).toEqual({ n: 1 });
  });

  test('is told by the feed', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await change(world.client, made, { n: 2 });
    const feed = (since: string) =>
      world.client.get(`/resources/${made.type}/changes?changes[since]=${since}`);
    const { mark } = feedMeta(await feed(''));
    await restore(world.client, made, 1);
    expect((await feed(mark)).body.data).toMatchObject([{ id: made.id, attributes: { n: 1 } }]);
  });

  test('once, however often the same request comes', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await change(world.client, made, { n: 2 });
    const headers = { 'idempotency-key': 'again' };
    const first = await restore(world.client, made, 1, headers);
    const second = await restore(world.client, made, 1, headers);
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(listed(await versionsOf(world.client, made))).toHaveLength(3);
  });

  test.each([
    ['may read it only', { read: [] as Link[] }, 403, 'forbidden'],
    ['may not read it', { update: [] as Link[] }, 404, 'version-not-found'],
  ])('not by who %s', async (_, rights, status, code) => {
    const made = await makeAs(world.ada);
    const [right = ''] = Object.keys(rights);
    await grant(world.client, pathOf(made), { read: [], update: [], [right]: [world.eve.link] });
    expect(told(await restore(world.acl, made, 1, world.eve.headers))).toEqual([status, code]);
  });
});

describe('what holds today decides', () => {
  test('schemas', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await change(world.client, made, { n: 2, title: 'x' });
    await makeSchema(world.client, made.type, { attributes: { required: ['title'] } });
    expect(told(await restore(world.client, made, 1))).toEqual([422, 'schema-violation']);
    await remove(made);
    expect(told(await restore(world.client, made, 1))).toEqual([422, 'schema-violation']);
    expect((await restore(world.client, made, 2)).status).toBe(200);
  });

  test('checks of the type, and fields that it computes', async () => {
    const made = await world.client.make(await world.newType({ set: { twice: { $multiply: ['$n', 2] } } }), {
      n: 1,
    });
    await change(world.client, made, { n: 2 });
    const checks = [{ name: 'large', filter: { n: { $gte: 2 } } }];
    await resettle(world.client, made.type, { checks, set: { twice: { $multiply: ['$n', 20] } } });
    for (const isDeleted of [false, true]) {
      if (isDeleted) await remove(made);
      expect(told(await restore(world.client, made, 1))).toEqual([403, 'rule-violated']);
      expect((await restore(world.client, made, 2)).body.data.attributes).toEqual({ n: 2, twice: 40 });
    }
  });

  test('unique values', async () => {
    const made = await world.client.make(await world.newType({ unique: [['slug']] }), { slug: 'a' });
    await change(world.client, made, { slug: 'b' });
    const other = await world.client.make(made.type, { slug: 'a' });
    expect(told(await restore(world.client, made, 1))).toEqual([409, 'value-taken']);
    await remove(made);
    expect(told(await restore(world.client, made, 1))).toEqual([409, 'value-taken']);
    await remove(other);
    expect((await restore(world.client, made, 1)).status).toBe(200);
    const again = await world.client.create(`/resources/${made.type}`, { attributes: { slug: 'a' } });
    expect(told(again)).toEqual([409, 'value-taken']);
  });

  test.each([
    ['check', { check: { n: { $gte: 2 } } }, 403, 'rule-violated'],
    ['where', { where: { n: { $gte: 2 } } }, 404, 'version-not-found'],
    ['fields to write', { fields: { write: ['more'] } }, 403, 'field-not-permitted'],
    ['fields to read', { fields: { read: ['more'] } }, 200],
  ])('the rule of the key: %s', async (_, rule, ...answer) => {
    for (const isDeleted of [false, true]) {
      const made = await world.client.make(await world.newType(), { n: 1 });
      await change(world.client, made, { n: 2, more: true });
      if (isDeleted) await remove(made);
      const some = await world.client.withPermissions([may(EVERY_METHOD, '/.*', { ...rule })]);
      expect(told(await restore(some, made, 1))).toEqual(answer);
      if (answer[0] !== 200) expect((await read(made)).text.includes('"n":2')).toBe(!isDeleted);
    }
  });

  test.each([
    ['to which a restore leads', { fields: { read: ['more'] } }, []],
    ['of which is read alone', {}, [may('get', '/resources/[^/]+/[^/]+', { fields: { read: ['more'] } })]],
  ])('what fields hold that the rule hides %s is not told', async (_, rule, before) => {
    const some = await world.client.withPermissions([...before, may(EVERY_METHOD, '/.*', rule)]);
    const checks = [{ name: 'small', filter: { n: { $lt: 5 } } }];
    for (const isDeleted of [false, true]) {
      const made = await world.client.make(await world.newType({ unique: [['n']], checks }), { n: 1 });
      await change(world.client, made, { n: 2, more: true });
      await world.client.make(made.type, { n: 1 });
      if (isDeleted) await remove(made);
      expect(told(await restore(some, made, 1))).toEqual([409, 'change-refused']);
      await resettle(world.client, made.type, { checks: [{ name: 'large', filter: { n: { $gt: 1 } } }] });
      const refused = await restore(some, made, 1);
      expect([...told(refused), refused.text.includes('large')]).toEqual([403, 'rule-violated', false]);
    }
  });
});

describe('a document that was deleted', () => {
  test('is there again, with its id, rights, creator and times', async () => {
    const made = await makeAs(world.ada);
    await grant(world.client, pathOf(made), {
      read: [world.ada.link, world.eve.link],
      delete: [world.ada.link],
    });
    const fields = `?fields[${made.type}]=n,$creator,$created`;
    const before = (await world.client.get(`${pathOf(made)}${fields}`)).body.data;
    await remove(made);
    expect(told(await restore(world.acl, made, 2, world.eve.headers))).toEqual([403, 'forbidden']);
    expect((await restore(world.acl, made, 2, world.ada.headers)).status).toBe(200);
    const after = (await world.client.get(`${pathOf(made)}${fields}`)).body.data;
    expect(after).toEqual(before);
    expect((await world.acl.get(pathOf(made), world.eve.headers)).status).toBe(200);
    expect((await world.client.get(`/resources/${made.type}`)).body.meta.count).toBe(1);
    expect(listed(await versionsOf(world.client, made))).toEqual([
      '4 restore',
      '3 delete',
      '2 update',
      '1 create',
    ]);
    await remove(made);
    expect((await read(made)).body.data).toBeNull();
    expect((await restore(world.client, made, 4)).status).toBe(200);
  });

  test('is found by lists, in the order of ids, and by its links', async () => {
    const type = await world.newType();
    const one = await world.client.make(type, { n: 1 });
    const two = await world.client.make(type, { n: 2 }, { to: { data: { type, id: one.id } } });
    await remove(one);
    await restore(world.client, one, 1);
    const ids = ({ body }: Reply) => body.data.map(({ id }) => id);
    expect(ids(await world.client.get(`/resources/${type}`))).toEqual([one.id, two.id]);
    expect(ids(await world.client.get(`/resources/${type}?filter[n]=1`))).toEqual([one.id]);
    expect(ids(await world.client.get(`${pathOf(two)}/to`))).toEqual([one.id]);
    // Another document may have its place by then.
    await remove(two);
    const three = await world.client.make(type, { n: 3 });
    await restore(world.client, two, 1);
    expect(ids(await world.client.get(`/resources/${type}`)).toSorted()).toEqual(
      [one.id, two.id, three.id].toSorted(),
    );
    expect(ids(await world.client.get(`${pathOf(two)}/to`))).toEqual([one.id]);
    expect(listed(await versionsOf(world.client, two))).toEqual(['3 restore', '2 delete', '1 create']);
  });

  test('where a younger document is before its place, lists go by id all the same', async () => {
    const type = await world.newType();
    const one = await world.client.make(type, { n: 1 });
    const two = await world.client.make(type, { n: 1 });
    await remove(one);
    await remove(two);
    // It has the place of the first one.
    const three = await world.client.make(type, { n: 1 });
    await restore(world.client, two, 1);
    const ids = async (query: string) =>
      (await world.client.get(`/resources/${type}?${query}`)).body.data.map(({ id }) => id);
    const inOrder = [two.id, three.id];
    expect(await ids('sort=id')).toEqual(inOrder);
    expect(await ids('filter[n]=1&sort=id')).toEqual(inOrder);
    const pages = await Promise.all([1, 2].map((n) => ids(`page[size]=1&page[number]=${n}`)));
    expect(pages.flat().toSorted()).toEqual(inOrder);
  });

  test('only where If-Match has the tag of its deletion, or of a later read, and If-None-Match has not', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    const restoredIf = (tag: string) => restore(world.client, made, 1, { 'if-match': tag });
    const refused = [412, 'precondition-failed'];
    await remove(made);
    const first = await read(made);
    await restore(world.client, made, 1);
    await remove(made);
    for (const tag of [made.etag, first.etag, '*']) expect(told(await restoredIf(tag))).toEqual(refused);
    const last = await read(made);
    expect(last.body.data).toBeNull();
    const unlessSeen = await restore(world.client, made, 1, { 'if-none-match': last.etag });
    expect(told(unlessSeen)).toEqual(refused);
    expect(told(await restoredIf(last.etag))).toEqual([200]);
    expect(told(await restoredIf(last.etag))).toEqual(refused);
  });

  test('is told by the feed, whatever its reader knows', async () => {
    const type = await world.newType();
    const made = await world.client.make(type, { n: 1 });
    await grant(world.client, pathOf(made), { read: [world.ada.link] });
    const feed = (since: string) =>
      world.acl.get(`/resources/${type}/changes?changes[since]=${since}`, world.ada.headers);
    const { mark: before } = feedMeta(await feed(''));
    await remove(made);
    const { mark: between } = feedMeta(await feed(before));
    await restore(world.client, made, 1);
    for (const mark of [before, between]) {
      const page = await feed(mark);
      expect([page.body.data.map(({ id }) => id), feedMeta(page).deleted]).toEqual([[made.id], []]);
    }
    await grant(world.client, pathOf(made), { read: [] });
    expect(feedMeta(await feed(before)).deleted).toEqual([{ type, id: made.id }]);
    expect(feedMeta(await feed(between)).deleted).toEqual([]);
  });

  test('is told by the feed once, where it was restored', async () => {
    const type = await world.newType();
    const [one, two] = [await world.client.make(type, { n: 1 }), await world.client.make(type, { n: 2 })];
    let path: string | null = `/resources/${type}/changes`;
    path += `?page[size]=1&changes[since]=${feedMeta(await world.client.get(path)).mark}`;
    await remove(one);
    await change(world.client, two, { n: 3 });
    await restore(world.client, one, 1);
    const told: string[] = [];
    while (path !== null && told.length < 5) {
      const page: Reply = await world.client.get(path);
      told.push(...page.body.data.map(({ id }) => id), ...feedMeta(page).deleted.map(({ id }) => id));
      path = page.body.links.next;
    }
    expect(told).toEqual([two.id, one.id]);
  });

  test('by who could delete it as settings of the type say', async () => {
    const made = await makeAs(world.ada, { rights: { read: ['*'], update: ['*'], delete: ['$creator'] } });
    await remove(made);
    expect(told(await restore(world.acl, made, 1, world.eve.headers))).toEqual([403, 'forbidden']);
    expect((await restore(world.acl, made, 1, world.ada.headers)).status).toBe(200);
  });

  test('also by who could not read it, who sees nothing of it, nor why it does not come back', async () => {
    const made = await makeAs(world.ada, { unique: [['n']] });
    await grant(world.client, pathOf(made), { read: [world.ada.link], delete: [world.eve.link] });
    await remove(made);
    const taking = await world.client.make(made.type, { n: 1 });
    const restoredAs = ({ headers }: Person, n = 1) => restore(world.acl, made, n, headers);
    expect(told(await restoredAs(world.ada))).toEqual([403, 'forbidden']);
    expect(told(await restoredAs(world.eve))).toEqual([409, 'change-refused']);
    expect(told(await restoredAs(world.eve, 9))).toEqual([404, 'version-not-found']);
    await remove(taking);
    const writing = may(EVERY_METHOD, '/.*', { ...ACL, fields: { write: ['n'] } });
    const narrow = await world.client.withPermissions([writing]);
    expect(told(await restore(narrow, made, 2, world.eve.headers))).toEqual([409, 'change-refused']);
    const restored = await restoredAs(world.eve);
    expect([restored.status, restored.text]).toEqual([204, '']);
    expect((await world.acl.get(pathOf(made), world.ada.headers)).body.data.attributes).toEqual({ n: 1 });
    expect(told(await versionsOf(world.acl, made, world.eve.headers))).toEqual([404, 'document-not-found']);
  });

  test('but not where the history has gone', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await remove(made);
    await resettle(world.client, made.type, { history: null });
    expect(told(await restore(world.client, made, 1))).toEqual([404, 'version-not-found']);
  });
});
