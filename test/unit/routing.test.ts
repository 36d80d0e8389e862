/** From the text of a path to an endpoint: one canonical form, then one endpoint, or the methods there are. */
import { Hono, type Context } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { describe, expect, test } from 'vitest';
import { OPERATOR_ACCESS } from '../../src/auth/access.ts';
import { canonicalPath } from '../../src/domain/addresses/canonical.ts';
import { getPath } from '../../src/http/arrival.ts';
import { noEndpoint, routesOf } from '../../src/http/routes.ts';
import type { Types } from '../../src/http/types.ts';
import type { Endpoint } from '../../src/modules/endpoint.ts';
import { APPLICATION } from '../support/exchange.ts';

const ID = '0123456789abcdef01234567';

describe('the canonical path', () => {
  test.each([
    ['/resources/a', '/resources/a'],
    ['/resources/%61', '/resources/a'],
    ['/resources/%41', '/resources/A'],
    ['/resources/a%2Fb', '/resources/a%2Fb'],
    ['/resources/a%2fb', '/resources/a%2Fb'],
    ['/resources/a%20b', '/resources/a%20b'],
    ['/resources/%C3%BC', '/resources/%C3%BC'],
    ['/resources/%c3%bc', '/resources/%C3%BC'],
    ['/resources/a%2Eb', '/resources/a.b'],
    ['/resources/%2561', '/resources/%2561'],
    ['//resources', '//resources'],
    ['/resources/', '/resources/'],
    ['/', '/'],
    [`/resources/a/${ID.toUpperCase()}`, `/resources/a/${ID}`],
    [`/resources/a/%30${ID.slice(1).toUpperCase()}/r`, `/resources/a/${ID}/r`],
    [`/resources/${ID.toUpperCase()}`, `/resources/${ID.toUpperCase()}`],
    [`/resources/a/b/${ID.toUpperCase()}`, `/resources/a/b/${ID.toUpperCase()}`],
    [`/aggregates/core.aggregate/${ID.toUpperCase()}`, `/aggregates/core.aggregate/${ID}`],
    [`/aggregates/agt.a/${ID.toUpperCase()}`, `/aggregates/agt.a/${ID.toUpperCase()}`],
  ])('of %s is %s', (written, path) => {
    const canonical = canonicalPath(written);
    expect(canonical.ok && canonical.value.path).toBe(path);
    // It is its own canonical form.
    const again = canonicalPath(path);
    expect(again.ok && again.value.path).toBe(path);
  });

  test('has segments that are decoded: an encoded slash does not separate', () => {
    const canonical = canonicalPath('/resources/a%2Fb/%C3%BC');
    expect(canonical.ok && canonical.value.segments).toEqual(['resources', 'a/b', 'ü']);
  });

  test.each(['/%', '/%z', '/%zz', '/%ff', '/a/%c3%28', '/%ed%a0%80'])('is refused for %s', (written) => {
    const canonical = canonicalPath(written);
    expect(!canonical.ok && canonical.problems.map(({ code }) => code)).toEqual(['invalid-path']);
  });

  test.each([
    [2048, true],
    [2049, false],
  ])('of %i bytes', (length, fine) => {
    expect(canonicalPath(`/${'x'.repeat(length - 1)}`).ok).toBe(fine);
  });
});

const endpoint = (method: Endpoint['method'], path: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method,
  path,
  summary: `${method} ${path}`,
  answers: {},
  handle: () => Promise.reject(new Error('Routes call what serves an endpoint, not its handler.')),
  ...more,
});

const pair = { serves: (type: string) => type.length === 2 };
const THINGS = [
  endpoint('GET', '/things/{type}', pair),
  endpoint('POST', '/things/{type}', pair),
  endpoint('GET', '/things/{type}/{id}'),
  endpoint('PATCH', '/things/{type}/{id}'),
  endpoint('GET', '/things/{type}/{id}/links/{name}'),
  endpoint('DELETE', '/things/{type}/{id}/{name}'),
  endpoint('POST', '/things/{type}/{id}/keys'),
  endpoint('GET', '/things/{type}.acl', { serves: (type) => type.endsWith('.acl') }),
];
const FREE = [
  endpoint('GET', '/free/fixed/{id}', { knowsId: (id) => id !== '' }),
  endpoint('GET', '/free/{type}/{id}', { knowsId: (id) => id !== '' }),
];

