/** Conditions for which nobody follows links: refused when written where they had to, hiding where they stand. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../support/aggregates.ts';
import { app } from '../../support/app.ts';
import { Client, link, type Resource } from '../../support/client.ts';
import { makeSchema, settle } from '../../support/type-settings.ts';
import { names, under } from '../../support/rules.ts';

const key = (client: Client, permissions: readonly object[]) =>
  client.create('/api-keys/core.api-key', { attributes: { name: 'k', permissions } });

const faultsOf = ({ status, body }: Awaited<ReturnType<typeof key>>) => [
  status,
  ...body.errors.map(({ code, source }) => `${code} ${source?.pointer}`),
];

/** A room that is secret, with a note in it that links to it, or to a list with it; and others. */
async function fill(client: Client): Promise<Readonly<Record<string, Resource>>> {
  const secret = await client.make('rooms', { secret: true });
  const open = await client.make('rooms', { secret: false });
  const note = (name: string, attributes: object, relationships = {}) =>
    client.make('notes', { name, ...attributes }, relationships);
  return {
    secret,
    inSecret: await note('in secret', {}, { room: { data: link(secret) } }),
    inBoth: await note('in both', {}, { room: { data: [link(open), link(secret)] } }),
    nowhere: await note('nowhere', { address: { city: 'Rome' } }),
    attribute: await note('attribute', { room: { secret: false }, address: { city: 'Oslo' } }),
  };
}

const NEGATIONS: readonly [filter: object, place: string][] = [
  [{ 'room.secret': { $ne: true } }, '/room.secret'],
  [{ 'room.secret': { $nin: [true] } }, '/room.secret'],
  [{ $nor: [{ 'room.secret': true }] }, '/$nor/0/room.secret'],
  [{ 'room.secret': { $not: { $eq: true } } }, '/room.secret'],
  [{ 'room.secret': { $exists: false } }, '/room.secret'],
  [{ 'room.secret': null }, '/room.secret'],
  [{ $and: [{ $or: [{ 'room.secret': { $in: [false, null] } }] }] }, '/$and/0/$or/0/room.secret'],
  [{ 'room.0.secret': { $ne: true } }, '/room.0.secret'],
  [{ room: { $elemMatch: { secret: { $ne: true } } } }, '/room'],
  [{ $nor: [{ room: { $elemMatch: { secret: true } } }] }, '/$nor/0/room'],
];

/** What no rule looks at: a position in a list of links, and the inside of a link. */
const isInside = (filter: object) => /room\.0|"room":/.test(JSON.stringify(filter));

describe('what asks linked documents is refused when written', () => {
  let client: Client;

  beforeAll(async () => {
    client = await Client.create();
    await fill(client);
  });

  test.each(NEGATIONS)('%j', async (filter, place) => {
    for (const member of isInside(filter) ? ['where', 'check'] : []) {
      const permission = under('/resources/notes(/[0-9a-f]{24})?', { [member]: filter });
      expect(faultsOf(await key(client, [under('/users/.*', {}), permission]))).toEqual([
        422,
        `invalid-attribute /data/attributes/permissions/1/${member}${place}`,
      ]);
    }
    const attributes = { target: 'notes', url: 'https://example.com/hook', filter };
    const made = await client.create('/webhooks/core.webhook', { attributes });
    expect(faultsOf(made)).toEqual([422, `invalid-attribute /data/attributes/filter${place}`]);
  });

  test('a positive condition too, for every path that leads to the type', async () => {
    for (const path of ['.*', '/resources/.*', '/resources/notes', '/resources/notes/[0-9a-f]{24}']) {
      expect(faultsOf(await key(client, [under(path, { check: { 'room.0.secret': false } })]))[0]).toBe(422);
    }
  });

  test('where a schema, an inverse or an aggregate says so', async () => {
    await makeSchema(client, 'planned', { relationships: { properties: { owner: {} } } });
    const inverses = { notes: { type: 'notes', through: 'room' } };
    await settle(client, { name: 'rooms', inverses });
    await defined(client, 'notes', 'notes', [{ limit: 1 }]);
    for (const [path, rule] of [
      ['/resources/planned', { check: { 'owner.0.age': 3 } }],
      ['/resources/rooms', { where: { 'notes.name': { $ne: 'x' } } }],
      ['/aggregates/agt\\.notes', { where: { 'room.0.secret': { $ne: true } } }],
      ['/resources/rooms', { where: { '$creator.name': { $ne: 'x' } } }],
    ] as const) {
      expect([path, (await key(client, [under(path, rule)])).status]).toEqual([path, 422]);
    }
  });

  test.each<[filter: object, found: readonly string[]]>([
    [{ 'address.city': 'Rome' }, ['nowhere']],
    [{ 'address.city': { $ne: 'Rome' } }, ['in secret', 'in both', 'attribute']],
    [{ 'room.type': 'rooms' }, ['in secret', 'in both']],
    [{ 'room.type': { $ne: 'rooms' } }, ['nowhere', 'attribute']],
    [{ 'room.id': { $exists: false } }, ['nowhere', 'attribute']],
    [{ room: { $elemMatch: { type: 'rooms' } } }, ['in both']],
    [{ '$creator.id': null }, ['in secret', 'in both', 'nowhere', 'attribute']],
  ])('%j stays what the same filter is', async (where, found) => {
    const web = await client.withPermissions([under('/resources/notes.*', { where })]);
    expect(names(await web.get('/resources/notes'))).toEqual(found);
    const filter = encodeURIComponent(JSON.stringify(where));
    expect(names(await client.get(`/resources/notes?filter[*]=${filter}`))).toEqual(found);
  });

  test('another type may have an attribute of the same name', async () => {
    const { id } = await client.make('plans', { name: 'plan', room: { secret: false } });
    const where = { 'room.secret': { $ne: true } };
    const web = await client.withPermissions([under('/resources/plans.*', { where })]);
    expect((await web.get(`/resources/plans/${id}`)).status).toBe(200);
  });
});

