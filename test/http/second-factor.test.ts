/** Second factors (docs/accounts.md#second-factors): codes of an app, and codes for whoever has lost it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, appAt, begin, confirmed, mailsTo, redeem, setAccounts } from '../support/accounts.ts';
import { Authenticator } from '../support/authenticator.ts';
import type { Reply } from '../support/client.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { newService } from '../support/scope.ts';
import { workerNamed } from '../support/own-service.ts';

const PASSWORD = 'a long difference';
const FACTORS = '/users/core.second-factor';
const PERIOD = 30_000;

const service = await newService({
  entry: workerNamed('clock'),
  settings: { MAILBOX: 'yes', LOGIN_FAILURES_BY_USER: '1000', LOGIN_FAILURES_BY_ADDRESS: '1000' },
});
const { client } = service;
const web = await client.withPermissions(ACCOUNTS_KEY);
await setAccounts(client, {
  ...{ name: 'Shop', 'sign-up': 'open', 'log-in-by-mail': true, 'second-factor': 'allowed' },
  'return-to': ['https://shop.example/'],
  origins: ['https://shop.example'],
});

type Headers = Record<string, string>;
const start = (kind: string, headers: Headers = {}) =>
  web.create('/users/core.account-action', { attributes: { kind } }, headers);
const finish = (action: string, code: string, headers: Headers = {}) =>
  web.post(`/users/core.account-action/${action}/redemption`, { meta: { code } }, headers);
const actionOf = ({ body }: Reply) => String(body.errors[0]?.meta?.['action']);

const setClock = (ahead: number) => fetch(`${service.url}/test/clock?ahead=${ahead}`, { method: 'POST' });

let last = 0;

interface Somebody {
  readonly username: string;
  readonly id: string;
  readonly email: string;
  readonly headers: Headers;
  /** The code of the app, so many periods from now. */
  readonly code: (later: number) => string;
  readonly recovery: readonly string[];
}

/** Somebody with a second factor. */
async function somebody(): Promise<Somebody> {
  const { email, id, username } = await confirmed(client, web, `factor${(last += 1)}`, PASSWORD);
  const before = tokenOf(await logIn(web, username, PASSWORD));
  const begun = await start('add-second-factor', before);
  expect(begun.status).toBe(201);
  const app = appAt(begun.body.data.attributes?.['location']);
  const code = (later: number) => app.generate({ timestamp: Date.now() + later * PERIOD });
  expect([app.issuer, app.label]).toEqual(['Shop', username]);
  const added = await finish(begun.body.data.id, code(0), before);
  expect(added.status).toBe(201);
  expect((await web.get('/users/core.user/me', before)).status).toBe(401);
  const recovery = added.body.meta['recovery-codes'] as readonly string[];
  return { username, id, email, headers: tokenOf(added), code, recovery };
}

let ada: Somebody;
beforeEach(async () => {
  ada = await somebody();
});

async function asked(how = () => logIn(web, ada.username, PASSWORD)): Promise<string> {
  const reply = await how();
  expect([reply.status, codes(reply), reply.body.data]).toEqual([403, ['second-factor-required'], undefined]);
  return actionOf(reply);
}

const byMail = async () => {
  const begun = await begin(web, { kind: 'log-in', email: ada.email });
  const [, mail] = await mailsTo(client, ada.email, 2);
  return redeem(web, begun.body.data.id, { code: mail?.code });
};

test.each([
  ['a password', () => logIn(web, ada.username, PASSWORD)],
  ['a mail', byMail],
])('who logs in by %s is asked for a code of the app', async (_, how) => {
  const entered = await finish(await asked(how), ada.code(1));
  expect(entered.status).toBe(201);
  const me = await web.get('/users/core.user/me', tokenOf(entered));
  expect(me.body.data.attributes).toMatchObject({ username: ada.username, 'second-factor': true });
});

