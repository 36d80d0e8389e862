/** What guesses at accounts, and stolen tokens, come to nothing by (docs/security.md). */
import { expect, test } from 'vitest';
import { ACCOUNTS_KEY, appAt, begin, confirmed, mailsTo, redeem, setAccounts } from '../support/accounts.ts';
import type { Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, logIn, may, tokenOf } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const PASSWORD = 'a long difference';

const service = await newService({
  settings: {
    ...{ MAILBOX: 'yes', LOGIN_FAILURES_BY_USER: '5' },
    ...{ CLIENT_ADDRESS_HEADER: 'x-client', LOGIN_FAILURES_BY_ADDRESS: '1000' },
  },
});
const { client } = service;
const acl = may('patch', '/users/core\\.user\\.acl/[0-9a-f]{24}', ACL);
const web = await client.withPermissions([...ACCOUNTS_KEY, acl]);
await setAccounts(client, {
  ...{ name: 'Shop', 'sign-up': 'open', 'second-factor': 'allowed' },
  ...{ 'log-in-by-mail': true, 'erase-by-mail': true },
  ...{ 'return-to': ['https://shop.example/'], origins: ['https://shop.example'] },
});

let last = 0;
async function somebody() {
  const made = await confirmed(client, web, `guessed${(last += 1)}`, PASSWORD);
  return { ...made, headers: tokenOf(await logIn(web, made.username, PASSWORD)) };
}

/** The codes of the app of a second factor that somebody has added. */
async function factorOf(headers: Readonly<Record<string, string>>): Promise<(later: number) => string> {
  const begun = await begin(web, { kind: 'add-second-factor' }, headers);
  const app = appAt(begun.body.data.attributes?.['location']);
  const code = (later: number) => app.generate({ timestamp: Date.now() + later * 30_000 });
  expect((await redeem(web, begun.body.data.id, { code: code(0) }, headers)).status).toBe(201);
  return code;
}
const actionOf = ({ body }: Reply) => String(body.errors[0]?.meta?.['action']);
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('guesses at a second factor in many logins at once do not outrun their limit', async () => {
  const { headers, username } = await somebody();
  const code = await factorOf(headers);
  const actions: string[] = [];
  for (let n = 0; n < 9; n += 1) actions.push(actionOf(await logIn(web, username, PASSWORD)));
  const [right = '', ...others] = actions;
  const guesses = [...others, right].map((action) =>
    redeem(web, action, { code: action === right ? code(1) : otherThan(code(1)) }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.at(-1)).toBe(429);
});

test('a login as another name holds back nobody else', async () => {
  const { headers, id, username } = await somebody();
  const code = await factorOf(headers);
  for (let n = 0; n < 6; n += 1) await logIn(web, `second factor ${id}`, 'wrong');
  const action = actionOf(await logIn(web, username, PASSWORD));
  expect((await redeem(web, action, { code: code(1) })).status).toBe(201);
});

test('guesses at the password of an address count together, whatever its spelling', async () => {
  const { email } = await somebody();
  const spelt = (n: number) =>
    `${email.slice(0, n)}${email.slice(n, n + 1).toUpperCase()}${email.slice(n + 1)}`;
  for (let n = 0; n < 5; n += 1) expect((await logIn(web, spelt(n), 'wrong')).status).toBe(401);
  expect((await logIn(web, spelt(5), PASSWORD)).status).toBe(429);
});

test('of one address, five actions an hour begin, of several kinds at once too', async () => {
  const { email } = await somebody();
  const kinds = ['log-in', 'reset-password'];
  const begun = await Promise.all(
    Array.from({ length: 10 }, (_, n) => begin(web, { kind: kinds[n % 2], email })),
  );
  expect(begun.filter(({ status }) => status === 201)).toHaveLength(5);
});

test('wrong codes make no room for more actions, nor for more mails', async () => {
  const { email } = await somebody();
  const kinds = ['log-in', 'reset-password', 'erase'];
  const statuses: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    const { status, body } = await begin(web, { kind: kinds[n % 3], email });
    statuses.push(status);
    if (status !== 201) continue;
    for (let tried = 0; tried < 5; tried += 1) await redeem(web, body.data.id, { code: 'wrong' });
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
});

test('one client does not use up what an application may begin for strangers', async () => {
  const from = (client: string, n: number) =>
    begin(web, { kind: 'log-in', email: `bomb${n}@shop.example` }, { 'x-client': client });
  const statuses: number[] = [];
  for (let first = 0; first < 120; first += 20) {
    const some = Array.from({ length: 20 }, (_, n) => from('192.0.2.1', first + n));
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  expect(statuses.slice(0, 100).every((status) => status === 201)).toBe(true);
  expect(statuses.slice(100).every((status) => status === 429)).toBe(true);
  expect((await from('192.0.2.2', 201)).status).toBe(201);
  const trusted = { type: 'core.account-action', attributes: { kind: 'log-in', email: 'bomb@shop.example' } };
  const path = '/users/core.account-action';
  expect((await client.post(path, { data: trusted }, { 'x-client': '192.0.2.1' })).status).toBe(201);
});

test('a thousand requests of all kinds, from everywhere, in all spellings, send an address five mails', async () => {
  const [ada, eve] = [await somebody(), await somebody()];
  const kinds = ['log-in', 'reset-password', 'erase', 'confirm-address'];
  const ask = (n: number) => {
    const kind = kinds[n % kinds.length];
    const at = n % ada.email.length;
    const email = `${ada.email.slice(0, at)}${ada.email.slice(at).toUpperCase()}`;
    const about = kind === 'confirm-address' ? { username: ada.username } : { email };
    return begin(web, { kind, ...about }, { 'x-client': `198.51.100.${n % 250}` });
  };
  let begun = 0;
  for (let first = 0; first < 1_000; first += 50) {
    const some = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(first + n)));
    begun += some.filter(({ status }) => status === 201).length;
  }
  expect(begun).toBeLessThanOrEqual(2 * 5);
  await begin(web, { kind: 'log-in', email: eve.email });
  // Mails go in the order in which they were asked for.
  await mailsTo(client, eve.email, 2);
  expect((await mailsTo(client, ada.email, 1)).length).toBeLessThanOrEqual(1 + 5);
});

