/** What the permissions of a key let through (spec, Authentication; decisions, 4), also where they mean harm. */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, may } from '../support/people.ts';

const client = await Client.create();
const id = (await client.make('articles', undefined, { author: { data: null } })).id;

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
    [
      'has anchors that end one branch alone',
      '/resources/articles$|^/users/core.user',
      '/resources/articles/x',
      false,
    ],
    ['may have an empty branch, which is no path', '/resources/articles|', '/resources/other', false],
    ['may be empty: that is the front page', '', '/', true],
    ['empty permits nothing else', '', '/resources/articles', false],
    ['takes no line end that is not there', '/resources/articles\\n', '/resources/articles', false],
    [
      'does not match one line of several',
      '(?m)^/resources/articles$',
      '/resources/articles%0A/resources/other',
      false,
    ],
    ['does not pass over a line end', '/resources/articles$', '/resources/articles%0A', false],
  ])('%s: %s for %s', async (_, pattern, path, admitted) => {
    const other = await client.withPermissions([allow(pattern, 'get')]);
    const read = await other.get(path.replace('{id}', id));
    if (admitted) expect(read.status).toBe(200);
    else expect(faultsOf(read)).toEqual(['403 forbidden api-key:']);
  });

  test('does not see an encoded slash as one', async () => {
    const other = await client.withPermissions([allow('/resources/[^/]*', 'get')]);
    expect(await statusOf(other, 'GET', '/resources/articles%2fx')).toBe(404);
  });

  test('is compiled at a cost: many large ones together are refused, from the first that is too much', async () => {
    const permissions = Array.from({ length: 1000 }, (_, n) =>
      allow(`/resources/[ab]*a[ab]{${1 + (n % 980)}}`, 'get'),
    );
    const attributes = { name: 'a key', permissions };
    const faults = faultsOf(await client.create('/api-keys/core.api-key', { attributes }));
    expect(faults).toEqual([
      expect.stringMatching(/^422 invalid-attribute \/data\/attributes\/permissions\/4\d\d\/path$/),
    ]);
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
  const withToken = may('get', '/resources/articles', ACL);
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

describe('a path in other letters', () => {
  test('a pattern sees ids in lower case, whatever was sent', async () => {
    const one = await client.withPermissions([allow(`/resources/articles/${id}`, 'get')]);
    expect(await statusOf(one, 'GET', `/resources/articles/${id.toUpperCase()}`)).toBe(200);
    const upper = await client.withPermissions([allow('/resources/articles/[0-9A-F]*[A-F][0-9A-F]*', 'get')]);
    expect(await statusOf(upper, 'GET', `/resources/articles/${id.toUpperCase()}`)).toBe(403);
  });
});