describe('what is stored already hides and refuses', () => {
  test.each(NEGATIONS)('%j', async (filter) => {
    const client = await Client.create();
    // Before there is anything that could say what room is.
    const web = await client.withPermissions([under('/resources/notes.*', { where: filter })]);
    const checked = await client.withPermissions([under('/resources/notes.*', { check: filter })]);
    const { inSecret, inBoth, nowhere } = await fill(client);
    const found = names(await web.get('/resources/notes'));
    // As the filter finds it, where there is no link, or the rule looks at what is linked.
    const same = await client.get(`/resources/notes?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`);
    expect((await web.get('/resources/notes')).body.meta.count).toBe(found.length);
    for (const { id } of [inSecret, inBoth].flatMap((each) => each ?? [])) {
      const data = { type: 'notes', id, attributes: { name: 'changed' } };
      if (isInside(filter)) {
        expect(found.filter((name) => String(name).startsWith('in '))).toEqual([]);
        expect((await web.get(`/resources/notes/${id}`)).status).toBe(403);
        expect((await web.patch(`/resources/notes/${id}`, { data })).status).toBe(403);
        expect((await web.delete(`/resources/notes/${id}`)).status).toBe(403);
      }
      const changed = await checked.patch(`/resources/notes/${id}`, { data });
      const holds = !isInside(filter) && names(same).includes(id === inBoth?.id ? 'in both' : 'in secret');
      expect(changed.status).toBe(holds ? 200 : 403);
      if (!holds) expect(changed.body.errors[0]?.code).toBe('rule-violated');
    }
    expect(found.includes('nowhere')).toBe(names(same).includes('nowhere'));
    if (!isInside(filter)) expect(found).toEqual(names(same));
    expect(nowhere?.id).toBeDefined();
  });
});

test('app doctor names what is stored and would be refused now', async () => {
  const client = await Client.create();
  const rule = { where: { open: true }, check: { $nor: [{ 'room.0.secret': true }] } };
  const made = await key(client, [under('/resources/notes', rule), under('/resources/notes.*', rule)]);
  const attributes = { target: 'notes', url: 'https://example.com/hook', filter: { 'room.secret': null } };
  const hook = await client.create('/webhooks/core.webhook', { attributes });
  expect(await app(['doctor', client.application])).toContain('Nothing is wrong.');
  await fill(client);
  const checks = [{ name: 'priced', filter: { $expr: { $gte: ['price', 0] } } }];
  const settings = await settle(client, { name: 'notes', checks });
  const said = await app(['doctor', client.application]);
  for (const place of [
    `/api-keys/core.api-key/${made.body.data.id}  /data/attributes/permissions/0/check/$nor/0/room.0.secret`,
    `/api-keys/core.api-key/${made.body.data.id}  /data/attributes/permissions/1/check/$nor/0/room.0.secret`,
    `/webhooks/core.webhook/${hook.body.data.id}  /data/attributes/filter/room.secret`,
    `/schemas/core.type/${settings.body.data.id}  /data/attributes/checks/0/filter/$expr`,
  ]) {
    expect(said).toContain(place);
  }
  expect(said).toContain('4 findings');
});

