/** Users come from other services with the hashes of their passwords: each is replaced at the next login. */
import { expect, test } from 'vitest';
import { Service } from '../../../scripts/transfer/service.ts';
import { Client } from '../../support/client.ts';
import { SECRETS, workerNamed } from '../../support/own-service.ts';
import { logIn } from '../../support/people.ts';
import { fileOf, importOf } from '../../support/transfer-files.ts';
import { newService } from '../../support/scope.ts';

const PASSWORD = 'correct horse';
const HASHES: Readonly<Record<string, string>> = {
  bcrypt: '$2b$04$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8ie',
  argon2: '$argon2id$v=19$m=64,t=2,p=1$c2FsdHNhbHRzYWx0MTIzNA$W1wtgLaDSByiqEf1WhZ4y4lqm2Px05P7G5kjLE9K1Zk',
};

test('they log in with them, which are ours from then on', async () => {
  const client = await Client.create();
  const file = fileOf(
    JSON.stringify({
      users: Object.entries(HASHES).map(([email, passwordHash]) => ({
        localId: `x-${email}`,
        email,
        passwordHash,
      })),
    }),
    'users.json',
  );
  const names = new Map([
    ['email', 'username'],
    ['passwordHash', 'password'],
  ]);
  const taken = await importOf(file, { into: client.application, type: 'core.user', names, id: 'localId' });
  expect(taken).toMatchObject({ stored: 2, told: [] });
  for (const [name, hash] of Object.entries(HASHES)) {
    const before = await client.get(`/users/core.user?filter[username]=${name}`);
    const [user] = before.body.data;
    expect(user?.attributes?.['password']).toBe(hash);
    expect((await logIn(client, name, `${PASSWORD}x`)).status).toBe(401);
    // At once: one replaces it, and the tokens of both stand.
    const logins = await Promise.all([logIn(client, name, PASSWORD), logIn(client, name, PASSWORD)]);
    for (const { status, body } of logins) {
      expect(status).toBe(201);
      const headers = { authorization: `Token ${String(body.data.attributes?.['token'])}` };
      const own = await client.get('/users/core.user/me', headers);
      expect(own.status).toBe(200);
      expect(own.body.data.attributes?.['password']).toMatch(/^\$scrypt\$/);
    }
    expect((await logIn(client, name, PASSWORD)).status).toBe(201);
    expect((await logIn(client, name, hash)).status).toBe(401);
    // With rights on itself, as every user.
    const own = await client.get(`/users/core.user.acl/${user?.id}`);
    expect(own.body.data.attributes?.['update']).toEqual([{ type: 'core.user', id: user?.id }]);
  }
});

test.each([...Object.values(HASHES), '$2b$14$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8ie'])(
  'a new user with %s as password is refused with a hint',
  async (password) => {
    const client = await Client.create();
    const data = { type: 'core.user', attributes: { username: 'ada', password } };
    const { status, body } = await client.post('/users/core.user', { data });
    expect([status, body.errors[0]?.source?.pointer]).toEqual([422, '/data/attributes/password']);
    expect(body.errors[0]?.detail).toContain('import');
  },
);

test('a hash that no login could pay for is refused, with its line', async () => {
  const client = await Client.create();
  const password = '$2b$15$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8ie';
  const file = fileOf(JSON.stringify([{ username: 'ada', password }]), 'users.json');
  const { told } = await importOf(file, { into: client.application, type: 'core.user' });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('bcrypt (to cost 13)');
});

test('a wrong login takes no less time where a hash of another service is quicker than ours', async () => {
  const own = await newService({ entry: workerNamed('slow-refusals') });
  const { client } = own;
  const users = [{ username: 'ada', password: HASHES['bcrypt'] }];
  const file = fileOf(JSON.stringify(users), 'users.json');
  const to = new Service(own.url, SECRETS.OPERATOR_SECRET);
  const taken = await importOf(file, { into: client.application, type: 'core.user' }, to);
  expect(taken).toMatchObject({ stored: 1 });
  const answered: string[] = [];
  for (const name of ['ada', 'nobody']) {
    void logIn(client, name, 'wrong')
      // They end with the service, and no sooner.
      .catch(() => null)
      .then(() => answered.push(name));
  }
  for (let n = 0; n < 5; n += 1) expect((await logIn(client, 'ada', PASSWORD)).status).toBe(201);
  expect(answered).toEqual([]);
});
