/** Links of stored documents to documents of aggregates, where the settings of their type name the relationship. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined, includedOf, idsOf, letRead, outputsPath } from '../support/aggregates.ts';
import { Client, counts, type Link, type Reply } from '../support/client.ts';
import { operateWith } from '../support/operations.ts';
import { ACL, EVERY_METHOD, makeUser, may, type Person } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';
import { counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

const numbersOf = (id: string): Link => ({ type: 'agt.numbers', id });
const to = (data: Link | readonly Link[] | null) => ({ numbers: { data } });
const faultsOf = ({ body }: Reply) =>
  body.errors.map(
    ({ status, code, source }) => `${status} ${code} ${source?.pointer ?? source?.parameter ?? ''}`,
  );

/** Sellers link to their outputs of an aggregate of sales: ada's and bob's. */
async function makeNumbers(by: Client): Promise<void> {
  const settled = await settle(by, { name: 'sellers', 'aggregate-links': ['numbers'] });
  expect(settled.status).toBe(201);
  await defined(by, 'numbers', 'sales', [
    { group: { id: '$seller', total: { $sum: '$price' }, seen: { $push: { type: 'sales', id: '$id' } } } },
    { output: { attributes: ['total'], relationships: ['seen'] } },
  ]);
  await by.make('sales', { seller: 'ada', price: 5 });
  await by.make('sales', { seller: 'bob', price: 7 });
}

const client = await Client.create();
await makeNumbers(client);

const operate = (operations: unknown, meta?: unknown, by = client) =>
  operateWith(by, { 'atomic:operations': operations, ...(meta !== undefined && { meta }) });

describe('every way to write takes a link to an output in a relationship that the settings name', () => {
  const link = numbersOf('ada');
  test('a create, a PATCH, the relationship, operations', async () => {
    const made = await client.make('sellers', { name: 'Ada' }, to(link));
    expect(made.relationships?.['numbers']?.data).toEqual(link);
    const path = `/resources/sellers/${made.id}`;
    const own = `${path}/relationships/numbers`;
    const data = { type: 'sellers', id: made.id };
    const both = [link, numbersOf('bob/?#%é')];
    for (const [send, after] of [
      [() => client.patch(path, { data: { ...data, relationships: to(null) } }), null],
      [() => client.patch(own, { data: link }), link],
      [() => client.post(own, { data: both }), both],
      [() => client.delete(own, { data: [link] }), [both[1]]],
    ] as const) {
      expect((await send()).status).toBe(200);
      expect((await client.get(own)).body.data).toEqual(after);
    }
    const ref = { ...data, relationship: 'numbers' };
    for (const goesOn of [undefined, { atomic: false }]) {
      const done = await operate(
        [
          { op: 'add', data: { type: 'sellers', relationships: to(numbersOf('LID0')) } },
          { op: 'update', ref, data: link },
          { op: 'add', ref, data: [numbersOf('LID1')] },
          { op: 'remove', ref, data: [link] },
        ],
        goesOn,
      );
      expect([done.status, done.text]).toEqual([200, expect.not.stringContaining('errors')]);
      expect((await client.get(own)).body.data).toEqual([numbersOf('LID1')]);
    }
  });

  test('and an id of 24 digits stays a text: filters compare it as one', async () => {
    const id = 'A'.repeat(24);
    const made = await client.make('sellers', { name: 'x' }, to(numbersOf(id)));
    expect(idsOf(await client.get(`/resources/sellers?filter[numbers.id]=${id}`))).toEqual([made.id]);
    expect(
      idsOf(await client.get(`/resources/sellers?filter[numbers.type]=agt.numbers&filter[name]=x`)),
    ).toEqual([made.id]);
  });
});

