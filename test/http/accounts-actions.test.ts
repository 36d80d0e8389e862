/** Actions of accounts (docs/accounts.md): invitations and erasures, and what bounds and refuses them. */
import { describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, mailsTo, redeem, setAccounts, signUp } from '../support/accounts.ts';
import { Client, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, logIn, may, tokenOf } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { confirmedUser, newName, openShop, PASSWORD, RETURN } from '../support/shop.ts';

const client = await Client.create('accounts');
const web = await client.withPermissions(ACCOUNTS_KEY);
const group = await openShop(client);

const confirmed = () => confirmedUser({ client, web });

test.each([
  ['closed', 401, 403],
  ['invited', 401, 201],
  ['open', 201, 201],
])(
  'where sign-up is %s, a stranger gets %i, and the beginning of an invitation %i',
  async (value, stranger, guest) => {
    const shop = await Client.create('sign-ups');
    await setAccounts(shop, { 'sign-up': value });
    const attributes = { username: newName(), email: 'a@shop.example', password: PASSWORD };
    const begun = await begin(shop, { kind: 'invite', email: 'b@shop.example' });
    const made = await signUp(await shop.withPermissions(ACCOUNTS_KEY), attributes);
    expect([made.status, begun.status]).toEqual([stranger, guest]);
  },
);

test('an account gives what the settings require, and nothing that they do not name', async () => {
  const shop = await Client.create('required');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  const id = await setAccounts(shop, { 'sign-up': 'open', required: ['motto'], 'return-to': [RETURN] });
  const email = 'guest@shop.example';
  const attributes = () => ({ username: newName(), email: `${newName()}@shop.example`, password: PASSWORD });
  expect(faultsOf(await signUp(key, attributes()))).toEqual(['422 missing-attribute /data/attributes/motto']);
  expect((await signUp(key, { ...attributes(), motto: null })).status).toBe(422);
  expect((await signUp(key, { ...attributes(), motto: 'On.' })).status).toBe(201);
  await begin(shop, { kind: 'invite', email });
  const [mail] = await mailsTo(shop, email, 1);
  const accept = (more: object) =>
    redeem(key, mail?.action ?? '', { code: mail?.code, username: newName(), password: PASSWORD, ...more });
  expect(faultsOf(await accept({}))).toEqual(['422 missing-attribute /meta/attributes/motto']);
  expect(codes(await accept({ attributes: { motto: 'On.', role: 'admin' } }))).toEqual([
    'field-not-permitted',
  ]);
  const set = (value: string) =>
    shop.update(`/users/core.account-settings/${id}`, { attributes: { 'sign-up': value } });
  await set('closed');
  expect((await accept({ attributes: { motto: 'On.' } })).status).toBe(403);
  await set('invited');
  expect((await accept({ attributes: { motto: 'On.' } })).status).toBe(201);
});

test('where no password logs in, none does, right or wrong, and none is reset', async () => {
  const shop = await Client.create('without passwords');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  const id = await setAccounts(shop, { 'sign-up': 'open', 'log-in-by-mail': true, 'return-to': [RETURN] });
  const { email, username } = await confirmedUser({ client: shop, web: key });
  const set = (value: boolean) =>
    shop.update(`/users/core.account-settings/${id}`, { attributes: { 'log-in-by-password': value } });
  await set(false);
  const refused = [
    await logIn(key, username, PASSWORD),
    await logIn(key, username, 'a guess'),
    await logIn(key, 'nobody', PASSWORD),
  ];
  expect(refused.map(({ body, status }) => [status, body.errors[0]?.detail])).toEqual(
    refused.map(() => [403, 'The account settings of the application do not allow this.']),
  );
  expect((await begin(key, { kind: 'reset-password', email })).status).toBe(403);
  await begin(key, { kind: 'log-in', email });
  const [, mail] = await mailsTo(shop, email, 2);
  expect((await redeem(key, mail?.action ?? '', { code: mail?.code })).status).toBe(201);
  await set(true);
  expect((await logIn(key, username, PASSWORD)).status).toBe(201);
});

