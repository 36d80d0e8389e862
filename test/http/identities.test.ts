/** Groups, external users and their tokens, and the ACLs of everything stored (spec, Users module, Document ACL). */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { linkOf, makeExternalUser, makeGroup, makeUser, underAcl, type Person } from '../support/people.ts';

const trusted = await Client.create();
const web = await underAcl(trusted);
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];

describe('a group', () => {
  test('holds users and external users, and may have attributes', async () => {
    const external = await makeExternalUser(trusted);
    const users = { data: [ada.link, external.link] };
    const made = await trusted.create('/users/core.user-group', {
      attributes: { name: 'readers' },
      relationships: { users },
    });
    expect(made.status).toBe(201);
    expect(made.body.data.relationships?.['users']?.data).toEqual([ada.link, external.link]);
    const found = await trusted.get(
      `/users/core.user-group?filter[users.id]=${JSON.stringify({ $oid: ada.link.id })}`,
    );
    expect(found.body.data.map(({ id }) => id)).toContain(made.body.data.id);
  });

  test('holds nothing else, no group either: 422 with a pointer', async () => {
    for (const other of [linkOf(await trusted.create('/resources/things')), await makeGroup(trusted, [])]) {
      const users = { data: [ada.link, other] };
      const reply = await trusted.create('/users/core.user-group', { relationships: { users } });
      expect(faultsOf(reply)).toEqual(['422 invalid-relationship /data/relationships/users/data/1']);
    }
  });

  test('holds its members in a relationship, never in an attribute: 422 with a pointer', async () => {
    const attributes = { users: [ada.link] };
    const { id } = (await trusted.create('/users/core.user-group')).body.data;
    for (const reply of [
      await trusted.create('/users/core.user-group', { attributes }),
      await trusted.update(`/users/core.user-group/${id}`, { attributes }),
    ])
      expect(faultsOf(reply)).toEqual(['422 invalid-attribute /data/attributes/users']);
    const meta = { update: { $push: { users: ada.link } } };
    const [fault] = faultsOf(await trusted.update(`/users/core.user-group/${id}`, { meta }));
    expect(fault).toMatch(/^422 .*users$/u);
  });

  test('made by a user is that user’s, and is listed to whoever may read it', async () => {
    const made = await web.create('/users/core.user-group', {}, ada.headers);
    expect(made.status).toBe(201);
    const ids = async (client: Client, person: Person) =>
      (await client.get('/users/core.user-group?page[limit]=100', person.headers)).body.data.map(
        ({ id }) => id,
      );
    expect(await ids(web, ada)).toEqual([made.body.data.id]);
    expect(await ids(web, bob)).toEqual([]);
    expect(await ids(trusted, bob)).toContain(made.body.data.id);
  });
});

describe('an external user', () => {
  test('may be blank, logs in by its id, and is an identity', async () => {
    const user = await makeExternalUser(trusted);
    const note = await web.create('/resources/notes', {}, user.headers);
    expect(note.status).toBe(201);
    expect((await web.get(`/resources/notes/${note.body.data.id}`, user.headers)).status).toBe(200);
    expect((await web.get(`/resources/notes/${note.body.data.id}`, ada.headers)).status).toBe(403);
  });

  test.each([
    ['no header', undefined],
    ['an unknown id', `External ${btoa(`id:${NO_ID}`)}`],
    ['no id', `External ${btoa('id:')}`],
    ['another word', `External ${btoa(`user:${NO_ID}`)}`],
    ['what is no base64', 'External ???'],
    ['another scheme', `Basic ${btoa(`id:${NO_ID}`)}`],
  ])('does not log in with %s', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const reply = await trusted.post('/users/core.external-user.token', undefined, headers);
    expect([reply.status, reply.body.errors[0]?.code]).toEqual([401, 'invalid-login']);
  });

  test('has tokens that are listed, read and deleted, and that end with any change of it', async () => {
    const user = await makeExternalUser(trusted);
    const filter = `filter[user.id]=${JSON.stringify({ $oid: user.link.id })}`;
    const [token] = (await trusted.get(`/users/core.external-user.token?${filter}`)).body.data;
    const path = `/users/core.external-user.token/${token?.id ?? ''}`;
    const read = await trusted.get(path);
    expect(`Token ${String(read.body.data.attributes?.['token'])}`).toBe(user.headers['authorization']);
    expect((await trusted.delete(path)).status).toBe(204);
    expect((await web.get('/resources/notes', user.headers)).status).toBe(401);

    const second = await makeExternalUser(trusted);
    const change = { data: { ...second.link, attributes: { name: 'x' } } };
    expect((await trusted.patch(`/users/core.external-user/${second.link.id}`, change)).status).toBe(200);
    expect((await web.get('/resources/notes', second.headers)).status).toBe(401);
  });
});

