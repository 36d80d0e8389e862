/** How long logins last (docs/accounts.md#sessions). */
import { until } from '../support/started.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { ACCOUNTS_KEY, setAccounts } from '../support/accounts.ts';
import { Client, type Reply } from '../support/client.ts';
import { workerNamed } from '../support/own-service.ts';
import { ACL, logIn, makeUser, may, PASSWORD, tokenOf } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const SETTINGS = '/users/core.account-settings';
const HOUR = 3_600_000;
/** Of now, as answers tell it. */
const hour = (later: number) =>
  `${new Date(Date.now() + later * HOUR).toISOString().slice(0, 13)}:00:00.000Z`;

afterEach(() => clock(0));

const clock = (ahead: number) => fetch(`${service.url}/test/clock?ahead=${ahead}`, { method: 'POST' });
const set = (attributes: object) => client.update(`${SETTINGS}/${settings}`, { attributes });
const enter = async () => tokenOf(await logIn(web, 'ada', PASSWORD));
const statusOf = async (headers: Record<string, string>) =>
  (await web.get('/users/core.user/me', headers)).status;

const service = await newService({ entry: workerNamed('clock') });
const { client } = service;
const web = await client.withPermissions([
  ...ACCOUNTS_KEY,
  may('get delete', '/users/core\\.session', ACL),
  may('delete', '/users/core\\.user\\.token/(me|[0-9a-f]{24})', ACL),
]);
const settings = await setAccounts(client, {});
const { link: ada } = await makeUser(client, 'ada');

describe('A login', () => {
  test.each([
    [null, 720],
    [1, 1],
    [24, 24],
  ])('under session-hours %j lasts %i hours', async (hours, lasts) => {
    expect((await set({ 'session-hours': hours })).status).toBe(200);
    const headers = await enter();
    await clock(lasts * HOUR - 60_000);
    expect(await statusOf(headers)).toBe(200);
    await clock(lasts * HOUR + 1_000);
    expect(await statusOf(headers)).toBe(401);
  });

  test('that is over is listed no more', async () => {
    await set({ 'session-hours': 2 });
    const over = (await logIn(web, 'ada', PASSWORD)).body.data.id;
    await clock(3 * HOUR);
    const { body } = await web.get('/users/core.session', await enter());
    expect(body.data.map(({ id }) => id)).not.toContain(over);
  });

  test('from before a change of the settings keeps its length', async () => {
    await set({ 'session-hours': 48 });
    const headers = await enter();
    await set({ 'session-hours': 1 });
    await clock(47 * HOUR);
    expect(await statusOf(headers)).toBe(200);
  });

  test.each([0, 721, 1.5, 'a day'])('has no length of %j hours', async (hours) => {
    expect((await set({ 'session-hours': hours })).status).toBe(422);
  });
});

test('The last use of a login is told to the hour', async () => {
  await set({ 'session-hours': null });
  const { body } = await logIn(web, 'ada', PASSWORD);
  const phone = { authorization: `Token ${String(body.data.attributes?.['token'])}` };
  const usedBy = async (headers: Record<string, string>) =>
    (await web.get('/users/core.session', headers)).body.data.find(({ id }) => id === body.data.id)
      ?.attributes?.['used'];
  expect(await usedBy(phone)).toBe(hour(0));
  await clock(5 * HOUR);
  const tablet = await enter();
  expect(await usedBy(tablet)).toBe(hour(0));
  expect(await usedBy(phone)).toBe(hour(5));
  await until('the use is noted', async () => (await usedBy(tablet)) === hour(5));
});

const TOKENS = '/users/core.user.token';

/** What a login has got. */
interface Tokens {
  readonly token: string;
  readonly refresh: string;
  readonly headers: Record<string, string>;
}
const tokensOf = ({ body }: Reply): Tokens => {
  const { token, 'refresh-token': refresh } = body.data.attributes ?? {};
  return {
    token: String(token),
    refresh: String(refresh),
    headers: { authorization: `Token ${String(token)}` },
  };
};
const begin = async () => tokensOf(await logIn(web, 'ada', PASSWORD));
const refresh = (sent: string, by = web) => by.post(TOKENS, undefined, { authorization: `Refresh ${sent}` });