describe('an invitation', () => {
  async function invited(email: string) {
    const begun = await begin(client, { kind: 'invite', email });
    expect(begun.status).toBe(201);
    const mail = (await mailsTo(client, email, 1)).at(-1);
    return { id: begun.body.data.id, code: mail?.code, mail };
  }

  test('makes an account with a confirmed address, in the groups, and logs in', async () => {
    const [username, email] = [newName(), 'guest@shop.example'];
    const { id, code, mail } = await invited(email);
    expect([mail?.subject, mail?.text]).toEqual([
      'You are invited to The <Shop>',
      expect.stringContaining('It is valid for 2 days.') as string,
    ]);
    const token = await redeem(web, id, { code, username, password: PASSWORD });
    expect(token.status).toBe(201);
    const me = (await web.get('/users/core.user/me', tokenOf(token))).body.data;
    expect((await client.get(`/users/core.user/${me.id}`)).body.data.attributes).toMatchObject({
      username,
      'confirmed-email': email,
    });
    expect((await client.get(`/users/core.user-group/${group}/relationships/users`)).text).toContain(me.id);
    expect((await redeem(web, id, { code, username: newName(), password: PASSWORD })).status).toBe(403);
  });

  test('is tried again where the name is taken, and makes one account of many at once', async () => {
    const taken = (await confirmed()).username;
    const { id, code } = await invited('second@shop.example');
    const again = await redeem(web, id, { code, username: taken, password: PASSWORD });
    expect([again.status, faultsOf(again)]).toEqual([409, ['409 value-taken /meta/username']]);
    for (const wrong of [{ username: 'a@b.example' }, { password: 'seven77' }]) {
      const sent = { code, username: newName(), password: PASSWORD, ...wrong };
      expect((await redeem(web, id, sent)).status).toBe(422);
    }
    expect((await redeem(web, id, { code })).status).toBe(400);
    const all = await Promise.all(
      Array.from({ length: 4 }, () => redeem(web, id, { code, username: newName(), password: PASSWORD })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('is for keys without ACL, and for addresses that nobody has', async () => {
    expect((await begin(web, { kind: 'invite', email: 'x@shop.example' })).status).toBe(403);
    const { email } = await confirmed();
    const begun = await begin(client, { kind: 'invite', email });
    const [, mail] = await mailsTo(client, email, 2);
    expect([begun.status, mail?.subject, mail?.code]).toEqual([
      201,
      'You have an account for The <Shop>',
      '',
    ]);
  });
});

test('a code from a mail erases its user, with all that is theirs, also twice at once', async () => {
  const all = may('get post', '.*', ACL);
  const app = await client.withPermissions([all]);
  const { username, email, id: user } = await confirmed();
  const token = tokenOf(await logIn(web, username, PASSWORD));
  const own = (await app.create('/resources/notes', { attributes: { text: 'mine' } }, token)).body.data.id;
  const kept = await client.make('notes', { text: 'of somebody else' });
  const { id } = (await begin(web, { kind: 'erase', email })).body.data;
  const [, mail] = await mailsTo(client, email, 2);
  expect(mail?.subject).toBe('Erase your account for The <Shop>');
  expect((await redeem(web, id, { code: '' })).status).toBe(403);
  // What is done twice finds little the second time.
  const both = await Promise.all([1, 2].map(() => redeem(web, id, { code: mail?.code })));
  expect(both.map(({ status }) => status)).toContain(204);
  expect((await client.get(`/users/core.user/${user}`)).body.data).toBeNull();
  expect((await client.get(`/resources/notes/${own}`)).body.data).toBeNull();
  expect((await client.get(`/resources/notes/${kept.id}`)).body.data.id).toBe(kept.id);
  expect((await app.get('/resources/notes', token)).status).toBe(401);
  expect((await redeem(web, id, { code: mail?.code })).status).toBe(403);
});

test('an erasure by mail leaves no trail of the person', async () => {
  const shop = await Client.create('trail');
  await openShop(shop);
  const page = await shop.withPermissions(ACCOUNTS_KEY);
  await operator().change(shop.application, { 'audit-days': 30 });
  const trail = async (field: string, id: string) =>
    (await shop.get(`/audit/core.audit-entry?filter[${field}]="${id}"`)).body.meta.count;
  const both = { client: shop, web: page };
  const { email, id: user, username } = await confirmedUser(both);
  await logIn(page, username, PASSWORD);
  await expect.poll(() => trail('target-id', user)).toBe(2);
  const { id } = (await begin(page, { kind: 'erase', email })).body.data;
  const [, mail] = await mailsTo(shop, email, 2);
  expect((await redeem(page, id, { code: mail?.code })).status).toBe(204);
  // Entries of a type come in their order: that of another login would be behind hers.
  const other = await confirmedUser(both);
  const token = (await logIn(page, other.username, PASSWORD)).body.data.id;
  await shop.delete(`/users/core.user.token/${token}`);
  await expect.poll(() => trail('target-id', token)).toBe(2);
  expect(await trail('target-type', 'core.user.token')).toBe(3);
  expect([await trail('target-id', user), await trail('user.id', user)]).toEqual([0, 0]);
});

describe('of twenty that redeem at once, one does', () => {
  const TWENTY = Array.from({ length: 20 }, (_, n) => n);
  const passwordOf = (n: number) => `${PASSWORD} ${n}`;
  /** The results, and who has won. */
  async function race(id: string, code: string | undefined, more: (n: number) => object = () => ({})) {
    const all = await Promise.all(TWENTY.map((n) => redeem(web, id, { code, ...more(n) })));
    const won = TWENTY.filter((n) => (all[n]?.status ?? 500) < 300);
    const others = all.map(({ status }) => status).filter((status) => status >= 300);
    expect(others.filter((status) => ![403, 409, 429].includes(status))).toEqual([]);
    expect(won).toHaveLength(1);
    return won[0] ?? 0;
  }
  const begun = async (kind: string) => {
    const { email, username } = await confirmed();
    const { id } = (await begin(web, { kind, email })).body.data;
    const [, mail] = await mailsTo(client, email, 2);
    return { id, code: mail?.code, username };
  };

  test('a log-in', async () => {
    const { id, code } = await begun('log-in');
    await race(id, code);
  });

  test('a confirm-address', async () => {
    const [username, email] = [newName(), `${newName()}@shop.example`];
    await signUp(web, { username, email, password: PASSWORD });
    const [mail] = await mailsTo(client, email, 1);
    await race(mail?.action ?? '', mail?.code);
    expect((await logIn(web, email, PASSWORD)).status).toBe(201);
  });

  test('a reset-password', async () => {
    const { id, code, username } = await begun('reset-password');
    const won = await race(id, code, (n) => ({ password: passwordOf(n) }));
    expect((await logIn(web, username, passwordOf(won))).status).toBe(201);
    expect((await logIn(web, username, passwordOf((won + 1) % 20))).status).toBe(401);
  });

  test.each(['one name', 'each another'])('an invite, under %s', async (names) => {
    const email = `${newName()}@shop.example`;
    const { id } = (await begin(client, { kind: 'invite', email })).body.data;
    const [mail] = await mailsTo(client, email, 1);
    const same = newName();
    const named = TWENTY.map(() => (names === 'one name' ? same : newName()));
    const won = await race(id, mail?.code, (n) => ({ username: named[n], password: passwordOf(n) }));
    const users = await client.get(`/users/core.user?filter[confirmed-email]="${email}"`);
    expect(users.body.data.map(({ attributes }) => attributes?.['username'])).toEqual([named[won]]);
    expect((await logIn(web, email, passwordOf(won))).status).toBe(201);
  });
});

test('five wrong codes end an action, many at once too', async () => {
  const { email } = await confirmed();
  const { id } = (await begin(web, { kind: 'log-in', email })).body.data;
  const [, mail] = await mailsTo(client, email, 2);
  const wrong = mail?.code === '000000' ? '000001' : '000000';
  await Promise.all(Array.from({ length: 5 }, () => redeem(web, id, { code: wrong })));
  expect(codes(await redeem(web, id, { code: mail?.code }))).toEqual(['invalid-code']);
});

test('a code is for its action alone, and names in mails are no HTML', async () => {
  const [one, other] = [await confirmed(), await confirmed()];
  const first = await begin(web, { kind: 'log-in', email: one.email });
  const second = await begin(web, { kind: 'log-in', email: other.email });
  const [, mail] = await mailsTo(client, one.email, 2);
  expect((await redeem(web, second.body.data.id, { code: mail?.code })).status).toBe(403);
  expect((await redeem(web, first.body.data.id, { code: mail?.code })).status).toBe(201);
  const { body } = await client.get(`/users/core.mail?filter[to]="${one.email}"`);
  expect(body.data[0]?.attributes?.['html']).toContain('The &lt;Shop&gt;');
});

test('the link of a mail logs in; a GET, and another application, leave its code valid', async () => {
  const { email, id: user } = await confirmed();
  const { id } = (await begin(web, { kind: 'log-in', email })).body.data;
  const [, mail] = await mailsTo(client, email, 2);
  const code = mail?.link.split('&code=')[1];
  expect((await client.get(`/users/core.account-action/${id}/redemption`)).status).toBe(405);
  const other = await Client.create('another application');
  await openShop(other);
  const there = await redeem(await other.withPermissions(ACCOUNTS_KEY), id, { code });
  expect(codes(there)).toEqual(['invalid-code']);
  const token = tokenOf(await redeem(web, id, { code }));
  expect((await web.get('/users/core.user/me', token)).body.data.id).toBe(user);
});

test('settings let in who confirms later, ask for a longer password, and send no logins', async () => {
  const shop = await Client.create('other settings');
  const key = await shop.withPermissions(ACCOUNTS_KEY);
  await setAccounts(shop, { 'sign-up': 'open', confirm: 'later', 'password-length': 12 });
  const sent = { username: 'ada', email: 'ada@shop.example', password: 'elevenchars' };
  expect(codes(await signUp(key, sent))).toEqual(['invalid-attribute']);
  expect((await signUp(key, { ...sent, password: 'twelve chars' })).status).toBe(201);
  expect((await logIn(key, 'ada', 'twelve chars')).status).toBe(201);
  expect((await logIn(key, 'ada@shop.example', 'twelve chars')).status).toBe(401);
  for (const kind of ['log-in', 'erase']) {
    expect((await begin(key, { kind, email: 'ada@shop.example' })).status).toBe(403);
  }
});

test('an action is asked for five times an hour, whoever has an account', async () => {
  for (const email of ['none@shop.example', (await confirmed()).email]) {
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await begin(web, { kind: 'log-in', email })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  }
});

test('sign-ups under many names send an address five mails at most', async () => {
  const email = 'bombed@shop.example';
  for (let at = 0; at < 8; at += 1) {
    const username = newName();
    expect((await signUp(web, { username, password: PASSWORD, email })).status).toBe(201);
    await begin(web, { kind: 'confirm-address', username });
  }
  const other = await confirmed();
  await begin(web, { kind: 'log-in', email: other.email });
  await mailsTo(client, other.email, 2);
  expect((await mailsTo(client, email, 1)).length).toBeLessThanOrEqual(5);
});

test('nobody reads or lists actions, and users read no mails', async () => {
  const { id } = (await begin(client, { kind: 'log-in', email: 'reader@shop.example' })).body.data;
  expect((await client.get('/users/core.account-action')).status).toBe(405);
  expect((await client.get(`/users/core.account-action/${id}`)).status).toBe(404);
  expect((await web.get('/users/core.mail')).status).toBe(403);
});

test.each([
  ['no kind', { email: 'a@b.example' }],
  ['another kind', { kind: 'explode', email: 'a@b.example' }],
  ['a user in the place of the address', { kind: 'log-in', username: 'ada' }],
  ['what the service makes', { kind: 'log-in', email: 'a@b.example', expires: '2030-01-01T00:00:00Z' }],
  ...['code', 'location', 'options', 'provider'].map((name): [string, object] => [
    name,
    { kind: 'log-in', email: 'a@b.example', [name]: 'x' },
  ]),
  ['tries', { kind: 'log-in', email: 'a@b.example', tries: -5 }],
])('an action with %s is 422', async (_, attributes) => {
  expect((await begin(web, attributes)).status).toBe(422);
});

test('an unknown kind is told, and those there are, whatever else is sent', async () => {
  const reply = await begin(web, { kind: 'log-in-provder', provider: 'forge' });
  expect(reply.body.errors.map(({ source }) => source?.['pointer'])).toEqual(['/data/attributes/kind']);
  for (const kind of ['invite', 'register-passkey', 'add-second-factor', 'log-in-provider'])
    expect(reply.text).toContain(kind);
});

test.each([[{}], [{ code: 5 }], [{ code: '000000', password: 5 }], [[]], ['no']])(
  'a redemption of %j is 400',
  async (meta) => {
    expect((await redeem(web, '0'.repeat(24), meta as object)).status).toBe(400);
  },
);
