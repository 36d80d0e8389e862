/** What the permissions of a key let through (spec, Authentication; decisions, section 4). */
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

let client: Client;
let id: string;
beforeAll(async () => {
  client = await Client.create();
  id = (await client.make('articles', undefined, { author: { data: null } })).id;
});

const allow = (path: string, ...methods: string[]) => ({ path, methods });

/** The status of a request of which only the permission counts. */
async function statusOf(by: Client, method: string, path: string): Promise<number> {
  return (await by.send(method, path)).status;
}

describe('the path of a permission', () => {
  test.each([
    ['matches the whole path', '/resources/articles', '/resources/articles', true],
    ['does not match a longer path', '/resources/articles', '/resources/articles/{id}', false],
    ['does not match a part in the middle', 'articles', '/resources/articles', false],
    ['does not match a beginning', '/resources/', '/resources/articles', false],
    ['does not match an end', 'articles/[0-9a-f]+', '/resources/articles/{id}', false],
    ['matches the whole path in each of its branches', '/resources/a|articles', '/resources/articles', false],
    ['may be anchored all the same', '^/resources/articles$', '/resources/articles', true],
    ['is a regular expression', '/resources/articles/[0-9a-f]{24}', '/resources/articles/{id}', true],
    ['takes an unescaped dot for any letter', '/resources/articl.s', '/resources/articles', true],
    ['takes an escaped dot for a dot', '/resources/articl\\.s', '/resources/articles', false],
    ['tells upper from lower case', '/RESOURCES/ARTICLES', '/resources/articles', false],
    ['does not see the query', '/resources/articles', '/resources/articles?page[limit]=1', true],
    ['does not match by the query', '.*limit.*', '/resources/articles?page[limit]=1', false],
    [
      'does not extend to relationships',
      '/resources/articles/[^/]*',
      '/resources/articles/{id}/author',
      false,
    ],
    [
      'covers relationships where it says so',
      '/resources/articles/[^/]*/relationships/author',
      '/resources/articles/{id}/relationships/author',
      true,
    ],
  ])('%s: %s for %s', async (_, pattern, path, admitted) => {
    const other = await client.withPermissions([allow(pattern, 'get')]);
    const read = await other.get(path.replace('{id}', id));
    if (admitted) expect(read.status).toBe(200);
    else expect(faultsOf(read)).toEqual(['403 forbidden api-key:']);
  });
});

describe('the methods of a permission', () => {
  test.each(['get', 'post', 'patch', 'delete'])('%s alone lets that method through', async (permitted) => {
    const other = await client.withPermissions([allow('/resources/.*', permitted)]);
    const statuses: [string, number][] = [
      ['get', await statusOf(other, 'GET', `/resources/articles/${id}`)],
      ['post', await statusOf(other, 'POST', '/resources/articles')],
      ['patch', await statusOf(other, 'PATCH', `/resources/articles/${id}`)],
      ['delete', await statusOf(other, 'DELETE', `/resources/articles/${NO_ID}`)],
    ];
    const admitted = statuses.filter(([, status]) => status !== 403).map(([method]) => method);
    expect(admitted).toEqual([permitted]);
  });

  test('of different permissions do not add up on one path', async () => {
    const other = await client.withPermissions([
      allow('/resources/articles', 'get'),
      allow('/resources/articles/.*', 'patch'),
    ]);
    expect(await statusOf(other, 'GET', `/resources/articles/${id}`)).toBe(403);
    expect(await statusOf(other, 'PATCH', '/resources/articles')).toBe(403);
  });

  test('may be none: then nothing is permitted', async () => {
    for (const permissions of [[], [allow('.*')]]) {
      const other = await client.withPermissions(permissions);
      expect(await statusOf(other, 'GET', '/resources/articles')).toBe(403);
    }
  });

  test('are asked before it is said whether there is such an endpoint', async () => {
    const other = await client.withPermissions([allow('/resources/articles', 'get')]);
    for (const path of ['/nothing', '/resources/core.user', '/resources/articles/x']) {
      expect(await statusOf(other, 'GET', path)).toBe(403);
    }
  });
});

