/** The ways into an account (docs/accounts.md): an identity is added and removed, and the last one stays. */
import { TOTP, URI } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import { begin, mailsTo, redeem, signUp } from '../support/accounts.ts';
import { Authenticator } from '../support/authenticator.ts';
import type { Client, Reply } from '../support/client.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { useSites, type Site } from '../support/providers.ts';
import { codes } from '../support/rules.ts';

const sites = useSites();
let site: Site;
beforeEach(() => {
  site = sites.site();
});

const KEPT = '/users/core.identity';
const PASSKEYS = '/users/core.passkey';

test('an identity is added, and removed, by who has just logged in', async () => {
  const headers = tokenOf(await site.enter('ada'));
  try {
    await sites.setClock(11 * 60_000);
    const data = {
      type: 'core.account-action',
      attributes: { kind: 'log-in-provider', provider: 'site' },
    };
    expect((await site.web.post('/users/core.account-action', { data }, headers)).status).toBe(401);
    const [identity] = (await site.web.get(KEPT, headers)).body.data;
    expect((await site.web.delete(`${KEPT}/${identity?.id ?? ''}`, undefined, headers)).status).toBe(401);
    // Nor does such a token change the password or the address; all else it may.
    const { id } = (await site.web.get('/users/core.user/me', headers)).body.data;
    const patch = async (attributes: object) =>
      (await site.web.patch('/users/core.user/me', { data: { type: 'core.user', id, attributes } }, headers))
        .status;
    expect(await patch({ password: 'a long difference' })).toBe(401);
    expect(await patch({ email: 'mallory@shop.example' })).toBe(401);
    expect(await patch({ email: 'ada@shop.example', motto: 'x' })).toBe(200);
  } finally {
    await sites.setClock(0);
  }
});

test('a second factor is asked for after the provider, too', async () => {
  const headers = tokenOf(await site.enter('ada'));
  const data = { type: 'core.account-action', attributes: { kind: 'add-second-factor' } };
  const begun = (await site.web.post('/users/core.account-action', { data }, headers)).body.data;
  const app = URI.parse(String(begun.attributes?.['location']));
  if (!(app instanceof TOTP)) throw new Error('The app is given no time.');
  const path = `/users/core.account-action/${begun.id}/redemption`;
  expect((await site.web.post(path, { meta: { code: app.generate() } }, headers)).status).toBe(201);
  expect(codes(await site.enter('ada'))).toEqual(['second-factor-required']);
});

test('the last one stays, but for a key without ACL', async () => {
  const entered = await site.enter('unverified-ada');
  const headers = tokenOf(entered);
  const remove = async (by: Client) => {
    const [identity] = (await site.client.get(`${KEPT}?sort=-created`)).body.data;
    return by.send('DELETE', `${KEPT}/${identity?.id ?? ''}`, { headers: by === site.web ? headers : {} });
  };
  const refused = await remove(site.web);
  expect([refused.status, codes(refused)]).toEqual([409, ['last-way-in']]);
  await site.enter('unverified-eve', headers);
  expect((await remove(site.web)).status).toBe(204);
  expect((await remove(site.web)).status).toBe(409);
  expect((await remove(site.client)).status).toBe(204);
});

