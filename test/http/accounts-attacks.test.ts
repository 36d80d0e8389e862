/** Attacks on the actions of accounts (docs/security.md): nobody frees what counts, and what is taken back stays so. */
import { beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../../src/domain/accounts/codes.ts';
import { storedId, isApplicationId } from '../../src/domain/ids.ts';
import { ACCOUNTS_KEY, appAt, begin, confirmed, mailsTo, redeem, signUp } from '../support/accounts.ts';
import { Authenticator } from '../support/authenticator.ts';
import type { Client, Reply } from '../support/client.ts';
import { SECRETS } from '../support/own-service.ts';
import { ACL, logIn, may, tokenOf } from '../support/people.ts';
import { useSites, type Site } from '../support/providers.ts';
import { codes } from '../support/rules.ts';

const sites = useSites();
let site: Site;
let web: Client;
beforeEach(async () => {
  site = sites.site();
  const rights = may('get patch', '/users/core\\.(passkey|identity)\\.acl/[0-9a-f]{24}', ACL);
  const identities = may('get delete', '/users/core\\.identity(/[0-9a-f]{24})?', ACL);
  web = await site.client.withPermissions([...ACCOUNTS_KEY, rights, identities]);
  await site.set({
    ...{ 'log-in-by-mail': true, 'erase-by-mail': true, origins: ['https://shop.example'] },
  });
});

const PASSWORD = 'a long difference';
type Headers = Readonly<Record<string, string>>;

async function somebody(username = 'grace') {
  const made = await confirmed(site.client, web, username, PASSWORD);
  return { ...made, headers: tokenOf(await logIn(web, username, PASSWORD)) };
}

/** The mail of an action. */
async function mailOf(email: string, action: string) {
  await expect
    .poll(async () => (await mailsTo(site.client, email, 1)).some((each) => each.action === action))
    .toBe(true);
  return (await mailsTo(site.client, email, 1)).find((each) => each.action === action);
}

async function register(headers: Headers): Promise<Reply> {
  const begun = await begin(web, { kind: 'register-passkey' }, headers);
  const response = new Authenticator('https://shop.example').register(begun);
  return redeem(web, begun.body.data.id, { response }, headers);
}

test('codes that are redeemed make no room for more mails', async () => {
  const { email } = await somebody();
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    const { status, body } = await begin(web, { kind: 'log-in', email });
    statuses.push(status);
    if (status !== 201) continue;
    const mail = await mailOf(email, body.data.id);
    expect((await redeem(web, body.data.id, { code: mail?.code })).status).toBe(201);
    expect(codes(await redeem(web, body.data.id, { code: mail?.code }))).toEqual(['invalid-code']);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
});

test('an action whose mail was one too many is redeemed by no guess', async () => {
  const email = 'victim@shop.example';
  const actions: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const username = `squatter${n}`;
    const made = await signUp(web, { username, email, password: PASSWORD });
    actions.push((await begin(web, { kind: 'confirm-address', username })).body.data.id);
    expect(made.status).toBe(201);
  }
  const { email: later } = await somebody();
  expect(later).not.toBe(email);
  // Mails go in the order in which they were asked for.
  expect(await mailsTo(site.client, email, 5)).toHaveLength(5);
  const [user] = (await site.client.get('/users/core.user?filter[username]=squatter5')).body.data;
  const { application } = web;
  if (!isApplicationId(application)) throw new Error('This is no application.');
  const action = storedId(actions.at(-1) ?? '');
  const [right] = await codesOf(SECRETS, {
    ...{ application, action, kind: 'confirm-address' },
    ...{ user: storedId(user?.id ?? ''), address: email },
  });
  expect(codes(await redeem(web, action, { code: right?.short }))).toEqual(['invalid-code']);
});

test('an account that was taken back is not taken again by an address of between', async () => {
  const { email, id, username } = await somebody();
  const move = async (to: string) => {
    await site.client.update(`/users/core.user/${id}`, { attributes: { email: to } });
    const { id: action } = (await begin(web, { kind: 'confirm-address', username })).body.data;
    const mail = await mailOf(to, action);
    expect((await redeem(web, action, { code: mail?.code })).status).toBe(204);
  };
  const undo = async (of: string) =>
    (await mailsTo(site.client, of, 2)).find(({ subject }) => subject.includes('was changed'));
  await move('first@mallory.example');
  await move('second@mallory.example');
  const [owners, mallorys] = [await undo(email), await undo('first@mallory.example')];
  // Who takes it back later than another may, too.
  expect((await redeem(web, mallorys?.action ?? '', { code: mallorys?.code })).status).toBe(204);
  await move('third@mallory.example');
  const again = (await mailsTo(site.client, 'first@mallory.example', 3)).at(-1);
  expect((await redeem(web, owners?.action ?? '', { code: owners?.code })).status).toBe(204);
  expect(codes(await redeem(web, again?.action ?? '', { code: again?.code }))).toEqual(['invalid-code']);
  const { attributes } = (await site.client.get(`/users/core.user/${id}`)).body.data;
  expect(attributes).toMatchObject({ email, 'confirmed-email': email });
});

