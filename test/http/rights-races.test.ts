/**
 * Revocation under real parallelism: once the answer of what takes a right away is there, no later request has the
 * right; and whatever runs meanwhile is answered as before or after, never by a mixture.
 */
import { expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import {
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
import { clientOf } from '../support/starts.ts';
import { newStarts } from '../support/scope.ts';

const trusted = await Client.create();
const web = await underAcl(trusted);

/**
 * Keeps asking in parallel while something is revoked. Returns the answers to requests that began before the
 * revocation was answered, and those to requests that began after.
 */
async function during(ask: () => Promise<Reply>, revoke: () => Promise<Reply>) {
  const before: Reply[] = [];
  const after: Reply[] = [];
  let revoked = false;
  const worker = async (): Promise<void> => {
    for (let further = 3; further > 0;) {
      const late = revoked;
      const reply = await ask();
      (late ? after : before).push(reply);
      if (late) further -= 1;
    }
  };
  const workers = Array.from({ length: 8 }, worker);
  // So that some requests are under way before the revocation begins.
  await ask();
  const answer = await revoke();
  revoked = true;
  await Promise.all(workers);
  expect(answer.status).toBeLessThan(300);
  expect(after.length).toBeGreaterThanOrEqual(24);
  return { before, after };
}

const statusesOf = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))];

function change(person: Person, attributes: object): Promise<Reply> {
  return trusted.update(`/users/core.user/${person.link.id}`, { attributes });
}

test('a token ends with a change of the password', async () => {
  const user = await makeUser(trusted, 'changing');
  const { before, after } = await during(
    () => web.get('/users/core.user/me', user.headers),
    () => change(user, { password: 'another secret' }),
  );
  expect([200, 401]).toEqual(expect.arrayContaining(statusesOf(before)));
  expect(statusesOf(after)).toEqual([401]);
});

test('a token ends with any change of its user, with its logout, and with the end of the user', async () => {
  const user = await makeUser(trusted, 'ending');
  const asMe = (headers: Person['headers']) => () => web.get('/resources/any', headers);
  expect(statusesOf((await during(asMe(user.headers), () => change(user, { note: 1 }))).after)).toEqual([
    401,
  ]);
  const second = tokenOf(await logIn(trusted, 'ending', PASSWORD));
  const third = tokenOf(await logIn(trusted, 'ending', PASSWORD));
  const logout = () => web.delete('/users/core.user.token/me', undefined, second);
  expect(statusesOf((await during(asMe(second), logout)).after)).toEqual([401]);
  expect((await asMe(third)()).status).toBe(200);
  const end = () => trusted.delete(`/users/core.user/${user.link.id}`);
  expect(statusesOf((await during(asMe(third), end)).after)).toEqual([401]);
});

test('a right ends with the membership it came from', async () => {
  const user = await makeUser(trusted, 'member');
  const group = await makeGroup(trusted, [user]);
  const notes = await Promise.all([1, 2, 3].map((n) => trusted.make('shared', { n })));
  for (const { id } of notes) await grant(trusted, `/resources/shared/${id}`, { read: [group] });
  const leave = { data: { ...group, relationships: { users: { data: [] } } } };
  const { before, after } = await during(
    () => web.get('/resources/shared', user.headers),
    () => trusted.patch(`/users/core.user-group/${group.id}`, leave),
  );
  expect([0, 3]).toEqual(expect.arrayContaining([...new Set(before.map(({ body }) => body.meta.count))]));
  expect(new Set(after.map(({ body }) => body.meta.count))).toEqual(new Set([0]));
});

test('an included document goes with the right to read it, and its tag with it', async () => {
  const user = await makeUser(trusted, 'including');
  const inner = await trusted.make('inner');
  const outer = await trusted.make('outer', {}, { to: { data: { type: 'inner', id: inner.id } } });
  for (const path of [`/resources/inner/${inner.id}`, `/resources/outer/${outer.id}`]) {
    await grant(trusted, path, { read: [user.link] });
  }
  const path = `/resources/outer/${outer.id}?include=to`;
  const { etag } = await web.get(path, user.headers);
  const { before, after } = await during(
    () => web.get(path, user.headers),
    () => trusted.update(`/resources/inner.acl/${inner.id}`, { attributes: { read: [] } }),
  );
  expect([0, 1]).toEqual(
    expect.arrayContaining([...new Set(before.map(({ body }) => body.included.length))]),
  );
  expect(after.every(({ body }) => body.included.length === 0)).toBe(true);
  expect((await web.get(path, { ...user.headers, 'if-none-match': etag })).status).toBe(200);
});

test('two logins while the password changes: no token for the old password stands afterwards', async () => {
  const user = await makeUser(trusted, 'racing');
  const logins = [1, 2].map(() => logIn(trusted, 'racing', PASSWORD));
  expect((await change(user, { password: 'a new secret' })).status).toBe(200);
  for (const login of await Promise.all(logins)) {
    if (login.status !== 201) continue;
    expect((await web.get('/users/core.user/me', tokenOf(login))).status).toBe(401);
  }
  const fresh = tokenOf(await logIn(trusted, 'racing', 'a new secret'));
  expect((await web.get('/users/core.user/me', fresh)).status).toBe(200);
});

test('a key loses a permission with the answer that takes it', async () => {
  const { client: keyed, path } = await trusted.newKey([may('get', '/resources/keyed')]);
  const { after } = await during(
    () => keyed.get('/resources/keyed'),
    () => trusted.update(path, { attributes: { permissions: [] } }),
  );
  expect(statusesOf(after)).toEqual([403]);
});

test('killed around a change of password: what was answered holds; old token and password go together', async () => {
  const starts = await newStarts();
  let server = await starts.run();
  for (const requestsBefore of [0, 2, 6]) {
    const client = clientOf(server);
    const name = `user-${requestsBefore}`;
    const user = await makeUser(client, name);
    const changing = client
      .update(`/users/core.user/${user.link.id}`, { attributes: { password: 'the new secret' } })
      .then(
        ({ status }) => status,
        () => null,
      );
    for (let made = 0; made < requestsBefore; made += 1) await client.get('/resources/any');
    await server.killAll();
    const answered = await changing;

    server = await starts.run();
    const [oldToken, oldLogin, newLogin] = await Promise.all([
      client.get('/users/core.user/me', user.headers),
      logIn(client, name, PASSWORD),
      logIn(client, name, 'the new secret'),
    ]);
    const changed = newLogin.status === 201;
    expect(oldLogin.status).toBe(changed ? 401 : 201);
    expect(oldToken.status).toBe(changed ? 401 : 200);
    if (answered === 200) expect(changed).toBe(true);
  }
});
