/** Attacks by body: members that are not the client's to set, and the names of prototypes. */
import { describe, expect, test } from 'vitest';
import { moveIn, settle } from '../support/attack.ts';
import type { Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { logIn } from '../support/people.ts';

const town = await settle();

const KEY = '/api-keys/core.api-key';

describe('what the service makes, or another owns, is not set by a body', () => {
  const { web, service, ada, mallory } = town;
  const create = (path: string, attributes: object) => () => service.create(path, { attributes });
  test.each<[string, () => Promise<Reply>, string]>([
    [
      "another's id in one's own PATCH",
      () => web.patch('/users/core.user/me', { data: { type: 'core.user', id: ada.id } }, mallory.headers),
      '409 id-conflict /data/id',
    ],
    [
      'a user, under ACL',
      () => {
        const attributes = { username: 'new', password: 'new-password' };
        return web.create('/users/core.user', { attributes }, mallory.headers);
      },
      '403 forbidden api-key:',
    ],
    [
      'a password of NULs, which would hash like none',
      create('/users/core.user', { username: 'nul', password: '\0'.repeat(8) }),
      '422 invalid-attribute /data/attributes/password',
    ],
    [
      'a name with a line break',
      create('/users/core.user', { username: 'ada\n', password: 'password' }),
      '422 invalid-attribute /data/attributes/username',
    ],
  ])('%s', async (_, send, fault) => {
    expect(faultsOf(await send())).toEqual([fault]);
  });

  test('members beside attributes and relationships are not kept, and nothing comes of them', async () => {
    const extra = {
      links: { self: 'https://evil.example' },
      meta: { admin: true },
      acl: { read: '*' },
      version: 0,
      lid: 'x',
    };
    const body = {
      data: { type: 'drafts', attributes: { a: 1 }, ...extra },
      included: [{ type: 'notes' }],
      meta: extra,
      jsonapi: {},
    };
    const made = await town.web.post('/resources/drafts', body, town.mallory.headers);
    expect(Object.keys(made.body.data).sort()).toEqual(['attributes', 'id', 'links', 'type']);
    expect(made.body.data.links.self).toBe(`${town.web.url}/resources/drafts/${made.body.data.id}`);
    expect((await town.web.get(`/resources/drafts/${made.body.data.id}`, town.ada.headers)).status).toBe(403);
  });

  test('attributes with the names of rights are attributes', async () => {
    const rights = {
      read: '*',
      update: '*',
      delete: '*',
      acl: { read: '*' },
      owner: town.ada.id,
      readers: ['*'],
    };
    const made = await web.create('/resources/drafts', { attributes: rights }, mallory.headers);
    const path = `/resources/drafts/${made.body.data.id}`;
    expect((await town.web.get(path, town.ada.headers)).status).toBe(403);
    expect(
      (await town.service.get(path.replace('drafts', 'drafts.acl'))).body.data.attributes?.['read'],
    ).toEqual([{ type: 'core.user', id: town.mallory.id }]);
  });

  test('a hash for a password is hashed like any other', async () => {
    const user = await moveIn(town.service, 'hashed');
    const { attributes: own } = (await town.service.get(`/users/core.user/${town.ada.id}`)).body.data;
    const hash = String(own?.['password']);
    await service.update(`/users/core.user/${user.id}`, { attributes: { password: hash } });
    expect((await logIn(web, 'hashed', ada.password)).status).toBe(401);
    expect((await logIn(web, 'hashed', hash)).status).toBe(201);
    await town.service.delete(`/users/core.user/${user.id}`);
  });

  test('a login takes nothing from a body', async () => {
    const login = await web.create(
      '/users/core.user.token',
      {
        attributes: { token: 'x', created: 0, 'holder-version': 0 },
        relationships: { user: { data: { type: 'core.user', id: ada.id } } },
      },
      { authorization: `Basic ${btoa("mallory:mallory's password")}` },
    );
    expect(login.body.data.relationships?.['user']?.data).toEqual({ type: 'core.user', id: town.mallory.id });
    expect(Object.keys(login.body.data.attributes ?? {})).toEqual(['token', 'created']);
  });
});

describe('the name of a prototype is only a name', () => {
  const polluting =
    '{"admin":true,"active":false,"type":"core.user","read":"*","acl":null,"viewer":null,"status":201}';

  test.each([
    ['in attributes', `{"data":{"type":"drafts","attributes":{"__proto__":${polluting}}}}`],
    ['beside attributes', `{"data":{"type":"drafts","__proto__":${polluting}}}`],
    ['beside data', `{"data":{"type":"drafts"},"__proto__":${polluting}}`],
  ])('%s', async (_, body) => {
    const made = await town.web.post('/resources/drafts', body, town.mallory.headers);
    expect(made.status).toBe(201);
    const sent = (JSON.parse(body) as { readonly data: { readonly attributes?: unknown } }).data.attributes;
    expect(JSON.stringify(made.body.data.attributes)).toBe(JSON.stringify(sent));
    expect((await town.web.get(`/resources/notes/${town.note.id}`, town.mallory.headers)).status).toBe(403);
    expect((await town.web.get('/resources/notes')).status).toBe(401);
  });

  const ofKey = (permission: string) =>
    `{"data":{"type":"core.api-key","attributes":{"name":"x","permissions":[${permission}]}}}`;
  test.each([
    [
      'in a permission',
      KEY,
      ofKey(`{"path":"x","methods":[],"__proto__":${polluting}}`),
      '422 invalid-attribute /data/attributes/permissions/0/__proto__',
    ],
    [
      'for a permission',
      KEY,
      ofKey('{"__proto__":{"path":".*","methods":["get"]}}'),
      '422 invalid-attribute /data/attributes/permissions/0/__proto__',
    ],
    [
      'for the type',
      '/resources/drafts',
      '{"data":{"__proto__":{"type":"drafts"}}}',
      '400 invalid-body /data/type',
    ],
    ['for data', '/resources/drafts', '{"__proto__":{"data":{"type":"drafts"}}}', '400 invalid-body /data'],
    [
      'for a link',
      '/resources/drafts',
      '{"data":{"type":"drafts","relationships":{"a":{"__proto__":{"data":null}}}}}',
      '400 invalid-body /data/relationships/a/data',
    ],
    [
      'for a password',
      '/users/core.user',
      '{"data":{"type":"core.user","attributes":{"username":"proto","__proto__":{"password":"password"}}}}',
      '422 missing-attribute /data/attributes/password',
    ],
  ])('%s', async (_, path, body, fault) => {
    expect(faultsOf(await town.service.post(path, body))).toContain(fault);
  });
});

test('after all of this nothing is changed, and Ada reads her note', () => town.expectUntouched());
