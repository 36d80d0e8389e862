/** What a key says that it would decide: each question is asked, and the request itself is sent. */
import { describe, expect, test } from 'vitest';
import { Client, type Link } from '../support/client.ts';
import { ask, keyed, question, told, type Told } from '../support/key-decisions.ts';
import { grant, makeExternalUser, makeGroup, makeUser, may, NOBODY, type Person } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

const trusted = await Client.create('decisions');
const ada = await makeUser(trusted, 'ada');
const ben = await makeUser(trusted, 'ben');
const guest = await makeExternalUser(trusted);
const team = await makeGroup(trusted, [ada, guest]);
const note = await trusted.make('notes', { text: 'for the team', shared: true });
await grant(trusted, `/resources/notes/${note.id}`, { read: [team], update: [ada.link], delete: [] });

const acl = { active: true };
const all = ['get', 'post', 'patch', 'delete'];

describe('a decision says which permission admits, and why those before it do not', () => {
  const permissions = () => [
    may('post', '/resources/notes'),
    { path: '/resources/books(/[0-9a-f]{24})?', methods: all },
    may('get patch', '/resources/notes(/[0-9a-f]{24})?', {
      acl: { ...acl, 'endpoint-access-list-flavor': 'white', 'endpoint-access-list': [team] },
    }),
    { path: String.raw`/users/core\.user/(me|[0-9a-f]{24})`, methods: ['get'], acl },
    may('delete', '/resources/notes/.*'),
  ];
  const cases: readonly (readonly [
    sentence: string,
    method: string,
    path: () => string,
    person: () => Person,
    told: Partial<Told> & {
      readonly at: number | null;
      readonly passed: readonly string[];
      readonly code?: string;
    },
  ])[] = [
    [
      'a method, a path and then a list that leaves nobody out',
      'GET',
      () => `/resources/notes/${note.id}`,
      () => ada,
      {
        admitted: true,
        acl: true,
        at: 2,
        passed: ['method', 'path'],
        document: { right: 'read', granted: true },
      },
    ],
    [
      'a list that leaves the user out',
      'GET',
      () => `/resources/notes/${note.id}`,
      () => ben,
      {
        admitted: false,
        at: null,
        passed: ['method', 'path', 'endpoint-access-list', 'path', 'method'],
        code: 'forbidden',
      },
    ],
    [
      'a token that is missing',
      'GET',
      () => `/resources/notes/${note.id}`,
      () => NOBODY,
      {
        admitted: false,
        at: null,
        passed: ['method', 'path', 'token', 'path', 'method'],
        code: 'token-required',
      },
    ],
  ];
  test.each(cases)('%s', async (_, method, path, person, { at, passed, code, ...rest }) => {
    const { client, id } = await keyed(trusted, permissions());
    const decision = told(await ask(trusted, id, question(method, path(), person())));
    expect(decision).toMatchObject(rest);
    expect(decision.paths).toEqual([{ path: path(), permission: at, rules: [], passed }]);
    expect(decision.errors.map((each) => each.code)).toEqual(code === undefined ? [] : [code]);
    if (code === undefined) return;
    const sent = await client.send(method, path(), { headers: person().headers });
    expect({ status: String(sent.status), errors: sent.body.errors }).toEqual({
      status: decision.errors[0]?.status,
      errors: decision.errors,
    });
  });

  test.each(['PATCH', 'DELETE'])('a %s of many needs what lists them, too', async (method) => {
    const lower = method.toLowerCase();
    const { client, id } = await keyed(trusted, [
      { path: '/resources/notes', methods: [lower, 'bulk'] },
      { path: '/resources/books', methods: [lower, 'bulk', 'get'] },
      { path: '/resources/cars', methods: [lower, 'bulk'] },
      may('get', '/resources/cars', { acl }),
    ]);
    const of = async (path: string, person = NOBODY) =>
      told(await ask(trusted, id, question(method, path, person)));
    expect(await of('/resources/notes')).toMatchObject({
      admitted: false,
      paths: [{ permission: null, passed: ['method', 'path', 'method', 'path'] }],
      errors: [{ status: '403', code: 'forbidden' }],
    });
    expect(await of('/resources/books')).toMatchObject({ admitted: true, acl: false, errors: [] });
    expect((await of('/resources/cars')).errors.map(({ code }) => code)).toEqual(['token-required']);
    expect(await of('/resources/cars', ada)).toMatchObject({ admitted: true, acl: false });
    const sent = await client.send(method, '/resources/notes?filter[*]={}', { body: { meta: { limit: 1 } } });
    expect([sent.status, sent.body.errors]).toEqual([403, (await of('/resources/notes')).errors]);
    expect(sent.text).toContain('Only what can be listed is changed so.');
  });

  test('me is asked as it is and as whom it stands for', async () => {
    const { id } = await keyed(trusted, [
      { path: String.raw`/users/core\.user/me`, methods: ['get'] },
      { path: String.raw`/users/core\.user/[0-9a-f]{24}`, methods: ['get'], acl },
    ]);
    const decision = told(await ask(trusted, id, question('GET', '/users/core.user/me', ada)));
    expect(decision).toMatchObject({ admitted: true, acl: true, document: { right: 'read', granted: true } });
    expect(decision.paths).toEqual([
      { path: '/users/core.user/me', permission: 0, rules: [], passed: [] },
      { path: `/users/core.user/${ada.link.id}`, permission: 1, rules: [], passed: ['path'] },
    ]);
  });

  test('me is nobody without a token, and nobody of another type', async () => {
    const { id } = await keyed(trusted, [may('get', '/users/.*')]);
    const [nobody, other] = await Promise.all([
      ask(trusted, id, question('GET', '/users/core.user/me')),
      ask(trusted, id, question('GET', '/users/core.user/me', guest)),
    ]);
    expect(told(nobody).errors.map(({ code }) => code)).toEqual(['token-required']);
    expect(told(other).errors.map(({ code }) => code)).toEqual(['forbidden']);
  });

  test('rights and the rule are told apart', async () => {
    const where = { shared: true };
    const { id } = await keyed(trusted, [may('get', '/resources/notes/.*', { where, acl })]);
    const [mine, theirs, hidden] = await Promise.all([
      trusted.make('notes', { shared: true }),
      trusted.make('notes', { shared: true }),
      trusted.make('notes', { shared: false }),
    ]);
    for (const each of [mine, hidden])
      await grant(trusted, `/resources/notes/${each.id}`, { read: [ada.link] });
    const of = async (document: Link) =>
      told(await ask(trusted, id, question('GET', `/resources/notes/${document.id}`, ada))).document;
    const reasons = [{ setting: null, through: [], identity: ada.link }];
    expect(await of(mine)).toMatchObject({ granted: true, where: true, reasons });
    expect(await of(theirs)).toMatchObject({ granted: false, where: true, reasons: [] });
    expect(await of(hidden)).toMatchObject({ granted: false, where: false, reasons });
  });

  test('what gives a right is told: an ACL, a setting, and the documents that it comes through', async () => {
    const { id } = await keyed(trusted, [may('get delete', '/resources/.*', { acl })]);
    await settle(trusted, { name: 'rooms', rights: { read: ['$house', '*'] } });
    await settle(trusted, {
      name: 'chairs',
      rights: { read: ['$creator', '$room'], delete: ['$room.read'] },
    });
    const house = await trusted.make('houses');
    await grant(trusted, `/resources/houses/${house.id}`, { read: [team] });
    const to = ({ type, id: of }: Link) => ({ data: { type, id: of } });
    const room = await trusted.make('rooms', {}, { house: to(house) });
    const chair = await trusted.make('chairs', {}, { room: to(room) });
    const of = async (method: string, document: Link, person: Person) =>
      told(await ask(trusted, id, question(method, `/resources/${document.type}/${document.id}`, person)))
        .document;
    const inHouse = { type: 'houses', id: house.id, right: 'read' };
    const inRoom = { type: 'rooms', id: room.id, right: 'read' };
    expect(await of('GET', room, ada)).toMatchObject({
      granted: true,
      reasons: [
        { setting: '$house', through: [inHouse], identity: team },
        { setting: '*', through: [], identity: '*' },
      ],
    });
    expect(await of('GET', chair, ben)).toMatchObject({
      granted: true,
      reasons: [{ setting: '$room', through: [inRoom], identity: '*' }],
    });
    await resettle(trusted, 'rooms', { rights: { read: ['$house'] } });
    expect(await of('DELETE', chair, ada)).toMatchObject({
      granted: true,
      reasons: [{ setting: '$room.read', through: [inRoom, inHouse], identity: team }],
    });
    expect(await of('GET', chair, ben)).toMatchObject({ granted: false, reasons: [] });
    await grant(trusted, `/resources/chairs/${chair.id}`, { read: [ben.link] });
    expect(await of('GET', chair, ben)).toMatchObject({
      granted: true,
      reasons: [{ setting: null, through: [], identity: ben.link }],
    });
  });

  test('permissions that the key does not have yet are asked in the place of its own', async () => {
    const { id } = await keyed(trusted, []);
    const draft = (permissions: unknown) => ({
      data: { type: 'core.api-key', id, attributes: { permissions } },
      ...question('GET', '/resources/notes'),
    });
    expect(told(await ask(trusted, id, draft([may('get', '/resources/notes')]))).admitted).toBe(true);
    expect(told(await ask(trusted, id, question('GET', '/resources/notes'))).admitted).toBe(false);
    const wrong = await ask(trusted, id, draft([may('get', '(')]));
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors[0]?.source).toEqual({ pointer: '/data/attributes/permissions/0/path' });
  });
});
