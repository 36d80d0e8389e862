/** What the ready pages of accounts (docs/accounts.md#ready-pages) refuse, and what they never show or send. */
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, confirmed, mailsTo, redeem, setAccounts, signUp } from '../support/accounts.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { newServer, newService } from '../support/scope.ts';

const SCRIPT = `<script>alert('1')</script>"`;
const SHOP = 'https://shop.example/';
const PASSWORD = 'a long difference';
const MALLORY = 'https://mallory.example';

const service = await newService({
  settings: {
    ...{ MAILBOX: 'yes', WEBHOOKS_TO_PRIVATE: 'yes', CLIENT_ADDRESS_HEADER: 'x-client' },
    ...{ LOGIN_FAILURES_BY_ADDRESS: '5', LOGIN_FAILURES_BY_USER: '100' },
  },
});
const { client } = service;
const web = await client.withPermissions(ACCOUNTS_KEY);
const origin = service.url;
const pages = `${origin}/account/${web.application}/${web.key}`;
const settings = {
  ...{ name: SCRIPT, 'sign-up': 'open', 'log-in-by-mail': true, 'return-to': [pages, SHOP] },
  ...{ required: [], origins: [origin.replace('127.0.0.1', 'localhost')] },
};
await setAccounts(client, settings);

/** Somebody at a provider, who is asked nothing there. */
let person = 'ada';
const provider = await newServer((request, response) => {
  void (async () => {
    const isRight = request.url !== '/token' || (await text(request)).includes('code=any');
    const answer = { access_token: 'a', token_type: 'bearer', id: person, login: person };
    response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isRight ? answer : { error: 'invalid_grant' }));
  })();
});
await client.create('/users/core.identity-provider', {
  attributes: {
    ...{ name: 'site', 'client-id': 'x', 'client-secret': 'y' },
    ...{ 'authorization-endpoint': `${provider.url}/auth`, 'token-endpoint': `${provider.url}/token` },
    'user-endpoint': `${provider.url}/user`,
  },
});

const names = async () =>
  (await client.get('/users/core.user')).body.data.map(({ attributes }) => attributes?.['username']);

const newVisitor = () => new PageVisitor(pages);

const leadsTo = (response: Response) => [response.status, response.headers.get('location')];

let last = 0;
const newName = () => `visitor${(last += 1)}`;

async function loggedIn(visitor = newVisitor()): Promise<PageVisitor> {
  const username = newName();
  await client.create('/users/core.user', { attributes: { username, password: PASSWORD } });
  await visitor.send({ work: 'log-in', username, password: PASSWORD });
  return visitor;
}

