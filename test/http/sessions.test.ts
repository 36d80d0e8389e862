/**
 * The end of a token, or of a membership, takes effect at once (decisions, section 4): whatever is on its way between
 * the Worker, the session of the user and the collections, no request that starts after the answer to a change is
 * served by what held before it.
 */
import { describe, expect, test } from 'vitest';
import { setAccounts } from '../support/accounts.ts';
import type { Link, Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { HALTING } from '../support/own-service.ts';
import {
  ACL,
  grant,
  logIn,
  makeGroup,
  makeUser,
  may,
  PASSWORD,
  tokenOf,
  underAcl,
  type Person,
} from '../support/people.ts';
import { Stream } from '../support/live.ts';
import { some } from '../support/long.ts';
import { until } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';

let users = 0;

const service = await newService({ entry: HALTING, settings: { SESSION_LEASE: '5000' } });
const trusted = service.client;
const secured = await underAcl(trusted);

/** A user in a group, and a document that the group may read and change. */
interface Scene {
  readonly user: Person;
  readonly group: Link;
  readonly path: string;
}

async function makeScene(): Promise<Scene> {
  users += 1;
  const user = await makeUser(trusted, `user-${users}`);
  const group = await makeGroup(trusted, [user]);
  const { id } = await trusted.make('notes', { text: 'for the group' });
  const path = `/resources/notes/${id}`;
  await grant(trusted, path, { read: [group], update: [group] });
  return { user, group, path };
}

/** Changes that end what the user may do, each answered when it is done. */
const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<Reply>>> = {
  'a logout': ({ user }) => secured.delete('/users/core.user.token/me', undefined, user.headers),
  'another password': ({ user }) =>
    trusted.update(`/users/core.user/${user.link.id}`, { attributes: { password: 'another secret' } }),
  'the deletion of the user': ({ user }) => trusted.delete(`/users/core.user/${user.link.id}`),
  'the end of the membership': ({ user, group }) =>
    trusted.delete(`/users/core.user-group/${group.id}/relationships/users`, { data: [user.link] }),
  'the deletion of the group': ({ group }) => trusted.delete(`/users/core.user-group/${group.id}`),
};

const REQUESTS: Readonly<Record<string, (scene: Scene) => Promise<Reply>>> = {
  'a read': ({ user, path }) => secured.get(path, user.headers),
  'a list': ({ user, path }) =>
    secured.get(`/resources/notes?filter[id]={"$oid":"${path.slice(-24)}"}`, user.headers),
  'a change': ({ user, path }) => {
    const data = { type: 'notes', id: path.slice(-24), attributes: { text: 'changed' } };
    return secured.patch(path, { data }, user.headers);
  },
};

/** Whether a request was served by rights that have ended. */
function isServed({ status, body }: Reply): boolean {
  return status === 204 || (status === 200 && !(Array.isArray(body.data) && body.data.length === 0));
}

/** What is held back: the first is asked at every request, the others where the session has to learn. */
const ARROWS = ['ask', 'vouches', 'groupsOf', 'read'];

describe.each(Object.keys(CHANGES))('after %s', (change) => {
  test.each(Object.keys(REQUESTS))('%s is refused, when the session has just vouched', async (request) => {
    const scene = await makeScene();
    expect(isServed(await run(REQUESTS, request, scene))).toBe(true);
    expect((await run(CHANGES, change, scene)).status).toBeLessThan(300);
    expect(isServed(await run(REQUESTS, request, scene))).toBe(false);
  });

  // A logout asks the session itself.
  test.each(change === 'a logout' ? [] : some(ARROWS, 3))(
    'requests are refused, while answers of %s to earlier ones are on their way',
    async (arrow) => {
      const scene = await makeScene();
      // A copy is there, and the session has forgotten what it knew.
      expect(isServed(await run(REQUESTS, 'a read', scene))).toBe(true);
      await makeGroup(trusted, [scene.user]);
      await service.halt(arrow, 'hold-answer');
      const before = Object.keys(REQUESTS).map((request) => run(REQUESTS, request, scene));
      await until('an answer is held', async () => (await service.held()) > 0);
      const changed = run(CHANGES, change, scene);
      // A change of the user by a key without ACL waits for none of them.
      expect((await changed).status).toBeLessThan(300);
      const after = Object.keys(REQUESTS).map((request) => run(REQUESTS, request, scene));
      await service.halt(arrow, 'free');
      const refused = await Promise.all(after);
      expect(refused.map(isServed)).toEqual(refused.map(() => false));
      for (const { status } of await Promise.all(before)) expect(status).toBeLessThan(500);
    },
  );
});

describe('a change', () => {
  test.each(Object.keys(CHANGES))('is not answered before the session knows: %s', async (change) => {
    const scene = await makeScene();
    expect(isServed(await run(REQUESTS, 'a read', scene))).toBe(true);
    await service.halt('changed', 'hold');
    const state = { answered: false };
    const changed = run(CHANGES, change, scene).then((reply) => {
      state.answered = true;
      return reply;
    });
    await until('the session is told', async () => (await service.held()) > 0);
    await trusted.get('/resources/notes');
    expect(state.answered).toBe(false);
    await service.halt('changed', 'free');
    expect((await changed).status).toBeLessThan(300);
    expect(isServed(await run(REQUESTS, 'a read', scene))).toBe(false);
  });

  test('waits for the end of a lease, if the session cannot be told', async () => {
    const scene = await makeScene();
    expect(isServed(await run(REQUESTS, 'a read', scene))).toBe(true);
    await service.halt('changed', 'before');
    expect((await run(CHANGES, 'another password', scene)).status).toBe(200);
    expect(isServed(await run(REQUESTS, 'a read', scene))).toBe(false);
    await service.halt('changed', 'free');
  });

  test('of a group tells those who came: they read at once', async () => {
    const scene = await makeScene();
    const guest = await makeUser(trusted, `guest-${users}`);
    const asGuest = () => secured.get(scene.path, guest.headers);
    expect((await asGuest()).status).toBe(403);
    const members = `/users/core.user-group/${scene.group.id}/relationships/users`;
    expect((await trusted.post(members, { data: [guest.link] })).status).toBe(200);
    expect((await asGuest()).status).toBe(200);
  });
});

test('a refresh that a logout has overtaken is of a login that has ended', async () => {
  const shop = await service.renew();
  await setAccounts(shop, { 'token-minutes': 10 });
  const web = await shop.withPermissions([
    may('post', '/users/core\\.user\\.token'),
    may('delete', '/users/core\\.user\\.token/(me|[0-9a-f]{24})', ACL),
  ]);
  await makeUser(shop, 'ada');
  const login = await logIn(web, 'ada', PASSWORD);
  const authorization = `Refresh ${String(login.body.data.attributes?.['refresh-token'])}`;
  await service.halt('update core.user.token', 'hold');
  const refreshed = web.post('/users/core.user.token', undefined, { authorization });
  await until('the refresh is held', async () => (await service.held()) > 0);
  expect((await web.delete('/users/core.user.token/me', undefined, tokenOf(login))).status).toBe(204);
  await service.halt('update core.user.token', 'free');
  expect(faultsOf(await refreshed)).toEqual(['401 invalid-login Authorization:']);
});

test('a new token stands at once, and after a change of another user', async () => {
  const { user } = await makeScene();
  const { body } = await trusted.get(`/users/core.user/${user.link.id}`);
  const again = tokenOf(await logIn(trusted, String(body.data.attributes?.['username']), PASSWORD));
  await makeScene();
  expect((await secured.get('/users/core.user/me', again)).status).toBe(200);
});

test('a token that has ended is refused by its copy: no object is asked', async () => {
  const scene = await makeScene();
  expect(isServed(await run(REQUESTS, 'a read', scene))).toBe(true);
  await run(CHANGES, 'another password', scene);
  // The session tells the end once, and the copy from then on.
  expect((await run(REQUESTS, 'a read', scene)).status).toBe(401);
  await service.halt('ask', 'before');
  expect((await run(REQUESTS, 'a read', scene)).status).toBe(401);
  expect((await run(REQUESTS, 'a change', scene)).status).toBe(401);
  await service.halt('ask', 'free');
});

test('a session that cannot be asked ends the streams of its user alone', async () => {
  await settle(trusted, { name: 'news', rights: { read: ['*'] } });
  const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
  const streams = [ada, bob].map(({ headers }) => new Stream(secured, '/resources/news/changes', headers));
  const [adas, bobs] = streams;
  for (const stream of streams) await stream.until('ready');
  await service.halt(`ask ${trusted.application}/core.user/${ada.link.id}`, 'before');
  const { id } = await trusted.make('news');
  expect(await bobs?.next()).toMatchObject({ event: 'add', data: { id } });
  expect(await adas?.closed).toMatchObject({ code: 1011 });
  expect(adas?.events.map(({ event }) => event)).toEqual(['ready']);
  // The other stream goes on.
  const next = await trusted.make('news');
  expect(await bobs?.next()).toMatchObject({ event: 'add', data: { id: next.id } });
  bobs?.end();
});

function run(
  table: Readonly<Record<string, (scene: Scene) => Promise<Reply>>>,
  name: string,
  scene: Scene,
): Promise<Reply> {
  const operation = table[name];
  if (operation === undefined) throw new Error(`There is no ${name}.`);
  return operation(scene);
}
