/**
 * Rules in permissions: `where` hides documents, `check` refuses what a write would leave, `fields` hides and guards fields;
 * alike in every way to read and to write.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, ATOMIC_MEDIA_TYPE, type Reply, type Resource } from '../support/client.ts';
import { EVERY_METHOD, makeGroup, makeUser, type Person } from '../support/people.ts';

let trusted: Client;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  trusted = await Client.create();
  [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
});

/** A permission with rules, without ACL. */
function under(path: string, rule: object, methods: readonly string[] = EVERY_METHOD) {
  return { path, methods, ...rule };
}

const codes = ({ body }: Reply) => body.errors.map(({ code }) => code);
const names = ({ body }: Reply) => body.data.map(({ attributes }) => attributes?.['name']);

describe('where', () => {
  let open: Client;
  let shown: Resource;
  let hidden: Resource;
  let folder: Resource;

  beforeAll(async () => {
    shown = await trusted.make('listings', { name: 'chair', status: 'open', price: 5 });
    hidden = await trusted.make('listings', { name: 'table', status: 'draft', price: 7 });
    folder = await trusted.make(
      'folders',
      {},
      { items: { data: [shown, hidden].map(({ type, id }) => ({ type, id })) } },
    );
    open = await trusted.withPermissions([
      under('/resources/listings.*', { where: { status: 'open' } }),
      under('/resources/folders.*', {}),
      under('/aggregates/agt.prices.*', { where: { status: 'open' } }, ['get']),
      under('/operations', {}),
    ]);
    const made = await trusted.post('/aggregates/core.aggregate', {
      data: {
        type: 'core.aggregate',
        attributes: {
          'input-type': 'listings',
          'output-type': 'agt.prices',
          pipeline: [{ group: { id: null, sum: { $sum: '$price' } } }, { output: { attributes: ['sum'] } }],
        },
      },
    });
    expect(made.status).toBe(201);
  });

  test.each([
    ['a list', '/resources/listings'],
    ['a page', '/resources/listings?page[size]=1&page[number]=1'],
    ['a page by cursor', '/resources/listings?page[after]='],
    ['a filter that it meets not', '/resources/listings?filter[price]={"$gt":0}'],
    ['a negation', '/resources/listings?filter[*]={"$nor":[{"status":"open","price":1}]}'],
    ['full text', '/resources/listings?filter[*]={"$text":{"$search":"chair table"}}'],
    ['a sort', '/resources/listings?sort=-price'],
  ])('is absent from %s, and from its count', async (_, path) => {
    const reply = await open.get(path);
    expect([reply.status, reply.body.meta.count, names(reply)]).toEqual([200, 1, ['chair']]);
  });

  test('is absent from includes and related reads', async () => {
    const included = await open.get(`/resources/folders/${folder.id}?include=items`);
    expect(included.body.included.map(({ id }) => id)).toEqual([shown.id]);
    expect(names(await open.get(`/resources/folders/${folder.id}/items`))).toEqual(['chair']);
  });

  test('is absent from what an aggregate reads', async () => {
    const reply = await open.get('/aggregates/agt.prices');
    expect(reply.body.data[0]?.attributes).toEqual({ sum: 5 });
    expect((await trusted.get('/aggregates/agt.prices')).body.data[0]?.attributes).toEqual({ sum: 12 });
  });

  const AT_ITS_ADDRESS: readonly [method: string, acl: string, rest: string, body: object | null][] = [
    ['GET', '', '', null],
    ['PATCH', '', '', { data: { type: 'listings', attributes: { price: 1 } } }],
    ['DELETE', '', '', null],
    ['GET', '', '/relationships/owner', null],
    ['PATCH', '', '/relationships/owner', { data: null }],
    ['GET', '', '/owner', null],
    ['GET', '.acl', '', null],
    ['PATCH', '.acl', '', { data: { type: 'listings.acl', attributes: { read: '*' } } }],
  ];

  test.each(AT_ITS_ADDRESS)(
    'answers %s %s%s as for an id that never existed',
    async (method, acl, rest, body) => {
      const ask = async (id: string) => {
        const sent =
          body === null
            ? {}
            : {
                body: JSON.parse(
                  JSON.stringify(body).replace('"attributes"', `"id":"${id}","attributes"`),
                ) as object,
              };
        const reply = await open.send(method, `/resources/listings${acl}/${id}${rest}`, sent);
        return [reply.status, reply.text];
      };
      const [at, none] = [await ask(hidden.id), await ask(NO_ID)];
      expect(at).toEqual(none);
      expect(at[0]).toBe(403);
      expect((await trusted.get(`/resources/listings/${hidden.id}`)).body.data.attributes).toMatchObject({
        price: 7,
      });
    },
  );

  test('a document that stops to meet it is gone', async () => {
    const { id } = await trusted.make('listings', { name: 'lamp', status: 'open', price: 1 });
    const at = `/resources/listings/${id}`;
    const read = await open.get(at);
    expect((await open.get(at, { 'if-none-match': read.etag })).status).toBe(304);
    const closed = await open.patch(at, { data: { type: 'listings', id, attributes: { status: 'sold' } } });
    expect([closed.status, closed.text]).toEqual([204, '']);
    expect((await open.get(at, { 'if-none-match': read.etag })).status).toBe(403);
    expect((await open.delete(at)).status).toBe(403);
    await trusted.delete(at);
    expect((await open.get(at)).status).toBe(403);
  });

  test('an operation in a list meets it too', async () => {
    const reply = await open.post(
      '/operations',
      { 'atomic:operations': [{ op: 'remove', ref: { type: 'listings', id: hidden.id } }] },
      { 'content-type': ATOMIC_MEDIA_TYPE, accept: ATOMIC_MEDIA_TYPE },
    );
    expect([reply.status, codes(reply)]).toEqual([403, ['forbidden']]);
  });

  test('what is created and not seen is told by its address alone', async () => {
    const made = await open.post('/resources/listings', {
      data: { type: 'listings', attributes: { name: 'new', status: 'draft' } },
    });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body.data).sort()).toEqual(['id', 'links', 'type']);
    await trusted.delete(`/resources/listings/${made.body.data.id}`);
  });
});

