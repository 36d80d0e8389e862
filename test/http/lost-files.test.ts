/** A collection whose file was emptied, removed or overwritten behind our back says so, and does not begin anew. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { until } from '../support/started.ts';
import { EVERY_METHOD, linkOf, logIn, may, PASSWORD, tokenOf } from '../support/people.ts';
import { HALTING } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

let lines: string[] = [];
const own = await newService({ entry: HALTING, log: (line) => lines.push(line) });
let client: Client;

beforeEach(async () => {
  client = await own.renew();
});

/** A text that one database holds: of the application of the test, as all tests have one service. */
const mark = (of: string): string => `mark of ${of} in ${client.application}`;

/** Stops the service, does something to its files, and starts it again. */
async function again(settings: Readonly<Record<string, string>> = {}, meanwhile?: () => void): Promise<void> {
  lines = [];
  await own.restart(settings, undefined, meanwhile);
  ({ client } = own);
}

/** The same to the one database that holds a text. */
const harm = (text: string, how: (file: string) => void): Promise<void> =>
  again({}, () => {
    harmFile(text, how);
  });

function harmFile(text: string, how: (file: string) => void): void {
  const [file = '', ...others] = databases().filter((each) => holds(each, text));
  expect(others).toEqual([]);
  for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
  how(file);
}

function databases(): readonly string[] {
  const objects = join(own.folder, 'data/do');
  return readdirSync(objects, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sqlite'))
    .map((file) => join(objects, file));
}

/** How many copies for look-ups the application of the test has. */
function copies(): number {
  const folder = join(own.folder, 'data/kv');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /Object.[0-9a-f]+\.sqlite$/.test(file))
    .reduce((sum, file) => {
      using database = new DatabaseSync(join(folder, file), { readOnly: true });
      const found = database.prepare('SELECT count(*) AS found FROM _mf_entries WHERE key GLOB ?');
      return sum + Number(found.get(`*/${client.application}*`)?.['found']);
    }, 0);
}

function holds(database: string, text: string): boolean {
  return ['', '-wal'].some((side) => {
    try {
      return readFileSync(database + side).includes(text);
    } catch {
      return false;
    }
  });
}

function expectLost({ status, headers, body }: Reply, what: string, code = 'data-lost'): void {
  expect(status, what).toBe(503);
  expect(headers.get('content-type')).toBe('application/vnd.api+json');
  expect(body.errors.map(({ code }) => code)).toEqual([code]);
}

const empty = (file: string) => {
  truncateSync(file, 0);
};
const remove = (file: string) => {
  rmSync(file);
};
const cutOff = (file: string) => {
  truncateSync(file, 4_096);
};
const overwrite = (file: string) => {
  writeFileSync(file, 'no database '.repeat(5_000));
};
const HARMS = [
  ['emptied', empty, 'data-lost'],
  ['removed', remove, 'data-lost'],
  ['cut-off', cutOff, 'data-lost'],
  // The runtime opens no such file, and does not tell why.
  ['overwritten', overwrite, 'unavailable'],
] as const;

test('a type whose file was emptied, removed or overwritten is 503, the others are served', async () => {
  const made = new Map<string, string>();
  for (const [type] of HARMS) made.set(type, (await client.make(type, { mark: mark(type) })).id);
  const person = await client.make('people', { name: 'Ada' });
  await again({}, () => {
    for (const [type, how] of HARMS) harmFile(mark(type), how);
  });

  for (const [type, , code] of HARMS) {
    const id = made.get(type) ?? '';
    const path = `/resources/${type}/${id}`;
    const relationships = { about: { data: { type, id } } };
    const lost: Readonly<Record<string, () => Promise<Reply>>> = {
      read: () => client.get(path),
      list: () => client.get(`/resources/${type}`),
      search: () => client.get(`/resources/${type}?filter[a]=1&sort=a`),
      acl: () => client.get(`/resources/${type}.acl/${id}`),
      create: () => client.create(`/resources/${type}`),
      change: () => client.patch(path, { data: { type, id, attributes: { a: 1 } } }),
      delete: () => client.delete(path),
      'link to': () => client.create('/resources/people', { relationships }),
      'create once more': () => client.create(`/resources/${type}`),
    };
    for (const [what, ask] of Object.entries(lost)) expectLost(await ask(), `${what}: ${type}`, code);
  }
  expect((await client.get(`/resources/people/${person.id}`)).status).toBe(200);
  expect((await client.create('/resources/people')).status).toBe(201);
  expect((await client.create('/resources/new')).status).toBe(201);
  const unused = await client.get('/resources/unused');
  expect([unused.status, unused.body.meta.count]).toEqual([200, 0]);
  const faults = lines.filter((line) => line.includes('"fault"')).join();
  expect(faults).toContain(`${client.application}/emptied`);
});