test.each(['two identities', 'an identity and a passkey'])(
  'of %s that go at once, one stays',
  async (which) => {
    await site.set({ origins: ['https://shop.example'] });
    for (let round = 0; round < 5; round += 1) {
      const headers = tokenOf(await site.enter(`unverified-ada${round}`));
      if (which === 'two identities') await site.enter(`unverified-eve${round}`, headers);
      else {
        const begun = await begin(site.web, { kind: 'register-passkey' }, headers);
        const response = new Authenticator('https://shop.example').register(begun);
        expect((await redeem(site.web, begun.body.data.id, { response }, headers)).status).toBe(201);
      }
      const listed = await Promise.all([KEPT, PASSKEYS].map((path) => site.web.get(path, headers)));
      const ways = listed.flatMap(({ body }) => body.data.map(({ type, id }) => `/users/${type}/${id}`));
      const all = await Promise.all(ways.map((way) => site.web.send('DELETE', way, { headers })));
      expect(all.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  },
);

test('whoever has a password, or a confirmed address, may take the identity away', async () => {
  await signUp(site.web, { username: 'grace', email: 'g@shop.example', password: 'a long difference' });
  const [mail] = await mailsTo(site.client, 'g@shop.example', 1);
  await redeem(site.web, mail?.action ?? '', { code: mail?.code });
  const headers = tokenOf(await logIn(site.web, 'grace', 'a long difference'));
  await site.enter('unverified-grace', headers);
  const confirmed = tokenOf(await site.enter('ada'));
  for (const by of [headers, confirmed]) {
    const [identity] = (await site.web.get(KEPT, by)).body.data;
    const path = `${KEPT}/${identity?.id ?? ''}`;
    expect((await site.web.send('DELETE', path, { headers: by })).status).toBe(204);
  }
});

test('a user hears of an identity and of a passkey that are added and removed', async () => {
  await site.set({ origins: ['https://shop.example'] });
  const { headers } = await somebody();
  const told = async (many: number) => {
    const path = '/users/core.mail?filter[subject]="Your login for your account was changed"';
    await expect.poll(async () => (await site.client.get(path)).body.meta.count).toBe(many);
  };
  await site.enter('unverified-grace', headers);
  await told(1);
  const begun = await begin(site.web, { kind: 'register-passkey' }, headers);
  const response = new Authenticator('https://shop.example').register(begun);
  expect((await redeem(site.web, begun.body.data.id, { response }, headers)).status).toBe(201);
  await told(2);
  for (const [path, many] of [
    [KEPT, 3],
    [PASSKEYS, 4],
  ] as const) {
    const [way] = (await site.web.get(path, headers)).body.data;
    expect((await site.web.send('DELETE', `${path}/${way?.id ?? ''}`, { headers })).status).toBe(204);
    await told(many);
  }
});

test('of many that are added at once, a user hears', async () => {
  await site.set({ origins: ['https://shop.example'] });
  const { headers } = await somebody();
  const begun = await Promise.all(
    Array.from({ length: 8 }, () => begin(site.web, { kind: 'register-passkey' }, headers)),
  );
  const added = begun.map((each) => {
    const response = new Authenticator('https://shop.example').register(each);
    return redeem(site.web, each.body.data.id, { response }, headers);
  });
  expect((await Promise.all(added)).map(({ status }) => status)).toEqual(Array(8).fill(201));
  const path = '/users/core.mail?filter[subject]="Your login for your account was changed"';
  await expect.poll(async () => (await site.client.get(path)).body.meta.count).toBe(5);
});

async function somebody() {
  const sent = { username: 'grace', email: 'g@shop.example', password: 'a long difference' };
  await signUp(site.web, sent);
  const [mail] = await mailsTo(site.client, sent.email, 1);
  await redeem(site.web, mail?.action ?? '', { code: mail?.code });
  return { ...sent, headers: tokenOf(await logIn(site.web, sent.username, sent.password)) };
}

/** Each way in, as far as it comes with one factor. */
const WAYS: Readonly<Record<string, () => Promise<Reply>>> = {
  'a provider, for the first time': () => site.enter('eve'),
  'a provider, again': () => site.enter('ada'),
  'a password': () => logIn(site.web, 'grace', 'a long difference'),
  'a password and the address': () => logIn(site.web, 'g@shop.example', 'a long difference'),
  'a mail': async () => {
    const { id } = (await begin(site.web, { kind: 'log-in', email: 'g@shop.example' })).body.data;
    const mail = (await mailsTo(site.client, 'g@shop.example', 2)).find(({ action }) => action === id);
    return redeem(site.web, id, { code: mail?.code });
  },
  'an invitation': async () => {
    const email = 'invited@shop.example';
    const { id } = (await begin(site.client, { kind: 'invite', email })).body.data;
    const [mail] = await mailsTo(site.client, email, 1);
    return redeem(site.web, id, { code: mail?.code, username: 'invited', password: 'a long difference' });
  },
};

test.each(Object.keys(WAYS))('whoever must have a factor by their group has no token by %s', async (way) => {
  await somebody();
  await site.enter('ada');
  const groups = { data: [{ type: 'core.user-group', id: site.group }] };
  await site.set({ 'second-factor': 'required', 'log-in-by-mail': true }, { 'factor-groups': groups });
  const reply = await WAYS[way]?.();
  expect(reply && codes(reply)).toEqual(['second-factor-required']);
});

const HOUR = 3_600_000;

test.each([
  [47, 204, 'g@shop.example'],
  [49, 403, 'new@shop.example'],
])('%i hours after users change their address, the former one is answered %i', async (hours, status, has) => {
  const { username, email, headers } = await somebody();
  const { id } = (await site.web.get('/users/core.user/me', headers)).body.data;
  const data = { type: 'core.user', id, attributes: { email: 'new@shop.example' } };
  expect((await site.web.patch('/users/core.user/me', { data }, headers)).status).toBe(200);
  await begin(site.web, { kind: 'confirm-address', username });
  const asked = (await mailsTo(site.client, 'new@shop.example', 1)).at(-1);
  expect((await redeem(site.web, asked?.action ?? '', { code: asked?.code })).status).toBe(204);
  const told = (await mailsTo(site.client, email, 2)).at(-1);
  try {
    await sites.setClock(hours * HOUR);
    expect((await redeem(site.web, told?.action ?? '', { code: told?.code })).status).toBe(status);
  } finally {
    await sites.setClock(0);
  }
  const user = await site.client.get(`/users/core.user/${id}`);
  expect(user.body.data.attributes?.['confirmed-email']).toBe(has);
});

test.each([
  [4, 204],
  [6, 403],
])('under 5 minutes, a code that is %i minutes old is answered %i', async (minutes, status) => {
  const { email } = await somebody();
  await site.set({ minutes: 5 });
  const { id } = (await begin(site.web, { kind: 'reset-password', email })).body.data;
  const code = (await mailsTo(site.client, email, 2)).at(-1)?.code;
  try {
    await sites.setClock(minutes * 60_000);
    const meta = { code, password: 'another difference' };
    expect((await redeem(site.web, id, meta)).status).toBe(status);
  } finally {
    await sites.setClock(0);
  }
});

test('whoever has a second factor is erased by a login alone, and leaves no passkey, identity or factor', async () => {
  const { email, headers } = await somebody();
  await site.set({ 'erase-by-mail': true, origins: ['https://shop.example'] });
  await site.enter('unverified-grace', headers);
  const made = await begin(site.web, { kind: 'register-passkey' }, headers);
  const response = new Authenticator('https://shop.example').register(made);
  expect((await redeem(site.web, made.body.data.id, { response }, headers)).status).toBe(201);
  const begun = await begin(site.web, { kind: 'add-second-factor' }, headers);
  const app = URI.parse(String(begun.body.data.attributes?.['location']));
  const code = app instanceof TOTP ? app.generate() : '';
  const added = await redeem(site.web, begun.body.data.id, { code }, headers);
  expect(added.status).toBe(201);
  const counts = () =>
    Promise.all(
      [PASSKEYS, KEPT, '/users/core.second-factor'].map(
        async (path) => (await site.client.get(path)).body.data.length,
      ),
    );
  expect(await counts()).toEqual([1, 1, 1]);
  const { id } = (await begin(site.web, { kind: 'erase', email })).body.data;
  const mail = (await mailsTo(site.client, email, 2)).find(({ action }) => action === id);
  // Whoever reads the mails alone is not enough.
  const other = tokenOf(await site.enter('ada'));
  for (const by of [{}, headers, other])
    expect(codes(await redeem(site.web, id, { code: mail?.code }, by))).toEqual(['token-required']);
  expect((await redeem(site.web, id, { code: mail?.code }, tokenOf(added))).status).toBe(204);
  expect(await counts()).toEqual([0, 1, 0]);
});

test.each([
  ['required', ['token-required']],
  ['allowed', []],
])(
  'where second factors are %s, a mail alone erases whoever has a passkey, or not: %j',
  async (set, fault) => {
    const { email, headers } = await somebody();
    await site.set({ 'second-factor': set, 'erase-by-mail': true, origins: ['https://shop.example'] });
    const passkey = await begin(site.web, { kind: 'register-passkey' }, headers);
    const response = new Authenticator('https://shop.example').register(passkey);
    expect((await redeem(site.web, passkey.body.data.id, { response }, headers)).status).toBe(201);
    const { id } = (await begin(site.web, { kind: 'erase', email })).body.data;
    const mail = (await mailsTo(site.client, email, 2)).find(({ action }) => action === id);
    const refused = await redeem(site.web, id, { code: mail?.code });
    expect(refused.status === 204 ? [] : codes(refused)).toEqual(fault);
    if (refused.status !== 204)
      expect((await redeem(site.web, id, { code: mail?.code }, headers)).status).toBe(204);
  },
);