describe('permissions are tried in order; the first that admits decides', () => {
  const withToken = { path: '/resources/articles', methods: ['get'], acl: { active: true } };
  const plain = allow('/resources/articles', 'get');

  test.each([
    ['one without ACL after one with', [withToken, plain], 200],
    ['one without ACL before one with', [plain, withToken], 200],
    ['one with ACL alone: a token is missing', [withToken], 401],
    ['one with ACL switched off', [{ ...withToken, acl: { active: false } }], 200],
    ['one with an empty ACL', [{ ...withToken, acl: {} }], 200],
    ['one with ACL for another path', [{ ...withToken, path: '/other' }], 403],
    ['one with ACL for another method', [{ ...withToken, methods: ['post'] }], 403],
  ])('%s', async (_, permissions, status) => {
    const other = await client.withPermissions(permissions);
    expect(await statusOf(other, 'GET', '/resources/articles')).toBe(status);
  });

  test('a missing token is told with its header', async () => {
    const other = await client.withPermissions([withToken]);
    expect(faultsOf(await other.get('/resources/articles'))).toEqual(['401 token-required Authorization:']);
    const bad = await other.get('/resources/articles', { authorization: 'Token made-up' });
    expect(faultsOf(bad)).toEqual(['401 token-required Authorization:']);
  });
});

describe('no way of writing a path gets around a permission', () => {
  /** Sends the path exactly as written: fetch would tidy it up first. */
  function raw(by: Client, path: string): Promise<number> {
    const { hostname, port } = new URL(by.url);
    const headers = { 'application-id': by.application, 'api-key': by.key };
    return new Promise((resolve, reject) => {
      request({ hostname, port, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  }

  let secret: string;
  /** May read everything but secrets. */
  let other: Client;
  beforeAll(async () => {
    secret = (await client.make('secrets', { a: 1 })).id;
    other = await client.withPermissions([allow('/(resources/articles|things)(/.*)?', 'get')]);
  });

  test.each([
    '/resources/secrets',
    '/resources/%73ecrets',
    '/resources/%73%65%63%72%65%74%73',
    '/%72esources/secrets',
    '/resources%2Fsecrets',
    '/resources/articles/../secrets',
    '/resources/articles/%2e%2e/secrets',
    '/resources/articles/%2E%2E/secrets',
    '/resources/articles/..%2Fsecrets',
    '/resources/articles/./../secrets',
    '//resources/secrets',
    '/resources//secrets',
    '/resources/articles//../../secrets',
    '/resources/secrets/',
    '/RESOURCES/secrets',
    '/resources/SECRETS',
    '/resources/secrets;a=b',
    '/resources/secrets%00',
    '/resources/secrets%20',
    '/resources\\secrets',
    '/things/..;/resources/secrets',
    '/things/%252e%252e/resources/secrets',
    '/things?/../resources/secrets',
    '/resources/articles%23/../../secrets',
    '/resources/articles%3F/../../secrets',
    '/x/../resources/secrets',
    '/resources/secrets/{id}',
    '/resources/secrets/{ID}',
    '/resources/secrets/%{hex}',
    '/resources/%73ecrets/{id}',
    '/resources/articles/../secrets/{id}',
  ])('%s', async (written) => {
    const hex = `${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`;
    const path = written.replace('{id}', secret).replace('{ID}', secret.toUpperCase()).replace('{hex}', hex);
    expect([400, 403, 404]).toContain(await raw(other, path));
  });

  test('and a permitted path may be written in several ways', async () => {
    for (const path of ['/resources/%61rticles', '/resources/secrets/../articles', '/./resources/articles']) {
      expect(await raw(other, path)).toBe(200);
    }
    expect(await raw(other, `/resources/articles/${id.toUpperCase()}`)).toBe(200);
  });

  test('a pattern sees ids in lower case, whatever was sent', async () => {
    const one = await client.withPermissions([allow(`/resources/articles/${id}`, 'get')]);
    expect(await raw(one, `/resources/articles/${id.toUpperCase()}`)).toBe(200);
    const upper = await client.withPermissions([allow('/resources/articles/[0-9A-F]*[A-F][0-9A-F]*', 'get')]);
    expect(await raw(upper, `/resources/articles/${id.toUpperCase()}`)).toBe(403);
  });

  test('an empty segment makes another path, which no endpoint serves', async () => {
    for (const path of ['//resources/articles', '/resources//articles', '/resources/articles/']) {
      expect(await raw(client, path)).toBe(404);
    }
  });

  test('a pattern is run in linear time', async () => {
    const hostile = await client.withPermissions([
      allow('/resources/(a+)+b', 'get'),
      allow('/resources/(a|a)*b', 'get'),
      allow('/resources/.*', 'get'),
    ]);
    expect(await raw(hostile, `/resources/${'a'.repeat(120)}`)).toBe(200);
  });
});
