/** Logins as their user sees them (docs/accounts.md#sessions). */
import { beforeEach, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { ACL, logIn, makeUser, may, PASSWORD, tokenOf, type Person } from '../support/people.ts';

const SESSIONS = '/users/core.session';

let ada: Person;
let last = 0;
const client = await Client.create('sessions of users');
const web = await client.withPermissions([
  may('get delete', '/users/core\\.session', ACL),
  may('post', '/users/core\\.user\\.token'),
  may('delete', '/users/core\\.user\\.token/[0-9a-f]{24}', ACL),
]);
beforeEach(async () => {
  ada = await makeUser(client, `ada${(last += 1)}`);
});

const from = (device: string) => logIn(web, `ada${last}`, PASSWORD, { 'user-agent': device });
const inBytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
const listed = async (headers = ada.headers): Promise<Readonly<Record<string, unknown>>[]> =>
  (await web.get(SESSIONS, headers)).body.data.map(({ id, attributes }) => ({ id, ...attributes }));

test('users see where they are logged in, the last first, and not the tokens', async () => {
  const phone = await from('Phone');
  expect(Object.keys(phone.body.data.attributes ?? {}).sort()).toEqual(['created', 'token']);
  const { text } = await web.get(SESSIONS, tokenOf(phone));
  expect(text).not.toContain(String(phone.body.data.attributes?.['token']));
  const [first, second, ...others] = await listed(tokenOf(phone));
  expect(first).toEqual({
    id: phone.body.data.id,
    created: expect.stringMatching(/^\d{4}-/) as string,
    used: expect.stringMatching(/T\d\d:00:00\.000Z$/) as string,
    device: 'Phone',
    country: null,
    current: true,
  });
  expect([second?.['current'], others]).toEqual([false, []]);
});

test.each([
  ['DE', 'DE'],
  ['T1', 'T1'],
  ['<b>', null],
])('the country is what the platform tells: %s', async (told, country) => {
  await logIn(web, `ada${last}`, PASSWORD, { 'test-country': told });
  expect((await listed())[0]?.['country']).toBe(country);
});

test('nobody sees those of others', async () => {
  const eve = await makeUser(client, `eve${last}`);
  await logIn(web, `eve${last}`, PASSWORD);
  expect(await listed()).toHaveLength(1);
  expect(await listed(eve.headers)).toHaveLength(2);
  for (const by of [web, client]) expect((await by.get(SESSIONS)).status).toBe(401);
});

test('a key without ACL sees and ends those of a user whom it names', async () => {
  const phone = await from('Phone');
  for (const form of [ada.link.id, `"${ada.link.id.toUpperCase()}"`]) {
    const { body, text } = await client.get(`${SESSIONS}?filter[user]=${encodeURIComponent(form)}`);
    expect(body.data[0]?.attributes).toMatchObject({ device: 'Phone', current: false });
    expect(body.data).toHaveLength(2);
    expect(text).not.toContain(String(phone.body.data.attributes?.['token']));
  }
  const path = `/users/core.user.token/${phone.body.data.id}`;
  expect((await client.delete(path)).status).toBe(204);
  expect((await web.get(SESSIONS, tokenOf(phone))).status).toBe(401);
  const named = () => client.get(`${SESSIONS}?filter[user]=${ada.link.id}`);
  expect((await named()).body.data).toHaveLength(1);
  const data = { ...ada.link, attributes: { name: 'Ada' } };
  expect((await client.patch(`/users/core.user/${ada.link.id}`, { data })).status).toBe(200);
  expect((await named()).body.data).toEqual([]);
  expect((await client.get(`${SESSIONS}?filter[user]=0123456789abcdef01234567`)).body.data).toEqual([]);
});

test.each([
  ['another field', 'filter[device]=Phone', '400 invalid-filter'],
  ['no id', 'filter[user]=ada', '400 invalid-filter'],
  ['an expression', 'filter[*]={"user":"0123456789abcdef01234567"}', '400 invalid-filter'],
  ['two users', 'filter[user]=USER&filter[user]=USER', '400 invalid-filter'],
  ['another parameter', 'sort=created', '400 unknown-parameter'],
])('sessions of a user are not asked for by %s', async (_, query, fault) => {
  const { status, body } = await client.get(`${SESSIONS}?${query.replaceAll('USER', ada.link.id)}`);
  expect(`${status} ${body.errors[0]?.code}`).toBe(fault);
});

test.each([
  ['with ACL', may('get', '/users/core\\.session', ACL)],
  [
    'that asks nothing of the rights of its users',
    may('get', '/users/core\\.session', { acl: { active: true, 'document-access-list-flavor': 'black' } }),
  ],
  ['with a rule', { ...may('get', '/users/core\\.session'), where: { name: 'x' } }],
  ['with fields', { ...may('get', '/users/core\\.session'), fields: { read: ['device'] } }],
])('a key %s sees no sessions of a user whom it names', async (_, permission) => {
  const key = await client.withPermissions([permission]);
  const asked = await key.get(`${SESSIONS}?filter[user]=${ada.link.id}`, ada.headers);
  expect(asked.status).toBe(403);
});

test('a user ends one of them, and nobody else’s', async () => {
  const phone = await from('Phone');
  const path = `/users/core.user.token/${phone.body.data.id}`;
  const eve = await makeUser(client, `eve${last}`);
  expect((await web.delete(path, undefined, eve.headers)).status).toBe(403);
  expect((await web.delete(path, undefined, ada.headers)).status).toBe(204);
  expect((await web.get(SESSIONS, tokenOf(phone))).status).toBe(401);
  expect(await listed()).toHaveLength(1);
});

test('a user ends all others, and nobody else’s', async () => {
  const many = await Promise.all(Array.from({ length: 3 }, () => from('Phone')));
  const eve = await makeUser(client, `eve${last}`);
  expect((await web.delete(SESSIONS)).status).toBe(401);
  expect((await web.delete(SESSIONS, undefined, ada.headers)).status).toBe(204);
  for (const each of many) expect((await web.get(SESSIONS, tokenOf(each))).status).toBe(401);
  expect((await listed()).map(({ current }) => current)).toEqual([true]);
  expect(await listed(eve.headers)).toHaveLength(1);
});

test('a change of the user ends all, and they are not shown', async () => {
  await from('Phone');
  const data = { ...ada.link, attributes: { password: 'another difference' } };
  expect((await client.patch(`/users/core.user/${ada.link.id}`, { data })).status).toBe(200);
  const again = tokenOf(await logIn(web, `ada${last}`, 'another difference'));
  expect((await listed(again)).map(({ current }) => current)).toEqual([true]);
});

test('what a device calls itself is a text, and not all of a long one', async () => {
  const name = `<script>${'x'.repeat(5_000)}`;
  await from(name);
  expect((await listed())[0]?.['device']).toBe(name.slice(0, 200));
  await from(inBytes('Phone\t1\u202e\u0085'));
  expect((await listed())[0]?.['device']).toBe('Phone1');
  await from(inBytes(`${'x'.repeat(199)}😀`));
  expect((await listed())[0]?.['device']).toBe(`${'x'.repeat(199)}\ufffd`);
});

test('of many, the last hundred are shown, and all others end', async () => {
  const first = await from('First');
  for (let many = 0; many < 101; many += 1) await from(`Device ${many}`);
  const all = await listed();
  expect([all.length, all[0]?.['device']]).toEqual([100, 'Device 100']);
  expect((await web.delete(SESSIONS, undefined, ada.headers)).status).toBe(204);
  expect(await listed()).toHaveLength(1);
  expect((await web.get(SESSIONS, tokenOf(first))).status).toBe(401);
});