describe('Under token-minutes', () => {
  beforeEach(() => set({ 'session-hours': 24, 'token-minutes': 10 }));

  test('a login gives a refresh token, and without them it does not', async () => {
    const { body } = await logIn(web, 'ada', PASSWORD);
    expect(Object.keys(body.data.attributes ?? {}).sort()).toEqual([
      'created',
      'expires',
      'refresh-token',
      'token',
    ]);
    await set({ 'token-minutes': null });
    const plain = await logIn(web, 'ada', PASSWORD);
    expect(Object.keys(plain.body.data.attributes ?? {}).sort()).toEqual(['created', 'token']);
    expect((await client.get(TOKENS)).status).toBe(405);
  });

  test('a token ends after them, and the login goes on until its hours are over', async () => {
    let kept = await begin();
    for (let minutes = 11; minutes < 24 * 60; minutes += 11 * 60) {
      await clock(minutes * 60_000);
      expect(await statusOf(kept.headers)).toBe(401);
      const refreshed = await refresh(kept.refresh);
      expect(refreshed.status).toBe(201);
      kept = tokensOf(refreshed);
      expect(await statusOf(kept.headers)).toBe(200);
    }
    await clock(24 * HOUR - 300_000);
    kept = tokensOf(await refresh(kept.refresh));
    await clock(24 * HOUR + 1_000);
    expect(await statusOf(kept.headers)).toBe(401);
    expect((await refresh(kept.refresh)).status).toBe(401);
  });

  test('a refreshed login is the same one, in the list as in its age', async () => {
    const first = await logIn(web, 'ada', PASSWORD);
    await clock(2 * HOUR);
    const again = await refresh(tokensOf(first).refresh);
    expect(again.body.data.id).toBe(first.body.data.id);
    const { body } = await web.get('/users/core.session', tokensOf(again).headers);
    expect(body.data.find(({ attributes }) => attributes?.['current'])).toMatchObject({
      id: first.body.data.id,
      attributes: { created: first.body.data.attributes?.['created'], used: hour(2) },
    });
    const fresh = { data: { type: 'core.account-action', attributes: { kind: 'add-second-factor' } } };
    await set({ 'second-factor': 'allowed' });
    expect((await web.post('/users/core.account-action', fresh, tokensOf(again).headers)).status).toBe(401);
  });

  test('two refreshes at once, and one again within ten seconds, get the same', async () => {
    const { refresh: sent } = await begin();
    const both = (await Promise.all([refresh(sent), refresh(sent), refresh(sent)])).map(tokensOf);
    await clock(5_000);
    const all = [...both, tokensOf(await refresh(sent))];
    expect(new Set(all.map(({ token }) => token)).size).toBe(1);
    expect(new Set(all.map(({ refresh: next }) => next)).size).toBe(1);
  });

  test('a refresh token that comes once more ends the login, for the thief and for the user', async () => {
    const kept = await begin();
    const next = tokensOf(await refresh(kept.refresh));
    const other = await begin();
    await clock(11_000);
    expect((await refresh(kept.refresh)).status).toBe(401);
    expect(await statusOf(next.headers)).toBe(401);
    expect(await statusOf(kept.headers)).toBe(401);
    expect((await refresh(next.refresh)).status).toBe(401);
    expect(await statusOf(other.headers)).toBe(200);
  });

  test.each<[string, (kept: Tokens) => Promise<unknown>]>([
    ['a logout', ({ headers }) => web.delete(`${TOKENS}/me`, undefined, headers)],
    [
      'a change of the user',
      () => client.patch(`/users/core.user/${ada.id}`, { data: { ...ada, attributes: { likes: 'tea' } } }),
    ],
    [
      'the end of all others',
      async () => web.delete('/users/core.session', undefined, (await begin()).headers),
    ],
  ])('nothing is refreshed after %s', async (_, end) => {
    const kept = await begin();
    await end(kept);
    expect(await statusOf(kept.headers)).toBe(401);
    expect((await refresh(kept.refresh)).status).toBe(401);
  });

  test('a refresh token is good for nothing else, nor elsewhere, nor changed', async () => {
    const { refresh: sent, token } = await begin();
    expect(await statusOf({ authorization: `Token ${sent}` })).toBe(401);
    const { id, apiKey } = await service.operator.create('other');
    const other = await new Client(service.url, id, apiKey).withPermissions(ACCOUNTS_KEY);
    expect((await refresh(sent, other)).status).toBe(401);
    for (const each of [token, `A${sent.slice(1)}`, `${sent}A`, '', 'x'.repeat(5_000)])
      expect((await refresh(each)).status).toBe(401);
    expect((await refresh(sent)).status).toBe(201);
  });

  test('a key with ACL refreshes without a token, and logs nobody in', async () => {
    const own = await client.withPermissions([may('post', TOKENS, ACL)]);
    const { refresh: sent } = await begin();
    expect((await logIn(own, 'ada', PASSWORD)).status).toBe(401);
    expect((await refresh(sent, own)).status).toBe(201);
  });

  test.each([0, 1_441, 0.5])('there are no %j', async (minutes) => {
    expect((await set({ 'token-minutes': minutes })).status).toBe(422);
  });

  test('the client refreshes by itself, once for all requests that wait', async () => {
    const told: (string | null)[][] = [];
    const asked: string[] = [];
    const { url, application, key } = web;
    const open = (more: object = {}) =>
      connect({
        ...{ url, application, key, ...more },
        onToken: (...both) => told.push(both),
        fetch: (address, init) => {
          asked.push(init?.method ?? 'GET');
          return fetch(address, init);
        },
      });
    const db = open();
    await db.login({ username: 'ada', password: PASSWORD });
    await clock(11 * 60_000);
    asked.length = 0;
    const all = await Promise.all([db.me(), db.me(), db.me()]);
    expect(all.map((user) => user?.['username'])).toEqual(['ada', 'ada', 'ada']);
    expect(asked.filter((method) => method === 'POST')).toHaveLength(1);
    const [token, refreshToken] = told.at(-1) ?? [];
    await clock(22 * 60_000);
    expect(await open({ token, refreshToken }).me()).toMatchObject({ username: 'ada' });
    // Another tab asks what is stored; the first page has the one before, and does not.
    const [stored, next] = told.at(-1) ?? [];
    const tab = open({ token, refreshToken, stored: () => [stored, next] });
    asked.length = 0;
    expect(await tab.me()).toMatchObject({ username: 'ada' });
    expect([tab.token, asked]).toEqual([stored, ['GET', 'GET']]);
    await clock(33 * 60_000);
    await expect(db.me()).rejects.toMatchObject({ status: 401 });
    expect(told.at(-1)).toEqual([null, null]);
  });
});

