/**
 * Bodies that come slowly: what its sender may do is asked again when the body is there, so that nothing begun before
 * an end of rights is done after it; and a body has a deadline (decisions, section 4).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { moveIn, type Person } from '../support/attack.ts';
import { Client, type Reply } from '../support/client.ts';
import { HeldRequest, outwait } from '../support/held-request.ts';
import { may } from '../support/people.ts';
import { counted, OwnService } from '../support/own-service.ts';

const ALL = ['get', 'post', 'patch', 'delete'];

let path: string;
const service = await Client.create('slow bodies');
const web = await service.withPermissions([{ path: '/resources/.*', methods: ALL, acl: { active: true } }]);

/** A document of this user, who alone may change it. */
async function noteOf(user: Person): Promise<{ readonly type: string; readonly id: string }> {
  const { id } = (await web.create('/resources/notes', { attributes: { n: 0 } }, user.headers)).body.data;
  path = `/resources/notes/${id}`;
  return { type: 'notes', id };
}

/** Reads of the service until a body that was begun before has taken too long to be trusted. */
const outlast = () => outwait(LIMITS.bodyTrust + 100, () => service.get(path));

describe.each([true, false])('a body that is held back (its length declared: %s)', (declared) => {
  test.each<[string, (user: Person) => Promise<Reply>, number]>([
    ['a change of the password', ({ id }) => renew(id), 401],
    ['the deletion of the user', ({ id }) => service.delete(`/users/core.user/${id}`), 401],
    ['a logout', (user) => service.delete('/users/core.user.token/me', undefined, user.headers), 401],
  ])('is not acted on after %s', async (what, revoke, status) => {
    const user = await moveIn(service, `${declared ? 'd' : 'c'}-${what.replaceAll(' ', '-')}`);
    const note = await noteOf(user);
    const body = { data: { ...note, attributes: { n: 1 } } };
    const held = new HeldRequest(web, 'PATCH', path, body, { declared, headers: user.headers });
    expect((await revoke(user)).status).toBeLessThan(300);
    await outlast();
    expect((await held.finish()).status).toBe(status);
    expect((await service.get(path)).body.data.attributes).toEqual({ n: 0 });
  });

  test('is not acted on after its key has lost the permission, or is gone', async () => {
    const user = await moveIn(service, `key-${String(declared)}`);
    const note = await noteOf(user);
    const body = { data: { ...note, attributes: { n: 1 } } };
    for (const revoke of [narrowKey, deleteKey]) {
      const key = await service.newKey([may('patch', '/resources/.*')]);
      const held = new HeldRequest(key.client, 'PATCH', path, body, { declared });
      await revoke(key.path);
      await outlast();
      expect((await held.finish()).status).toBe(revoke === narrowKey ? 403 : 401);
    }
    expect((await service.get(path)).body.data.attributes).toEqual({ n: 0 });
  });

  test('is acted on while nothing has ended', async () => {
    const user = await moveIn(service, `patient-${String(declared)}`);
    const note = await noteOf(user);
    const body = { data: { ...note, attributes: { n: 1 } } };
    const held = new HeldRequest(web, 'PATCH', path, body, { declared, headers: user.headers });
    await outlast();
    expect((await held.finish()).status).toBe(200);
    expect((await service.get(path)).body.data.attributes).toEqual({ n: 1 });
  });
});

function renew(id: string): Promise<Reply> {
  return service.update(`/users/core.user/${id}`, { attributes: { password: 'another password' } });
}

async function narrowKey(path: string): Promise<void> {
  expect((await service.update(path, { attributes: { permissions: [] } })).status).toBe(200);
}

async function deleteKey(path: string): Promise<void> {
  expect((await service.delete(path)).status).toBe(204);
}

describe('a body that never ends', () => {
  let hurried: OwnService;
  beforeAll(async () => {
    hurried = await OwnService.start(counted({ BODY_DEADLINE: '300' }));
  });
  afterAll(() => hurried.stop());

  test.each([true, false])('is 408 past the deadline (its length declared: %s)', async (declared) => {
    const client = await hurried.newClient();
    const body = { data: { type: 'notes', attributes: { text: 'x'.repeat(1000) } } };
    const held = new HeldRequest(client, 'POST', '/resources/notes', body, { declared });
    const { status, text } = await held.answer();
    expect([status, JSON.parse(text)]).toMatchObject([
      408,
      { errors: [{ status: '408', code: 'body-too-slow' }] },
    ]);
    expect((await client.get('/resources/notes')).body.meta.count).toBe(0);
    expect((await client.post('/resources/notes', body)).status).toBe(201);
  });
});
