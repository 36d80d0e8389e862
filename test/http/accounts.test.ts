/** Accounts that people make themselves (docs/accounts.md): sign-up, addresses that are confirmed, passwords that are forgotten. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, mailsTo, redeem, setAccounts, signUp } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { OwnService } from '../support/own-service.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { faultsOf } from '../support/faults.ts';
import { codes } from '../support/rules.ts';

const PASSWORD = 'a long difference';
const RETURN = 'https://shop.example/account';

let service: OwnService;
let client: Client;
let web: Client;
beforeAll(async () => {
  service = await OwnService.start({
    settings: { MAILBOX: 'yes', LOGIN_FAILURES_BY_USER: '100', LOGIN_FAILURES_BY_ADDRESS: '1000' },
  });
  ({ client } = service);
  web = await client.withPermissions(ACCOUNTS_KEY);
});
afterAll(() => service.stop());

let last = 0;
const newName = () => `somebody${(last += 1)}`;

test('without settings, nobody signs up and nothing begins', async () => {
  expect([(await signUp(web, { username: newName(), password: PASSWORD })).status]).toEqual([401]);
  expect((await begin(web, { kind: 'log-in', email: 'a@b.example' })).status).toBe(403);
  expect((await redeem(web, '0'.repeat(24), { code: '000000' })).status).toBe(403);
});

describe('where the settings are open', () => {
  let group: string;
  beforeAll(async () => {
    const made = await client.post('/users/core.user-group', { data: { type: 'core.user-group' } });
    group = made.body.data.id;
    await setAccounts(
      client,
      {
        name: 'The <Shop>',
        'sign-up': 'open',
        'log-in-by-mail': true,
        'erase-by-mail': true,
        'return-to': [RETURN],
        fields: ['name'],
      },
      [group],
    );
  });

  /** Somebody who has signed up and confirmed. */
  async function confirmed() {
    const username = newName();
    const email = `${username}@shop.example`;
    const made = await signUp(web, { username, password: PASSWORD, email });
    expect([made.status, made.body.data.type]).toEqual([201, 'core.user']);
    const [mail] = await mailsTo(client, email, 1);
    expect((await redeem(web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
    return { username, email, id: made.body.data.id };
  }

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
    const linked = await web.post('/users/core.user', {
      data: { type: 'core.user', attributes, relationships: { friend } },
    });
    expect(linked.status).toBe(422);
    const given = await web.post('/users/core.user', {
      data: { type: 'core.user', attributes, meta: { acl: { read: '*' } } },
    });
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

  test('a user hears of a new password, however it was set, by a mail that proves nothing', async () => {
    const { username, email, id } = await confirmed();
    const told = async () =>
      (await client.get(`/users/core.mail?filter[to]="${email}"&sort=created`)).body.data.filter(
        ({ attributes }) => attributes?.['subject'] === 'Your login for The <Shop> was changed',
      );
    const headers = tokenOf(await logIn(web, username, PASSWORD));
    const set = (attributes: object) =>
      web.patch('/users/core.user/me', { data: { type: 'core.user', id, attributes } }, headers);
    expect((await set({ name: 'Ada' })).status).toBe(200);
    const again = tokenOf(await logIn(web, username, PASSWORD));
    const data = { type: 'core.user', id, attributes: { password: 'another difference' } };
    expect((await web.patch('/users/core.user/me', { data }, again)).status).toBe(200);
    await expect.poll(async () => (await told()).length, { timeout: 10_000 }).toBe(1);
    const reset = (await begin(web, { kind: 'reset-password', email })).body.data.id;
    const code = (await mailsTo(client, email, 2)).at(-1)?.code;
    expect((await redeem(web, reset, { code, password: 'a third difference' })).status).toBe(204);
    await expect.poll(async () => (await told()).length, { timeout: 10_000 }).toBe(2);
    for (const { attributes } of await told()) expect(attributes?.['text']).not.toMatch(/http|code/);
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
    const all = { path: '.*', methods: ['get', 'post'], acl: { active: true } };
    const app = await client.withPermissions([all]);
    const { username, email, id: user } = await confirmed();
    const token = tokenOf(await logIn(web, username, PASSWORD));
    const note = { data: { type: 'notes', attributes: { text: 'mine' } } };
    const own = (await app.post('/resources/notes', note, token)).body.data.id;
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

  test('of two that redeem at once, one does', async () => {
    const { email } = await confirmed();
    const { id } = (await begin(web, { kind: 'log-in', email })).body.data;
    const [, mail] = await mailsTo(client, email, 2);
    const all = await Promise.all(Array.from({ length: 8 }, () => redeem(web, id, { code: mail?.code })));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 403)).toHaveLength(7);
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

  test('an action is asked for five times an hour, whoever has an account', async () => {
    for (const email of ['none@shop.example', (await confirmed()).email]) {
      const statuses: number[] = [];
      for (let at = 0; at < 6; at += 1) statuses.push((await begin(web, { kind: 'log-in', email })).status);
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    }
  });

  test('of many that ask at once, an address gets five mails at most', async () => {
    const { email } = await confirmed();
    await Promise.all(Array.from({ length: 20 }, () => begin(web, { kind: 'log-in', email })));
    const other = await confirmed();
    await begin(web, { kind: 'log-in', email: other.email });
    // Mails go in the order in which they were asked for.
    await mailsTo(client, other.email, 2);
    expect((await mailsTo(client, email, 1)).length).toBeLessThanOrEqual(1 + 5);
  });

  test('sign-ups under many names send an address five mails at most', async () => {
    const email = 'bombed@shop.example';
    for (let at = 0; at < 8; at += 1) {
      const made = await signUp(web, { username: newName(), password: PASSWORD, email });
      expect(made.status).toBe(201);
      await begin(web, { kind: 'confirm-address', username: `somebody${last}` });
    }
    const other = await confirmed();
    await begin(web, { kind: 'log-in', email: other.email });
    await mailsTo(client, other.email, 2);
    expect((await mailsTo(client, email, 1)).length).toBeLessThanOrEqual(5);
  });

  test('a password that a user sets obeys the settings, as does one that is reset', async () => {
    const { username, email } = await confirmed();
    const me = tokenOf(await logIn(web, username, PASSWORD));
    const patch = (password: string) =>
      web.patch(
        '/users/core.user/me',
        { data: { type: 'core.user', id: 'me', attributes: { password } } },
        me,
      );
    expect(codes(await patch('seven77'))).toEqual(['invalid-attribute']);
    const { id } = (await begin(web, { kind: 'reset-password', email })).body.data;
    const [, mail] = await mailsTo(client, email, 2);
    const named = await redeem(web, id, { code: mail?.code, password: username.toUpperCase() });
    expect(codes(named)).toEqual(['invalid-attribute']);
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
    ['tries', { kind: 'log-in', email: 'a@b.example', tries: -5 }],
  ])('an action with %s is 422', async (_, attributes) => {
    expect((await begin(web, attributes)).status).toBe(422);
  });

  test.each([[{}], [{ code: 5 }], [{ code: '000000', password: 5 }], [[]], ['no']])(
    'a redemption of %j is 400',
    async (meta) => {
      expect((await redeem(web, '0'.repeat(24), meta as object)).status).toBe(400);
    },
  );
});

test.each([
  [{ 'sign-up': 'perhaps' }],
  [{ 'return-to': ['http://shop.example/'] }],
  [{ 'return-to': ['https://shop.example/#/account'] }],
  [{ sender: 'nobody' }],
  [{ minutes: 0 }],
  [{ 'password-length': 4 }],
  [{ scope: 'application' }],
  [{ colour: 'red' }],
])('settings of %j are 422', async (attributes) => {
  const sent = { data: { type: 'core.account-settings', attributes } };
  expect((await client.post('/users/core.account-settings', sent)).status).toBe(422);
});
