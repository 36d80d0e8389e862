/** Every way to an account of one's own (docs/accounts.md) obeys the key, the settings and the type alike. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, mailsTo, redeem, signUp } from '../support/accounts.ts';
import type { Client, Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, makeUser, may } from '../support/people.ts';
import { useSites, type Site } from '../support/providers.ts';
import { makeSchema, settle } from '../support/type-settings.ts';

const sites = useSites();
let site: Site;
beforeEach(() => {
  site = sites.site();
});

const PASSWORD = 'a long difference';
const USERS = '/users/core\\.user';
const [, ...OTHERS] = ACCOUNTS_KEY;

type Way = (web: Client, attributes?: object, headers?: Readonly<Record<string, string>>) => Promise<Reply>;

async function invitation(): Promise<{ readonly id: string; readonly code: string }> {
  const email = 'ada@shop.example';
  const { id } = (await begin(site.client, { kind: 'invite', email })).body.data;
  let code = '';
  await expect
    .poll(async () => {
      const mails = await mailsTo(site.client, email, 1);
      return (code = mails.find(({ action }) => action === id)?.code ?? '');
    })
    .not.toBe('');
  return { id, code };
}

const byInvitation: Way = async (web, attributes, headers) => {
  const { id, code } = await invitation();
  return redeem(web, id, { code, username: 'ada', password: PASSWORD, attributes }, headers);
};

const byProvider: Way = async (web, attributes) => {
  const begun = await site.start();
  const callback = await site.back(begun, 'ada');
  return redeem(web, begun.id, { code: begun.code, callback, attributes });
};

/** The ways that prove the address, with attributes of the account. */
const PROVEN: readonly (readonly [string, Way])[] = [
  ['an invitation', byInvitation],
  ['a provider', byProvider],
];

/** Each way that a stranger comes to an account. */
const WAYS: readonly (readonly [string, Way])[] = [
  [
    'a sign-up',
    (web, attributes) =>
      signUp(web, { username: 'ada', email: 'ada@shop.example', password: PASSWORD, ...attributes }),
  ],
  ...PROVEN,
];

const users = async () => (await site.client.get('/users/core.user')).body.meta.count;

describe.each(WAYS)('by %s', (name, way) => {
  const place = name === 'a sign-up' ? '/data/attributes' : '/meta/attributes';

  test.each<[string, object, string]>([
    ['a check of the key', { check: { plan: 'free' } }, '403 rule-violated'],
    ['an expression of the key', { check: { $expr: { $eq: ['$plan', 'free'] } } }, '403 rule-violated'],
    ['the fields that the key lets be written', { fields: { write: ['username'] } }, 'field-not-permitted'],
  ])('%s holds', async (_, rule, fault) => {
    await site.set({ fields: ['plan'] });
    const web = await site.client.withPermissions([may('post', USERS, { ...ACL, ...rule }), ...OTHERS]);
    expect(faultsOf(await way(web, { plan: 'gold' })).join()).toContain(fault);
    expect(await users()).toBe(0);
  });

  test('what the check of the key asks for makes an account', async () => {
    await site.set({ fields: ['plan'] });
    const rule = { ...ACL, check: { plan: 'free' } };
    const web = await site.client.withPermissions([may('post', USERS, rule), ...OTHERS]);
    expect((await way(web, { plan: 'free' })).status).toBe(201);
    const [user] = (await site.client.get('/users/core.user')).body.data;
    expect(user?.attributes).toMatchObject({ plan: 'free' });
    const members = await site.client.get(`/users/core.user-group/${site.group}/relationships/users`);
    expect(members.text).toContain(user?.id);
  });

  test('a key that permits no sign-up makes none', async () => {
    expect((await way(await site.client.withPermissions(OTHERS))).status).toBe(403);
    expect(await users()).toBe(0);
  });

  test('what the settings of accounts require is given', async () => {
    await site.set({ required: ['plan', 'motto'] });
    expect(faultsOf(await way(site.web, { motto: 'On.' }))).toEqual([`422 missing-attribute ${place}/plan`]);
    expect(await users()).toBe(0);
    expect((await way(site.web, { motto: 'On.', plan: 'free' })).status).toBe(201);
  });

  test('nothing is given that they do not name', async () => {
    const faults = faultsOf(await way(site.web, { role: 'admin' }));
    expect(faults).toEqual([`403 field-not-permitted ${place}/role`]);
    expect(await users()).toBe(0);
  });

  test('a schema of users holds', async () => {
    await makeSchema(site.client, 'core.user', { attributes: { required: ['plan'] } });
    expect(faultsOf(await way(site.web))).toEqual([`422 schema-violation ${place}`]);
    expect(await users()).toBe(0);
  });

  test('the right to create users, by the settings of the type, holds', async () => {
    expect(
      (await settle(site.client, { name: 'core.user', rights: { create: ['$team.read'] } })).status,
    ).toBe(201);
    expect((await way(site.web)).status).toBe(403);
    expect(await users()).toBe(0);
  });
});

