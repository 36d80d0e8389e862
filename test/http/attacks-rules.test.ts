/**
 * Attacks on rules of permissions: the ways by which hidden fields and documents of other services came out, by
 * filters, orders, includes, pipelines, errors, tags, cursors and repeats. Two types differ only in what is hidden: every
 * answer about one must be the answer about the other.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, NO_ID, type Options, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { operate } from '../support/operations.ts';
import { EVERY_METHOD, makeExternalUser, makeUser, type Person } from '../support/people.ts';
import { makeSide, SEEN, told, WHERE, type Side } from '../support/two-sides.ts';

let trusted: Client;
let reader: Client;
let writer: Client;
let ada: Person;
let bob: Person;
let sides: readonly [Side, Side];
/** What is seen, in order: its ids are the only ones that may be told. */
const ids = new Map<Side, readonly string[]>();

const PIPELINES: Readonly<Record<string, readonly object[]>> = {
  root: [{ project: { id: '$name', all: '$$ROOT', current: '$$CURRENT' } }],
  entries: [{ project: { id: '$name', all: { $objectToArray: '$$ROOT' } } }],
  field: [{ project: { id: '$name', x: { $getField: { field: 'salary', input: '$$ROOT' } } } }],
  merged: [{ project: { id: '$name', x: { $mergeObjects: ['$$ROOT', { b: 1 }] } } }],
  kinds: [{ project: { id: '$name', x: { $type: '$salary' }, y: { $type: '$boss' } } }],
  dotted: [{ project: { id: '$name', x: '$pay.amount', y: '$pay.parts.n', z: '$boss.id' } }],
  grouped: [{ group: { id: '$salary', n: { $sum: 1 } } }, { project: { id: { $toString: '$n' } } }],
  summed: [{ group: { id: null, all: { $push: '$$ROOT' }, sum: { $sum: '$salary' } } }],
  filtered: [{ filter: { salary: { $gt: 0 } } }, { project: { id: '$name' } }],
  searched: [{ filter: { $text: { $search: 'secretive' } } }, { project: { id: '$name' } }],
  late: [{ skip: 0 }, { filter: { 'pay.amount': 7 } }, { project: { id: '$name' } }],
  sorted: [{ sort: '-salary,name' }, { project: { id: '$name' } }],
  unwound: [{ unwind: '$grades' }, { project: { id: { $toString: '$grades' } } }],
  linked: [
    { project: { id: '$name', boss: '$boss' } },
    { output: { attributes: [], relationships: ['boss'] } },
  ],
  known: [
    {
      project: {
        id: '$name',
        x: { $getField: { field: { $literal: '$updated' }, input: '$$ROOT' } },
        y: { $ifNull: ['$$updated', 'none'] },
      },
    },
  ],
};

beforeAll(async () => {
  trusted = await Client.create();
  [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
  sides = [await makeSide(trusted, 0), await makeSide(trusted, 1)];
  for (const side of sides) {
    const { body } = await trusted.get(`/resources/${side.type}?filter[status]=open`);
    ids.set(
      side,
      body.data.map(({ id }) => id),
    );
    for (const [name, pipeline] of Object.entries(PIPELINES)) {
      const attributes = { 'input-type': side.type, 'output-type': `agt.${side.type}.${name}`, pipeline };
      const made = await trusted.post('/aggregates/core.aggregate', {
        data: { type: 'core.aggregate', attributes },
      });
      expect([name, made.status, made.text]).toEqual([name, 201, expect.any(String)]);
    }
  }
  reader = await trusted.withPermissions([
    { path: '/(resources|aggregates)/.*', methods: ['get'], where: WHERE, fields: { read: SEEN } },
  ]);
  writer = await trusted.withPermissions([
    { path: '/resources/.*', methods: EVERY_METHOD, where: WHERE, fields: { read: SEEN } },
    { path: '/operations', methods: ['post'] },
  ]);
});

const filter = (condition: unknown) => `filter[*]=${encodeURIComponent(JSON.stringify(condition))}`;
const square = (a: number, b: number) => ({
  $geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [a, a],
        [b, a],
        [b, b],
        [a, b],
        [a, a],
      ],
    ],
  },
});
const point = { $geometry: { type: 'Point', coordinates: [0, 0] } };