describe('a form is taken from the pages alone', () => {
  test.each<[string, object, boolean]>([
    ['of the pages', { origin }, true],
    ['of the pages, as newer browsers say it', { 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    ['of another site', { origin: MALLORY }, false],
    ['of another port', { origin: 'http://127.0.0.1:1' }, false],
    ['of an unknown page', { origin: 'null' }, false],
    ['of none', {}, false],
    ['of another site that says it is the service', { 'sec-fetch-site': 'cross-site', origin }, false],
    ['of a neighbour', { 'sec-fetch-site': 'same-site', origin }, false],
  ])('%s', async (_, headers, isTaken) => {
    const username = newName();
    const sent = { work: 'sign-up', username, email: `${username}@shop.example`, password: PASSWORD };
    expect((await newVisitor().send(sent, headers)).status).toBe(isTaken ? 200 : 403);
    expect((await names()).includes(username)).toBe(isTaken);
  });
});

test('only a press uses a code: no GET does, nor what a script does with a link', async () => {
  const username = newName();
  const email = `${username}@shop.example`;
  await signUp(web, { username, email, password: PASSWORD });
  const [mail] = await mailsTo(client, email, 1);
  const { action = '', code = '', link = '' } = mail ?? {};
  const query = new URLSearchParams({ work: 'redeem', kind: 'confirm-address', action, code });
  const visitor = newVisitor();
  for (const [method, address] of [
    ['GET', ''],
    ['GET', `?${String(query)}`],
    ['GET', `?view=redeem&${String(query)}`],
    ['HEAD', `?${String(new URLSearchParams({ state: action, code }))}`],
  ] as const)
    await visitor.open(address, { method });
  const shown = await visitor.send({ work: 'follow', link });
  expect([shown.status, (await shown.text()).includes('Confirm the address')]).toEqual([200, true]);
  expect((await redeem(web, action, { code })).status).toBe(204);
});

describe('a login leads to the addresses of the settings alone', () => {
  test.each([
    [SHOP, true],
    [`${origin}/dashboard`, true],
    [`${MALLORY}/`, false],
    ['https://shop.example', false],
    ['https://shop.example/#x', false],
    ['https://shop.example.mallory.example/', false],
    [`javascript:alert('1')`, false],
    ['//mallory.example/', false],
    ['', false],
  ])('%s: %j', async (to, isTaken) => {
    const username = newName();
    await client.create('/users/core.user', { attributes: { username, password: PASSWORD } });
    const query = new URLSearchParams({ to, state: 's&1' });
    const sent = { work: 'log-in', username, password: PASSWORD };
    // In the address, or in a cookie that somebody has planted.
    for (const [address, cookie] of [
      [`?${String(query)}`, ''],
      ['', `foredge-pages-${web.application}=${encodeURIComponent(String(query))}`],
    ] as const) {
      const visitor = newVisitor();
      visitor.cookie = cookie;
      const [status, location] = leadsTo(await visitor.send(sent, { origin }, address));
      expect(status).toBe(303);
      if (!isTaken) expect(location).toBe('?');
      else expect(location).toMatch(new RegExp(`^${to}#token=[\\w.%-]+&state=s%261$`));
    }
  });
});

test('a state is refused with which no browser would keep the cookie of a login', async () => {
  for (const [state, status] of [
    ['s'.repeat(2_800), 200],
    ['s'.repeat(3_200), 400],
    ['ß'.repeat(400), 400],
  ] as const) {
    const visitor = newVisitor();
    const address = `?${String(new URLSearchParams({ to: SHOP, state }))}`;
    expect((await visitor.open(address, { method: 'HEAD' })).status).toBe(status);
    const shown = await visitor.open(address);
    expect([shown.status, visitor.cookie.length > 2_800]).toEqual([status, status === 200]);
    expect((await shown.text()).includes('The state is too long')).toBe(status === 400);
    await loggedIn(visitor);
    expect(visitor.cookie.length).toBeLessThan(4_096);
  }
});

test.each<[string, (visitor: PageVisitor) => Promise<Response>]>([
  ['the name of the product', (visitor) => visitor.open()],
  ['a name that was typed', (visitor) => visitor.send({ work: 'log-in', username: SCRIPT, password: 'x' })],
  ['an address', (visitor) => visitor.send({ work: 'begin', kind: 'log-in', email: SCRIPT })],
  ['the kind of an action', (visitor) => visitor.send({ work: 'begin', kind: SCRIPT, email: SCRIPT })],
  ['a code', (visitor) => visitor.send({ work: 'follow', kind: 'erase', action: SCRIPT, code: SCRIPT })],
  ['a link', (visitor) => visitor.send({ work: 'follow', link: `#kind=${SCRIPT}&action=1&code=${SCRIPT}` })],
  [
    'an app for codes',
    (visitor) =>
      visitor.send({
        work: 'follow',
        kind: 'add-second-factor',
        action: '1',
        code: '1',
        app: `javascript:${SCRIPT}`,
      }),
  ],
  [
    'what lacks',
    (visitor) => visitor.send({ work: 'follow', kind: 'sign-up-provider', code: '1', lacking: SCRIPT }),
  ],
  ['the names of work and views', (visitor) => visitor.send({ work: SCRIPT }, { origin }, '?view=__proto__')],
  ['the provider', (visitor) => visitor.open(`?provider=${encodeURIComponent(SCRIPT)}`)],
  [
    "a provider's error",
    async (visitor) => {
      const state = (await visitor.leave()).split('state=')[1] ?? '';
      return visitor.open(
        `?${String(new URLSearchParams({ state, error: SCRIPT, error_description: SCRIPT }))}`,
      );
    },
  ],
  [
    "a provider's error in a form",
    (visitor) => visitor.send({ state: SCRIPT, error: SCRIPT }, { origin: MALLORY }),
  ],
])('no markup in %s gets into a page, which runs no script but its own', async (_, ask) => {
  const response = await ask(newVisitor());
  const shown = await response.text();
  expect(shown).not.toContain('<script>alert');
  expect(shown).not.toMatch(/(href|action)="javascript:/);
  if (response.status === 303) return;
  const { headers } = response;
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin']);
});

describe('what a provider has sent', () => {
  test('logs in the browser that went there, once', async () => {
    const visitor = newVisitor();
    const back = await visitor.leave(`&to=${encodeURIComponent(SHOP)}&state=mine`);
    // HEAD says what GET would, for whoever looks after links: it neither leaves nor comes back.
    for (const address of [back, `?provider=site&to=${encodeURIComponent(SHOP)}`]) {
      const { status, headers } = await visitor.open(address, { method: 'HEAD' });
      expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([303, null, null]);
    }
    const [status, location] = leadsTo(await visitor.open(back));
    expect([status, location]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/shop.example\/#token=.*&state=mine$/),
    ]);
    expect((await visitor.open(back)).status).toBe(403);
    const planted = newVisitor();
    planted.cookie = visitor.cookie;
    expect((await planted.open(back)).status).toBe(403);
  });

  test.each<[string, (back: string, visitor: PageVisitor) => Promise<Response>]>([
    ['to another browser', (back) => newVisitor().open(back)],
    ['to another browser, for no login', () => newVisitor().open('?code=any&state=')],
    [
      'to another browser, which went there, too',
      async (back) => {
        const other = newVisitor();
        await other.leave();
        return other.open(back);
      },
    ],
    ['for another login', async (back, visitor) => visitor.leave().then(() => visitor.open(back))],
    [
      'with another state',
      async (back, visitor) => visitor.open(back.replace(/.$/, (end) => (end === '0' ? '1' : '0'))),
    ],
    [
      'without a code',
      async (back, visitor) => visitor.open(back.replace('code=any', 'error=access_denied')),
    ],
    [
      'by a form, to another browser',
      async (back) => {
        const other = newVisitor();
        const [, location = ''] = leadsTo(
          await other.send(Object.fromEntries(new URLSearchParams(back)), {}),
        );
        return other.open(String(location));
      },
    ],
  ])('%s logs nobody in', async (_, open) => {
    const visitor = newVisitor();
    const response = await open(await visitor.leave(), visitor);
    expect([response.status, (await response.text()).includes('The code is wrong')]).toEqual([403, true]);
    expect(response.headers.get('set-cookie') ?? '').not.toContain('token');
  });

  test('joins nobody who is logged in: links of others lead there, too', async () => {
    const username = newName();
    await confirmed(client, web, username, PASSWORD);
    const visitor = newVisitor();
    await visitor.send({ work: 'log-in', username, password: PASSWORD });
    expect((await (await visitor.open()).text()).includes('You are logged in.')).toBe(true);
    person = 'eve';
    expect((await visitor.open(await visitor.leave())).status).toBe(303);
    const identities = (await client.get('/users/core.identity')).body.data;
    const [user] = (await client.get(`/users/core.user?filter[username]=${username}`)).body.data;
    expect(identities.map(({ attributes }) => attributes?.['user'])).not.toContain(user?.id);
  });
});

test('failed logins count for the address of the visitor, as those of the API do', async () => {
  const [one, other] = [newVisitor(), newVisitor()];
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1)
    statuses.push((await one.send({ work: 'log-in', username: newName(), password: 'x' })).status);
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  expect((await other.send({ work: 'log-in', username: newName(), password: 'x' })).status).toBe(403);
});

test.each(['remove-identity', 'ways-in'])('%s of nobody is refused in a page', async (work) => {
  expect((await newVisitor().send({ work, id: '0'.repeat(24) })).status).toBe(403);
});

test('who is logged in sees the pages, and signs up no more, though another tab was to lead elsewhere', async () => {
  const visitor = await loggedIn();
  const elsewhere = `?to=${encodeURIComponent(SHOP)}&state=1`;
  // Nobody signs up who has an account: a page says so, and leads on.
  const headers = { origin, 'accept-language': 'de' };
  const sent = { work: 'sign-up', username: newName(), email: 'x@shop.example', password: PASSWORD };
  const said = /Sie sind angemeldet\..*href="[?]to=/s;
  const shows = async (asked: Response) => [asked.status, said.test(await asked.text())];
  const opened = await visitor.open(`${elsewhere}&view=sign-up`, { headers });
  expect(await shows(opened)).toEqual([200, true]);
  expect(await shows(await visitor.send(sent, headers, elsewhere))).toEqual([403, true]);
  expect(leadsTo(await visitor.open())).toEqual([200, null]);
  for (const method of ['HEAD', 'GET']) expect((await visitor.open(elsewhere, { method })).status).toBe(303);
});

test('a cookie that no header could say is no login, and logs out', async () => {
  const visitor = newVisitor();
  for (const kept of ['token=%00', 'token=a&refresh-token=%00', 'token=%E2%82%AC']) {
    visitor.cookie = `foredge-pages-${web.application}=${encodeURIComponent(kept)}`;
    expect((await visitor.open()).status).toBe(200);
    expect((await visitor.send({ work: 'log-out' })).status).toBe(303);
  }
});

test('a browser keeps no login once it is logged out, though nobody says then whose it is', async () => {
  const visitor = await loggedIn();
  expect(visitor.cookie).toContain('token');
  // The page is one request, and who comes is another.
  const { client: slow } = await client.newKey(ACCOUNTS_KEY, { quotas: { requests: 1 } });
  const response = await fetch(`${origin}/account/${slow.application}/${slow.key}`, {
    method: 'POST',
    headers: { origin, cookie: visitor.cookie },
    body: new URLSearchParams({ work: 'log-out' }),
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('set-cookie')?.split(';')[0]]).toEqual([
    429,
    `foredge-pages-${web.application}=`,
  ]);
});

test('what the API has no place for is a fault of the form', async () => {
  const sent = { work: 'redeem', kind: 'log-in', action: 'x'.repeat(3000), code: '1' };
  expect((await newVisitor().send(sent)).status).toBe(400);
});

test('a mail that is asked for counts and answers as by the API, whoever has an account', async () => {
  const username = newName();
  await confirmed(client, web, username, PASSWORD);
  const ask = async (email: string) => {
    const response = await newVisitor().send({ work: 'begin', kind: 'log-in', email });
    return [response.status, (await response.text()).replaceAll(/value="[^"]*"|nonce="[^"]*"/g, '')];
  };
  expect(await ask(`${username}@shop.example`)).toEqual(await ask('nobody@shop.example'));
  for (let n = 0; n < 4; n += 1) await ask('nobody@shop.example');
  expect((await ask('nobody@shop.example'))[0]).toBe(429);
  expect((await begin(web, { kind: 'log-in', email: 'nobody@shop.example' })).status).toBe(429);
});

test('an application or a key that is none has no pages, nor has one without settings', async () => {
  const none = ['0'.repeat(24), '%00'].map((application) => `${origin}/account/${application}/${web.key}`);
  for (const address of [pages.replace(/.$/, ''), `${pages}%00`, ...none])
    expect((await fetch(address)).status).toBe(401);
  const other = await service.newClient();
  expect((await fetch(`${origin}/account/${other.application}/${other.key}`)).status).toBe(404);
});