describe('a link to an output is 422 where the settings do not name the relationship', () => {
  test.each([
    ['another relationship', 'sellers', 'others'],
    ['a type without settings', 'buyers', 'numbers'],
  ])('%s', async (_, type, name) => {
    const owner = await client.make(type, {}, { [name]: { data: null } });
    const path = `/resources/${type}/${owner.id}`;
    const own = `${path}/relationships/${name}`;
    const data = { type, relationships: { [name]: { data: numbersOf('ada') } } };
    const ref = { type, id: owner.id, relationship: name };
    const replies = [
      await client.post(`/resources/${type}`, { data }),
      await client.patch(path, { data: { ...data, id: owner.id } }),
      await client.patch(own, { data: numbersOf('ada') }),
      await client.post(own, { data: [numbersOf('ada')] }),
      await client.delete(own, { data: [numbersOf('ada')] }),
      await operate([{ op: 'add', data }]),
      await operate([{ op: 'add', ref, data: [numbersOf('ada')] }]),
      await operate([{ op: 'remove', ref, data: [numbersOf('ada')] }]),
    ];
    expect(replies.map(faultsOf)).toEqual(
      [
        `/data/relationships/${name}/data`,
        `/data/relationships/${name}/data`,
        '/data',
        '/data/0',
        '/data/0',
        `/atomic:operations/0/data/relationships/${name}/data`,
        '/atomic:operations/0/data/0',
        '/atomic:operations/0/data/0',
      ].map((pointer) => [`422 invalid-relationship ${pointer}`]),
    );
    expect((await client.get(own)).body.data).toBe(null);
  });

  test.each([
    ['no text', ''],
    ['dots', '..'],
    ['too long', 'x'.repeat(1_001)],
    ['half a character', '\ud800'],
  ])('nor is an id that no address has: %s', async (_, id) => {
    const made = await client.create('/resources/sellers', { relationships: to(numbersOf(id)) });
    expect(faultsOf(made)).toEqual(['422 invalid-relationship /data/relationships/numbers/data']);
  });

  test.each([
    ['no array', 'numbers', ''],
    ['a name that no field has', ['numbers', 'a.b'], '/1'],
    ['no name', [1], '/0'],
    ['too many', Array.from({ length: 51 }, (_, at) => `n${at}`), ''],
  ])('the setting itself: %s', async (_, value, place) => {
    const made = await settle(client, { name: 'strange', 'aggregate-links': value });
    expect(faultsOf(made)).toEqual([`422 invalid-attribute /data/attributes/aggregate-links${place}`]);
  });
});

describe('reading', () => {
  let seller: Link;
  beforeAll(async () => {
    const links = [numbersOf('bob'), numbersOf('nobody'), { type: 'agt.nothing', id: 'x' }, numbersOf('ada')];
    seller = await client.make('sellers', { name: 'all' }, to(links));
  });
  const path = () => `/resources/sellers/${seller.id}`;

  test('includes and related reads compute the outputs, and pass over links that lead nowhere', async () => {
    const one = await client.get(`${path()}?include=numbers`);
    expect(includedOf(one).toSorted()).toEqual(['agt.numbers ada', 'agt.numbers bob']);
    const deep = await client.get(`/resources/sellers?filter[name]=all&include=numbers.seen`);
    expect(includedOf(deep).filter((each) => each.startsWith('sales'))).toHaveLength(2);
    const related = await client.get(`${path()}/numbers`);
    expect(related.body.data.map(({ id, attributes }) => [id, attributes?.['total']])).toEqual([
      ['bob', 7],
      ['ada', 5],
    ]);
    const page = await client.get(`${path()}/numbers?page[limit]=1&page[offset]=1`);
    expect([idsOf(page), page.body.meta.count]).toEqual([['ada'], 2]);
    expect((await client.get(`${path()}/relationships/numbers`)).body.data).toHaveLength(4);
  });

  test('a tag ends when the outputs change, and holds until then', async () => {
    for (const address of [`${path()}?include=numbers`, `${path()}/numbers`]) {
      const { etag } = await client.get(address);
      expect((await client.get(address, { 'if-none-match': etag })).status).toBe(304);
      await client.make('sales', { seller: 'ada', price: 1 });
      expect((await client.get(address, { 'if-none-match': etag })).status).toBe(200);
    }
  });

  test('a tag ends when only the time changes the outputs', async () => {
    await defined(client, 'moments', 'sales', [
      { limit: 1 },
      { project: { id: 'now', at: '$$NOW', r: { $rand: {} } } },
    ]);
    await resettle(client, 'sellers', { 'aggregate-links': ['numbers', 'moment'] });
    const made = await client.make('sellers', {}, { moment: { data: { type: 'agt.moments', id: 'now' } } });
    const address = `/resources/sellers/${made.id}?include=moment`;
    const { etag, body } = await client.get(address);
    expect(body.included).toHaveLength(1);
    expect((await client.get(address, { 'if-none-match': etag })).status).toBe(200);
  });

  test('a filter on fields of outputs is 400, with a sentence that says so', async () => {
    const reply = await client.get('/resources/sellers?filter[numbers.total]={"$gt":3}');
    expect(faultsOf(reply)).toEqual(['400 invalid-filter filter']);
    expect(reply.body.errors[0]?.detail).toContain('aggregates');
  });

  test('links stay when the name leaves the setting, and can be replaced', async () => {
    await settle(client, { name: 'leavers', 'aggregate-links': ['numbers'] });
    const made = await client.make('leavers', {}, to(numbersOf('ada')));
    await resettle(client, 'leavers', { 'aggregate-links': null });
    const own = `/resources/leavers/${made.id}`;
    expect(includedOf(await client.get(`${own}?include=numbers`))).toEqual(['agt.numbers ada']);
    expect((await client.patch(`${own}/relationships/numbers`, { data: null })).status).toBe(200);
    expect((await client.patch(`${own}/relationships/numbers`, { data: numbersOf('ada') })).status).toBe(422);
  });
});

