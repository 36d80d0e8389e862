/** The client's module of accounts (docs/accounts.md, In JavaScript): the whole way of somebody who signs up. */
import { expect, test } from 'vitest';
import { accountOf, readLink } from '../../src/client/account.ts';
import { connect, ForedgeError } from '../../src/client/index.ts';
import { ACCOUNTS_KEY, appAt, begin, mailsTo, setAccounts } from '../support/accounts.ts';
import { Client } from '../support/client.ts';
import { ACL, makeUser, may, PASSWORD } from '../support/people.ts';

const RETURN = 'https://shop.example/account';

const open = (more: object = {}) =>
  connect({ url: web.url, application: web.application, key: web.key, ...more });
const client = await Client.create();
const web = await client.withPermissions([
  ...ACCOUNTS_KEY,
  may('get delete', '/users/core\\.session', ACL),
  may('delete', '/users/core\\.user\\.token/[0-9a-f]{24}', ACL),
  may('get', '/users/core\\.own-data', ACL),
  may('post', '/operations'),
  may('get post', '/resources/notes(/.*)?', ACL),
]);
await setAccounts(client, {
  ...{ 'sign-up': 'open', 'log-in-by-mail': true, 'own-data': true, 'return-to': [RETURN] },
  ...{ 'erase-by-mail': true, 'second-factor': 'allowed', fields: ['motto'] },
});
const account = accountOf(open());

test('somebody signs up, confirms by the link, resets the password and logs in by a code', async () => {
  const email = 'ada@shop.example';
  const user = await account.signUp({ username: 'ada', password: 'a long difference', email });
  expect(user.type).toBe('core.user');
  const [first] = await mailsTo(client, email, 1);
  const link = readLink(new URL(first?.link ?? '').hash);
  if (link === null) throw new Error('The mail has no link.');
  await account.confirm(link.action, link.code);

  const reset = await account.requestPasswordReset(email, { returnTo: RETURN });
  const [, second] = await mailsTo(client, email, 2);
  await account.resetPassword(reset, second?.code ?? '', 'another difference');
  await expect(open().login({ username: 'ada', password: 'a long difference' })).rejects.toMatchObject({
    status: 401,
  });

  const login = await account.requestLogIn(email);
  const [, , third] = await mailsTo(client, email, 3);
  const tokens: (string | null)[] = [];
  const db = open({ onToken: (token: string | null) => tokens.push(token) });
  expect(await accountOf(db).logIn(login, third?.code ?? '')).toEqual(user);
  expect([(await db.me())?.id, tokens]).toEqual([user.id, [db.token]]);
});

test('a code is sent again, and a wrong one is refused', async () => {
  const email = 'eve@shop.example';
  await account.signUp({ username: 'eve', password: 'a long difference', email });
  const action = await account.confirmAgain('eve');
  await mailsTo(client, email, 2);
  await expect(account.confirm(action, 'none')).rejects.toMatchObject({ code: 'invalid-code' });
});

test('who is invited makes an account, is logged in, and ends it by a mail', async () => {
  const email = 'hedy@shop.example';
  const invited = (await begin(client, { kind: 'invite', email })).body.data.id;
  const [invitation] = await mailsTo(client, email, 1);
  const db = open();
  const own = accountOf(db);
  const given = { username: 'hedy', password: 'a long difference', motto: 'On.' };
  const user = await own.acceptInvitation(invited, invitation?.code ?? '', given);
  expect(await db.me()).toMatchObject({ id: user.id, motto: 'On.', 'confirmed-email': email });
  const erasure = await own.requestErasure(email);
  const [, mail] = await mailsTo(client, email, 2);
  await own.erase(erasure, mail?.code ?? '');
  expect((await client.get(`/users/core.user?filter[username]=hedy`)).body.data).toEqual([]);
});

test('a user adds an app for codes, and logs in with a code that was kept', async () => {
  const { link } = await makeUser(client, 'joan');
  const login = { username: 'joan', password: PASSWORD };
  const db = open();
  await db.login(login);
  const { action, location } = await accountOf(db).requestSecondFactor();
  const codes = await accountOf(db).confirmSecondFactor(action, appAt(location).generate());
  expect([codes.length, (await db.me())?.id]).toEqual([10, link.id]);
  const next = open();
  const refusal: unknown = await next.login(login).catch((error: unknown) => error);
  const asked = refusal instanceof ForedgeError ? refusal.errors[0]?.meta?.['action'] : null;
  expect(await accountOf(next).logIn(String(asked), codes[0] ?? '')).toEqual(link);
});

test('a user sees the own logins, and ends the others', async () => {
  await makeUser(client, 'grace');
  const [db, other] = [open(), open()];
  for (const each of [other, db]) await each.login({ username: 'grace', password: PASSWORD });
  const own = accountOf(db);
  expect((await own.sessions()).map(({ current }) => current)).toEqual([true, false, false]);
  const [session] = await own.sessions();
  expect(session).toMatchObject({ created: expect.any(Date) as Date, used: expect.any(Date) as Date });
  expect(Number(session?.used) % 3_600_000).toBe(0);
  await own.endOtherSessions();
  expect((await own.sessions()).map(({ current }) => current)).toEqual([true]);
  await expect(accountOf(other).sessions()).rejects.toMatchObject({ status: 401 });
  const third = open();
  await third.login({ username: 'grace', password: PASSWORD });
  const [last] = (await own.sessions()).filter(({ current }) => !current);
  await own.endSession(last?.id ?? '');
  await expect(accountOf(third).sessions()).rejects.toMatchObject({ status: 401 });
  expect(await own.sessions()).toHaveLength(1);
});

test('a user gets all that is stored of them, page by page, and every digit of it', async () => {
  await makeUser(client, 'mary');
  const db = open();
  await db.login({ username: 'mary', password: PASSWORD });
  await db.transaction((t) => {
    for (let at = 0; at < 130; at += 1) t.create('notes', { at, great: 2n ** 60n });
  });
  const data = await accountOf(db).ownData();
  const count = (type: string) => data.filter((each) => each.type === type).length;
  expect([count('notes'), count('core.user'), data.length]).toEqual([130, 1, 131]);
  expect(JSON.stringify(data)).toContain('{"$numberLong":"1152921504606846976"}');
});

test('an address without a code is no link', () => {
  expect([readLink(''), readLink('#/page'), readLink('#kind=log-in&action=1')]).toEqual([null, null, null]);
});
