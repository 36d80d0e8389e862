/** Preferences (RFC 7240): writes that answer less or more than by default, and how long they took. */
import { describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { ACL, EVERY_METHOD, makeUser, may, PASSWORD } from '../support/people.ts';

const MINIMAL = { prefer: 'return=minimal' };
const ID = /^[0-9a-f]{24}$/;
const WHOLE = { prefer: 'return=representation' };

const client = await Client.create();
const { id } = await client.make('things', { n: 1 }, { r: { data: [] } });
const path = `/resources/things/${id}`;

const change = (n: number) => ({ data: { type: 'things', id, attributes: { n } } });

function expectMinimal(answer: Reply): void {
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(answer.headers.get('preference-applied')).toBe('return=minimal');
  expect(answer.headers.get('content-type')).toBeNull();
  expect(answer.etag).toMatch(/^"[^"]+"$/);
}

describe('return=minimal answers 204, with a tag that is good:', () => {
  const links = () => `${path}/relationships/r`;
  const rights = () => `/resources/things.acl/${id}`;
  const grants = () => ({ data: { type: 'things.acl', id, attributes: { read: '*' } } });
  test.each([
    ['a change', 'PATCH', () => path, () => change(2)],
    ['new links', 'PATCH', links, () => ({ data: [] })],
    ['more links', 'POST', links, () => ({ data: [] })],
    ['fewer links', 'DELETE', links, () => ({ data: [] })],
    ['rights', 'PATCH', rights, grants],
  ])('%s', async (_, method, address, body) => {
    const answer = await client.send(method, address(), { body: body(), headers: MINIMAL });
    expectMinimal(answer);
    expect((await client.get(address(), { 'if-none-match': answer.etag })).status).toBe(304);
  });

  test('a create, whose Location leads to the document', async () => {
    const answer = await client.create('/resources/things', { attributes: { n: 7 } }, MINIMAL);
    expectMinimal(answer);
    const location = answer.headers.get('location') ?? '';
    expect((await client.get(location)).body.data.attributes).toEqual({ n: 7 });
    expect((await client.get(location, { 'if-none-match': answer.etag })).status).toBe(304);
  });

  test('and a repeated create is the same one', async () => {
    const send = () => client.create('/resources/things', {}, { ...MINIMAL, 'idempotency-key': 'once' });
    const [first, second] = [await send(), await send()];
    expectMinimal(second);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });
});

test('a create that its creator may not read names no state of the document', async () => {
  const adder = await client.withPermissions([
    may('post', '/resources/secrets', { fields: { read: [] } }),
    may('post', '.*'),
  ]);
  const answer = await adder.create('/resources/secrets', {}, MINIMAL);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(answer.headers.get('location')).toMatch(/\/resources\/secrets\/[0-9a-f]{24}$/);
});

describe('return=representation', () => {
  test('shows the document of a change with If-Match', async () => {
    const { etag } = await client.get(path);
    const answer = await client.patch(path, change(3), { ...WHOLE, 'if-match': etag });
    expect(answer.status).toBe(200);
    expect(answer.body.data.attributes).toEqual({ n: 3 });
    expect(answer.headers.get('preference-applied')).toBe('return=representation');
    expect(answer.headers.get('vary')).toMatch(/, Prefer$/);
    expect((await client.patch(path, change(4), { ...WHOLE, 'if-match': etag })).status).toBe(412);
  });

  test('shows rights that were changed with If-Match', async () => {
    const address = `/resources/things.acl/${id}`;
    const { etag } = await client.get(address);
    const body = { data: { type: 'things.acl', id, attributes: { read: '*' } } };
    const answer = await client.patch(address, body, { ...WHOLE, 'if-match': etag });
    expect([answer.status, answer.body.data.attributes?.['read']]).toEqual([200, '*']);
  });

  test('shows nothing to those who may not read', async () => {
    const users = await client.withPermissions([may(EVERY_METHOD, '.*', ACL)]);
    const bob = await makeUser(client, 'bob');
    const grants = { update: [bob.link] };
    await client.update(`/resources/things.acl/${id}`, { attributes: { read: [], ...grants } });
    const answer = await users.patch(path, change(5), { ...WHOLE, ...bob.headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('preference-applied')).toBeNull();
  });
});

describe('operations', () => {
  const add = { op: 'add', data: { type: 'things', attributes: { n: 1 } } };

  test('with return=minimal tell of a new document its id, and of all their tags', async () => {
    const answer = await operate(client, [add, { op: 'update', ...change(8) }], MINIMAL);
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'return=minimal']);
    const meta = { etag: expect.stringMatching(/^"/) as unknown };
    const made = {
      type: 'things',
      id: expect.stringMatching(ID) as unknown,
      links: expect.anything() as unknown,
    };
    expect(answer.results).toEqual([{ data: made, meta }, { meta }]);
  });

  test('with return=representation show what was changed with if-match', async () => {
    const { etag } = await client.get(path);
    const conditional = { op: 'update', ...change(9), meta: { 'if-match': etag } };
    const { results } = await operate(client, [conditional], WHOLE);
    expect(results[0]?.data).toMatchObject({ attributes: { n: 9 } });
  });
});

test.each([
  ['a read', () => client.get(path, MINIMAL)],
  ['a list', () => client.get('/resources/things', MINIMAL)],
])('%s heeds no return', async (_, send) => {
  const answer = await send();
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
});

test('a login heeds no return: its answer is the token', async () => {
  await makeUser(client, 'carol');
  const authorization = `Basic ${btoa(`carol:${PASSWORD}`)}`;
  const login = await client.post('/users/core.user.token', undefined, { authorization, ...MINIMAL });
  expect([login.status, login.headers.get('preference-applied')]).toEqual([201, null]);
  expect(login.body.data.attributes?.['token']).toEqual(expect.any(String));
});

describe('Server-Timing', () => {
  const timing = /^total;dur=(\d+), collections;dur=(\d+)$/;

  test.each([
    ['a read', () => client.get(path, { prefer: 'server-timing' })],
    ['a 304', () => client.get(path, { prefer: 'server-timing', 'if-none-match': '*' })],
    ['a create', () => client.create('/resources/things', {}, { prefer: 'server-timing' })],
    ['an error', () => client.get(`/resources/things/${'f'.repeat(24)}`, { prefer: 'server-timing' })],
  ])('is told of %s that prefers it', async (_, send) => {
    const [, total, collections] = timing.exec((await send()).headers.get('server-timing') ?? '') ?? [];
    expect(Number(total)).toBeGreaterThanOrEqual(Number(collections));
  });

  test('is not told without, nor to those without a key', async () => {
    expect((await client.get(path)).headers.get('server-timing')).toBeNull();
    const stranger = new Client(client.url, 'none', 'none');
    expect((await stranger.get(path, { prefer: 'server-timing' })).headers.get('server-timing')).toBeNull();
  });
});