test.each(PROVEN)('%s says the address: another one is refused', async (_, way) => {
  const enter = (email: string) => way(site.web, { email });
  expect(faultsOf(await enter('eve@shop.example'))).toEqual(['422 invalid-attribute /meta/attributes/email']);
  expect(await users()).toBe(0);
  expect((await enter('Ada@shop.example')).status).toBe(201);
});

test.each([
  ['username', 'eve'],
  ['password', 'another difference'],
])('an invitation takes its %s beside the attributes', async (name, value) => {
  const refused = await byInvitation(site.web, { [name]: value });
  expect(faultsOf(refused)).toEqual([`422 invalid-attribute /meta/attributes/${name}`]);
  expect(await users()).toBe(0);
});

test('whose token comes along with an invitation has no right on the account', async () => {
  const friend = await makeUser(site.client, 'friend');
  expect((await byInvitation(site.web, {}, friend.headers)).status).toBe(201);
  const [user] = (await site.client.get('/users/core.user?filter[username]=ada')).body.data;
  const { attributes } = (await site.client.get(`/users/core.user.acl/${user?.id ?? ''}`)).body.data;
  const itself = [{ type: 'core.user', id: user?.id }];
  expect(attributes).toEqual({ read: itself, update: itself, delete: itself });
});

describe('the claims that a provider document names become attributes of a new account', () => {
  const named = async (claims: unknown) => {
    const path = '/users/core.identity-provider';
    const { id } = (await site.client.get(path)).body.data[0] ?? {};
    return site.client.patch(`${path}/${id ?? ''}`, {
      data: { type: 'core.identity-provider', id, attributes: { claims } },
    });
  };
  const claimed = async (attributes?: object) => {
    const reply = await byProvider(site.web, attributes);
    return reply.status === 201 ? (await site.me(reply)).attributes : faultsOf(reply);
  };
  beforeEach(async () => {
    const claims = { 'full-name': 'name', verified: 'email_verified', none: 'picture', username: 'name' };
    expect((await named(claims)).status).toBe(200);
  });

  test('texts, numbers and flags; those that are not said lack', async () => {
    const attributes = await claimed();
    expect(attributes).toMatchObject({ username: 'Nameofada', 'full-name': 'Name of ada', verified: true });
    expect(attributes).not.toHaveProperty('none');
  });

  test('they are what the settings require, and nobody changes them who may not give them', async () => {
    await site.set({ required: ['verified'] });
    expect(await claimed({ 'full-name': 'Eve' })).toEqual([
      '403 field-not-permitted /meta/attributes/full-name',
    ]);
    expect(await claimed({ verified: false })).toMatchObject({ 'full-name': 'Name of ada', verified: false });
  });

  test('that an account has no password is none', async () => {
    await site.set({ required: ['password'] });
    expect(await claimed()).toEqual(['422 missing-attribute /meta/attributes/password']);
  });

  test('what a schema refuses of them is left out, as nobody could put it right; who can, is asked', async () => {
    await makeSchema(site.client, 'core.user', {
      attributes: { properties: { 'full-name': { maxLength: 3 } } },
    });
    const attributes = await claimed();
    expect(attributes).toMatchObject({ username: 'Nameofada', verified: true });
    expect(attributes).not.toHaveProperty('full-name');
    await site.set({ fields: ['full-name'] });
    const begun = await site.start();
    const callback = await site.back(begun, 'eve');
    const reply = await redeem(site.web, begun.id, { code: begun.code, callback });
    expect(faultsOf(reply)).toEqual(['422 schema-violation /meta/attributes/full-name']);
    const { action, code } = reply.body.errors[0]?.meta ?? {};
    const entered = await redeem(site.web, String(action), { code, attributes: { 'full-name': 'Eve' } });
    expect((await site.me(entered)).attributes).toMatchObject({ 'full-name': 'Eve', verified: true });
  });

  test('they count still when others are asked for', async () => {
    await site.set({ required: ['motto'] });
    const reply = await byProvider(site.web);
    const { action, code } = reply.body.errors[0]?.meta ?? {};
    const entered = await redeem(site.web, String(action), { code, attributes: { motto: 'On.' } });
    expect((await site.me(entered)).attributes).toMatchObject({
      username: 'Nameofada',
      'full-name': 'Name of ada',
    });
  });

  test.each<[object | string]>([
    ...['password', 'email', 'confirmed-email', 'pending', 'second-factor', 'language', ' '].map(
      (name): [object] => [{ [name]: 'name' }],
    ),
    [{ a: 1 }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, 'name']))],
    [{ a: '' }],
    [[]],
    ['name'],
  ])('%j is 422', async (claims) => {
    expect(faultsOf(await named(claims))).toEqual(['422 invalid-attribute /data/attributes/claims']);
  });
});

