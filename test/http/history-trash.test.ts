/** The trash (docs/history.md#trash): what was deleted and can be restored, for those who could read it then. */
import { describe, expect, test } from 'vitest';
import { erase } from '../support/app.ts';
import { pathOf, type Client, type Link, type Reply } from '../support/client.ts';
import { useHistoryUsers } from '../support/history-users.ts';
import { change, listed, restore, versionsOf } from '../support/history.ts';
import { EVERY_METHOD, grant, makeGroup, makeUser, may, type Person } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { resettle, settle } from '../support/type-settings.ts';

const world = useHistoryUsers();

const trash = (by: Client, type: string, headers = {}, query = '') =>
  by.get(`/resources/${type}?deleted=true${query}`, headers);
/** What is told of the deletion of each document. */
const deletionsIn = ({ body }: Reply) =>
  body.data.map((each) => ('meta' in each ? (each.meta as { deleted: object }).deleted : null));
const ids = ({ body }: Reply) => body.data.map(({ id }) => id);
const remove = (document: Link) => world.client.delete(pathOf(document));
const told = (reply: Reply) => [reply.status, ...codes(reply)];

/** Deleted documents with `n` from 1, which some may read. */
async function deletedOf(type: string, count: number, read: readonly Person[] = []): Promise<Link[]> {
  const made: Link[] = [];
  for (let n = 1; n <= count; n += 1) {
    const document = await world.client.make(type, { n });
    await grant(world.client, pathOf(document), { read: read.map(({ link }) => link) });
    made.push(document);
  }
  for (const document of made) await remove(document);
  return made;
}

/** All pages of the trash, from the first on. */
async function pagesOf(by: Client, type: string, size: number, headers = {}): Promise<readonly string[][]> {
  const pages: string[][] = [];
  let next: string | null = `/resources/${type}?deleted=true&page[size]=${size}`;
  while (next !== null && pages.length < 9) {
    const page: Reply = await by.get(next, headers);
    pages.push(ids(page));
    next = page.body.links.next;
  }
  return pages;
}

describe('the trash', () => {
  test('has each document as it was at its end, with who deleted it, when, and the version to restore', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await change(world.client, made, { n: 2 });
    await remove(made);
    const found = await trash(world.client, made.type);
    expect(found.body.data).toMatchObject([{ type: made.type, id: made.id, attributes: { n: 2 } }]);
    const at = expect.stringMatching(/^20.*Z$/) as string;
    const key = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
    expect(deletionsIn(found)).toEqual([{ number: 2, change: 'delete', at, until: null, user: null, key }]);
    expect((await restore(world.client, made, 2)).body.data.attributes).toEqual({ n: 2 });
  });

  test('is empty where the history begins after a deletion', async () => {
    const made = await world.client.make('plain', { n: 1 });
    await remove(made);
    await settle(world.client, { name: made.type, history: 'forever' });
    expect((await trash(world.client, made.type)).body).toMatchObject({ data: [], links: { first: null } });
  });

  test('has the fields that are asked for, and those of the service', async () => {
    const made = await world.client.make(await world.newType(), { n: 1, text: 'long' });
    await remove(made);
    const found = await trash(world.client, made.type, {}, `&fields[${made.type}]=n,$created`);
    expect(found.body.data).toMatchObject([
      { attributes: { n: 1 }, meta: { created: expect.any(String) as string } },
    ]);
    expect(found.text).not.toContain('long');
  });

  test('as CSV', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await remove(made);
    const rows = await trash(world.client, made.type, { accept: 'text/csv' });
    expect(rows.text).toContain(`id,n,$deleted\r\n${made.id},1,"{""number"":1,`);
  });

  test.each([
    'filter[n]=1',
    'sort=n',
    'include=next',
    'changes[since]=now',
    'page[number]=2',
    'page[offset]=1',
  ])('takes no %s', async (query) => {
    const reply = await trash(world.client, await world.newType(), {}, `&${query}`);
    expect(told(reply)).toEqual([400, 'invalid-parameter']);
    expect(reply.body.errors[0]?.source).toEqual({ parameter: query.split('=')[0] });
  });

  test.each(['', 'false', '1', 'true&deleted=true'])('deleted=%s is 400', async (value) => {
    const reply = await world.client.get(`/resources/${await world.newType()}?deleted=${value}`);
    expect(told(reply)).toEqual([400, 'invalid-parameter']);
  });

  test('is 400 where there is no history', async () => {
    const { type } = await world.client.make('without', { n: 1 });
    for (const each of [type, 'never']) {
      const reply = await trash(world.client, each);
      expect(told(reply)).toEqual([400, 'invalid-parameter']);
      expect(reply.body.errors[0]?.detail).toContain('no history');
    }
    const ended = await world.newType();
    await deletedOf(ended, 1);
    await resettle(world.client, ended, { history: null });
    expect(told(await trash(world.client, ended))).toEqual([400, 'invalid-parameter']);
  });
});

