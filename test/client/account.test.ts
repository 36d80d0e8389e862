/** The client's module of accounts (docs/accounts.md, In JavaScript): the whole way of somebody who signs up. */
import { expect, test } from 'vitest';
import { accountOf, readLink } from '../../src/client/account.ts';
import { connect } from '../../src/client/index.ts';
import { ACCOUNTS_KEY, mailsTo, setAccounts } from '../support/accounts.ts';
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
const settings = { 'sign-up': 'open', 'log-in-by-mail': true, 'own-data': true, 'return-to': [RETURN] };
await setAccounts(client, settings);
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

test('a user sees the own logins, and ends the others', async () => {
  await makeUser(client, 'grace');
  const [db, other] = [open(), open()];
  for (const each of [other, db]) await each.login({ username: 'grace', password: PASSWORD });
  const own = accountOf(db);
  expect((await own.sessions()).map(({ current }) => current)).toEqual([true, false, false]);
  await own.endOtherSessions();
  expect((await own.sessions()).map(({ current }) => current)).toEqual([true]);
  await expect(accountOf(other).sessions()).rejects.toMatchObject({ status: 401 });
  const third = open();
  await third.login({ username: 'grace', password: PASSWORD });
  const [session] = (await own.sessions()).filter(({ current }) => !current);
  await own.endSession(session?.id ?? '');
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