/** Queries of the list. */
const QUERIES: readonly (readonly [title: string, query: (side: Side) => string])[] = [
  ['equality', () => filter({ salary: 5 })],
  ['a range', () => filter({ salary: { $gt: 6 } })],
  ['a denial', () => filter({ salary: { $ne: 5 } })],
  ['a dotted path', () => filter({ 'pay.amount': 7 })],
  ['a path through an array', () => filter({ 'pay.parts.n': 1 })],
  ['a path with a position', () => filter({ 'pay.parts.0.n': 1 })],
  ['$elemMatch', () => filter({ 'pay.parts': { $elemMatch: { n: 1 } } })],
  ['$elemMatch of values', () => filter({ grades: { $elemMatch: { $gt: 2 } } })],
  ['$or', () => filter({ $or: [{ name: 'tom' }, { salary: 5 }] })],
  ['$nor', () => filter({ $nor: [{ salary: 5 }] })],
  ['$not', () => filter({ salary: { $not: { $gt: 6 } } })],
  [
    'nests',
    () => filter({ $and: [{ $or: [{ $nor: [{ $and: [{ notes: /./.source }, { salary: 5 }] }] }] }] }),
  ],
  ['$in', () => filter({ salary: { $in: [5, 6] } })],
  ['$nin', () => filter({ salary: { $nin: [5, 6] } })],
  ['$all', () => filter({ grades: { $all: [1, 2] } })],
  ['$size', () => filter({ grades: { $size: 2 } })],
  ['$type', () => filter({ salary: { $type: 'int' } })],
  ['$mod', () => filter({ salary: { $mod: [10, 5] } })],
  ['$exists', () => filter({ 'pay.parts.1': { $exists: true } })],
  ['$regex', () => filter({ notes: { $regex: '^sec' } })],
  ['$regex within $in', () => filter({ notes: { $in: [{ $regex: '^sec' }] } })],
  ['$geoWithin', () => filter({ home: { $geoWithin: square(-1, 1) } })],
  ['$geoIntersects', () => filter({ home: { $geoIntersects: square(-1, 1) } })],
  ['$near', () => filter({ home: { $near: { ...point, $maxDistance: 10_000 } } })],
  ['$text', () => filter({ $text: { $search: 'secretive' } })],
  ['a phrase', () => filter({ $text: { $search: '"secretive words"' } })],
  ['an excluded word', () => filter({ $text: { $search: 'eva boss lowly -secretive' } })],
  ['a link', (side) => filter({ 'boss.id': { $oid: side.boss.id } })],
  ['the type of a link', () => filter({ 'boss.type': { $exists: true } })],
  ['a date', () => filter({ hired: { $lt: { $date: '2005-01-01' } } })],
  ['a decimal', () => filter({ big: { $numberDecimal: '99' } })],
  ['the creator', () => filter({ '$creator.id': { $exists: true } })],
  ['the time of the change', () => filter({ $updated: { $gt: { $date: '2001-01-01' } } })],
  ['the id of a hidden document', (side) => filter({ id: { $oid: side.draft.id } })],
  ['what links to a hidden one', (side) => filter({ 'friend.id': { $oid: side.draft.id } })],
  ['a hidden document', () => filter({ name: { $in: ['plan', 'sketch'] } })],
  ['a filter of one field', () => 'filter[salary]=5'],
  ['an encoded name', () => 'filter%5Bs%61lary%5D=5'],
  ['a name encoded twice', () => 'filter%255Bsalary%255D=5'],
  ['a name with a blank', () => 'filter[salary%20]=5'],
  ['an order', () => 'sort=salary'],
  ['an order downwards', () => 'sort=-salary'],
  ['an order by a dotted path', () => 'sort=-pay.amount,name'],
  ['an order by a link', () => 'sort=-boss.id'],
  ['an order by a date', () => 'sort=hired'],
  ['an order by distance', () => `${filter({ home: { $near: point } })}&sort=-salary`],
  ['pages in an order', () => 'sort=-salary&page[after]=&page[size]=1'],
  ['fields by name', (side) => `fields[${side.type}]=salary,boss,name,$creator,$updated`],
  ['hidden fields alone', (side) => `fields[${side.type}]=salary,pay`],
  ['a hidden include', () => 'include=boss'],
  ['an include through a hidden one', () => 'include=boss.friend,boss.boss'],
  ['an include through a seen one', () => 'include=friend.boss'],
  ['the last page', () => 'page[number]=4&page[size]=1'],
  ['far beyond', () => 'page[offset]=1000'],
  ['an empty list', () => filter({ $nor: [{}] })],
];