describe('a text that looks like an expression', () => {
  test.each(['$price', '$$price', '$owner.id'])('%s is refused with a hint', async (text) => {
    const client = await Client.create();
    for (const [member, filter] of [
      ['where', { cost: { $ne: text } }],
      ['check', { $or: [{ cost: { $in: [1, text] } }] }],
    ] as const) {
      const reply = await key(client, [under('/resources/x', { [member]: filter })]);
      expect([reply.status, reply.text.includes('$$viewer.id')]).toEqual([422, true]);
    }
  });

  test('$5 is a text like others', async () => {
    const client = await Client.create();
    const made = await key(client, [under('/resources/x', { where: { cost: { $ne: '$5' } } })]);
    expect(made.status).toBe(201);
  });
});

interface Warning {
  readonly code: string;
  readonly detail: string;
  readonly source: object;
}

describe('a name that no schema lists', () => {
  test('is told in a warning, with the one that is meant', async () => {
    const client = await Client.create();
    await makeSchema(client, 'posts', {
      attributes: { properties: { title: {}, address: { type: 'object' } }, additionalProperties: false },
    });
    const told = async (where: object, path = '/resources/posts') => {
      const { status, text } = await key(client, [under(path, { where })]);
      expect(status).toBe(201);
      const { meta } = JSON.parse(text) as { meta?: { warnings?: Warning[] } };
      return meta?.warnings?.map(({ code, detail, source }) => [code, detail, source]) ?? [];
    };
    expect(await told({ $nor: [{ titel: 'x' }] })).toEqual([
      [
        'no-such-field',
        'The schema of the type lists no field titel. Did you mean title?',
        { pointer: '/data/attributes/permissions/0/where/$nor/0/titel' },
      ],
    ]);
    expect((await told({ nothing: 'x' })).length).toBe(1);
    for (const where of [
      { title: 'x' },
      { 'address.city': 'x' },
      { id: null },
      { 'owner.id': '$$viewer.id' },
    ]) {
      expect([where, await told(where)]).toEqual([where, []]);
    }
    const { type, id } = await client.make('posts', { title: 'x' });
    await client.make('notes', {}, { post: { data: { type, id } } });
    expect(await told({ 'post.title': 'x' }, '/resources/notes')).toEqual([]);
    expect(await told({ 'post.titel': 'x' }, '/resources/notes')).toEqual([
      [
        'no-such-field',
        'The schema of the type lists no field titel. Did you mean title?',
        { pointer: '/data/attributes/permissions/0/where/post.titel' },
      ],
    ]);
    await client.make('others', {});
    expect(await told({ titel: 'x' }, '/resources/.*')).toEqual([]);
  });
});

describe('a rule that says the same of every document', () => {
  test.each<[filter: object, told: string | null]>([
    [{ n: { $in: [] } }, 'No document meets this.'],
    [{ $and: [{ n: 1 }, { $or: [{ n: { $in: [] } }] }] }, 'No document meets this.'],
    [{ $nor: [{ n: { $in: [] } }, {}] }, 'No document meets this.'],
    [{ n: { $nin: [] } }, 'Every document meets this.'],
    [{ $or: [{ n: 1 }, {}] }, 'Every document meets this.'],
    [{ n: { $gt: 1, $not: { $gt: 1 } } }, 'No document meets this.'],
    [{ $and: [{ n: 1 }, { m: 2, n: { $ne: 1 } }] }, 'No document meets this.'],
    [{ $or: [{ n: { $ne: 1 } }, { n: 1 }] }, 'Every document meets this.'],
    [{ n: { $gt: 1, $lt: 1 } }, null],
    [{ n: { $ne: 1 }, m: 1 }, null],
    [{}, null],
    [{ n: { $in: [1] } }, null],
    [{ 'team.id': { $in: '$$viewer.groups' } }, null],
  ])('%j: %s', async (filter, told) => {
    const client = await Client.create();
    for (const member of ['where', 'check']) {
      const { status, text } = await key(client, [under('/resources/x', { [member]: filter })]);
      const { meta } = JSON.parse(text) as { meta?: { warnings?: Warning[] } };
      expect([status, meta?.warnings?.map(({ code, detail, source }) => [code, detail, source])]).toEqual([
        201,
        told === null
          ? undefined
          : [['decides-nothing', told, { pointer: `/data/attributes/permissions/0/${member}` }]],
      ]);
    }
  });
});