test('a password that a mail has reset does not log in without the second factor', async () => {
  const password = 'another difference';
  const { id } = (await begin(web, { kind: 'reset-password', email: ada.email })).body.data;
  const code = (await mailsTo(client, ada.email, 2)).find(({ action }) => action === id)?.code;
  expect((await redeem(web, id, { code, password })).status).toBe(204);
  expect(codes(await logIn(web, ada.username, password))).toEqual(['second-factor-required']);
});

test('each code is good once, also for many at once', async () => {
  const code = ada.code(1);
  const actions = [await asked(), await asked(), await asked()];
  const all = await Promise.all(actions.map((action) => finish(action, code)));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(codes(await finish(await asked(), code))).toEqual(['invalid-code']);
  // The one that has added the factor is used up, too.
  expect(codes(await finish(await asked(), ada.code(0)))).toEqual(['invalid-code']);
});

test('whoever has lost the app has ten codes of 112 bits, each for one login that a mail tells of', async () => {
  expect(new Set(ada.recovery).size).toBe(10);
  for (const each of ada.recovery) expect(each).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){6}$/);
  const [code = ''] = ada.recovery;
  const actions = await Promise.all(Array.from({ length: 8 }, () => asked()));
  const all = await Promise.all(actions.map((action) => finish(action, code.toUpperCase())));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(codes(await finish(await asked(), code))).toEqual(['invalid-code']);
  // An earlier one has told of the factor.
  const path = `/users/core.mail?filter[to]="${ada.email}"&filter[subject]="Your login for Shop was changed"`;
  await expect.poll(async () => (await client.get(path)).body.meta.count).toBe(2);
});

test('a hundred wrong codes in a row end the codes of the app, until a recovery code is used', async () => {
  for (let login = 0; login < 25; login += 1) {
    const action = await asked();
    await Promise.all(Array.from({ length: 4 }, () => finish(action, 'wrong')));
  }
  expect((await finish(await asked(), ada.code(1))).status).toBe(403);
  expect((await finish(await asked(), ada.recovery[0] ?? '')).status).toBe(201);
  expect((await finish(await asked(), ada.code(1))).status).toBe(201);
});

test('five wrong codes end a login, many at once too', async () => {
  const action = await asked();
  await Promise.all(Array.from({ length: 5 }, () => finish(action, 'wrong')));
  expect(codes(await finish(action, ada.code(1)))).toEqual(['invalid-code']);
});

test('of many wrong codes at once, five are tried: 18 logins leave the app below its limit of a hundred', async () => {
  for (let login = 0; login < 18; login += 1) {
    const action = await asked();
    await Promise.all(Array.from({ length: 20 }, () => finish(action, 'wrong')));
  }
  expect((await finish(await asked(), ada.code(1))).status).toBe(201);
});

test('a password that was changed meanwhile ends a login', async () => {
  const action = await asked();
  const attributes = { password: 'another difference' };
  await client.update(`/users/core.user/${ada.id}`, { attributes });
  expect(codes(await finish(action, ada.code(1)))).toEqual(['invalid-code']);
});

test('what proves an action proves nothing half an hour later: a code by mail or by the user, a passkey', async () => {
  const phone = new Authenticator('https://shop.example');
  const registration = await start('register-passkey', ada.headers);
  const made = { response: phone.register(registration) };
  expect((await redeem(web, registration.body.data.id, made, ada.headers)).status).toBe(201);
  const mailed = (await begin(web, { kind: 'log-in', email: ada.email })).body.data.id;
  const code = (await mailsTo(client, ada.email, 2)).at(-1)?.code;
  const login = await start('log-in-passkey');
  const proofs: readonly (readonly [string, object])[] = [
    [mailed, { code }],
    [await asked(), { code: ada.recovery[0] }],
    [login.body.data.id, { response: phone.logIn(login) }],
  ];
  try {
    await setClock(31 * 60_000);
    for (const [action, meta] of proofs) {
      expect(codes(await redeem(web, action, meta))).toEqual(['invalid-code']);
    }
  } finally {
    await setClock(0);
  }
});

