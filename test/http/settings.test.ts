/** Settings of the Worker at work: addresses in answers, failed logins, and what happens when one is wrong. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { moveIn } from '../support/attack.ts';
import { ACCOUNTS_KEY, begin, setAccounts } from '../support/accounts.ts';
import { Client } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { newFolder, newService } from '../support/scope.ts';
import { freePort, start, until } from '../support/started.ts';
import { startRuntime } from '../../scripts/runtime.ts';
import { counted, OwnService } from '../support/own-service.ts';
import { logIn } from '../support/people.ts';

const PUBLIC = 'https://api.example.com/store';

describe('with PUBLIC_URL, addresses in answers begin with it', () => {
  let service: OwnService;
  let client: Client;
  let path: string;
  beforeAll(async () => {
    service = await OwnService.start(counted({ PUBLIC_URL: `${PUBLIC}/`, LOGIN_FAILURES_BY_USER: '2' }));
    ({ client } = service);
    const { id } = await client.make('notes', { n: 1 }, { next: { data: null } });
    path = `/resources/notes/${id}`;
  });
  afterAll(() => service.stop());

  test('in Location and links, whatever Host says', async () => {
    const made = await client.create('/resources/notes');
    expect(made.headers.get('location')).toBe(`${PUBLIC}/resources/notes/${made.body.data.id}`);
    const { data } = (await client.get(path)).body;
    expect(data.links.self).toBe(`${PUBLIC}${path}`);
    expect(data.relationships?.['next']?.links.related).toBe(`${PUBLIC}${path}/next`);
  });

  test('in the links of pages', async () => {
    const { links } = (await client.get('/resources/notes?page[limit]=1')).body;
    expect(links.next).toBe(`${PUBLIC}/resources/notes?page%5Boffset%5D=1&page%5Blimit%5D=1`);
  });

  test.each([
    ['with it', (address: string) => `${PUBLIC}${address}`, 200],
    ['from the first slash on', (address: string) => address, 200],
    ['from the first slash on, with its path', (address: string) => `/store${address}`, 200],
    ['with another', (address: string) => `https://elsewhere.example${address}`, 400],
    ['with the one that the request was sent to', (address: string) => `${service.url}${address}`, 400],
  ])('and the href of an operation may begin %s', async (_, href, status) => {
    const id = path.slice(-24);
    const data = { type: 'notes', id, attributes: { n: 2 } };
    const answer = await operate(client, [{ op: 'update', href: href(path), data }]);
    expect(answer.status, answer.text).toBe(status);
  });

  test('with TLS, no other host sets the cookie of a login on ready pages, and no script reads it', async () => {
    const key = await client.withPermissions(ACCOUNTS_KEY);
    await setAccounts(client, { name: 'Shop' });
    const { name, password } = await moveIn(client, 'eve');
    const response = await fetch(`${service.url}/account/${key.application}/${key.key}`, {
      method: 'POST',
      headers: { origin: new URL(PUBLIC).origin },
      body: new URLSearchParams({ work: 'log-in', username: name, password }),
      redirect: 'manual',
    });
    const [cookie = '', ...flags] = (response.headers.get('set-cookie') ?? '').split('; ');
    expect(cookie).toMatch(new RegExp(`^__Host-foredge-pages-${key.application}=token`));
    expect(flags.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    // It is no credential of the API.
    const me = await fetch(`${service.url}/users/core.user/me`, {
      headers: { cookie, 'application-id': key.application, 'api-key': key.key },
    });
    expect(me.status).toBe(401);
    expect((await logIn(key, name, password)).status).toBe(201);
  });

  test('and LOGIN_FAILURES_BY_USER holds as well', async () => {
    const { name, password } = await moveIn(client, 'ada');
    const guesses = ['one', 'two', password];
    const statuses: number[] = [];
    for (const guess of guesses) statuses.push((await logIn(client, name, guess)).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe('failed logins are counted by address', () => {
  async function clientWith(settings: Readonly<Record<string, string>>): Promise<Client> {
    return (await newService(counted({ LOGIN_FAILURES_BY_ADDRESS: '3', ...settings }))).client;
  }

  /** The statuses of wrong logins, each of another name, with these headers. */
  async function guess(client: Client, each: readonly Readonly<Record<string, string>>[]) {
    const statuses: number[] = [];
    for (const headers of each) {
      statuses.push((await logIn(client, `nobody-${crypto.randomUUID()}`, 'wrong', headers)).status);
    }
    return statuses;
  }

  test('of the header that the setting names, as the proxy wrote it', async () => {
    const client = await clientWith({ CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' });
    // Whatever the client sends in front, the proxy's own word stands behind it.
    const invented = ['', 'a, ', 'b, ', 'c, '].map((own) => ({ 'x-forwarded-for': `${own}192.0.2.1` }));
    expect(await guess(client, invented)).toEqual([401, 401, 401, 429]);
    const other = { 'x-forwarded-for': '192.0.2.2', 'cf-connecting-ip': '192.0.2.1' };
    expect(await guess(client, [other])).toEqual([401]);
    const { name, password } = await moveIn(client, 'ada');
    expect((await logIn(client, name, password, other)).status).toBe(201);
    expect((await logIn(client, name, password, invented[0])).status).toBe(429);
  });

  test('of a network, where addresses are IPv6', async () => {
    const client = await clientWith({ CLIENT_ADDRESS_HEADER: 'X-Real-IP' });
    const own = ['::1', '::2', '::3', '::4'].map((end) => ({ 'x-real-ip': `2001:db8:0:1${end}` }));
    expect(await guess(client, own)).toEqual([401, 401, 401, 429]);
    expect(await guess(client, [{ 'x-real-ip': '2001:db8:0:2::1' }])).toEqual([401]);
  });

  test('as are account actions, whatever they ask for', async () => {
    const client = await clientWith({ CLIENT_ADDRESS_HEADER: 'X-Real-IP' });
    await setAccounts(client, { 'log-in-by-mail': true });
    const from = async (address: string, at: number) => {
      const asked = { kind: 'log-in', email: `somebody${at}@shop.example` };
      return (await begin(client, asked, { 'x-real-ip': address })).status;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push(await from('192.0.2.1', at));
    expect([...statuses, await from('192.0.2.2', 5)]).toEqual([201, 201, 201, 429, 201]);
  });

  test('of the other end, where no setting names a header: no client picks its count', async () => {
    const client = await clientWith({});
    const claimed = Array.from({ length: 4 }, (_, at) => ({
      'cf-connecting-ip': `192.0.2.${at}`,
      'mf-cf-blob': `{"clientIp": "192.0.2.${at}:80"}`,
    }));
    expect(await guess(client, claimed)).toEqual([401, 401, 401, 429]);
    // A developer's machine, or a proxy's: only logins count together.
    await setAccounts(client, { 'log-in-by-mail': true });
    const asked = { kind: 'log-in', email: 'ada@shop.example' };
    expect((await begin(client, asked)).status).toBe(201);
  });
});

describe('npm start', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('takes the settings of the Worker from its environment', async () => {
    vi.stubEnv('PUBLIC_URL', PUBLIC);
    vi.stubEnv('CORS_ORIGINS', 'https://app.example.com');
    vi.stubEnv('LOGIN_FAILURES_BY_USER', '12');
    const started = await start(newFolder(), await freePort());
    try {
      const { base_url, application_id, api_key } = started.credentials;
      const client = new Client(base_url, application_id, api_key);
      const made = await client.create('/resources/notes', {}, { origin: 'https://evil.example' });
      expect(made.headers.get('location')).toBe(`${PUBLIC}/resources/notes/${made.body.data.id}`);
      expect(made.headers.get('access-control-allow-origin')).toBeNull();
      // More than without the setting: the limits of the runtime follow it, too.
      const { name } = await moveIn(client, 'ada');
      const guesses = await Promise.all(
        Array.from({ length: 12 }, (_, n) => logIn(client, name, `wrong ${n}`)),
      );
      expect(guesses.map(({ status }) => status)).toEqual(Array<number>(12).fill(401));
      expect((await logIn(client, name, 'wrong')).status).toBe(429);
    } finally {
      await started.killAll();
    }
  });

  test('refuses a wrong one in a line', async () => {
    vi.stubEnv('LOG_DELAY', 'a while');
    await expect(start(newFolder(), await freePort())).rejects.toThrow(
      /^The setting LOG_DELAY must be a whole number from 0 to 10000, not a while\.$/m,
    );
  });
});

test('a deployed Worker with a wrong setting serves nothing, and its log says which one', async () => {
  const lines: string[] = [];
  const { url, stop } = await startRuntime({
    port: 0,
    data: null,
    secrets: { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) },
    entry: join(import.meta.dirname, '../support/wrong-setting.ts'),
    log: (line) => lines.push(line),
  });
  try {
    const response = await fetch(`${url}/resources/notes`, { headers: { 'x-request-id': 'wrong' } });
    const text = await response.text();
    expect([response.status, text]).toEqual([500, expect.not.stringContaining('CORS')]);
    expect(text).toContain('"code":"internal-error"');
    const fault = (line: string) =>
      line.includes('"wrong"') && line.includes('The setting CORS_ORIGINS must be');
    await until('the fault is logged', () => lines.some(fault));
    const request = (line: string) => line.includes('"wrong"') && line.includes('"status":500');
    await until('the request is logged', () => lines.some(request));
  } finally {
    await stop();
  }
});