describe('the ACL of a new document', () => {
  const aclOf = async (type: string, id: string, suffix = '.acl') => {
    const module = type.startsWith('core.api-key')
      ? '/api-keys'
      : type.startsWith('core.schema')
        ? '/schemas'
        : type.startsWith('core.')
          ? '/users'
          : '/resources';
    return (await trusted.get(`${module}/${type}${suffix}/${id}`)).body.data.attributes;
  };

  test('made under ACL gives its creator every right', async () => {
    const note = await web.create('/resources/notes', {}, ada.headers);
    const mine = [ada.link];
    expect(await aclOf('notes', note.body.data.id)).toEqual({ read: mine, update: mine, delete: mine });
    expect(await aclOf('notes', note.body.data.id, '.acl.acl')).toEqual({ read: mine, update: mine });
  });

  test('made without ACL is empty', async () => {
    const { id } = await trusted.make('notes');
    expect(await aclOf('notes', id)).toEqual({ read: [], update: [], delete: [] });
    expect(await aclOf('notes', id, '.acl.acl')).toEqual({ read: [], update: [] });
  });

  test('of a user and an external user names itself', async () => {
    for (const person of [bob, await makeExternalUser(trusted)]) {
      const itself = [person.link];
      expect(await aclOf(person.link.type, person.link.id)).toEqual({
        read: itself,
        update: itself,
        delete: itself,
      });
    }
  });

  test('is there for every stored type', async () => {
    const key = await trusted.get('/api-keys/core.api-key');
    expect(await aclOf('core.api-key', key.body.data[0]?.id ?? '')).toEqual({
      read: [],
      update: [],
      delete: [],
    });
    const schema = await trusted.create('/schemas/core.schema', { attributes: { target: 'x', content: {} } });
    expect(await aclOf('core.schema', schema.body.data.id)).toEqual({ read: [], update: [], delete: [] });
  });
});

describe('changing an ACL', () => {
  let id: string;
  const patch = (attributes: unknown, headers = {}, suffix = '.acl'): Promise<Reply> =>
    trusted.update(`/resources/shared${suffix}/${id}`, { attributes }, headers);
  beforeAll(async () => {
    id = (await trusted.make('shared')).id;
  });

  test('replaces the rights that are given and keeps the others', async () => {
    const group = await makeGroup(trusted, [bob]);
    expect((await patch({ read: '*', update: [ada.link, group] })).body.data.attributes).toEqual({
      read: '*',
      update: [ada.link, group],
      delete: [],
    });
    expect((await patch({ read: [] })).body.data.attributes).toMatchObject({
      read: [],
      update: [ada.link, group],
    });
  });

  test.each([
    ['a right that there is not', { write: '*' }, '/data/attributes/write'],
    ['a string that is not *', { read: 'all' }, '/data/attributes/read'],
    ['null', { read: null }, '/data/attributes/read'],
    ['an object', { read: { type: 'core.user', id: NO_ID } }, '/data/attributes/read'],
    ['an identity of another type', { read: [{ type: 'people', id: NO_ID }] }, '/data/attributes/read'],
    ['an identity with a malformed id', { read: [{ type: 'core.user', id: 'x' }] }, '/data/attributes/read'],
  ])('with %s is 422', async (_name, attributes, pointer) => {
    const reply = await patch(attributes);
    expect([reply.status, reply.body.errors[0]?.source]).toEqual([422, { pointer }]);
  });

  test('the super ACL has no right to delete', async () => {
    expect((await patch({ delete: '*' }, {}, '.acl.acl')).status).toBe(422);
    expect((await patch({ read: '*' }, {}, '.acl.acl')).body.data.attributes).toEqual({
      read: '*',
      update: [],
    });
  });

  test('checks identities for form only', async () => {
    expect((await patch({ read: [{ type: 'core.user', id: NO_ID }] })).status).toBe(200);
  });

  test('honours If-Match, and does not touch the document’s own tag', async () => {
    const document = await trusted.get(`/resources/shared/${id}`);
    const { etag } = await trusted.get(`/resources/shared.acl/${id}`);
    expect((await patch({ read: '*' }, { 'if-match': etag })).status).toBe(204);
    expect((await patch({ read: [] }, { 'if-match': etag })).status).toBe(412);
    expect((await patch({ read: 5 }, { 'if-match': etag })).status).toBe(412);
    const again = await trusted.get(`/resources/shared/${id}`, { 'if-none-match': document.etag });
    expect(again.status).toBe(304);
  });

  test('of a document that is not there is 404, and of a deleted one there is nothing', async () => {
    expect((await trusted.get(`/resources/shared.acl/${NO_ID}`)).status).toBe(404);
    const gone = await trusted.make('shared');
    await trusted.delete(`/resources/shared/${gone.id}`);
    expect((await trusted.get(`/resources/shared.acl/${gone.id}`)).body.data).toBeNull();
  });
});