/** Requests about one document, seen or not. */
const ADDRESSES: readonly (readonly [
  title: string,
  path: (base: string, id: string, side: Side) => string,
])[] = [
  ['it', (base, id) => `${base}/${id}`],
  ['its hidden fields', (base, id, { type }) => `${base}/${id}?fields[${type}]=salary,$updated`],
  ['an include', (base, id) => `${base}/${id}?include=boss,friend`],
  ['a hidden relationship', (base, id) => `${base}/${id}/relationships/boss`],
  ['what it leads to', (base, id) => `${base}/${id}/boss`],
  ['a hidden attribute as one', (base, id) => `${base}/${id}/relationships/salary`],
  ['what an attribute leads to', (base, id) => `${base}/${id}/salary`],
  ['a name that nothing has', (base, id) => `${base}/${id}/relationships/nothing`],
  ['an encoded relationship', (base, id) => `${base}/${id}/relationships/%62oss`],
  ['an encoded id', (base, id) => `${base}/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`],
  ['an id in capitals', (base, id) => `${base}/${id.toUpperCase()}`],
  ['an empty segment', (base, id) => `${base}//${id}`],
  ['a dot segment', (base, id) => `${base}/./${id}`],
];

describe.each([['GET'], ['HEAD']])('%s tells the same, whatever is hidden', (method) => {
  test.each(QUERIES)('a list by %s', async (_, query) => {
    const [one, other] = await bothSides((side) =>
      reader.send(method, `/resources/${side.type}?${query(side)}`),
    );
    expect(one).toEqual(other);
    // The links of pages repeat what was asked for.
    expect(one.text.replaceAll(/"(first|last|prev|next)":"[^"]*"/g, '')).not.toMatch(/secretive|plan|sketch/);
  });

  test.each(ADDRESSES)('at an address: %s', async (_, path) => {
    for (const which of ['eva', 'draft'] as const) {
      const [one, other] = await bothSides((side) =>
        reader.send(method, path(`/resources/${side.type}`, side[which].id, side)),
      );
      expect(one).toEqual(other);
    }
    // A hidden document is as none.
    const [hidden, none] = await Promise.all(
      [sides[0].draft.id, NO_ID].map(async (id) => {
        const reply = await reader.send(method, path(`/resources/${sides[0].type}`, id, sides[0]));
        return [reply.status, reply.text.replaceAll(id, 'ID')];
      }),
    );
    expect(hidden).toEqual(none);
  });

  test.each(Object.keys(PIPELINES))('a pipeline: %s', async (name) => {
    const [one, other] = await bothSides((side) =>
      reader.send(method, `/aggregates/agt.${side.type}.${name}?include=boss,x&sort=id`),
    );
    expect(one).toEqual(other);
    expect(one.status).toBe(200);
    expect(JSON.stringify(one)).not.toMatch(/secretive|plan|sketch|salary/);
  });
});

/** What is told of both sides. */
async function bothSides(ask: (side: Side) => Promise<Reply>) {
  const [one, other] = await Promise.all(
    sides.map(async (side) => told(await ask(side), side, ids.get(side) ?? [])),
  );
  if (one === undefined || other === undefined) throw new Error('There are two sides.');
  return [one, other] as const;
}

describe('a write tells nothing of what is hidden', () => {
  const body = (side: Side, id: string, more: object) => ({
    body: { data: { type: side.type, id, ...more } },
  });
  const WRITES: readonly (readonly [
    title: string,
    method: string,
    path: string,
    options: (side: Side, id: string) => Options,
  ])[] = [
    ['a change', 'PATCH', '', (side, id) => body(side, id, { attributes: { nick: 'f' } })],
    [
      'a hidden number that is there already, as it would be shown',
      'PATCH',
      '',
      (side, id) => ({
        body: `{"data":{"type":"${side.type}","id":"${id}","attributes":{"big":123456789012345678901234567890}}}`,
      }),
    ],
    [
      'a hidden value moved to where it is seen',
      'PATCH',
      '',
      (side, id) => body(side, id, { meta: { update: { $rename: { salary: 'nick' } } } }),
    ],
    [
      'a part of it moved',
      'PATCH',
      '',
      (side, id) => body(side, id, { meta: { update: { $rename: { 'pay.amount': 'status' } } } }),
    ],
    ['a hidden relationship emptied', 'DELETE', '/relationships/boss', () => ({ body: { data: [] } })],
    ['one that there is not', 'DELETE', '/relationships/other', () => ({ body: { data: [] } })],
    [
      'one that cannot be, with a link to nothing',
      'POST',
      '/relationships/boss',
      () => ({ body: { data: [{ type: 'x', id: NO_ID }] } }),
    ],
    [
      'a tag of another',
      'PATCH',
      '',
      (side, id) => ({ ...body(side, id, { attributes: { nick: 'g' } }), headers: { 'if-match': '"AA"' } }),
    ],
  ];

  test.each(WRITES)('%s', async (_, method, path, options) => {
    const [one, other] = await Promise.all(
      sides.map(async (side) => {
        const { attributes, relationships } = (await trusted.get(`/resources/${side.type}/${side.eva.id}`))
          .body.data;
        const big = { $numberDecimal: side === sides[0] ? '123456789012345678901234567890' : '99' };
        const { id } = await trusted.make(
          side.type,
          { ...attributes, big },
          Object.fromEntries(Object.entries(relationships ?? {}).map(([name, { data }]) => [name, { data }])),
        );
        const reply = await writer.send(method, `/resources/${side.type}/${id}${path}`, options(side, id));
        const after = await writer.get(`/resources/${side.type}/${id}`);
        await trusted.delete(`/resources/${side.type}/${id}`);
        const named = [...(ids.get(side) ?? []), id];
        return [told(reply, side, named), told(after, side, named)];
      }),
    );
    expect(one).toEqual(other);
  });

  test('a relationship where a hidden attribute is, in a list of operations that is faulty', async () => {
    const ask = async (relationship: string) => {
      const [{ type, eva }] = sides;
      const reply = await operate(writer, [
        { op: 'update', ref: { ...eva, relationship }, data: { type, id: 'none' } },
      ]);
      return [reply.status, reply.text];
    };
    expect(await ask('salary')).toEqual(await ask('nothing'));
  });

  test('a schema that a hidden field does not meet', async () => {
    const made = await trusted.make('held', { name: 'a', n: 5 });
    const content = {
      properties: { attributes: { properties: { n: { maximum: 1 }, name: { maxLength: 3 } } } },
    };
    await trusted.post('/schemas/core.schema', {
      data: { type: 'core.schema', attributes: { target: 'held', content } },
    });
    const limited = await trusted.withPermissions([
      { path: '/resources/held.*', methods: EVERY_METHOD, fields: { read: ['name'] } },
    ]);
    const change = (attributes: object, more: object = {}) =>
      limited.patch(`/resources/held/${made.id}`, {
        data: { type: 'held', id: made.id, attributes, ...more },
      });
    expect(faultsOf(await change({ name: 'b' }))).toEqual(['409 change-refused']);
    const fine = await trusted.make('held', { name: 'a', n: 1 });
    const seen = await limited.patch(`/resources/held/${fine.id}`, {
      data: { type: 'held', id: fine.id, meta: { update: { $inc: { name: 1 } } } },
    });
    // What is seen is told of.
    expect(faultsOf(seen)).toEqual([expect.stringContaining('/data/meta/update/$inc/name')]);
    const linked = await limited.post(`/resources/held/${fine.id}/relationships/name`, { data: [] });
    expect(faultsOf(linked)).toEqual([expect.stringContaining('field-conflict')]);
  });
});

test('what is wrong with the hidden part of a definition is not told', async () => {
  const limited = await trusted.withPermissions([
    { path: '/aggregates/core\\.aggregate.*', methods: EVERY_METHOD, fields: { read: ['output-type'] } },
  ]);
  const change = async (parameters: object) => {
    const attributes = {
      'input-type': 'staff0',
      'output-type': `agt.wrong-${Object.keys(parameters).join('')}`,
      pipeline: [{ filter: { n: { $gt: '$$parameters.least' } } }, { project: { id: '$name' } }],
      parameters: { least: 1 },
    };
    const { body } = await trusted.post('/aggregates/core.aggregate', {
      data: { type: 'core.aggregate', attributes },
    });
    const { type, id } = body.data;
    return limited.patch(`/aggregates/core.aggregate/${id}`, {
      data: { type, id, attributes: { parameters } },
    });
  };
  expect(faultsOf(await change({ most: 1 }))).toEqual(['409 change-refused']);
  expect((await change({ least: 2 })).body.data.attributes).toEqual({ 'output-type': 'agt.wrong-least' });
});

describe('what the service makes is a field, too', () => {
  test('the secure-id of a key is not shown by a rule that does not name it', async () => {
    const limited = await trusted.withPermissions([
      { path: '/api-keys/core\\.api-key.*', methods: EVERY_METHOD, fields: { read: ['name'] } },
    ]);
    const listed = await limited.get('/api-keys/core.api-key');
    expect(listed.body.meta.count).toBeGreaterThan(2);
    for (const { attributes } of listed.body.data) expect(Object.keys(attributes ?? {})).toEqual(['name']);
    const made = await limited.post('/api-keys/core.api-key', {
      data: { type: 'core.api-key', attributes: { name: 'k', permissions: [] } },
    });
    expect(Object.keys(made.body.data.attributes ?? {})).toEqual(['name']);
  });

  test('nor is the token of an external user, and it is shown by one that does', async () => {
    await makeExternalUser(trusted);
    const shown = async (read: readonly string[]) => {
      const limited = await trusted.withPermissions([
        { path: '/users/core\\.external-user\\.token.*', methods: ['get'], fields: { read } },
      ]);
      const listed = await limited.get('/users/core.external-user.token');
      return listed.body.data.map(({ attributes, relationships }) =>
        [...Object.keys(attributes ?? {}), ...Object.keys(relationships ?? {})].sort(),
      );
    };
    expect(await shown(['created', 'user', 'holder-version'])).toEqual([['created', 'user']]);
    expect(await shown(['token'])).toEqual([['token']]);
  });

  test('what the service knows of a document is not told of what is added in a list', async () => {
    const limited = await trusted.withPermissions([
      { path: '/resources/.*', methods: EVERY_METHOD, where: { a: 1 }, fields: { read: ['a'] } },
      { path: '/operations', methods: ['post'] },
    ]);
    for (const a of [1, 2]) {
      const added = await operate(
        limited,
        [{ op: 'add', data: { type: 'added', attributes: { a, b: 1 } } }],
        {},
        '?fields[added]=a,b,$created,$creator',
      );
      const { type, attributes, ...rest } = added.results[0]?.data ?? expect.fail();
      expect({ type, attributes }).toEqual({ type: 'added', attributes: a === 1 ? { a } : undefined });
      expect(Object.keys(rest).sort()).toEqual(['id', 'links']);
    }
  });
});

describe('answers of others', () => {
  test('a repeat is told to the same user alone, where the rule asks who it is', async () => {
    const web = await trusted.withPermissions([
      { path: '/resources/letters.*', methods: EVERY_METHOD, check: { 'from.id': '$$viewer.id' } },
      { path: '/operations', methods: ['post'] },
    ]);
    const header = { 'idempotency-key': 'the-same' };
    const data = { type: 'letters', relationships: { from: { data: ada.link } } };
    const first = await web.post('/resources/letters', { data }, { ...ada.headers, ...header });
    expect(first.status).toBe(201);
    for (const headers of [bob.headers, {}]) {
      const forged = await web.post('/resources/letters', { data }, { ...headers, ...header });
      expect(faultsOf(forged)).toEqual(['403 rule-violated']);
      const listed = await web.post(
        '/operations',
        { 'atomic:operations': [{ op: 'add', data }] },
        { ...headers, ...header, 'content-type': ATOMIC_MEDIA_TYPE },
      );
      expect(faultsOf(listed)).toEqual(['403 rule-violated /atomic:operations/0']);
    }
    const again = await web.post('/resources/letters', { data }, { ...ada.headers, ...header });
    expect(again.text).toBe(first.text);
  });

  test('a repeat shows what the rule shows now', async () => {
    const made = await trusted.post('/api-keys/core.api-key', {
      data: {
        type: 'core.api-key',
        attributes: { name: 'k', permissions: [{ path: '/resources/repeated.*', methods: EVERY_METHOD }] },
      },
    });
    const { id } = made.body.data;
    const web = new Client(
      trusted.url,
      trusted.application,
      String(made.body.data.attributes?.['secure-id']),
    );
    const send = () =>
      web.post(
        '/resources/repeated',
        { data: { type: 'repeated', attributes: { a: 1, b: 2 } } },
        { 'idempotency-key': 'again' },
      );
    expect((await send()).body.data.attributes).toEqual({ a: 1, b: 2 });
    const change = (rule: object) =>
      trusted.patch(`/api-keys/core.api-key/${id}`, {
        data: {
          type: 'core.api-key',
          id,
          attributes: { permissions: [{ path: '/resources/repeated.*', methods: EVERY_METHOD, ...rule }] },
        },
      });
    await change({ fields: { read: ['a'] } });
    expect((await send()).body.data.attributes).toEqual({ a: 1 });
    await change({ where: { a: 2 } });
    const hidden = await send();
    expect([hidden.status, Object.keys(hidden.body.data).sort()]).toEqual([201, ['id', 'links', 'type']]);
  });

  test('changed rules hold at once', async () => {
    const made = await trusted.post('/api-keys/core.api-key', {
      data: {
        type: 'core.api-key',
        attributes: { name: 'k', permissions: [{ path: '/resources/staff.*', methods: ['get'] }] },
      },
    });
    const { id } = made.body.data;
    const web = new Client(
      trusted.url,
      trusted.application,
      String(made.body.data.attributes?.['secure-id']),
    );
    const path = `/resources/${sides[0].type}`;
    const before = await web.get(path);
    const one = await web.get(`${path}/${sides[0].eva.id}`);
    expect(before.text).toContain('salary');
    const permissions = [
      { path: '/resources/staff.*', methods: ['get'], where: WHERE, fields: { read: SEEN } },
    ];
    await trusted.patch(`/api-keys/core.api-key/${id}`, {
      data: { type: 'core.api-key', id, attributes: { permissions } },
    });
    const after = await web.get(path, { 'if-none-match': before.etag });
    expect([after.status, after.body.meta.count]).toEqual([200, 3]);
    expect(after.text).not.toContain('salary');
    expect((await web.get(`${path}/${sides[0].eva.id}`, { 'if-none-match': one.etag })).status).toBe(200);
    expect((await web.get(`${path}/${sides[0].draft.id}`, { 'if-none-match': one.etag })).status).toBe(403);
  });

  test('a tag of another key, or another user, is none', async () => {
    const web = await trusted.withPermissions([
      { path: '/resources/.*', methods: ['get'], where: { $or: [{ name: 'eva' }, { by: '$$viewer.id' }] } },
    ]);
    const path = `/resources/${sides[0].type}/${sides[0].eva.id}?include=friend`;
    for (const [client, headers] of [
      [trusted, {}],
      [reader, {}],
      [web, bob.headers],
      [web, {}],
    ] as const) {
      const { etag } = await client.get(path, headers);
      expect((await web.get(path, { ...ada.headers, 'if-none-match': etag })).status).toBe(200);
    }
    const { etag } = await web.get(path, ada.headers);
    expect((await web.get(path, { ...ada.headers, 'if-none-match': etag })).status).toBe(304);
  });

  test('a cursor of another key, or another user under a rule, is none', async () => {
    const rule = { where: { name: { $ne: '$$viewer.id' } } };
    const make = () => trusted.withPermissions([{ path: '/resources/.*', methods: ['get'], ...rule }]);
    const [web, other] = [await make(), await make()];
    const path = `/resources/${sides[0].type}?sort=-salary&page[size]=1&page[after]=`;
    const next = async (client: Client, headers: Person['headers']) =>
      (await client.get(path, headers)).body.links.next ?? '';
    for (const [client, headers] of [
      [trusted, {}],
      [other, ada.headers],
      [web, bob.headers],
    ] as const) {
      const reply = await web.get(await next(client, headers), ada.headers);
      expect(faultsOf(reply)).toEqual(['400 invalid-parameter ?page[after]']);
    }
    expect((await web.get(await next(web, ada.headers), ada.headers)).status).toBe(200);
    expect((await trusted.get(await next(web, ada.headers))).status).toBe(400);
  });
});

describe('what changes without a write, or out of sight', () => {
  test('a tag does not tell that a hidden document was changed', async () => {
    const [{ type, draft }] = sides;
    const { id } = await trusted.make('pins', {}, { to: { data: draft } });
    const path = `/resources/pins/${id}?include=to`;
    const web = await trusted.withPermissions([
      { path: '/resources/.*', methods: ['get'], where: { status: { $ne: 'draft' } } },
    ]);
    const { etag, body } = await web.get(path);
    expect(body.included).toEqual([]);
    const change = (status: string) =>
      trusted.patch(`/resources/${type}/${draft.id}`, { data: { ...draft, attributes: { status } } });
    await change('draft');
    expect((await web.get(path, { 'if-none-match': etag })).status).toBe(304);
    await change('open');
    expect((await web.get(path, { 'if-none-match': etag })).body.included).toHaveLength(1);
    // What it shows again is what the tag was given for.
    await change('draft');
    expect((await web.get(path, { 'if-none-match': etag })).status).toBe(304);
  });

  test('an aggregate shows included documents as time goes by', async () => {
    const soon = Date.now() + 1500;
    const until = await trusted.make('offers', { until: { $date: soon } });
    await trusted.make('shelves', { name: 'a' }, { offer: { data: { type: 'offers', id: until.id } } });
    const made = await trusted.post('/aggregates/core.aggregate', {
      data: {
        type: 'core.aggregate',
        attributes: {
          'input-type': 'shelves',
          'output-type': 'agt.shelves',
          pipeline: [
            { project: { id: '$name', offer: '$offer' } },
            { output: { attributes: [], relationships: ['offer'] } },
          ],
        },
      },
    });
    expect(made.status).toBe(201);
    const web = await trusted.withPermissions([
      { path: '/aggregates/.*', methods: ['get'] },
      { path: '/resources/offers.*', methods: ['get'], where: { until: { $gt: '$$now' } } },
    ]);
    const paths = [
      '/aggregates/agt.shelves?include=offer',
      '/aggregates/agt.shelves/a?include=offer',
      '/aggregates/agt.shelves/a/offer',
    ];
    const before = await Promise.all(paths.map((path) => web.get(path)));
    for (const { text } of before) expect(text).toContain(until.id);
    await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(soon);
    for (const [at, path] of paths.entries()) {
      const after = await web.get(path, { 'if-none-match': before[at]?.etag ?? '' });
      expect([after.status, path]).toEqual([200, path]);
      expect(after.text).not.toContain('until');
    }
  });

  test('an ended token names nobody', async () => {
    const eve = await makeUser(trusted, 'eve');
    const out = await makeExternalUser(trusted);
    const web = await trusted.withPermissions([
      {
        path: '/resources/own.*',
        methods: EVERY_METHOD,
        where: { 'by.type': '$$viewer.type', 'by.id': '$$viewer.id' },
      },
      { path: '/users/core\\.user\\.token/.*', methods: ['delete'] },
    ]);
    for (const person of [eve, out]) {
      const { id } = await trusted.make('own', {}, { by: { data: person.link } });
      expect((await web.get('/resources/own', person.headers)).body.data.map((each) => each.id)).toEqual([
        id,
      ]);
    }
    expect((await web.delete('/users/core.user.token/me', undefined, eve.headers)).status).toBe(204);
    expect((await web.get('/resources/own', eve.headers)).body.meta.count).toBe(0);
    expect((await web.get('/resources/own')).body.meta.count).toBe(0);
  });
});