describe('rules that name the viewer', () => {
  let web: Client;
  let team: Person;

  beforeAll(async () => {
    team = await makeUser(trusted, 'carol');
    const group = await makeGroup(trusted, [team]);
    for (const [name, owner] of [
      ['of ada', ada.link],
      ['of bob', bob.link],
      ['of the team', group],
    ] as const) {
      await trusted.make('notes', { name, by: owner.id }, { owner: { data: owner } });
    }
    web = await trusted.withPermissions([
      under('/resources/notes.*', {
        where: { $or: [{ 'owner.id': '$$viewer.id' }, { 'owner.id': { $in: '$$viewer.groups' } }] },
      }),
      under('/resources/texts.*', { where: { by: '$$viewer.id' } }),
      under('/resources/links.*', { where: { owner: { type: '$$viewer.type', id: '$$viewer.id' } } }),
      under('/resources/others.*', { where: { 'owner.id': { $ne: '$$viewer.id' } } }),
      under('/resources/later.*', { where: { at: { $lte: '$$now' } } }),
    ]);
  });

  test('show each viewer its own', async () => {
    expect(names(await web.get('/resources/notes', ada.headers))).toEqual(['of ada']);
    expect(names(await web.get('/resources/notes', bob.headers))).toEqual(['of bob']);
    expect(names(await web.get('/resources/notes', team.headers))).toEqual(['of the team']);
  });

  test.each([
    ['without a token', {}],
    ['with a token that is none', { authorization: 'Token x' }],
  ])('hold for nothing %s, under a negation too', async (_, headers) => {
    await trusted.make('others', { name: 'other' });
    for (const type of ['notes', 'texts', 'links', 'others']) {
      const reply = await web.get(`/resources/${type}`, headers);
      expect([reply.status, reply.body.meta.count]).toEqual([200, 0]);
    }
    expect((await web.get('/resources/others', ada.headers)).body.meta.count).toBeGreaterThan(0);
  });

  test('an id is met as an object id and as its text', async () => {
    await trusted.make('texts', { name: 'mine', by: ada.link.id });
    await trusted.make('links', { name: 'mine' }, { owner: { data: ada.link } });
    expect(names(await web.get('/resources/texts', ada.headers))).toEqual(['mine']);
    expect(names(await web.get('/resources/links', ada.headers))).toEqual(['mine']);
    expect(names(await web.get('/resources/links', bob.headers))).toEqual([]);
  });

  test('now is the time of the request', async () => {
    await trusted.make('later', { name: 'past', at: { $date: '2001-01-01T00:00:00Z' } });
    await trusted.make('later', { name: 'future', at: { $date: '2901-01-01T00:00:00Z' } });
    expect(names(await web.get('/resources/later'))).toEqual(['past']);
  });
});