describe('an attack: whoever may link reads through a link no more than at the address of the output', () => {
  let eve: Person;
  let links: readonly Link[];
  beforeAll(async () => {
    eve = await makeUser(client, 'eve');
    const sale = await client.make('sales', { seller: 'eve', price: 1 });
    await letRead(client, sale, [eve.link]);
    links = ['ada', 'bob', 'eve'].map(numbersOf);
  });
  const open = may(EVERY_METHOD, '/resources/.*');
  const aggregate = '/aggregates/agt\\.numbers';

  test.each([
    ['without a permission', [], []],
    ['with a permission for the list alone', [may('get', aggregate)], []],
    ['with one for a single output', [may('get', `${aggregate}/bob`)], ['bob 7']],
    [
      'with one under ACL: of the documents that the user may read',
      [may('get', `${aggregate}(/.*)?`, ACL)],
      ['eve 1'],
    ],
    [
      'with a rule: of the documents that it shows',
      [may('get', `${aggregate}(/.*)?`, { where: { price: { $gte: 7 } } })],
      ['bob 7'],
    ],
    [
      'with fields: of those that it shows',
      [may('get', `${aggregate}(/.*)?`, { fields: { read: ['seller'] } })],
      ['ada 0', 'bob 0', 'eve 0'],
    ],
    ['with a permission without GET', [may('post', `${aggregate}(/.*)?`)], []],
  ])('%s', async (_, permissions, shown) => {
    await resettle(client, 'sellers', { 'aggregate-links': ['numbers', 'moment'] });
    const web = await client.withPermissions([open, ...permissions]);
    const made = await web.create('/resources/sellers', { relationships: to(links) }, eve.headers);
    const path = `/resources/sellers/${made.body.data.id}`;
    const told = (documents: Reply['body']['included']) =>
      documents.map(({ id, attributes }) => `${id} ${String(attributes?.['total'])}`).sort();
    const [included, related, paged, own] = await Promise.all([
      web.get(`${path}?include=numbers`, eve.headers),
      web.get(`${path}/numbers`, eve.headers),
      web.get(`${path}/numbers?page[limit]=10`, eve.headers),
      web.get(outputsPath('numbers'), eve.headers),
    ]);
    // The sums of other tests' sales are of no matter here.
    const sums = new Map(
      (await client.get(outputsPath('numbers'))).body.data.map(({ id, attributes }) => [
        id,
        attributes?.['total'],
      ]),
    );
    const expected = shown.map((each) => (each === 'ada 5' ? `ada ${String(sums.get('ada'))}` : each));
    expect(told(included.body.included)).toEqual(expected);
    expect(told(related.body.data)).toEqual(expected);
    expect([told(paged.body.data), paged.body.meta.count]).toEqual([expected, expected.length]);
    if (own.status === 200 && shown.length > 0) expect(told(own.body.data)).toEqual(expected);
  });
});

test('in other relationships a link to an output is refused, whatever its id', async () => {
  for (const id of ['bob', 'LID0', 'LID1']) {
    const relationships = { channel: { data: { type: 'agt.numbers', id } } };
    const made = await client.create('/resources/plain', { relationships });
    expect(made.status).toBe(422);
    expect(made.body.errors[0]?.code).toBe('invalid-relationship');
  }
});

test('an aggregate is asked once for a request, however many documents link to it', async () => {
  // A service of its own: nobody else's calls are counted.
  const service = await newService(counted());
  const { client: own } = service;
  await makeNumbers(own);
  const make = async (name: string) => {
    await own.make('sales', { seller: name, price: 1 });
    await own.make('sellers', {}, to([numbersOf('ada'), numbersOf(name)]));
  };
  const listed = async () => {
    const before = await counts(service.url);
    const { body } = await own.get('/resources/sellers?include=numbers');
    const after = await counts(service.url);
    return {
      documents: body.data.length,
      included: body.included.length,
      calls: after.calls - before.calls,
    };
  };
  await make('bob');
  await listed();
  const { calls } = await listed();
  for (let at = 0; at < 12; at += 1) await make(`seller ${at}`);
  expect(await listed()).toEqual({ documents: 13, included: 14, calls });
});
