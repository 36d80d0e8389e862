/** Accounts that people make themselves (docs/accounts.md): sign-up, confirmed addresses, forgotten passwords. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, mailsTo, redeem, signUp } from '../support/accounts.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { confirmedUser, newName, openShop, PASSWORD, RETURN } from '../support/shop.ts';

const client = await Client.create('accounts');
const web = await client.withPermissions(ACCOUNTS_KEY);

test('without settings, nobody signs up and nothing begins', async () => {
  expect([(await signUp(web, { username: newName(), password: PASSWORD })).status]).toEqual([401]);
  expect((await begin(web, { kind: 'log-in', email: 'a@b.example' })).status).toBe(403);
  expect((await redeem(web, '0'.repeat(24), { code: '000000' })).status).toBe(403);
});

describe('where the settings are open', () => {
  let group: string;
  beforeAll(async () => {
    group = await openShop(client);
  });
  const confirmed = () => confirmedUser({ client, web });

  test('there is one document of settings', async () => {
    const other = { data: { type: 'core.account-settings', attributes: {} } };
    expect(codes(await client.post('/users/core.account-settings', other))).toEqual(['value-taken']);
    expect((await web.get('/users/core.account-settings')).status).toBe(403);
  });

  test('somebody signs up, logs in once the address is confirmed, and is in the groups', async () => {
    const username = newName();
    const email = `${username}@Shop.example`;
    const made = await signUp(web, { username, password: PASSWORD, email, name: 'Ada' });
    expect(made.status).toBe(201);
    expect((await logIn(web, username, PASSWORD)).status).toBe(401);
    const [mail] = await mailsTo(client, email.toLowerCase(), 1);
    expect(mail?.subject).toBe('Confirm your address for The <Shop>');
    expect(mail?.link).toMatch(`${RETURN}#kind=confirm-address&action=${mail?.action}&code=`);
    expect((await redeem(web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
    // A name, or the address in any case.
    for (const name of [username, email]) expect((await logIn(web, name, PASSWORD)).status).toBe(201);
    const { body } = await client.get(`/users/core.user/${made.body.data.id}`);
    expect(body.data.attributes).toMatchObject({ name: 'Ada', 'confirmed-email': email.toLowerCase() });
    const members = await client.get(`/users/core.user-group/${group}/relationships/users`);
    expect(members.text).toContain(made.body.data.id);
  });

  test.each([
    ['a role', { role: 'admin' }, 403, 'field-not-permitted'],
    ['what the service writes', { 'confirmed-email': 'a@b.example' }, 403, 'field-not-permitted'],
    ['a name that is an address', { username: 'ada@shop.example' }, 422, 'invalid-attribute'],
    ['a short password', { password: 'seven77' }, 422, 'invalid-attribute'],
    ['a password that everybody has', { password: 'Password1' }, 422, 'invalid-attribute'],
    ['the product as the password', { password: 'the <shop>' }, 422, 'invalid-attribute'],
    [
      'the name in the address as the password',
      { email: 'Grace.Hopper@shop.example', password: 'grace.hopper' },
      422,
      'invalid-attribute',
    ],
    ['the last of three thousand passwords', { password: '13101988' }, 422, 'invalid-attribute'],
    [
      'the name as the password',
      { username: 'long-enough-name', password: 'Long-Enough-Name' },
      422,
      'invalid-attribute',
    ],
    ['no address', { email: undefined }, 422, 'missing-attribute'],
    ['a header in the address', { email: 'a@b.example\r\nBcc: c@d.example' }, 422, 'invalid-attribute'],
    ['two addresses', { email: 'a@b.example, c@d.example' }, 422, 'invalid-attribute'],
    ['letters that look like others', { email: 'аda@shop.example' }, 422, 'invalid-attribute'],
  ])('a sign-up with %s is refused', async (_, attributes, status, code) => {
    const username = newName();
    const sent = { username, password: PASSWORD, email: `${username}@shop.example`, ...attributes };
    const reply = await signUp(web, sent);
    expect([reply.status, codes(reply)]).toEqual([status, [code]]);
  });

  test('a link in a request, and rights, are refused', async () => {
    const attributes = { username: newName(), password: PASSWORD, email: 'x@shop.example' };
    const friend = { data: { type: 'core.user', id: '0'.repeat(24) } };
    const linked = await web.create('/users/core.user', { attributes, relationships: { friend } });
    expect(linked.status).toBe(422);
    const given = await web.create('/users/core.user', { attributes, meta: { acl: { read: '*' } } });
    expect(codes(given)).toEqual(['field-not-permitted']);
  });

  test('an address that somebody has is not told, not taken, and its owner is written to', async () => {
    const { email } = await confirmed();
    const username = newName();
    const again = await signUp(web, { username, password: PASSWORD, email });
    const fresh = await signUp(web, { username: newName(), password: PASSWORD, email: 'new@shop.example' });
    expect([again.status, Object.keys(again.body.data)]).toEqual([201, Object.keys(fresh.body.data)]);
    const [, mail] = await mailsTo(client, email, 2);
    expect([mail?.subject, mail?.code, mail?.link]).toEqual(['You have an account for The <Shop>', '', '']);
    expect((await logIn(web, username, PASSWORD)).status).toBe(401);
  });

  test('of accounts that claim one address, who confirms first has it: the other code is as a wrong one', async () => {
    const names = [newName(), newName()];
    const email = `${newName()}@shop.example`;
    const spelt = [email, email.toUpperCase()];
    for (const [n, username] of names.entries())
      expect((await signUp(web, { username, password: PASSWORD, email: spelt[n] })).status).toBe(201);
    const mails = await mailsTo(client, email, 2);
    const confirm = mails.map(({ action, code }) => redeem(web, action, { code }));
    const [lost, won] = (await Promise.all(confirm)).sort((one, other) => other.status - one.status);
    expect([won?.status, lost?.status]).toEqual([204, 403]);
    expect(lost?.body.errors).toEqual((await redeem(web, '0'.repeat(24), { code: '1' })).body.errors);
    const logins = await Promise.all(names.map((name) => logIn(web, name, PASSWORD)));
    expect(logins.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect((await logIn(web, email, PASSWORD)).status).toBe(201);
    // The other is told in a mail to the address alone.
    const loser = names[logins.findIndex(({ status }) => status === 401)];
    expect((await begin(web, { kind: 'confirm-address', username: loser })).status).toBe(201);
    expect((await mailsTo(client, email, 3)).at(-1)?.subject).toBe('You have an account for The <Shop>');
  });

  test('a forgotten password is set anew by the link, which ends all logins', async () => {
    const { username, email } = await confirmed();
    const token = tokenOf(await logIn(web, username, PASSWORD));
    const begun = await begin(web, {
      kind: 'reset-password',
      email: email.toUpperCase(),
      'return-to': RETURN,
    });
    expect(begun.status).toBe(201);
    const [, mail] = await mailsTo(client, email, 2);
    const code = mail?.link.split('&code=')[1];
    const { id } = begun.body.data;
    expect(codes(await redeem(web, id, { code, password: 'short' }))).toEqual(['invalid-attribute']);
    expect((await redeem(web, id, { code, password: 'another difference' })).status).toBe(204);
    expect((await logIn(web, username, PASSWORD)).status).toBe(401);
    expect((await logIn(web, username, 'another difference')).status).toBe(201);
    expect((await web.get('/users/core.user/me', token)).status).toBe(401);
    expect(codes(await redeem(web, id, { code, password: PASSWORD }))).toEqual(['invalid-code']);
  });

  test('a code from a mail logs in, and links lead only where the settings say', async () => {
    const { email, id: user } = await confirmed();
    const begun = await begin(web, { kind: 'log-in', email });
    const [, mail] = await mailsTo(client, email, 2);
    const token = await redeem(web, begun.body.data.id, { code: mail?.code });
    expect(token.status).toBe(201);
    expect((await web.get('/users/core.user/me', tokenOf(token))).body.data.id).toBe(user);
    const bent = await begin(web, { kind: 'log-in', email, 'return-to': 'https://evil.example/' });
    expect([bent.status, codes(bent)]).toEqual([422, ['invalid-attribute']]);
  });

  test('who asks for an unknown address is answered as others are, and nobody is written to', async () => {
    const { email } = await confirmed();
    const shape = async (asked: string) => {
      const { status, body, headers } = await begin(web, { kind: 'reset-password', email: asked });
      const names = [...headers.keys()].filter((name) => name !== 'date').sort();
      return { status, members: Object.keys(body.data.attributes ?? {}), names };
    };
    expect(await shape('nobody@shop.example')).toEqual(await shape(email));
    await mailsTo(client, email, 2);
    expect((await client.get('/users/core.mail?filter[to]="nobody@shop.example"')).body.data).toEqual([]);
  });

  const toldOfChange = async (email: string) =>
    (await client.get(`/users/core.mail?filter[to]="${email}"&sort=created`)).body.data.filter(
      ({ attributes }) => attributes?.['subject'] === 'Your login for The <Shop> was changed',
    );

  test('a user hears of a new name, and of none where it is the old one', async () => {
    const { username, email } = await confirmed();
    const rename = async (from: string, to: string) => {
      const me = tokenOf(await logIn(web, from, PASSWORD));
      return (await web.update('/users/core.user/me', { attributes: { username: to } }, me)).status;
    };
    expect(await rename(username, username)).toBe(200);
    expect(await rename(username, newName())).toBe(200);
    await expect.poll(async () => (await toldOfChange(email)).length).toBe(1);
  });

  test('a user hears of a new password, however it was set, by a mail that proves nothing', async () => {
    const { username, email, id } = await confirmed();
    const told = () => toldOfChange(email);
    const headers = tokenOf(await logIn(web, username, PASSWORD));
    const set = (attributes: object) =>
      web.patch('/users/core.user/me', { data: { type: 'core.user', id, attributes } }, headers);
    expect((await set({ name: 'Ada' })).status).toBe(200);
    const again = tokenOf(await logIn(web, username, PASSWORD));
    const data = { type: 'core.user', id, attributes: { password: 'another difference' } };
    expect((await web.patch('/users/core.user/me', { data }, again)).status).toBe(200);
    await expect.poll(async () => (await told()).length).toBe(1);
    const reset = (await begin(web, { kind: 'reset-password', email })).body.data.id;
    const code = (await mailsTo(client, email, 2)).at(-1)?.code;
    expect((await redeem(web, reset, { code, password: 'a third difference' })).status).toBe(204);
    await expect.poll(async () => (await told()).length).toBe(2);
    for (const { attributes } of await told()) expect(attributes?.['text']).not.toMatch(/http|\d{6}/);
    expect((await begin(web, { kind: 'changed', email })).status).toBe(422);
  });

  test('the former of two addresses is told, and takes the account back, whatever was asked for before', async () => {
    const { username, email, id } = await confirmed();
    // Whoever takes it over uses up what may be asked for.
    for (let at = 0; at < 5; at += 1) await begin(web, { kind: 'reset-password', email });
    const other = `mallory-${username}@shop.example`;
    const data = { type: 'core.user', id, attributes: { email: other } };
    expect((await client.patch(`/users/core.user/${id}`, { data })).status).toBe(200);
    await begin(web, { kind: 'confirm-address', username });
    const [mail] = await mailsTo(client, other, 1);
    expect((await redeem(web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
    expect((await logIn(web, other, PASSWORD)).status).toBe(201);
    const told = (await mailsTo(client, email, 7)).at(-1);
    expect(told?.subject).toBe('Your address for The <Shop> was changed');
    const token = tokenOf(await logIn(web, other, PASSWORD));
    expect((await redeem(web, told?.action ?? '', { code: told?.code })).status).toBe(204);
    expect((await web.get('/users/core.user/me', token)).status).toBe(401);
    expect((await client.get(`/users/core.user/${id}`)).body.data.attributes).toMatchObject({
      email,
      'confirmed-email': email,
    });
    // The other one is told nothing that takes it back again.
    expect(await mailsTo(client, other, 1)).toHaveLength(1);
    expect((await begin(web, { kind: 'undo-address', email })).status).toBe(422);
  });

  test('a password that a user sets obeys the settings, as does one that is reset', async () => {
    const { username, email } = await confirmed();
    const me = tokenOf(await logIn(web, username, PASSWORD));
    const patch = (password: string) => web.update('/users/core.user/me', { attributes: { password } }, me);
    for (const password of ['seven77', 'password1', username.toUpperCase(), email])
      expect([password, codes(await patch(password))]).toEqual([password, ['invalid-attribute']]);
    const both = { username: 'somebody else', password: 'somebody else' };
    expect(codes(await web.update('/users/core.user/me', { attributes: both }, me))).toEqual([
      'invalid-attribute',
    ]);
    const { id } = (await begin(web, { kind: 'reset-password', email })).body.data;
    const [, mail] = await mailsTo(client, email, 2);
    const named = await redeem(web, id, { code: mail?.code, password: username.toUpperCase() });
    expect(codes(named)).toEqual(['invalid-attribute']);
  });
});

test('a password that is reset obeys the schemas of users, which leave the code good', async () => {
  const shop = await Client.create('schemas');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  await openShop(shop);
  const { username, email } = await confirmedUser({ client: shop, web: key });
  const content = { properties: { attributes: { properties: { password: { minLength: 20 } } } } };
  await shop.create('/schemas/core.schema', { attributes: { target: 'core.user', content } });
  const { id } = (await begin(key, { kind: 'reset-password', email })).body.data;
  const code = (await mailsTo(shop, email, 2)).at(-1)?.code;
  const reset = (password: string) => redeem(key, id, { code, password });
  expect(faultsOf(await reset('a third difference'))).toEqual(['422 schema-violation /meta/password']);
  expect((await logIn(key, username, PASSWORD)).status).toBe(201);
  expect((await reset('a difference of twenty')).status).toBe(204);
  expect(codes(await reset('a difference of thirty'))).toEqual(['invalid-code']);
  expect((await logIn(key, username, 'a difference of twenty')).status).toBe(201);
});

test.each([
  [{ 'sign-up': 'perhaps' }],
  [{ 'return-to': ['http://shop.example/'] }],
  [{ 'return-to': ['https://shop.example/#/account'] }],
  [{ 'return-to': ['https://shop.example/größe'] }],
  [{ 'return-to': ['https://shop.example/a"b'] }],
  [{ sender: 'nobody' }],
  [{ minutes: 0 }],
  [{ 'password-length': 4 }],
  [{ scope: 'application' }],
  [{ colour: 'red' }],
])('settings of %j are 422', async (attributes) => {
  expect((await client.create('/users/core.account-settings', { attributes })).status).toBe(422);
});
