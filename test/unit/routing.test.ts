/** From the text of a path to an endpoint: one canonical form, then one endpoint, or the methods there are. */
import { describe, expect, test } from 'vitest';
import { canonicalPath } from '../../src/auth/canonical-path.ts';
import { Router } from '../../src/http/router.ts';
import type { Endpoint } from '../../src/modules/endpoint.ts';

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

describe('the router', () => {
  const endpoint = (method: Endpoint['method'], path: string, more: Partial<Endpoint> = {}): Endpoint => ({
    method,
    path,
    summary: `${method} ${path}`,
    answers: {},
    handle: () => Promise.reject(new Error('The router calls nothing.')),
    ...more,
  });
  const pair = { serves: (type: string) => type.length === 2 };
  const router = new Router([
    endpoint('GET', '/things/{type}', pair),
    endpoint('POST', '/things/{type}', pair),
    endpoint('GET', '/things/{type}/{id}'),
    endpoint('PATCH', '/things/{type}/{id}'),
    endpoint('GET', '/things/{type}/{id}/links/{name}'),
    endpoint('DELETE', '/things/{type}/{id}/{name}'),
    endpoint('GET', '/things/{type}.acl', { serves: (type) => type.endsWith('.acl') }),
    endpoint('GET', '/free/{type}/{id}', { knowsId: (id) => id !== '' }),
  ]);
  const route = (method: string, path: string) => router.route(method, path.slice(1).split('/'));

  test.each([
    ['GET', '/things/ab', 'GET /things/{type}', { type: 'ab', id: '', name: '' }],
    ['HEAD', '/things/ab', 'GET /things/{type}', { type: 'ab', id: '', name: '' }],
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
  ])('takes %s %s to its endpoint', (method, path, summary, parameters) => {
    const found = route(method, path);
    expect(found.kind === 'found' && [found.endpoint.summary, found.parameters]).toEqual([
      summary,
      parameters,
    ]);
  });

  test.each([
    ['POST', `/things/ab/${ID}`, ['GET', 'HEAD', 'OPTIONS', 'PATCH']],
    ['DELETE', '/things/ab', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['GET', `/things/ab/${ID}/n`, ['DELETE', 'OPTIONS']],
  ])('tells which methods there are for %s %s', (method, path, allow) => {
    expect(route(method, path)).toEqual({ kind: 'method', allow });
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
    '/free/x/',
  ])('knows nothing at %s', (path) => {
    expect(route('GET', path)).toEqual({ kind: 'none' });
  });
});
