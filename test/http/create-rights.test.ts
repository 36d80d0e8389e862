/** `data.meta.acl` of a create: rights beside those of the creator, from the first moment on. */
import { describe, expect, test } from 'vitest';
import { asOperator, Client, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { operate } from '../support/operations.ts';
import { makeGroup, makeUser, underAcl } from '../support/people.ts';

const client = await Client.create();
const web = await underAcl(client);
const [ada, eva] = [await makeUser(client, 'ada'), await makeUser(client, 'eva')];

const note = (acl: unknown) => ({ data: { type: 'notes', attributes: { n: 1 }, meta: { acl } } });
const aclOf = async (id: string, type = 'notes') =>
  (await client.get(`/resources/${type}.acl/${id}`)).body.data.attributes;

describe('a create with rights', () => {
  test('gives them beside all rights of the creator', async () => {
    const made = await web.post('/resources/notes', note({ read: [eva.link], update: '*' }), ada.headers);
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(await aclOf(id)).toEqual({ read: [ada.link, eva.link], update: '*', delete: [ada.link] });
    expect((await web.get(`/resources/notes/${id}`, eva.headers)).status).toBe(200);
    const list = await web.get('/resources/notes', eva.headers);
    expect(list.body.data.map((each) => each.id)).toContain(id);
    expect((await web.delete(`/resources/notes/${id}`, undefined, eva.headers)).status).toBe(403);
  });

  test('gives them alone where there is no owner, and to groups', async () => {
    const group = await makeGroup(client, [eva]);
    const made = await client.post('/resources/notes', note({ read: [group], delete: [eva.link, eva.link] }));
    expect(await aclOf(made.body.data.id)).toEqual({ read: [group], update: [], delete: [eva.link] });
    expect((await web.get(`/resources/notes/${made.body.data.id}`, eva.headers)).status).toBe(200);
    expect((await web.get(`/resources/notes/${made.body.data.id}`, ada.headers)).status).toBe(403);
  });

  test('does the same in a list of operations', async () => {
    const operation = { op: 'add', data: { type: 'notes', meta: { acl: { read: [eva.link] } } } };
    const { results, status } = await operate(web, [operation], ada.headers);
    expect(status).toBe(200);
    const id = results[0]?.data?.id ?? '';
    expect(await aclOf(id)).toEqual({ read: [ada.link, eva.link], update: [ada.link], delete: [ada.link] });
  });

  test('does it for groups, too', async () => {
    const made = await client.create('/users/core.user-group', { meta: { acl: { update: [eva.link] } } });
    const acl = await client.get(`/users/core.user-group.acl/${made.body.data.id}`);
    expect(acl.body.data.attributes).toEqual({ read: [], update: [eva.link], delete: [] });
  });

  const wrong: readonly (readonly [name: string, acl: unknown, fault: string])[] = [
    ['there is no such right', { fly: '*' }, '422 invalid-attribute /data/meta/acl/fly'],
    [
      'rights on rights are not given so',
      { 'super-read': '*' },
      '422 invalid-attribute /data/meta/acl/super-read',
    ],
    [
      'an identity is malformed',
      { read: [{ type: 'notes', id: NO_ID }] },
      '422 invalid-attribute /data/meta/acl/read',
    ],
    ['a right is a word', { read: 'all' }, '422 invalid-attribute /data/meta/acl/read'],
    ['the rights are no object', ['*'], '400 invalid-body /data/meta/acl'],
  ];
  test.each(wrong)('%s: nothing is created', async (_name, acl, fault) => {
    const { body } = await client.get('/resources/notes?page[limit]=1');
    expect(faultsOf(await client.post('/resources/notes', note(acl)))).toEqual([fault]);
    expect((await client.get('/resources/notes?page[limit]=1')).body.meta.count).toBe(body.meta.count);
  });

  test('does it for API keys', async () => {
    const key = {
      type: 'core.api-key',
      attributes: { name: 'k', permissions: [] },
      meta: { acl: { read: '*' } },
    };
    const made = await client.post('/api-keys/core.api-key', { data: key });
    const acl = await client.get(`/api-keys/core.api-key.acl/${made.body.data.id}`);
    expect(acl.body.data.attributes).toEqual({ read: '*', update: [], delete: [] });
  });

  test('is refused for applications, which have no ACL, and in a PATCH', async () => {
    const asked = await client.create(
      '/applications/core.application',
      { attributes: { name: 'a' }, meta: { acl: { read: '*' } } },
      asOperator(),
    );
    expect(faultsOf(asked)).toEqual(['422 invalid-attribute /data/meta/acl']);
    const { type, id }: Link = await client.make('notes');
    const body = { data: { type, id, meta: { acl: { read: '*' } } } };
    const patched = await client.patch(`/resources/notes/${id}`, body);
    expect(faultsOf(patched)).toEqual(['422 invalid-attribute /data/meta/acl']);
  });
});