test('whom a stolen token has given a right on its user changes no way in', async () => {
  const [ada, eve] = [await somebody(), await somebody()];
  const given = { update: [{ type: 'core.user', id: eve.id }] };
  const right = { type: 'core.user.acl', id: ada.id, attributes: given };
  expect((await web.patch(`/users/core.user.acl/${ada.id}`, { data: right }, ada.headers)).status).toBe(200);
  const change = (attributes: object, of = ada.id) =>
    web.update(`/users/core.user/${of}`, { attributes }, eve.headers);
  for (const attributes of [{ password: 'another difference' }, { email: 'eve@shop.example' }])
    expect(faultsOf(await change(attributes))).toEqual(['403 forbidden Authorization:']);
  expect((await logIn(web, ada.username, PASSWORD)).status).toBe(201);
  expect((await change({ password: 'another difference' }, eve.id)).status).toBe(200);
});

test('nobody takes the address of somebody else as their name, later either', async () => {
  const { headers, id } = await somebody();
  const { status, body } = await web.update(
    `/users/core.user/${id}`,
    { attributes: { username: 'ada@shop.example' } },
    headers,
  );
  expect([status, body.errors[0]?.source?.pointer]).toEqual([422, '/data/attributes/username']);
});

test('the rule of a login holds for a login in two steps', async () => {
  const banned = may('post', '/users/core\\.user\\.token', { check: { 'user.banned': { $ne: true } } });
  const ruled = await client.withPermissions([...ACCOUNTS_KEY.slice(0, -1), banned]);
  for (const [isBanned, status] of [
    [false, 201],
    [true, 403],
  ] as const) {
    const { headers, id, username } = await somebody();
    const code = await factorOf(headers);
    const data = { type: 'core.user', id, attributes: { banned: isBanned } };
    expect((await client.patch(`/users/core.user/${id}`, { data })).status).toBe(200);
    const action = actionOf(await logIn(ruled, username, PASSWORD));
    expect((await redeem(ruled, action, { code: code(1) })).status).toBe(status);
  }
});