describe('check', () => {
  let web: Client;
  beforeAll(async () => {
    web = await trusted.withPermissions([
      under('/resources/messages.*', { check: { 'from.id': '$$viewer.id', 'from.type': '$$viewer.type' } }),
      under('/operations', {}),
    ]);
  });
  const message = (from: Person, text = 'hi') => ({
    data: { type: 'messages', attributes: { text }, relationships: { from: { data: from.link } } },
  });
  const all = () => trusted.get('/resources/messages').then(({ body }) => body.meta.count);

  test('a create that does not meet it stores nothing', async () => {
    const before = await all();
    const forged = await web.post('/resources/messages', message(bob), ada.headers);
    expect([forged.status, codes(forged)]).toEqual([403, ['rule-violated']]);
    const unsigned = await web.post('/resources/messages', message(ada));
    expect([unsigned.status, codes(unsigned)]).toEqual([403, ['rule-violated']]);
    expect(await all()).toBe(before);
    expect((await web.post('/resources/messages', message(ada), ada.headers)).status).toBe(201);
  });

  test('a change, a change of a relationship and an operation meet it', async () => {
    const made = await web.post('/resources/messages', message(ada), ada.headers);
    const { id } = made.body.data;
    const at = `/resources/messages/${id}`;
    const patched = await web.patch(
      at,
      { data: { type: 'messages', id, relationships: { from: { data: bob.link } } } },
      ada.headers,
    );
    const related = await web.patch(`${at}/relationships/from`, { data: bob.link }, ada.headers);
    const other = await web.patch(
      at,
      { data: { type: 'messages', id, attributes: { text: 'x' } } },
      bob.headers,
    );
    const listed = await web.post(
      '/operations',
      {
        'atomic:operations': [
          { op: 'add', data: message(ada).data },
          { op: 'add', data: message(bob).data },
        ],
      },
      { ...ada.headers, 'content-type': ATOMIC_MEDIA_TYPE, accept: ATOMIC_MEDIA_TYPE },
    );
    const before = await all();
    for (const reply of [patched, related, other, listed]) {
      expect([reply.status, codes(reply)]).toEqual([403, ['rule-violated']]);
    }
    expect(await all()).toBe(before);
    expect((await trusted.get(at)).etag).toBe((await trusted.get(at, { 'if-none-match': made.etag })).etag);
    expect((await trusted.get(at)).body.data.attributes).toEqual({ text: 'hi' });
  });
});