const ORIGIN = 'https://shop.example';

describe('With cookies', () => {
  beforeEach(() => set({ 'session-hours': 24, 'token-minutes': 10, cookies: true, origins: [ORIGIN] }));

  const byPage = { prefer: 'cookie', origin: ORIGIN };
  const basic = { authorization: `Basic ${btoa(`ada:${PASSWORD}`)}` };
  const cookieIn = ({ headers }: Reply) => headers.get('set-cookie') ?? '';
  const enterPage = async () => {
    const entered = await web.post(TOKENS, undefined, { ...basic, ...byPage });
    return { entered, cookie: cookieIn(entered).split(';')[0] ?? '' };
  };

  test('a page has its refresh token where no script and no other host reaches it', async () => {
    const { entered } = await enterPage();
    expect(entered.status).toBe(201);
    expect(entered.body.data.attributes).not.toHaveProperty('refresh-token');
    expect(cookieIn(entered)).toMatch(
      new RegExp(
        `^__Host-foredge-${client.application}=[\\w-]+; Max-Age=86\\d{3}; Path=/; HttpOnly; Secure; SameSite=Lax$`,
      ),
    );
    // Pages of other addresses have no cookies here, whatever they ask for.
    expect(entered.headers.get('access-control-allow-origin')).toBe('*');
    expect(entered.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('a cookie refreshes the login, is renewed each time, and goes with the logout', async () => {
    const { entered, cookie } = await enterPage();
    const refreshed = await web.post(TOKENS, undefined, { ...byPage, cookie: `other=1; ${cookie}` });
    expect(refreshed.status).toBe(201);
    expect(refreshed.body.data.id).toBe(entered.body.data.id);
    expect(cookieIn(refreshed)).not.toContain(cookie);
    await clock(11_000);
    expect((await web.post(TOKENS, undefined, { ...byPage, cookie })).status).toBe(401);
    const again = await enterPage();
    const gone = await web.delete(`${TOKENS}/me`, undefined, { ...tokenOf(again.entered), ...byPage });
    expect(cookieIn(gone)).toContain('Max-Age=0');
    expect((await web.post(TOKENS, undefined, { ...byPage, cookie: again.cookie })).status).toBe(401);
  });

  test('a cookie stays when the page ends another login', async () => {
    const [own, other] = [await enterPage(), await enterPage()];
    const path = `${TOKENS}/${other.entered.body.data.id}`;
    const gone = await web.delete(path, undefined, { ...tokenOf(own.entered), ...byPage });
    expect([gone.status, cookieIn(gone)]).toEqual([204, '']);
    expect((await web.post(TOKENS, undefined, { ...byPage, cookie: own.cookie })).status).toBe(201);
  });

  test.each([
    ['of another origin', { prefer: 'cookie', origin: 'https://evil.example' }, 403],
    ['of the same site', { prefer: 'cookie', origin: 'https://evil.shop.example' }, 403],
    ['of an origin that is not told', { prefer: 'cookie', origin: 'null' }, 403],
    ['without an origin', { prefer: 'cookie' }, 403],
    ['that does not ask for it, as forms and links', { origin: ORIGIN }, 401],
  ])('a request %s is not refreshed by the cookie', async (_, headers, status) => {
    const { cookie } = await enterPage();
    expect((await web.post(TOKENS, undefined, { cookie, ...headers })).status).toBe(status);
    expect((await web.post(TOKENS, undefined, { cookie, ...byPage })).status).toBe(201);
  });

  test('a cookie is no token, and reads and writes nothing else', async () => {
    const { cookie } = await enterPage();
    expect((await web.get('/users/core.user/me', { ...byPage, cookie })).status).toBe(401);
    expect((await web.delete('/users/core.session', undefined, { ...byPage, cookie })).status).toBe(401);
  });

  test('a login goes on with no cookie that was there before', async () => {
    const [planted, own] = [await enterPage(), await web.post(TOKENS, undefined, { ...basic, ...byPage })];
    const entered = await web.post(TOKENS, undefined, { ...basic, ...byPage, cookie: planted.cookie });
    expect([planted.entered.body.data.id, own.body.data.id]).not.toContain(entered.body.data.id);
    expect(cookieIn(entered)).not.toContain(planted.cookie);
  });

  test.each([
    ['the settings let none', { cookies: false }, byPage],
    ['the page is of another origin', {}, { ...byPage, origin: 'https://evil.example' }],
    ['the page does not ask for it', {}, { origin: ORIGIN }],
  ])('there is no cookie where %s', async (_, attributes, headers) => {
    await set(attributes);
    const entered = await web.post(TOKENS, undefined, { ...basic, ...headers });
    expect([entered.status, cookieIn(entered)]).toEqual([201, '']);
    expect(entered.headers.get('preference-applied')).toBeNull();
  });
});