describe('a stolen token', () => {
  test('does not take the factor away, nor put another in its place', async () => {
    const begun = (await start('remove-second-factor', ada.headers)).body.data.id;
    expect(codes(await finish(begun, '000000', ada.headers))).toEqual(['invalid-code']);
    for (const value of [false, null]) {
      const data = { type: 'core.user', id: 'me', attributes: { 'second-factor': value } };
      expect((await web.patch('/users/core.user/me', { data }, ada.headers)).status).toBe(422);
    }
    const other = await start('add-second-factor', ada.headers);
    const app = appAt(other.body.data.attributes?.['location']);
    expect(codes(await finish(other.body.data.id, app.generate(), ada.headers))).toEqual(['invalid-code']);
    await asked();
  });

  test('of somebody else, or none, redeems no action of a user', async () => {
    const eve = await somebody();
    const begun = (await start('remove-second-factor', ada.headers)).body.data.id;
    for (const headers of [eve.headers, {}]) {
      expect(codes(await finish(begun, ada.recovery[0] ?? '', headers))).toEqual(['invalid-code']);
    }
  });
});

test('a user removes the factor with a code, and logs in without', async () => {
  const begun = (await start('remove-second-factor', ada.headers)).body.data.id;
  const removed = await finish(begun, ada.code(1), ada.headers);
  expect([removed.status, (await web.get('/users/core.user/me', tokenOf(removed))).status]).toEqual([
    201, 200,
  ]);
  expect((await logIn(web, ada.username, PASSWORD)).status).toBe(201);
});

test('a key without ACL takes away the factor of who has lost all, and sees no secret', async () => {
  const { body, text } = await client.get(`${FACTORS}?filter[user]="${ada.id}"`);
  const [factor] = body.data;
  expect(Object.keys(factor?.attributes ?? {}).sort()).toEqual(['created', 'user']);
  for (const code of ada.recovery) expect(text).not.toContain(code);
  expect((await web.get(FACTORS, ada.headers)).status).toBe(403);
  await client.send('DELETE', `${FACTORS}/${factor?.id ?? ''}`);
  expect((await logIn(web, ada.username, PASSWORD)).status).toBe(201);
});

test.each([
  ['a password', { attributes: { password: 'a new difference' } }],
  ['a password that begins as a hash', { attributes: { password: '$scrypt$a new difference' } }],
  ['an address', { attributes: { email: 'eve@shop.example' } }],
  ['an address by an operator', { meta: { update: { $max: { email: 'zz@shop.example' } } } }],
  ['an address by another name', { meta: { update: { $rename: { other: 'email' } } } }],
])('a login of eleven minutes ago sets no new way in: %s', async (_, change) => {
  const token = tokenOf(await finish(await asked(), ada.code(1)));
  try {
    await setClock(11 * 60_000);
    const { status } = await web.update('/users/core.user/me', { ...change }, token);
    expect(status).toBe(401);
  } finally {
    await setClock(0);
  }
});

test('a login of eleven minutes ago adds no factor, and takes none away', async () => {
  const token = tokenOf(await finish(await asked(), ada.code(1)));
  try {
    await setClock(11 * 60_000);
    expect((await start('add-second-factor', token)).status).toBe(401);
    expect((await start('remove-second-factor', token)).status).toBe(401);
  } finally {
    await setClock(0);
  }
});