describe('pages', () => {
  test('go by cursor, also while documents come and go', async () => {
    const type = await world.newType();
    const made = await deletedOf(type, 5);
    const newest = made.map(({ id }) => id).toReversed();
    expect(await pagesOf(world.client, type, 2)).toEqual([
      newest.slice(0, 2),
      newest.slice(2, 4),
      newest.slice(4),
    ]);
    const first = await trash(world.client, type, {}, '&page[size]=2');
    const [, third] = newest.slice(1);
    await restore(world.client, { type, id: third ?? '' }, 1);
    await deletedOf(type, 1);
    expect(ids(await world.client.get(first.body.links.next ?? ''))).toEqual(newest.slice(3));
  });

  test('of a page size that ends with the last document have no next one', async () => {
    const type = await world.newType();
    await deletedOf(type, 2);
    expect(await pagesOf(world.client, type, 2)).toHaveLength(1);
  });

  test('a tag holds until something is deleted or restored', async () => {
    const type = await world.newType();
    const [one] = await deletedOf(type, 2);
    const { etag } = await trash(world.client, type);
    const again = () => trash(world.client, type, { 'if-none-match': etag });
    expect((await again()).status).toBe(304);
    await world.client.make(type, { n: 3 });
    expect((await again()).status).toBe(304);
    if (one !== undefined) await restore(world.client, one, 1);
    expect((await again()).status).toBe(200);
    if (one !== undefined) await remove(one);
    expect((await again()).status).toBe(200);
  });
});

describe('documents are for those who could read them when they were deleted', () => {
  test.each([
    ['who could read it as all could', () => ({ read: '*' }), true],
    ['who could update and delete it', ({ link }: Person) => ({ update: [link], delete: [link] }), false],
  ])('%s', async (_, rights, isSeen) => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await grant(world.client, pathOf(made), rights(world.eve));
    await remove(made);
    expect(ids(await trash(world.acl, made.type, world.eve.headers))).toEqual(isSeen ? [made.id] : []);
  });

  test('as members of a group, while they are', async () => {
    const type = await world.newType();
    const group = await makeGroup(world.client, [world.eve]);
    const made = await world.client.make(type, { n: 1 });
    await grant(world.client, pathOf(made), { read: [group] });
    await remove(made);
    expect(ids(await trash(world.acl, type, world.eve.headers))).toEqual([made.id]);
    await world.client.patch(`/users/core.user-group/${group.id}`, {
      data: { ...group, relationships: { users: { data: [] } } },
    });
    expect(ids(await trash(world.acl, type, world.eve.headers))).toEqual([]);
  });

  test('by settings of the type', async () => {
    const type = await world.newType({ rights: { read: ['$creator'] } });
    const made = await world.acl.create(`/resources/${type}`, {}, world.ada.headers);
    await remove(made.body.data);
    expect(ids(await trash(world.acl, type, world.ada.headers))).toHaveLength(1);
    expect(ids(await trash(world.acl, type, world.eve.headers))).toEqual([]);
  });

  test('users are told who has deleted it, and not by which key', async () => {
    const made = await world.client.make(await world.newType(), { n: 1 });
    await grant(world.client, pathOf(made), { read: [world.eve.link], delete: [world.ada.link] });
    await world.acl.delete(pathOf(made), undefined, world.ada.headers);
    const found = await trash(world.acl, made.type, world.eve.headers);
    expect(deletionsIn(found)).toMatchObject([{ user: world.ada.link }]);
    expect(deletionsIn(found)[0]).not.toHaveProperty('key');
  });

  test('what others cannot see leaves no trace: no page, no cursor, no tag', async () => {
    const [busy, quiet] = [await world.newType(), await world.newType()];
    const seen = (await deletedOf(busy, 3, [world.eve])).map(({ id }) => id).toReversed();
    const before = await trash(world.acl, busy, world.eve.headers, '&page[size]=3');
    await deletedOf(busy, 4, [world.ada]);
    const after = await trash(world.acl, busy, world.eve.headers, '&page[size]=3');
    expect([ids(after), after.body.links.next, after.etag]).toEqual([seen, null, before.etag]);
    expect(await pagesOf(world.acl, busy, 2, world.eve.headers)).toEqual([seen.slice(0, 2), seen.slice(2)]);
    await deletedOf(quiet, 4, [world.ada]);
    const nothing = await trash(world.acl, quiet, world.eve.headers, '&page[size]=1');
    expect(nothing.body).toMatchObject({ data: [], links: { first: null, next: null } });
    expect(nothing.text).not.toContain('count');
  });

  test('a cursor is of its type and its viewer', async () => {
    const [one, other] = [await world.newType(), await world.newType()];
    await deletedOf(one, 2, [world.ada, world.eve]);
    const next = (await trash(world.acl, one, world.ada.headers, '&page[size]=1')).body.links.next ?? '';
    expect((await world.acl.get(next, world.ada.headers)).status).toBe(200);
    expect(told(await world.acl.get(next, world.eve.headers))).toEqual([400, 'invalid-parameter']);
    expect(told(await world.acl.get(next.replace(one, other), world.ada.headers))).toEqual([
      400,
      'invalid-parameter',
    ]);
    expect(told(await world.acl.get(next.replace('deleted=true&', ''), world.ada.headers))).toEqual([
      400,
      'invalid-parameter',
    ]);
  });

  test.each([
    ['where', { where: { n: { $gte: 2 } } }, [2]],
    ['fields', { fields: { read: ['more'] } }, [undefined, undefined]],
  ])('the rule of the key: %s', async (name, rule, shown) => {
    const type = await world.newType();
    await deletedOf(type, 2);
    const some = await world.client.withPermissions([may(EVERY_METHOD, '/.*', { ...rule })]);
    const reply = await trash(some, type);
    expect(reply.body.data.map(({ attributes }) => attributes?.['n'])).toEqual(shown);
    const names = Object.keys(deletionsIn(reply)[0] ?? {});
    expect(names).toEqual(['number', 'change', ...(name === 'fields' ? [] : ['at', 'until', 'user']), 'key']);
  });
});

