/** Who may do what in a list: each operation needs permission and rights as the single request that it stands for. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, relink, remove, update, type Operation } from '../support/operations.ts';
import { EVERY_METHOD, grant, linkOf, makeUser, may } from '../support/people.ts';

const ENTRY = may('post', '/operations');
const COLLECTION = '/resources/people';
const DOCUMENT = '/resources/people/[0-9a-f]{24}';
const RELATIONSHIP = `${DOCUMENT}/relationships/kin`;

let document: Link;
const trusted = await Client.create();
const [ada, eva] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'eva')];
document = await trusted.make('people', {}, { kin: { data: [] } });

const readAll = async () => (await trusted.get('/resources/people')).text;

describe('a key must permit what a list does', () => {
  const cases: readonly (readonly [string, string, string, () => Operation])[] = [
    ['an add', 'post', COLLECTION, () => add('people')],
    ['an update', 'patch', DOCUMENT, () => update(document, {})],
    ['a remove', 'delete', DOCUMENT, () => remove(document)],
    ['an add to a relationship', 'post', RELATIONSHIP, () => relink('add', document, 'kin', [])],
    ['an update of a relationship', 'patch', RELATIONSHIP, () => relink('update', document, 'kin', [])],
    ['a remove from a relationship', 'delete', RELATIONSHIP, () => relink('remove', document, 'kin', [])],
    [
      'an update by its lid',
      'patch',
      DOCUMENT,
      () => ({ op: 'update', data: { type: 'people', lid: 'new' } }),
    ],
  ];

  test.each(cases)('%s needs %s on %s', async (_, method, path, operation) => {
    const others = ['post', 'patch', 'delete'].filter((each) => each !== method);
    const everything = { path: '/resources/.*', methods: others };
    const elsewhere = [COLLECTION, DOCUMENT, RELATIONSHIP].filter((each) => each !== path);
    const lacking = [ENTRY, everything, ...elsewhere.map((each) => ({ path: each, methods: [method] }))];
    const needed = { path, methods: [method] };
    const list = [add('people', {}, undefined, 'new'), operation()];
    const mayAdd = may('post', COLLECTION);
    if (method !== 'post' || path !== COLLECTION) {
      const before = await readAll();
      const refused = await operate(await trusted.withPermissions([...lacking, mayAdd]), list);
      expect(faultsOf(refused)).toEqual(['403 forbidden /atomic:operations/1']);
      expect(await readAll()).toBe(before);
    } else {
      const refused = await operate(await trusted.withPermissions(lacking), list);
      expect(faultsOf(refused)).toEqual(['403 forbidden /atomic:operations/0']);
    }
    document = await trusted.make('people', {}, { kin: { data: [] } });
    const done = await operate(await trusted.withPermissions([ENTRY, needed, mayAdd]), [
      list[0],
      operation(),
    ]);
    expect(done.status).toBe(200);
  });

  test('and the endpoint itself', async () => {
    const key = await trusted.withPermissions([may('post', '/resources/.*')]);
    expect(faultsOf(await operate(key, [add('people')]))).toEqual(['403 forbidden api-key:']);
  });

  test('a pattern for one document is one for no other', async () => {
    const path = `/resources/people/${document.id}`;
    const key = await trusted.withPermissions([ENTRY, may('patch', path)]);
    expect((await operate(key, [update(document, {})])).status).toBe(200);
    const other = update({ type: 'people', id: NO_ID }, {});
    expect(faultsOf(await operate(key, [update(document, {}), other]))).toEqual([
      '403 forbidden /atomic:operations/1',
    ]);
  });

  test('an href opens no other way in', async () => {
    const key = await trusted.withPermissions([ENTRY, may('delete', '/resources/dogs/.*')]);
    for (const href of [`/resources/people/${document.id}`, `/resources/dogs/../people/${document.id}`]) {
      expect(faultsOf(await operate(key, [{ op: 'remove', href }]))).toEqual([
        '403 forbidden /atomic:operations/0',
      ]);
    }
  });

  test('before it is told whether there is anything', async () => {
    const key = await trusted.withPermissions([ENTRY, may('post', COLLECTION)]);
    const list = [add('people', { $x: 1 }), remove({ type: 'people', id: NO_ID })];
    expect(faultsOf(await operate(key, list))).toEqual(['403 forbidden /atomic:operations/1']);
  });
});

describe('many permissions', () => {
  const numbered = (count: number, path: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => ({ path: path(n), methods: ['post', 'patch'] }));

  test('of the honest kind are fine: hundreds of them for a thousand operations', async () => {
    const others = numbered(300, (n) => `/resources/type-${n}(/[0-9a-f]{24}(/relationships/[a-z]+)?)?`);
    const key = await trusted.withPermissions([
      ...others,
      ENTRY,
      may('post', COLLECTION),
      may('patch', DOCUMENT),
    ]);
    const { results } = await operate(key, Array<Operation>(1000).fill(add('people')));
    const updates = results.map(({ data }) => update(data ?? document, { a: 1 }));
    expect((await operate(key, updates)).status).toBe(200);
  });

  test('that take too much work on all paths together permit nothing', async () => {
    const heavy = numbered(190, (n) => `/resources/people/.*/[ab]*a[ab]{${400 + Math.floor(n / 2)}}`);
    const key = await trusted.withPermissions([...heavy, ENTRY, may('patch', '/resources/.*')]);
    const operations = Array.from({ length: 100 }, (_, n) =>
      relink('update', document, `${'ab'.repeat(900)}${n}`, null),
    );
    const [fault = ''] = faultsOf(await operate(key, operations));
    expect(fault).toMatch(/^403 forbidden \/atomic:operations\/\d+$/);
    expect((await operate(key, [update(document, {})])).status).toBe(200);
  });

  test('are not asked of a path that no request could have', async () => {
    const operation = relink('update', document, 'x'.repeat(3000), null);
    expect(faultsOf(await operate(trusted, [operation]))).toEqual(['414 path-too-long /atomic:operations/0']);
  });
});

describe('with ACL on', () => {
  const acl = { active: true };
  let web: Client;
  beforeAll(async () => {
    web = await trusted.withPermissions([ENTRY, may(EVERY_METHOD, '/resources/.*', { acl })]);
  });

  test('a token is needed, and the error names the operation', async () => {
    expect(faultsOf(await operate(web, [add('notes')]))).toEqual(['401 token-required /atomic:operations/0']);
  });

  test('a permission with ACL on the endpoint asks for a token, too', async () => {
    const strict = await trusted.withPermissions([{ ...ENTRY, acl }, may('post', '/resources/.*')]);
    expect(faultsOf(await operate(strict, [add('notes')]))).toEqual(['401 token-required Authorization:']);
    expect((await operate(strict, [add('notes')], ada.headers)).status).toBe(200);
  });

  test('what a user adds is the user’s own', async () => {
    const { results } = await operate(web, [add('notes', { n: 1 }), add('notes', { n: 2 })], ada.headers);
    for (const { data } of results) {
      const path = `/resources/notes/${data?.id ?? ''}`;
      expect((await web.get(path, ada.headers)).status).toBe(200);
      expect((await web.get(path, eva.headers)).status).toBe(403);
      const rights = await trusted.get(`/resources/notes.acl/${data?.id ?? ''}`);
      expect(rights.body.data.attributes).toEqual({
        read: [ada.link],
        update: [ada.link],
        delete: [ada.link],
      });
    }
  });

  test('a list changes what the user may change, or nothing', async () => {
    const own = linkOf(await web.create('/resources/notes', {}, ada.headers));
    const other = linkOf(await web.create('/resources/notes', {}, eva.headers));
    expect((await operate(web, [update(own, { n: 1 })], ada.headers)).status).toBe(200);
    for (const operation of [
      update(other, { n: 1 }),
      remove(other),
      relink('add', other, 'kin', []),
      remove({ type: 'notes', id: NO_ID }),
    ]) {
      const answer = await operate(web, [update(own, { n: 2 }), operation], ada.headers);
      expect(faultsOf(answer)).toEqual(['403 forbidden /atomic:operations/1']);
    }
    expect((await web.get(`/resources/notes/${own.id}`, ada.headers)).body.data.attributes).toEqual({ n: 1 });
  });

  test('who may update but not read gets an etag and no document', async () => {
    const note = await trusted.make('notes', { secret: 1 });
    await grant(trusted, `/resources/notes/${note.id}`, { update: [ada.link] });
    const list = [update(note, { n: 1 }), relink('add', note, 'kin', [])];
    const { status, results } = await operate(web, list, ada.headers);
    expect([status, results.map((each) => Object.keys(each))]).toEqual([200, [['meta'], ['meta']]]);
  });

  test.each([
    ['small', 1],
    ['large', 900_000],
  ])(
    'how often it may be changed does not tell the size of what may not be read: a %s one',
    async (_, size) => {
      const note = await trusted.make('notes', { secret: 'x'.repeat(size) });
      await grant(trusted, `/resources/notes/${note.id}`, { update: [ada.link] });
      const changes = (count: number) => Array.from({ length: count }, (_one, n) => update(note, { n }));
      const links = (count: number) => Array.from({ length: count }, () => relink('add', note, 'kin', []));
      for (const list of [changes, links]) {
        expect((await operate(web, list(6), ada.headers)).status).toBe(200);
        const refused = await operate(web, list(7), ada.headers);
        expect(faultsOf(refused)).toEqual(['413 list-too-large /atomic:operations/6']);
      }
    },
  );

  test('nor does how many may be deleted', async () => {
    const notes = await Promise.all(
      Array.from({ length: 13 }, (_, n) => trusted.make('notes', { secret: 'x'.repeat(100_000 * (n % 2)) })),
    );
    for (const { id } of notes) await grant(trusted, `/resources/notes/${id}`, { delete: [ada.link] });
    const refused = await operate(
      web,
      notes.map((note) => remove(note)),
      ada.headers,
    );
    expect(faultsOf(refused)).toEqual(['413 list-too-large /atomic:operations/12']);
    const twelve = notes.slice(1).map((note) => remove(note));
    expect((await operate(web, twelve, ada.headers)).status).toBe(204);
  });

  test('who may not update learns nothing of the precondition or the content', async () => {
    const note = await trusted.make('notes', {}, { kin: { data: null } });
    const operations = [
      update(note, { $x: 1, kin: 1 }, { 'if-match': '"AA"' }),
      relink('update', note, 'kin', { type: 'dogs', id: NO_ID }),
    ];
    for (const operation of operations) {
      expect(faultsOf(await operate(web, [operation], ada.headers))).toEqual([
        '403 forbidden /atomic:operations/0',
      ]);
    }
  });

  test('each operation has the viewer and the owner of its own permission', async () => {
    const mixed = await trusted.withPermissions([
      ENTRY,
      may('post', '/resources/notes'),
      may('patch', '/resources/notes/[0-9a-f]{24}', { acl }),
      may('delete', '/resources/notes/[0-9a-f]{24}'),
    ]);
    const own = linkOf(await web.create('/resources/notes', {}, ada.headers));
    const other = linkOf(await web.create('/resources/notes', {}, eva.headers));
    const list = [add('notes'), update(own, { n: 1 }), remove(other)];
    const { status, results } = await operate(mixed, list, ada.headers);
    expect(status).toBe(200);
    const rights = await trusted.get(`/resources/notes.acl/${results[0]?.data?.id ?? ''}`);
    expect(rights.body.data.attributes).toEqual({ read: [], update: [], delete: [] });
    const refused = await operate(mixed, [remove(own), update(other, {})], ada.headers);
    // It is gone by the first list, and she could not read it.
    expect(faultsOf(refused)).toEqual(['403 forbidden /atomic:operations/1']);
    expect((await trusted.get(`/resources/notes/${own.id}`)).body.data).not.toBeNull();
  });

  test('what a list adds without ACL is not the user’s to change by its lid', async () => {
    const mixed = await trusted.withPermissions([
      ENTRY,
      may('post', '/resources/notes'),
      may('patch', '/resources/notes/.*', { acl }),
    ]);
    const list = [add('notes', {}, undefined, 'new'), { op: 'update', data: { type: 'notes', lid: 'new' } }];
    expect(faultsOf(await operate(mixed, list, ada.headers))).toEqual(['403 forbidden /atomic:operations/1']);
    expect((await operate(web, list, ada.headers)).status).toBe(200);
  });

  test('an exempt user is not the owner’s guest: no rights are asked, and the user owns what it adds', async () => {
    const exempt = await trusted.withPermissions([
      ENTRY,
      may('post patch', '/resources/.*', { acl: { ...acl, 'document-access-list': [ada.link] } }),
    ]);
    const other = linkOf(await web.create('/resources/notes', {}, eva.headers));
    const { status, results } = await operate(exempt, [add('notes'), update(other, {})], ada.headers);
    expect(status).toBe(200);
    const rights = await trusted.get(`/resources/notes.acl/${results[0]?.data?.id ?? ''}`);
    expect(rights.body.data.attributes?.['read']).toEqual([ada.link]);
  });
});

test('of another application nothing can be named', async () => {
  const stranger = await Client.create();
  expect(faultsOf(await operate(stranger, [update(document, {})]))).toEqual([
    '404 document-not-found /atomic:operations/0',
  ]);
});