describe('where a second factor is required', () => {
  let group: string;
  const change = async (value: string, groups: readonly string[] = []) => {
    const [settings] = (await client.get('/users/core.account-settings')).body.data;
    const data = {
      ...{ type: 'core.account-settings', id: settings?.id, attributes: { 'second-factor': value } },
      relationships: { 'factor-groups': { data: groups.map((id) => ({ type: 'core.user-group', id })) } },
    };
    const path = `/users/core.account-settings/${settings?.id ?? ''}`;
    expect((await client.patch(path, { data })).status).toBe(200);
  };
  const newcomer = async () => {
    const attributes = { username: `newcomer${(last += 1)}`, password: PASSWORD };
    const made = await client.create('/users/core.user', { attributes });
    return { type: 'core.user', id: made.body.data.id };
  };
  const enter = () => logIn(web, `newcomer${last}`, PASSWORD);
  beforeEach(async () => {
    group = (await client.create('/users/core.user-group')).body.data.id;
    await change('required');
  });
  afterEach(() => change('allowed'));

  const required = async () => {
    const reply = await enter();
    expect([reply.status, codes(reply)]).toEqual([403, ['second-factor-required']]);
    const location = String(reply.body.errors[0]?.meta?.['location']);
    const app = appAt(location);
    return { action: actionOf(reply), app };
  };

  test('whoever has none adds one at the login, and is asked for it at the next', async () => {
    await newcomer();
    const { action, app } = await required();
    expect(codes(await finish(action, 'wrong'))).toEqual(['invalid-code']);
    const added = await finish(action, app.generate());
    expect([added.status, added.body.meta['recovery-codes']]).toEqual([201, expect.any(Array)]);
    expect((await web.get('/users/core.user/me', tokenOf(added))).status).toBe(200);
    const next = await enter();
    expect([codes(next), next.body.errors[0]?.meta?.['location']]).toEqual([
      ['second-factor-required'],
      undefined,
    ]);
    const entered = await finish(actionOf(next), app.generate({ timestamp: Date.now() + PERIOD }));
    expect(entered.status).toBe(201);
  });

  test('an action that was begun before a new password adds none', async () => {
    const link = await newcomer();
    const { action, app } = await required();
    const attributes = { password: 'another difference' };
    await client.patch(`/users/core.user/${link.id}`, { data: { ...link, attributes } });
    expect(codes(await finish(action, app.generate()))).toEqual(['invalid-code']);
    expect((await client.get(`${FACTORS}?filter[user]="${link.id}"`)).body.data).toEqual([]);
  });

  test('who was kept from adding one adds it later', async () => {
    await newcomer();
    const first = await required();
    const properties = { attributes: { properties: { 'second-factor': false } } };
    const attributes = { target: 'core.user', content: { properties } };
    const schema = await client.create('/schemas/core.schema', { attributes });
    expect(schema.status).toBe(201);
    expect(codes(await finish(first.action, first.app.generate()))).toEqual(['invalid-code']);
    await client.delete(`/schemas/core.schema/${schema.body.data.id}`);
    const { action, app } = await required();
    expect((await finish(action, app.generate())).status).toBe(201);
  });

  test('it is so for users of the groups that the settings name, if they name any', async () => {
    const link = await newcomer();
    await change('required', [group]);
    expect((await enter()).status).toBe(201);
    const members = { data: [link] };
    await client.post(`/users/core.user-group/${group}/relationships/users`, members);
    await required();
  });
});

test('nobody begins without a token, nor where the settings are off', async () => {
  for (const kind of ['add-second-factor', 'remove-second-factor']) {
    expect((await start(kind)).status).toBe(401);
  }
  expect((await start('second-factor', ada.headers)).status).toBe(422);
  const [settings] = (await client.get('/users/core.account-settings')).body.data;
  const change = (value: string) =>
    client.patch(`/users/core.account-settings/${settings?.id ?? ''}`, {
      data: { type: 'core.account-settings', id: settings?.id, attributes: { 'second-factor': value } },
    });
  await change('off');
  expect((await start('add-second-factor', ada.headers)).status).toBe(403);
  // Who has one keeps it.
  await asked();
  expect((await change('forced')).status).toBe(422);
  await change('allowed');
});

test.each(['https://10.0.0.1', 'https://metadata.internal', 'http://127.0.0.1:9'])(
  'an identity provider at %s is in no public network',
  async (issuer) => {
    const attributes = { name: 'inside', issuer, 'client-id': 'x' };
    expect((await client.create('/users/core.identity-provider', { attributes })).status).toBe(422);
  },
);
