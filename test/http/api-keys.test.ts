/** The API keys module: keys and their `secure-id` (spec, API key and API keys module; decisions, section 4). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, may } from '../support/people.ts';

const KEYS = '/api-keys/core.api-key';
const EVERYTHING = [may(EVERY_METHOD, '.*')];

const client = await Client.create();
await client.make('things');

const create = (attributes: unknown) => client.create(KEYS, { attributes });

async function key(permissions: unknown = EVERYTHING): Promise<Resource> {
  const made = await create({ name: 'a key', permissions });
  expect(made.status).toBe(201);
  return made.body.data;
}

const change = (id: string, attributes: unknown, headers = {}) =>
  client.update(`${KEYS}/${id}`, { attributes }, headers);

const secureIdOf = ({ attributes }: Resource) => String(attributes?.['secure-id']);
const clientOf = (resource: Resource) => new Client(client.url, client.application, secureIdOf(resource));
const list = (other: Client) => other.get('/resources/things');

describe('a key', () => {
  test('is created with id, name, permissions and secure-id', async () => {
    const permissions = [may('get', '/resources/a'), { path: '/x', methods: [], acl: { active: false } }];
    const made = await create({ name: 'mine', permissions });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${client.url}${KEYS}/${made.body.data.id}`);
    expect(made.etag).not.toBe('');
    expect(made.body.data.attributes).toEqual({
      name: 'mine',
      permissions,
      'secure-id': expect.stringMatching(/^\S{20,}$/) as string,
    });
  });

  test('works with its secure-id at once', async () => {
    expect((await list(clientOf(await key()))).status).toBe(200);
  });

  test('shows the same secure-id in every answer', async () => {
    const made = await key();
    const read = await client.get(`${KEYS}/${made.id}`);
    const listed = await client.get(`${KEYS}?page[limit]=1000`);
    const patched = await change(made.id, { name: 'other' });
    const again = await client.get(`${KEYS}/${made.id}`);
    const all = [read.body.data, patched.body.data, again.body.data].map(secureIdOf);
    const [inList] = listed.body.data.filter(({ id }) => id === made.id);
    expect(inList && secureIdOf(inList)).toBe(secureIdOf(made));
    expect(new Set([...all, secureIdOf(made)]).size).toBe(1);
  });

  test('has a secure-id of its own', async () => {
    expect(secureIdOf(await key())).not.toBe(secureIdOf(await key()));
  });

  test('can be read without its secure-id', async () => {
    const { id } = await key();
    const read = await client.get(`${KEYS}/${id}?fields[core.api-key]=name`);
    expect(read.body.data.attributes).toEqual({ name: 'a key' });
  });

  test('is found in the list with the first key of the application', async () => {
    const fresh = await Client.create();
    const { id } = (await fresh.create(KEYS, { attributes: { name: 'second', permissions: [] } })).body.data;
    const { body } = await fresh.get(KEYS);
    expect(body.meta.count).toBe(2);
    expect(body.data.map(({ attributes }) => attributes?.['secure-id'])[0]).toBe(fresh.key);
    expect(body.data[1]?.id).toBe(id);
  });

  test('can be changed with If-Match, once', async () => {
    const { id } = await key();
    const { etag } = await client.get(`${KEYS}/${id}`);
    expect((await change(id, { name: 'x' }, { 'if-match': etag })).status).toBe(204);
    expect((await change(id, { name: 'y' }, { 'if-match': etag })).status).toBe(412);
  });

  test('that never existed is 404; one that was deleted is {data: null}', async () => {
    const { id } = await key();
    expect((await client.delete(`${KEYS}/${id}`)).status).toBe(204);
    expect((await client.get(`${KEYS}/${id}`)).body.data).toBeNull();
    expect(faultsOf(await client.get(`${KEYS}/${NO_ID}`))).toEqual(['404 document-not-found']);
    expect(faultsOf(await change(NO_ID, {}))).toEqual(['404 document-not-found']);
    expect(faultsOf(await client.delete(`${KEYS}/${NO_ID}`))).toEqual(['404 document-not-found']);
  });

  test('is no resource', async () => {
    expect((await client.get('/resources/core.api-key')).status).toBe(404);
  });
});

describe('the last key of an application', () => {
  const last = '409 last-api-key';
  const keysOf = async (owner: Client) => (await owner.get(KEYS)).body.data;

  test('can not be deleted, and goes on working', async () => {
    const owner = await Client.create();
    const [first] = await keysOf(owner);
    expect(faultsOf(await owner.delete(`${KEYS}/${first?.id ?? ''}`))).toEqual([last]);
    expect(await keysOf(owner)).toEqual([first]);
  });

  test('is looked at after the precondition, and there is another one to delete', async () => {
    const owner = await Client.create();
    const [first] = await keysOf(owner);
    const path = `${KEYS}/${first?.id ?? ''}`;
    expect((await owner.delete(path, undefined, { 'if-match': '"AA"' })).status).toBe(412);
    const second = (await owner.create(KEYS, { attributes: { name: 'second', permissions: EVERYTHING } }))
      .body.data;
    expect((await owner.delete(path)).status).toBe(204);
    const other = new Client(owner.url, owner.application, secureIdOf(second));
    expect(faultsOf(await other.delete(`${KEYS}/${second.id}`))).toEqual([last]);
  });

  test('is left by deletions of all keys at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = await Client.create();
      const data = { type: 'core.api-key', attributes: { name: 'more', permissions: EVERYTHING } };
      await Promise.all([owner.post(KEYS, { data }), owner.post(KEYS, { data })]);
      const keys = await keysOf(owner);
      expect(keys).toHaveLength(3);
      const answers = await Promise.all(
        keys.map((each) => {
          const itself = new Client(owner.url, owner.application, secureIdOf(each));
          return itself.delete(`${KEYS}/${each.id}`);
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 409]);
    }
  });
});

describe('the secure-id is never settable', () => {
  test('on create', async () => {
    const made = await create({ name: 'x', permissions: [], 'secure-id': 'mine' });
    expect(faultsOf(made)).toEqual(['422 read-only-member /data/attributes/secure-id']);
  });

  test('on PATCH, not even to what it is', async () => {
    const made = await key();
    for (const value of ['mine', secureIdOf(made), null]) {
      expect(faultsOf(await change(made.id, { 'secure-id': value }))).toEqual([
        '422 read-only-member /data/attributes/secure-id',
      ]);
    }
    expect((await list(clientOf(made))).status).toBe(200);
  });
});

describe('a change is effective at the next request', () => {
  test('of permissions, in both directions', async () => {
    const made = await key();
    const user = clientOf(made);
    for (let round = 0; round < 5; round += 1) {
      expect((await list(user)).status).toBe(200);
      await change(made.id, { permissions: [may('get', '/resources/others')] });
      expect(faultsOf(await list(user))).toEqual(['403 forbidden api-key:']);
      await change(made.id, { permissions: EVERYTHING });
    }
    expect((await list(user)).status).toBe(200);
  });

  test('of many keys that change at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => key()));
    const statuses = async () =>
      new Set((await Promise.all(keys.map((each) => list(clientOf(each))))).map(({ status }) => status));
    expect(await statuses()).toEqual(new Set([200]));
    await Promise.all(keys.map(({ id }) => change(id, { permissions: [] })));
    expect(await statuses()).toEqual(new Set([403]));
    await Promise.all(keys.map(({ id }) => client.delete(`${KEYS}/${id}`)));
    expect(await statuses()).toEqual(new Set([401]));
  });

  test('of the permissions with which the change itself was made', async () => {
    const made = await key();
    const user = clientOf(made);
    expect((await user.update(`${KEYS}/${made.id}`, { attributes: { permissions: [] } })).status).toBe(200);
    expect((await list(user)).status).toBe(403);
  });

  test('a name may change without the permissions', async () => {
    const made = await key();
    await change(made.id, { name: 'renamed' });
    expect((await list(clientOf(made))).status).toBe(200);
  });

  test('a deleted key is refused', async () => {
    const made = await key();
    const user = clientOf(made);
    expect((await list(user)).status).toBe(200);
    await client.delete(`${KEYS}/${made.id}`);
    expect(faultsOf(await list(user))).toEqual(['401 invalid-api-key api-key:']);
  });

  test('a deleted key that was never used is refused', async () => {
    const made = await key();
    await client.delete(`${KEYS}/${made.id}`);
    expect((await list(clientOf(made))).status).toBe(401);
  });
});

describe('a faulty key is 422 with pointers', () => {
  const at = (step: string) => `422 invalid-attribute /data/attributes/${step}`;

  test.each([
    ['no attributes', undefined, [at('name'), at('permissions')]],
    ['no name', { permissions: [] }, [at('name')]],
    ['an empty name', { name: '', permissions: [] }, [at('name')]],
    ['a name that is no string', { name: 1, permissions: [] }, [at('name')]],
    ['no permissions', { name: 'x' }, [at('permissions')]],
    ['permissions that are null', { name: 'x', permissions: null }, [at('permissions')]],
    ['permissions that are an object', { name: 'x', permissions: {} }, [at('permissions')]],
    [
      'more than 1,000 permissions',
      { name: 'x', permissions: Array(1001).fill(EVERYTHING[0]) },
      [at('permissions')],
    ],
  ])('%s', async (_, attributes, faults) => {
    expect(faultsOf(await create(attributes))).toEqual(faults);
  });

  test('1,000 permissions are fine, and are tried to the last', async () => {
    const permissions = Array.from({ length: 1000 }, (_, n) => may('get', `/resources/p${n}`));
    const user = clientOf(await key(permissions));
    expect((await user.get('/resources/p999')).status).toBe(200);
    expect((await user.get('/resources/p1000')).status).toBe(403);
  });

  test('on PATCH as on create, and the key stays as it was', async () => {
    const made = await key();
    const refused = await change(made.id, { name: null, permissions: [{}] });
    expect(faultsOf(refused)).toEqual([at('name'), at('permissions/0/path'), at('permissions/0/methods')]);
    expect((await list(clientOf(made))).status).toBe(200);
  });

  const list24 = (identities: unknown) => ({ active: true, 'endpoint-access-list': identities });
  test.each([
    ['a permission that is no object', 'x', ['']],
    ['no path and no methods', {}, ['/path', '/methods']],
    ['a path that is no string', { path: 1, methods: [] }, ['/path']],
    ['a path that is no regular expression', { path: '(', methods: [] }, ['/path']],
    ['a path with a lone quantifier', { path: '*', methods: [] }, ['/path']],
    ['a path with a callout', { path: 'a(?C1)', methods: [] }, ['/path']],
    ['a path with single bytes', { path: 'a\\Cb', methods: [] }, ['/path']],
    ['a path of more than 1,000 characters', { path: 'x'.repeat(1001), methods: [] }, ['/path']],
    ['methods that are no array', { path: 'x', methods: 'get' }, ['/methods']],
    ['an unknown method', may('get put', 'x'), ['/methods/1']],
    ['a method in upper case', { path: 'x', methods: ['GET'] }, ['/methods/0']],
    ['an unknown member', { path: 'x', methods: [], method: 'get' }, ['/method']],
    ['an acl that is no object', { path: 'x', methods: [], acl: true }, ['/acl']],
    ['an unknown member of acl', { path: 'x', methods: [], acl: { on: true } }, ['/acl/on']],
    ['an active that is no boolean', { path: 'x', methods: [], acl: { active: 'yes' } }, ['/acl/active']],
    [
      'an unknown flavor',
      { path: 'x', methods: [], acl: { 'document-access-list-flavor': 'grey' } },
      ['/acl/document-access-list-flavor'],
    ],
    [
      'identities that are no array',
      { path: 'x', methods: [], acl: list24({}) },
      ['/acl/endpoint-access-list'],
    ],
    [
      'identities of a wrong type',
      { path: 'x', methods: [], acl: list24([{ type: 'people', id: NO_ID }]) },
      ['/acl/endpoint-access-list'],
    ],
    [
      'identities with a malformed id',
      { path: 'x', methods: [], acl: list24([{ type: 'core.user', id: 'x' }]) },
      ['/acl/endpoint-access-list'],
    ],
  ])('%s', async (_, permission, steps) => {
    const made = await create({ name: 'x', permissions: [EVERYTHING[0], permission] });
    expect(faultsOf(made)).toEqual(steps.map((step) => at(`permissions/1${step}`)));
  });
});
