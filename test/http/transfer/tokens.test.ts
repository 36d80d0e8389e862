/** Tokens move with their application between services with the same secrets (docs/moving.md); ended ones stay so. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { Service } from '../../../scripts/transfer/service.ts';
import { claimsOf } from '../../../src/auth/credentials.ts';
import { app } from '../../support/app.ts';
import { asOperator, Client, operator, secretsHere, type Reply } from '../../support/client.ts';
import { HALTING } from '../../support/own-service.ts';
import { logIn, makeExternalUser, makeUser, PASSWORD, tokenOf, type Person } from '../../support/people.ts';
import { exported, imported } from '../../support/transfer.ts';
import { exportAs, importOf, newFile, service } from '../../support/transfer-files.ts';
import { newService } from '../../support/scope.ts';

type Headers = Person['headers'];

const own = await newService({ entry: HALTING, secrets: secretsHere() });
const other = new Service(own.url, inject('operatorSecret'));
const home = await Client.create('moves');
const away = new Client(own.url, home.application, home.key);

const type = 'core.user';
const EXTERNAL = 'core.external-user';
const users = '/users/core.user';

/** The status of a read with a token: 200 where it is good. */
const statusAt = async (at: Client, { headers, link }: Person) =>
  (await at.get(`/users/${link.type}/me`, headers)).status;

const logOut = (at: Client, { headers, link }: Person) =>
  at.delete(`/users/${link.type}.token/me`, undefined, headers);

const changePassword = ({ link }: Person, at: Client, password = 'another secret'): Promise<Reply> =>
  at.patch(`${users}/${link.id}`, { data: { ...link, attributes: { password } } });

const again = async (at: Client, person: Person, name: string, password = PASSWORD): Promise<Person> => ({
  ...person,
  headers: tokenOf(await logIn(at, name, password)),
});

/** The version of its holder that a token names. */
function versionIn({ authorization = '' }: Headers): number {
  const claims = claimsOf(authorization.replace('Token ', ''));
  return claims?.kind === 'token' ? claims.version : expect.fail('This is no token.');
}

/** Moves everything, and returns the file. */
async function move(
  from: Service,
  to: Service,
  tokens: boolean,
  into: string | null = null,
): Promise<string> {
  const file = newFile('moved.ndjson');
  await exportAs(file, { application: home.application, type: null, tokens }, from);
  expect(await importOf(file, { into }, to)).toMatchObject({ refused: 0, told: [] });
  return file;
}

describe('a move', () => {
  let early: Person;
  const moved: Record<string, Person> = {};
  let file: string;
  beforeAll(async () => {
    early = await makeUser(home, 'early');
    await move(service, other, false);
    // They are known now, where the application has moved to without them.
    expect(await statusAt(away, early)).toBe(401);
    moved['a user'] = await makeUser(home, 'ada');
    moved['an external user'] = await makeExternalUser(home);
    moved['who has logged out before'] = await makeUser(home, 'bob');
    await logOut(home, moved['who has logged out before']);
    moved['who was changed before'] = await makeUser(home, 'carl');
    await changePassword(moved['who was changed before'], home);
    moved['who has logged in again since'] = await again(
      home,
      moved['who was changed before'],
      'carl',
      'another secret',
    );
    moved['who had moved before without tokens'] = early;
    file = await move(service, other, true);
  });

  test.each([
    ['a user', 200],
    ['an external user', 200],
    ['who has logged out before', 401],
    ['who was changed before', 401],
    ['who has logged in again since', 200],
    ['who had moved before without tokens', 200],
  ])('with the token of %s is answered %i', async (name, status) => {
    const person = moved[name] ?? expect.fail();
    expect(await statusAt(home, person)).toBe(status);
    expect(await statusAt(away, person)).toBe(status);
    // Once more, by what was kept of the first time.
    expect(await statusAt(away, person)).toBe(status);
  });

  test('can be made again, which changes nothing', async () => {
    expect(await importOf(file, {}, other)).toMatchObject({ stored: 0, refused: 0 });
    expect(await statusAt(away, moved['a user'] ?? early)).toBe(200);
  });

  test('has no tokens without the option, and in another application', async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const ofTokens = (line: string) => /\.token"|"versions"/.test(line);
    expect(lines.filter(ofTokens).length).toBeGreaterThan(5);
    const plain = newFile('plain.ndjson');
    await exportAs(plain, { application: home.application, type: null });
    expect(readFileSync(plain, 'utf8').split('\n').filter(ofTokens)).toEqual([]);
    const { id } = await operator().create('another');
    await importOf(file, { into: id });
    const there = newFile('there.ndjson');
    await exportAs(there, { application: id, type: null, tokens: true });
    expect(readFileSync(there, 'utf8')).not.toContain('.token"');
  });

  test('back has those made meanwhile, and ends those that have ended meanwhile', async () => {
    const [dora, eve] = [await makeUser(home, 'dora'), await makeUser(home, 'eve')];
    const external = moved['an external user'] ?? expect.fail();
    await move(service, other, true);
    const made = await again(away, early, 'early');
    for (const each of [dora, external]) expect((await logOut(away, each)).status).toBe(204);
    // The token ends first: what is cut off then leaves its document.
    await halt('remove', 'before');
    expect((await logOut(away, eve)).status).toBe(500);
    await halt('remove', 'free');
    for (const each of [dora, eve, external]) expect(await statusAt(away, each)).toBe(401);
    await move(other, service, true);
    expect(await Promise.all([made, early, dora, eve, external].map((each) => statusAt(home, each)))).toEqual(
      [200, 200, 401, 401, 401],
    );
    for (const each of [dora, external]) {
      expect((await exported(home.application, each.link.type)).includes(each.link.id)).toBe(true);
      const path = `${home.application}/documents/${each.link.type}.token?page[after]=&tokens=true`;
      const lines = (await callHome(path)).split('\n').filter((line) => line.includes(each.link.id));
      expect(lines.map((line) => line.includes('"deleted":true'))).toEqual([true]);
    }
  });

  test('a change where it has moved to ends the tokens of both sides, also when the file comes again', async () => {
    const [fay, gil] = [await makeUser(home, 'fay'), await makeUser(home, 'gil')];
    const moving = await move(service, other, true);
    const made = await again(away, fay, 'fay');
    expect((await changePassword(fay, away)).status).toBe(200);
    await new Service(own.url, inject('operatorSecret')).ask(
      'DELETE',
      `/${home.application}/users/core.user/${gil.link.id}/tokens`,
    );
    for (const each of [fay, gil, made]) expect(await statusAt(away, each)).toBe(401);
    const { refused } = await importOf(moving, {}, other);
    expect(refused).toBe(2);
    for (const each of [fay, gil, made]) expect(await statusAt(away, each)).toBe(401);
    expect(await statusAt(away, await again(away, fay, 'fay', 'another secret'))).toBe(200);
  });
});