/** A parameter of a path; '' for one that the path does not have, which throws. */
function orNone(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** The routes of two modules. Their endpoints answer with what they were given, everything else with its status. */
function appWith(getPathOf: (request: Request) => string, me: string | null = null) {
  const app = new Hono<Types>({ getPath: getPathOf, router: new TrieRouter() });
  const access = OPERATOR_ACCESS;
  app.use((c, next) => {
    c.set('caller', {
      apiKey: null,
      application: APPLICATION,
      access,
      path: c.req.path,
      me,
      bulk: false,
      confirmed: null,
    });
    c.setRenderer(({ status, body, headers }) => {
      return new Response(typeof body === 'string' ? body : null, { status, headers });
    });
    return next();
  });
  const tell =
    ({ summary }: Endpoint) =>
    (c: Context<Types>) => {
      const parameters = c.get('parameters');
      const told = {
        type: parameters.type,
        id: orNone(() => parameters.id),
        name: orNone(() => parameters.name),
      };
      return c.json([summary, told]);
    };
  app.route('/things', routesOf(THINGS, tell));
  app.route('/free', routesOf(FREE, tell));
  app.notFound(noEndpoint);
  return app;
}

describe('the routes', () => {
  const app = appWith((request) => new URL(request.url).pathname);

  test.each([
    ['GET', '/things/ab', 'GET /things/{type}', { type: 'ab', id: '', name: '' }],
    ['POST', '/things/ab', 'POST /things/{type}', { type: 'ab', id: '', name: '' }],
    ['PATCH', `/things/ab/${ID}`, 'PATCH /things/{type}/{id}', { type: 'ab', id: ID, name: '' }],
    [
      'GET',
      `/things/ab/${ID}/links/n`,
      'GET /things/{type}/{id}/links/{name}',
      { type: 'ab', id: ID, name: 'n' },
    ],
    [
      'DELETE',
      `/things/ab/${ID}/links`,
      'DELETE /things/{type}/{id}/{name}',
      { type: 'ab', id: ID, name: 'links' },
    ],
    ['GET', '/things/a.acl', 'GET /things/{type}.acl', { type: 'a.acl', id: '', name: '' }],
    ['GET', '/free/x/any', 'GET /free/{type}/{id}', { type: 'x', id: 'any', name: '' }],
    ['GET', '/free/fixed/any', 'GET /free/fixed/{id}', { type: 'fixed', id: 'any', name: '' }],
    ['GET', '/free/x/a%2Fb', 'GET /free/{type}/{id}', { type: 'x', id: 'a/b', name: '' }],
    [
      'GET',
      '/free/__proto__/constructor',
      'GET /free/{type}/{id}',
      { type: '__proto__', id: 'constructor', name: '' },
    ],
  ])('take %s %s to its endpoint', async (method, path, summary, parameters) => {
    const response = await app.request(path, { method });
    expect(await response.json()).toEqual([summary, parameters]);
  });

  test('take HEAD where GET goes, without a body', async () => {
    const [get, head] = [
      await app.request('/things/ab'),
      await app.request('/things/ab', { method: 'HEAD' }),
    ];
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      get.headers.get('content-type'),
      '',
    ]);
  });

  test.each([
    ['POST', `/things/ab/${ID}`, 'GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', '/things/ab', 'GET, HEAD, OPTIONS, POST'],
    ['GET', `/things/ab/${ID}/n`, 'DELETE, OPTIONS'],
    ['HEAD', `/things/ab/${ID}/n`, 'DELETE, OPTIONS'],
    ['PATCH', `/things/ab/${ID}/keys`, 'DELETE, OPTIONS, POST'],
  ])('tell which methods there are for %s %s', async (method, path, allow) => {
    const response = await app.request(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  test.each([
    '/',
    '/things',
    '/things/',
    '/things/odd',
    '/Things/ab',
    '/things/ab/x',
    `/things/ab/${ID.toUpperCase()}`,
    `/things/ab/${ID}/`,
    `/things/ab/${ID}/links/`,
    `/things/ab/${ID}/links/a.b`,
    `/things/ab/${ID}/links/$a`,
    `/things/ab/${ID}/links/id`,
    `/things/ab/${ID}/links/type`,
    `/things/ab/${ID}/links/n/more`,
    `/things/ab//links/n`,
    '/free/x/',
    '//things/ab',
  ])('know nothing at %s, with any method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) {
      const response = await app.request(new Request(`http://localhost${path}`, { method }));
      expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
    }
  });

  test('see the canonical path, and the id that me stands for', async () => {
    const parametersAt = async (path: string, me: string | null = null) => {
      const response = await appWith(getPath, me).request(path);
      return response.json();
    };
    const found = ['GET /things/{type}/{id}', { type: 'ab', id: ID, name: '' }];
    expect(await parametersAt(`/things/%61b/${ID.toUpperCase()}`)).toEqual(found);
    expect(await parametersAt('/things/x/../ab/me', ID)).toEqual(found);
    expect((await appWith(getPath).request('/things/%ff')).status).toBe(404);
  });
});
