/** Methods and browsers: 405 with Allow, HEAD, preflight and exposed headers (decisions, section 1). */
import { describe, expect, test } from 'vitest';
import { requestText, sendRaw } from '../support/attack.ts';
import { ATOMIC_MEDIA_TYPE, Client, NO_ID } from '../support/client.ts';
import { EVERY_METHOD, may } from '../support/people.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();
const { id } = await client.make('things', { a: 1 }, { r: { data: null } });
const path = `/resources/things/${id}`;
const deleted = `/resources/things/${(await client.make('things')).id}`;
await client.delete(deleted);

describe('a method that no endpoint of the path knows is 405 with Allow', () => {
  test.each([
    ['POST', () => path, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['PATCH', () => '/resources/things', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', () => '/resources/things', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', () => '/users/core.user-group', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', () => '/users/core.user', 'GET, HEAD, OPTIONS, POST'],
    ['POST', () => `${path}/r`, 'GET, HEAD, OPTIONS'],
    ['DELETE', () => `/api-keys/core.api-key`, 'GET, HEAD, OPTIONS, POST'],
    ['POST', () => `/api-keys/core.api-key/${NO_ID}`, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['GET', () => '/users/core.user.token', 'OPTIONS, POST'],
    ['POST', () => '/aggregates/agt.sums', 'GET, HEAD, OPTIONS'],
    ['PATCH', () => `/aggregates/agt.sums/${NO_ID}`, 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, address, allow) => {
    const plain = await client.withPermissions([may(EVERY_METHOD, '.*')]);
    const answer = await plain.send(method, address());
    expect(faultsOf(answer)).toEqual(['405 method-not-allowed']);
    expect(answer.headers.get('allow')).toBe(allow);
    const ofMany = /^\/resources\/things$/.test(address());
    expect(answer.text.includes(`has bulk beside ${method.toLowerCase()}`)).toBe(ofMany);
  });
});

describe('OPTIONS tells the methods of the path, to whoever asks', () => {
  test.each([
    ['a list', () => '/resources/things', 'GET, HEAD, OPTIONS, POST'],
    ['a document', () => path, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['related documents', () => `${path}/r`, 'GET, HEAD, OPTIONS'],
    ['me', () => '/users/core.user/me', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['rights', () => path.replace('things', 'things.acl'), 'GET, HEAD, OPTIONS, PATCH'],
    ['health', () => '/health', 'GET, HEAD, OPTIONS'],
    ['ready pages', () => `/account/${client.application}/${client.key}`, 'GET, HEAD, POST, OPTIONS'],
    ['a type that cannot be', () => '/resources/core.user', null],
    ['nothing', () => '/nothing', null],
  ])('%s', async (_, address, allow) => {
    const answer = await fetch(`${client.url}${address()}`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, allow]);
  });
});

describe('a method that no endpoint at all knows is 405 before anything else', () => {
  test.each(['PUT', 'QUERY', 'PROPFIND', 'LOCK'])('%s', async (method) => {
    const stranger = new Client(client.url, 'none', 'none');
    for (const address of [path, '/nothing/at/all', `/resources/things/%ff`, `/${'x'.repeat(3000)}`]) {
      const answer = await stranger.send(method, address, { headers: { accept: 'text/html' } });
      expect(faultsOf(answer)).toEqual(['405 method-not-allowed']);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, PATCH, DELETE, OPTIONS');
    }
  });
});

describe('of what is no request of HTTP that the runtime knows, nothing reaches the service', () => {
  // The runtime answers these itself, in text of its own: no handler of a Worker is asked.
  test.each([
    ['CONNECT', 500],
    ['TRACE', 405],
    ['get', 501],
    ['FOO', 501],
  ])('%s is %d', async (method, status) => {
    const { application, key, url } = client;
    const answer = await sendRaw(url, requestText(new Client(url, application, key), method, path));
    expect([answer.status, answer.text]).toEqual([status, expect.not.stringContaining('"data"')]);
  });
});

describe('HEAD is as GET, without a body', () => {
  test.each([
    ['a document', () => path],
    ['a list', () => '/resources/things?page[limit]=1'],
    ['a relationship', () => `${path}/relationships/r`],
    ['a deleted document', () => deleted],
    ['an unknown document', () => `/resources/things/${NO_ID}`],
    ['an unknown address', () => '/nothing'],
    ['a bad parameter', () => '/resources/things?page[limit]=0'],
    ['letters of several bytes', () => `/resources/things?filter[a]="${'ü'.repeat(20)}"`],
    ['the front page', () => '/'],
    ['health', () => '/health'],
  ])('of %s', async (_, address) => {
    const [get, head] = [await client.get(address()), await client.send('HEAD', address())];
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test('with If-None-Match too', async () => {
    const { etag } = await client.get(path);
    const head = await client.send('HEAD', path, { headers: { 'if-none-match': etag } });
    expect(head.status).toBe(304);
  });

  test('needs the permission get', async () => {
    const reader = await client.withPermissions([may('get', '/resources/.*')]);
    const writer = await client.withPermissions([may('post patch', '/resources/.*')]);
    expect((await reader.send('HEAD', path)).status).toBe(200);
    expect((await writer.send('HEAD', path)).status).toBe(403);
  });
});

describe('browsers', () => {
  const listed = (headers: Headers, name: string) =>
    (headers.get(name) ?? '')
      .toLowerCase()
      .split(',')
      .map((each) => each.trim());

  test.each(['/', '/resources/things', '/api-keys/core.api-key', '/nothing'])(
    'a preflight for %s needs no key, and allows what clients send',
    async (address) => {
      const response = await fetch(`${client.url}${address}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'api-key,application-id,content-type,if-match',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(listed(response.headers, 'access-control-allow-methods')).toEqual(
        expect.arrayContaining(['get', 'head', 'post', 'patch', 'delete']),
      );
      expect(listed(response.headers, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining([
          'accept',
          'api-key',
          'application-id',
          'authorization',
          'content-type',
          'if-match',
          'if-none-match',
          'x-request-id',
        ]),
      );
      expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    },
  );

  test.each([
    ['an answer', () => client.get(path, { origin: 'https://app.example' })],
    ['a 304', () => client.get(path, { origin: 'https://app.example', 'if-none-match': '*' })],
    ['an error', () => client.get('/nothing', { origin: 'https://app.example' })],
    ['a refusal', () => new Client(client.url, 'x', 'x').get(path, { origin: 'https://app.example' })],
    ['a 405', () => client.send('PUT', path, { headers: { origin: 'https://app.example' } })],
    ['a preflight', () => client.send('OPTIONS', path, { headers: { origin: 'https://app.example' } })],
  ])('%s may be read from any origin, with its headers', async (_, send) => {
    const { headers } = await send();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(listed(headers, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining(['etag', 'location', 'preference-applied', 'retry-after', 'server-timing']),
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

test('every answer has the headers that keep browsers from guessing, framing and sharing', async () => {
  const { headers } = await client.get(path);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toContain('private');
});

test.each([
  ['a read', () => client.get(path)],
  ['a list', () => client.get('/resources/things')],
  ['a 304', () => client.get(path, { 'if-none-match': '*' })],
  ['a creation', () => client.create('/resources/things')],
  ['a deletion', async () => client.delete(`/resources/things/${(await client.make('things')).id}`)],
  ['users', () => client.get('/users/core.user')],
  ['a list of operations', () => client.post('/operations', {}, { accept: ATOMIC_MEDIA_TYPE })],
  ['a 400', () => client.get(`${path}?nothing=1`)],
  ['a 401', () => new Client(client.url, 'x', 'x').get(path)],
  ['a 404', () => client.get('/nothing')],
  ['a 405', () => client.send('PUT', path)],
  ['a 406', () => client.get(path, { accept: 'text/html' })],
  ['a preflight', () => client.send('OPTIONS', path)],
  ['the front page', () => client.get('/')],
])('%s tells caches which headers decide on it', async (_, send) => {
  const { headers } = await send();
  expect(headers.get('vary')).toBe('Authorization, api-key, application-id, Accept');
});