describe('check comes before what tells of other documents', () => {
  let web: Client;
  let mine: Resource;

  beforeAll(async () => {
    await trusted.post('/schemas/core.type', {
      data: { type: 'core.type', attributes: { name: 'seats', unique: [['owner.id', 'row']] } },
    });
    await trusted.make('seats', { row: 1 }, { owner: { data: ada.link } });
    mine = await trusted.make('seats', { row: 7 }, { owner: { data: bob.link } });
    web = await trusted.withPermissions([
      under('/resources/seats.*', { check: { 'owner.id': '$$viewer.id' } }),
      under('/operations', {}),
    ]);
  });

  const seat = (row: number) => ({
    type: 'seats',
    attributes: { row },
    relationships: { owner: { data: ada.link } },
  });

  test.each<[string, (row: number) => Promise<Reply>]>([
    ['a create', (row) => web.post('/resources/seats', { data: seat(row) }, bob.headers)],
    [
      'a change',
      (row) => web.patch(`/resources/seats/${mine.id}`, { data: { ...seat(row), id: mine.id } }, bob.headers),
    ],
    [
      'an operation',
      (row) =>
        web.post(
          '/operations',
          { 'atomic:operations': [{ op: 'add', data: seat(row) }] },
          { ...bob.headers, 'content-type': ATOMIC_MEDIA_TYPE },
        ),
    ],
  ])('%s in the name of another does not tell whether a value is taken', async (_, write) => {
    const [taken, free] = [await write(1), await write(2)];
    expect([taken.status, codes(taken)]).toEqual([403, ['rule-violated']]);
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  });
});