describe('a line of a user', () => {
  /** The line of a user as it is, with versions. */
  async function lineWith({ link }: Person, versions: unknown): Promise<string> {
    const lines = (await exported(home.application, type)).split('\n');
    const found = JSON.parse(lines.find((line) => line.includes(link.id)) ?? '') as { meta: object };
    return JSON.stringify({ ...found, meta: { ...found.meta, versions } });
  }

  test.each([
    ['a text', ['5']],
    ['zero', [0]],
    ['a fraction', [1.5]],
    ['a number beyond all', [2 ** 52 + 1]],
    ['no list', 5],
    ['too many', Array.from({ length: 101 }, (_, at) => at + 1)],
  ])('is refused with %s as versions', async (_, versions) => {
    const line = JSON.stringify({ type: EXTERNAL, id: 'a'.repeat(24), meta: { versions } });
    const { status, body } = await imported(home.application, EXTERNAL, [line]);
    const [error] = body.errors;
    expect([status, error?.meta?.['code'], error?.source?.pointer]).toEqual([
      422,
      'invalid-body',
      '/meta/versions',
    ]);
  });

  test('is the only one that has versions', async () => {
    const line = JSON.stringify({ type: 'note', id: 'a'.repeat(24), meta: { versions: [5] } });
    const { body } = await imported(home.application, 'note', [line]);
    expect(body.errors.map(({ source }) => source?.pointer)).toEqual(['/meta/versions']);
  });

  test('gives no life to a token that has ended here', async () => {
    const former = await makeUser(home, 'hal');
    await changePassword(former, home, PASSWORD);
    const line = await lineWith(former, [versionIn(former.headers)]);
    const taken = await imported(home.application, type, [line]);
    expect(taken.body.meta).toMatchObject({ unchanged: 1 });
    expect(await statusAt(home, former)).toBe(401);
  });

  test('lets no later version here have a number that it brings', async () => {
    const user = await makeUser(home, 'ida');
    const highest = 2 ** 49;
    expect(versionIn(user.headers)).toBeLessThan(highest);
    expect((await imported(home.application, type, [await lineWith(user, [highest])])).status).toBe(200);
    expect(versionIn((await makeUser(home, 'jan')).headers)).toBeGreaterThan(highest);
  });

  test('without its times brings none: another user may look the same', async () => {
    const { link } = await makeUser(home, 'lea');
    const line = JSON.parse(await lineWith({ link, headers: {} }, [2 ** 30])) as { meta: object };
    const { created: _, ...meta } = line.meta as { created: string };
    await imported(home.application, type, [JSON.stringify({ ...line, meta })]);
    const path = `${home.application}/documents/${type}?page[after]=&page[size]=1000&tokens=true`;
    const told = (await callHome(path)).split('\n').find((each) => each.includes(link.id));
    expect(told).toMatch(/"versions":\[\d+\]/);
  });
});

test('an import with a placement makes the application that the file names, elsewhere', async () => {
  const from = await Client.create('placed');
  await from.make('notes', { text: 'taken along' });
  const { id } = { id: from.application };
  await operator().change(id, { quotas: { documents: 100 } });
  const file = newFile('placed.ndjson');
  await exportAs(file, { application: id, type: null });
  const made = JSON.parse(await app(['import', file, '--placement', 'weur'])) as {
    application_id: string;
    api_key: string;
  };
  expect(made.application_id.slice(8, 10)).toBe('87');
  const there = new Client(inject('url'), made.application_id, made.api_key);
  expect((await there.get('/resources/notes')).body.data[0]?.attributes).toEqual({ text: 'taken along' });
  const shown = (await operator().ask('GET', `/${made.application_id}`)) as { data: { attributes: object } };
  expect(shown.data.attributes).toMatchObject({
    name: 'placed',
    placement: 'weur',
    quotas: { documents: 100 },
  });
});

async function halt(method: string, how: string): Promise<void> {
  await fetch(`${own.url}/test/halt?method=${method}&how=${how}`, { method: 'POST' });
}

async function callHome(path: string): Promise<string> {
  const headers = asOperator();
  return (await fetch(`${inject('url')}/applications/core.application/${path}`, { headers })).text();
}