test('a page of large documents is shorter, and the next goes on', async () => {
  const type = await world.newType();
  const text = 'x'.repeat(700_000);
  const made: Link[] = [];
  for (let n = 0; n < 4; n += 1) made.push(await world.client.make(type, { n, text }));
  for (const each of made) await remove(each);
  const pages = await pagesOf(world.client, type, 100);
  expect(pages.map(({ length }) => length)).toEqual([2, 2]);
  expect(pages.flat()).toEqual(made.map(({ id }) => id).toReversed());
});

test('a user who is erased is not told any more', async () => {
  const made = await world.client.make(await world.newType(), { n: 1 });
  const joe = await makeUser(world.client, 'joe');
  await grant(world.client, pathOf(made), { read: '*', delete: '*' });
  await world.acl.delete(pathOf(made), undefined, joe.headers);
  await erase(world.client, joe.link);
  const found = await trash(world.client, made.type);
  expect(found.text).not.toContain(joe.link.id);
  expect(deletionsIn(found)).toMatchObject([{ user: 'erased' }]);
});

describe('a document that has expired', () => {
  const PAST = { $date: '2020-01-01T00:00:00Z' };

  test('is in the trash as one that nobody has deleted, for as long as the history keeps it', async () => {
    const made = await world.client.make(await world.newType({ expires: 'until' }), { n: 1 });
    await change(world.client, made, { until: PAST });
    expect(listed(await versionsOf(world.client, made))).toEqual(['3 delete', '2 update', '1 create']);
    const found = await trash(world.client, made.type);
    expect(ids(found)).toEqual([made.id]);
    expect(deletionsIn(found)).toMatchObject([{ number: 2, user: null, key: null }]);
  });

  test('is restored for good by a version that has not ended, and else ends again', async () => {
    const made = await world.client.make(await world.newType({ expires: 'until' }), { n: 1 });
    await change(world.client, made, { until: PAST });
    expect((await restore(world.client, made, 2)).status).toBe(200);
    expect((await world.client.get(pathOf(made))).body.data).toBeNull();
    expect(ids(await trash(world.client, made.type))).toEqual([made.id]);
    expect((await restore(world.client, made, 1)).status).toBe(200);
    expect((await world.client.get(pathOf(made))).body.data.attributes).toEqual({ n: 1 });
    expect(ids(await trash(world.client, made.type))).toEqual([]);
  });
});
