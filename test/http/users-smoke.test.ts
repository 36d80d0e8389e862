import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';

test('a user logs in, owns what it makes, and nobody else sees it', async () => {
  const client = await Client.create();
  const make = async (name: string) => {
    const made = await client.post('/users/core.user', {
      data: { type: 'core.user', attributes: { username: name, password: 'secret1' } },
    });
    expect(made.status).toBe(201);
    const login = await client.post('/users/core.user.token', undefined, { authorization: `Basic ${btoa(`${name}:secret1`)}` });
    expect(login.status).toBe(201);
    return { id: made.body.data.id, auth: { authorization: `Token ${String(login.body.data.attributes?.['token'])}` } };
  };
  const [ada, bob] = [await make('ada'), await make('bob')];
  const web = await client.withPermissions([{ path: '/.*', methods: ['get', 'post', 'patch', 'delete'], acl: { active: true } }]);
  expect((await web.get('/resources/notes')).status).toBe(401);
  const note = await web.post('/resources/notes', { data: { type: 'notes', attributes: { t: 1 } } }, ada.auth);
  expect(note.status).toBe(201);
  const path = `/resources/notes/${note.body.data.id}`;
  expect((await web.get(path, ada.auth)).status).toBe(200);
  expect((await web.get(path, bob.auth)).status).toBe(403);
  expect((await web.get('/resources/notes', bob.auth)).body.meta.count).toBe(0);
  expect((await web.get('/resources/notes', ada.auth)).body.meta.count).toBe(1);
  const shared = await web.patch(
    `/resources/notes.acl/${note.body.data.id}`,
    { data: { type: 'notes.acl', id: note.body.data.id, attributes: { read: '*' } } },
    ada.auth,
  );
  expect([shared.status, shared.body]).toMatchObject([200, { data: { attributes: { read: '*' } } }]);
  expect((await web.get(path, bob.auth)).status).toBe(200);
  const me = await web.get('/users/core.user/me', ada.auth);
  expect(me.body.data.id).toBe(ada.id);
  expect((await web.delete('/users/core.user.token/me', undefined, ada.auth)).status).toBe(204);
  expect((await web.get(path, ada.auth)).status).toBe(401);
});