describe.each([
  ['log-in', { 'log-in-by-mail': false }],
  ['reset-password', { 'log-in-by-password': false }],
  ['erase', { 'erase-by-mail': false }],
])('a code to %s', (kind, closed) => {
  test('is good no longer where the settings have closed that', async () => {
    const { email, id } = await somebody();
    const { id: action } = (await begin(web, { kind, email })).body.data;
    const mail = await mailOf(email, action);
    await site.set(closed);
    const meta = { code: mail?.code, ...(kind === 'reset-password' && { password: 'another difference' }) };
    expect(codes(await redeem(web, action, meta))).toEqual(['forbidden']);
    expect((await site.client.get(`/users/core.user/${id}`)).body.data.id).toBe(id);
  });
});

test('nobody adds a second factor once the settings have none', async () => {
  const { headers } = await somebody();
  const begun = await begin(web, { kind: 'add-second-factor' }, headers);
  const code = appAt(begun.body.data.attributes?.['location']).generate();
  await site.set({ 'second-factor': 'off' });
  expect(codes(await redeem(web, begun.body.data.id, { code }, headers))).toEqual(['forbidden']);
});

test('whom a stolen token has given a right on a way in takes it not away', async () => {
  const [ada, eve] = [await somebody('ada'), await somebody('eve')];
  const { id } = (await register(ada.headers)).body.data;
  const given = { delete: [ada, eve].map(({ id: user }) => ({ type: 'core.user', id: user })) };
  const right = { data: { type: 'core.passkey.acl', id, attributes: given } };
  expect((await web.patch(`/users/core.passkey.acl/${id}`, right, ada.headers)).status).toBe(200);
  expect((await web.delete(`/users/core.passkey/${id}`, undefined, eve.headers)).status).toBe(403);
  expect((await web.delete(`/users/core.passkey/${id}`, undefined, ada.headers)).status).toBe(204);
});

test('of passkeys that are registered at once, no more stay than a user may have', async () => {
  const { headers } = await somebody();
  const all = await Promise.all(Array.from({ length: 24 }, () => register(headers)));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
  expect((await site.client.get('/users/core.passkey')).body.meta.count).toBe(20);
});

test('a provider adds no way in to an account whose second factor is not proven', async () => {
  const { headers } = await somebody('ada');
  const begun = await begin(web, { kind: 'add-second-factor' }, headers);
  const app = appAt(begun.body.data.attributes?.['location']);
  const added = await redeem(web, begun.body.data.id, { code: app.generate() }, headers);
  expect(added.status).toBe(201);
  const entered = await site.enter('ada');
  expect(codes(entered)).toEqual(['second-factor-required']);
  expect((await site.client.get('/users/core.identity')).body.meta.count).toBe(0);
  // With it, the same login goes on.
  const action = String(entered.body.errors[0]?.meta?.['action']);
  const code = app.generate({ timestamp: Date.now() + 30_000 });
  expect((await redeem(web, action, { code })).status).toBe(201);
});

test('an id token that has logged somebody in does so no more after ten seconds', async () => {
  await sites.trust(site);
  const present = (token: string) =>
    site.client.post('/users/core.external-user.token', undefined, { authorization: `Bearer ${token}` });
  const [used, other] = [await site.issuer.login('ada'), await site.issuer.login('eve')];
  for (const again of [used, used]) expect((await present(again)).status).toBe(201);
  try {
    await sites.setClock(11_000);
    expect(codes(await present(used))).toEqual(['invalid-login']);
    expect((await present(other)).status).toBe(201);
  } finally {
    await sites.setClock(0);
  }
});

test('a first login does not go on once its provider is gone', async () => {
  await site.set({ required: ['motto'] });
  const refused = await site.enter('ada');
  const { action, code } = refused.body.errors[0]?.meta ?? {};
  const [provider] = (await site.client.get('/users/core.identity-provider')).body.data;
  await site.client.delete(`/users/core.identity-provider/${provider?.id ?? ''}`);
  const meta = { code, attributes: { motto: 'On.' } };
  expect(codes(await redeem(web, String(action), meta))).toEqual(['invalid-code']);
  expect((await site.client.get('/users/core.user')).body.meta.count).toBe(0);
});