test('users, or groups, that are lost let nobody in', async () => {
  const users = '/users/core.user';
  const named = { username: 'ada', password: PASSWORD, mark: mark('a user') };
  const made = await client.create(users, { attributes: named });
  const members = { users: { data: [linkOf(made)] } };
  const group = await client.create('/users/core.user-group', {
    attributes: { name: mark('a group') },
    relationships: members,
  });
  // Whom a group keeps out, its loss must not let in.
  const acl = { active: true, 'endpoint-access-list': [linkOf(group)] };
  const { key } = await client.withPermissions([may(EVERY_METHOD, '.*', { acl })]);
  const token = tokenOf(await logIn(client, 'ada', PASSWORD));
  const asAda = () => new Client(own.url, client.application, key).get('/resources/a', token);
  expect((await asAda()).status).toBe(403);

  await harm(mark('a group'), empty);
  expectLost(await asAda(), 'a request of somebody who may be in a group');
  await harm(mark('a user'), empty);
  expectLost(await asAda(), 'a request with a token');
  expectLost(await logIn(client, 'ada', PASSWORD), 'a login');
  expectLost(await client.create(users, { attributes: named }), 'a new user');
});

test('keys that are lost are not unknown, and where the registry of types is lost no type begins', async () => {
  await client.withPermissions([{ path: '/mark/of/a/key', methods: [] }]);
  await client.make('marked-type');
  // Of the application and of both keys: where there are no copies, only what is lost would know the keys.
  await until('the copies for look-ups are written', () => copies() >= 3);
  await again({}, () => {
    harmFile('/mark/of/a/key', empty);
    harmFile('marked-type', empty);
  });
  expectLost(await client.create('/resources/new'), 'a new type');
  expectLost(await client.get('/resources/new'), 'a type of which nobody knows');
  expect((await client.get('/resources/marked-type')).body.meta.count).toBe(1);
});

test('what was lost begins anew when the operator says so, and is in order from its first write on', async () => {
  const { id } = await client.make('articles', { mark: mark('an article') });
  await harm(mark('an article'), empty);
  expectLost(await client.get('/resources/articles'), 'before');
  await again({ LOST_COLLECTIONS: `other/articles, ${client.application}/articles` });
  expect((await client.get('/resources/articles')).body.meta.count).toBe(0);
  expect((await client.get(`/resources/articles/${id}`)).status).toBe(404);
  await client.make('articles', { mark: mark('another') });
  await again();
  expect((await client.get('/resources/articles')).body.meta.count).toBe(1);
  await harm(mark('another'), empty);
  expectLost(await client.get('/resources/articles'), 'lost again');
});

test('a process that dies just before or after a type is registered leaves a type that can be used', async () => {
  const moments = ['before', 'after'] as const;
  for (const type of moments) {
    await own.halt('create core.type-registry', type);
    expect((await client.create(`/resources/${type}`)).status).toBe(500);
  }
  await again();
  const counts = () =>
    Promise.all(moments.map(async (type) => (await client.get(`/resources/${type}`)).body.meta.count));
  expect(await counts()).toEqual([0, 0]);
  for (const type of moments) await client.make(type, { mark: `mark ${type}` });
  await again();
  expect(await counts()).toEqual([1, 1]);
  await again({}, () => {
    for (const type of moments) harmFile(`mark ${type}`, empty);
  });
  for (const type of moments) expectLost(await client.get(`/resources/${type}`), 'lost');
});

test('a deleted application has lost nothing, and what it has lost does not keep it', async () => {
  await client.make('articles', { mark: mark('an article') });
  await harm(mark('an article'), empty);
  await own.operator.delete(client.application);
  expect((await client.get('/resources/articles')).status).toBe(401);
  expect(databases().some((file) => holds(file, mark('an article')))).toBe(false);
});