describe('fields', () => {
  let web: Client;
  let doc: Resource;
  const at = () => `/resources/people/${doc.id}`;

  beforeAll(async () => {
    const boss = await trusted.make('people', { name: 'boss', salary: 9 });
    doc = await trusted.make(
      'people',
      { name: 'eva', nick: 'e', salary: 5, notes: 'secretive words' },
      { boss: { data: { type: 'people', id: boss.id } }, friend: { data: { type: 'people', id: boss.id } } },
    );
    web = await trusted.withPermissions([
      under('/resources/people.*', {
        fields: { read: ['name', 'nick', 'friend'], write: ['nick', 'friend'] },
      }),
      under('/aggregates/agt.pay.*', { fields: { read: ['name'] } }, ['get']),
    ]);
    await trusted.post('/schemas/core.schema', {
      data: {
        type: 'core.schema',
        attributes: {
          target: 'people',
          content: {
            properties: {
              attributes: {
                properties: { salary: { maximum: 100 }, nick: { type: 'string', maxLength: 5 } },
              },
            },
          },
        },
      },
    });
    const made = await trusted.post('/aggregates/core.aggregate', {
      data: {
        type: 'core.aggregate',
        attributes: {
          'input-type': 'people',
          'output-type': 'agt.pay',
          pipeline: [
            { filter: { name: 'eva' } },
            { project: { id: { $toString: '$id' }, salary: '$salary', name: '$name', all: '$$ROOT' } },
          ],
        },
      },
    });
    expect(made.status).toBe(201);
  });

  test.each([
    ['moved to where it is seen', { $rename: { salary: 'nick' } }, ['get', 'patch']],
    ['told by the kind of a number', { $inc: { salary: 1 } }, ['get', 'patch']],
    ['moved under a permission that says nothing of reading', { $rename: { salary: 'nick' } }, ['patch']],
  ])('a hidden value is not %s', async (_, update, methods) => {
    const person = await trusted.make('staff', { name: 'max', salary: 7 });
    const fields = { read: ['name', 'nick'], write: ['nick', 'salary'] };
    const path = '/resources/staff/.*';
    const blind = await trusted.withPermissions([
      under(path, { fields: methods.includes('get') ? fields : { write: fields.write } }, methods),
      under(path, { fields }, ['get']),
      under('/operations', {}, ['post']),
    ]);
    const data = { type: 'staff', id: person.id, meta: { update } };
    const refusals = [
      await blind.patch(`/resources/staff/${person.id}`, { data }),
      await blind.post(
        '/operations',
        { 'atomic:operations': [{ op: 'update', data }] },
        { 'content-type': ATOMIC_MEDIA_TYPE, accept: ATOMIC_MEDIA_TYPE },
      ),
    ];
    for (const refused of refusals) {
      expect([refused.status, codes(refused)]).toEqual([403, ['field-not-permitted']]);
    }
    const attributes = async () => (await trusted.get(`/resources/staff/${person.id}`)).body.data.attributes;
    expect(await attributes()).toEqual({ name: 'max', salary: 7 });
    const dropped = { ...data, meta: { update: { $unset: { salary: '' } } } };
    expect((await blind.patch(`/resources/staff/${person.id}`, { data: dropped })).status).toBe(200);
    expect(await attributes()).toEqual({ name: 'max' });
  });

  test('others are absent from every answer', async () => {
    const one = await web.get(at());
    expect(one.body.data.attributes).toEqual({ name: 'eva', nick: 'e' });
    expect(Object.keys(one.body.data.relationships ?? {})).toEqual(['friend']);
    for (const path of [
      '/resources/people',
      `${at()}?fields[people]=salary,name,boss`,
      `${at()}?include=boss,friend`,
      `${at()}/friend`,
      '/aggregates/agt.pay',
    ]) {
      const reply = await web.get(path);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toMatch(/salary":|secretive|"boss":/);
    }
    const included = await web.get(`${at()}?include=boss`);
    expect(included.body.included).toEqual([]);
    expect([
      (await web.get(`${at()}/boss`)).status,
      (await web.get(`${at()}/relationships/boss`)).status,
    ]).toEqual([404, 404]);
  });

  test.each([
    ['equality', { salary: 5 }, 0],
    ['a range', { salary: { $gt: 0 } }, 0],
    ['what is there', { salary: { $exists: true } }, 0],
    ['a hidden link', { 'boss.type': 'people' }, 0],
    ['what is not there', { salary: { $exists: false } }, 2],
    ['full text', { $text: { $search: 'secretive' } }, 0],
    ['an exclusion in full text', { $text: { $search: 'eva -secretive' } }, 1],
    ['full text of what is seen', { $text: { $search: 'eva' } }, 1],
  ])('no filter sees them: %s', async (_, filter, count) => {
    const reply = await web.get(`/resources/people?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`);
    expect(reply.body.meta.count).toBe(count);
  });

  test('no order sees them', async () => {
    const [up, down] = [
      await web.get('/resources/people?sort=salary'),
      await web.get('/resources/people?sort=-salary'),
    ];
    expect(up.body.data.map(({ id }) => id)).toEqual(down.body.data.map(({ id }) => id));
  });

  test.each([
    [
      'PATCH of an attribute',
      'PATCH',
      () => at(),
      () => ({ data: { type: 'people', id: doc.id, attributes: { salary: 1 } } }),
      '/data/attributes/salary',
    ],
    [
      'an operator',
      'PATCH',
      () => at(),
      () => ({ data: { type: 'people', id: doc.id, meta: { update: { $inc: { salary: 1 } } } } }),
      '/data/meta/update',
    ],
    ['a relationship', 'PATCH', () => `${at()}/relationships/boss`, () => ({ data: null }), '/data'],
    [
      'a create',
      'POST',
      () => '/resources/people',
      () => ({ data: { type: 'people', attributes: { nick: 'x', salary: 1 } } }),
      '/data/attributes/salary',
    ],
  ])('%s of another is 403 that names it', async (_, method, path, body, pointer) => {
    const reply = await web.send(method, path(), { body: body() });
    expect([reply.status, codes(reply)]).toEqual([403, ['field-not-permitted']]);
    expect(reply.body.errors[0]?.source).toEqual({ pointer });
    expect((await trusted.get(at())).body.data.attributes).toMatchObject({ salary: 5 });
  });

  test('a write shows what a read would show', async () => {
    const changed = await web.patch(at(), {
      data: { type: 'people', id: doc.id, attributes: { nick: 'f' } },
    });
    expect([changed.status, changed.body.data.attributes]).toEqual([200, { name: 'eva', nick: 'f' }]);
  });

  test('problems of what is not seen are not told', async () => {
    await trusted.patch(at(), { data: { type: 'people', id: doc.id, attributes: { nick: 'g' } } });
    const seen = await web.patch(at(), {
      data: { type: 'people', id: doc.id, attributes: { nick: 'too long' } },
    });
    expect([seen.status, codes(seen)]).toEqual([422, ['schema-violation']]);
  });
});

describe('rules are checked when a key is written', () => {
  test.each<[string, object, string]>([
    ['no filter', { where: 5 }, '/where'],
    ['an unknown operator', { where: { a: { $gtt: 1 } } }, '/where/a/$gtt'],
    ['an unknown variable', { check: { a: '$$viewer.name' } }, '/check'],
    ['a list where there is one value', { where: { a: '$$viewer.groups' } }, '/where'],
    ['full text', { where: { $text: { $search: 'x' } } }, '/where'],
    [
      'nearest first',
      { where: { a: { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } } } },
      '/where',
    ],
    ['fields that are no object', { fields: ['a'] }, '/fields'],
    ['fields of an unknown kind', { fields: { delete: ['a'] } }, '/fields/delete'],
    ['fields that are no names', { fields: { read: [1] } }, '/fields/read'],
    ['an unknown member', { were: {} }, '/were'],
  ])('%s is 422', async (_, rule, place) => {
    const permissions = [under('/.*', rule)];
    const reply = await trusted.post('/api-keys/core.api-key', {
      data: { type: 'core.api-key', attributes: { name: 'k', permissions } },
    });
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0]?.source?.pointer).toBe(`/data/attributes/permissions/0${place}`);
  });

  test('they come back as they were sent, and can be changed', async () => {
    const rule = {
      where: { at: { $lt: { $date: '2020-01-01T00:00:00.000Z' } }, n: { $in: [1, 'a'] } },
      check: { a: '$$viewer.id' },
      fields: { read: ['at'], write: [] },
    };
    const permissions = [under('/resources/x.*', rule)];
    const made = await trusted.post('/api-keys/core.api-key', {
      data: { type: 'core.api-key', attributes: { name: 'k', permissions } },
    });
    expect(made.body.data.attributes?.['permissions']).toEqual(permissions);
    const { id } = made.body.data;
    const same = await trusted.patch(`/api-keys/core.api-key/${id}`, {
      data: { type: 'core.api-key', id, attributes: { permissions } },
    });
    expect(same.body.data.attributes?.['permissions']).toEqual(permissions);
    const changed = [under('/resources/x.*', { where: {} })];
    await trusted.patch(`/api-keys/core.api-key/${id}`, {
      data: { type: 'core.api-key', id, attributes: { permissions: changed } },
    });
    expect((await trusted.get(`/api-keys/core.api-key/${id}`)).body.data.attributes?.['permissions']).toEqual(
      changed,
    );
  });
});

describe('where me stands for an id', () => {
  test('the rules of both permissions hold', async () => {
    await trusted.patch(`/users/core.user/${ada.link.id}`, {
      data: { type: 'core.user', id: ada.link.id, attributes: { city: 'x', age: 5 } },
    });
    const again = await makeUser(trusted, 'dora');
    const both = await trusted.withPermissions([
      under('/users/core\\.user/me', { fields: { read: ['username', 'city'] } }, ['get']),
      under('/users/core\\.user/[0-9a-f]{24}', { fields: { read: ['username', 'age'] } }, ['get']),
    ]);
    const me = await both.get('/users/core.user/me', again.headers);
    expect(me.body.data.attributes).toEqual({ username: 'dora' });
    const hidden = await trusted.withPermissions([
      under('/users/core\\.user/me', {}, ['get']),
      under('/users/core\\.user/[0-9a-f]{24}', { where: { city: 'x' } }, ['get']),
    ]);
    expect((await hidden.get('/users/core.user/me', again.headers)).status).toBe(403);
  });
});