describe('a first login by a provider that lacks attributes', () => {
  beforeEach(() => site.set({ required: ['motto'] }));

  /** What the refusal says of how to go on. */
  async function asked(subject = 'ada', attributes = {}) {
    const begun = await site.start();
    const callback = await site.back(begun, subject);
    const reply = await redeem(site.web, begun.id, { code: begun.code, callback, attributes });
    const { action, code } = reply.body.errors[0]?.meta ?? {};
    return { faults: faultsOf(reply), action: String(action), code: String(code) };
  }

  test('goes on with them, once, without the provider, and is known from then on', async () => {
    const { action, code } = await asked();
    const meta = { code, attributes: { motto: 'On.', username: 'countess' } };
    const entered = await redeem(site.web, action, meta);
    expect(entered.status).toBe(201);
    expect((await site.me(entered)).attributes).toMatchObject({
      username: 'countess',
      'confirmed-email': 'ada@shop.example',
      motto: 'On.',
    });
    expect(faultsOf(await redeem(site.web, action, meta))).toEqual(['403 invalid-code /meta/code']);
    // Who has an account is asked for nothing.
    expect((await site.enter('ada')).status).toBe(201);
    expect(await users()).toBe(1);
  });

  test('is asked again for what is wrong', async () => {
    await makeUser(site.client, 'countess');
    const first = await asked();
    const reply = await redeem(site.web, first.action, {
      code: first.code,
      attributes: { motto: 'On.', username: 'countess' },
    });
    expect(faultsOf(reply)).toEqual(['409 value-taken /meta/attributes/username']);
    const { action, code } = reply.body.errors[0]?.meta ?? {};
    const entered = await redeem(site.web, String(action), { code, attributes: { motto: 'On.' } });
    expect((await site.me(entered)).attributes?.['username']).toBe('ada');
  });

  test('goes on with what a schema asks for, too', async () => {
    await site.set({ required: [], fields: ['motto'] });
    await makeSchema(site.client, 'core.user', { attributes: { required: ['motto'] } });
    const { action, code } = await asked();
    expect((await redeem(site.web, action, { code, attributes: { motto: 'On.' } })).status).toBe(201);
  });

  const goOn = async ({ action, code }: { readonly action: string; readonly code: string }) =>
    faultsOf(await redeem(site.web, action, { code, attributes: { motto: 'On.' } }));

  test('ends with the time of the first refusal', async () => {
    const { action, code } = await asked();
    try {
      await sites.setClock(20 * 60_000);
      const { meta = {} } = (await redeem(site.web, action, { code })).body.errors[0] ?? {};
      await sites.setClock(31 * 60_000);
      const again = { action: String(meta['action']), code: String(meta['code']) };
      expect(await goOn(again)).toEqual(['403 invalid-code /meta/code']);
    } finally {
      await sites.setClock(0);
    }
  });

  test('ends with its provider', async () => {
    const first = await asked();
    const path = '/users/core.identity-provider';
    const [provider] = (await site.client.get(path)).body.data;
    expect((await site.client.delete(`${path}/${provider?.id ?? ''}`)).status).toBe(204);
    expect(await goOn(first)).toEqual(['403 invalid-code /meta/code']);
  });

  test('makes one account of many at once', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => asked()));
    const replies = await Promise.all(
      [...all, ...all].map(({ action, code }) =>
        redeem(site.web, action, { code, attributes: { motto: 'On.' } }),
      ),
    );
    const ids = await Promise.all(
      replies.filter(({ status }) => status === 201).map(async (reply) => (await site.me(reply)).id),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await users()).toBe(1);
  });

  test.each<[string, (first: { code: string }) => Promise<string> | string]>([
    ['a wrong code', () => 'x'],
    ['the code of another', async () => (await asked('eve')).code],
  ])('ends at %s', async (_, wrong) => {
    const first = await asked();
    for (const code of [await wrong(first), first.code])
      expect((await redeem(site.web, first.action, { code, attributes: { motto: 'On.' } })).status).toBe(403);
    expect(await users()).toBe(0);
  });

  test('takes an address that no provider has confirmed as one to be confirmed', async () => {
    await site.set({ required: ['email'] });
    const email = 'eve@shop.example';
    const { action, code, faults } = await asked('unverified-eve');
    expect(faults).toEqual(['422 missing-attribute /meta/attributes/email']);
    const entered = await redeem(site.web, action, { code, attributes: { email } });
    expect((await site.me(entered)).attributes?.['confirmed-email']).toBeUndefined();
    const [mail] = await mailsTo(site.client, email, 1);
    expect((await redeem(site.web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
    expect((await site.me(await site.enter('unverified-eve'))).attributes).toMatchObject({
      'confirmed-email': email,
    });
  });
});
