/** `set` in the settings of a type: fields that the service computes at each write, and that no client can forge. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { Follower } from '../support/feed.ts';
import { operate } from '../support/operations.ts';
import { EVERY_METHOD, makeUser, underAcl } from '../support/people.ts';
import { under } from '../support/rules.ts';
import { exported, imported } from '../support/transfer.ts';
import { makeSchema, resettle, settle } from '../support/type-settings.ts';

const trusted = await Client.create();
const acl = await underAcl(trusted);
const ada = await makeUser(trusted, 'ada');

let types = 0;
async function typeWith(set: object, more: object = {}): Promise<string> {
  const name = `computed-${(types += 1)}`;
  const made = await settle(trusted, { name, set, ...more });
  if (made.status !== 201) throw new Error(made.text);
  return name;
}

const patch = (client: Client, type: string, id: string, content: object, headers = {}) =>
  client.update(`/resources/${type}/${id}`, { ...content }, headers);
const attributesOf = async (type: string, id: string) =>
  (await trusted.get(`/resources/${type}/${id}`)).body.data.attributes;
const faults = ({ status, body }: Reply) =>
  body.errors.map(({ code, source, meta }) =>
    [status, code, source?.pointer, meta?.['pointer']].filter(Boolean).join(' '),
  );

/** The prices are the shop's: what a customer sends is what, and how many. */
const PRICE = {
  $switch: {
    branches: [
      { case: { $eq: ['$$line.what', 'tea'] }, then: 3 },
      { case: { $eq: ['$$line.what', 'cake'] }, then: 5 },
    ],
  },
};
const TOTAL = {
  $sum: { $map: { input: '$lines', as: 'line', in: { $multiply: ['$$line.count', PRICE] } } },
};

describe('a shop whose total no customer forges', () => {
  let type = '';
  beforeAll(async () => {
    type = await typeWith(
      { total: TOTAL, state: { value: 'open', unless: 'given' } },
      {
        checks: [
          {
            name: 'counts',
            filter: {
              $expr: {
                $allElementsTrue: {
                  $map: {
                    input: '$lines',
                    in: { $and: [{ $isNumber: '$$this.count' }, { $gte: ['$$this.count', 1] }] },
                  },
                },
              },
            },
          },
          {
            name: 'paid',
            on: ['update', 'delete'],
            filter: { $expr: { $ne: ['$$before.state', 'paid'] } },
          },
        ],
      },
    );
  });
  const order = (...lines: readonly object[]) => ({ type, attributes: { lines } });
  const tea = { what: 'tea', count: 2 };

  test('whichever way the order is written', async () => {
    const made = await trusted.post(`/resources/${type}`, { data: order(tea, { what: 'cake', count: 1 }) });
    expect(made.body.data.attributes).toMatchObject({ total: 11, state: 'open' });
    const { id } = made.body.data;
    const changed = await patch(trusted, type, id, { attributes: { lines: [tea] } });
    expect(changed.body.data.attributes?.['total']).toBe(6);
    await patch(trusted, type, id, { meta: { update: { $push: { lines: { what: 'cake', count: 2 } } } } });
    expect(await attributesOf(type, id)).toMatchObject({ total: 16 });
    const { results } = await operate(trusted, [
      { op: 'add', data: order(tea) },
      { op: 'update', data: { ...order(tea, tea), id } },
    ]);
    expect(results.map(({ data }) => data?.attributes)).toMatchObject([
      { total: 6, state: 'open' },
      { total: 12 },
    ]);
    const bulk = await trusted.withPermissions([under('/.*', {}, [...EVERY_METHOD, 'bulk'])]);
    const all = `/resources/${type}?filter[*]=${encodeURIComponent(JSON.stringify({ total: { $gt: 6 } }))}`;
    const body = { data: { type, attributes: { lines: [tea, tea, tea] } }, meta: { limit: 9 } };
    expect((await bulk.patch(all, body)).body.meta.count).toBe(1);
    expect(await attributesOf(type, id)).toMatchObject({ total: 18 });
  });

  test.each<[string, (id: string) => Promise<Reply>, string]>([
    [
      'a create',
      () => trusted.create(`/resources/${type}`, { attributes: { total: 0, lines: [tea] } }),
      '/data/attributes/total',
    ],
    ['a change', (id) => patch(trusted, type, id, { attributes: { total: 6 } }), '/data/attributes/total'],
    [
      'an operator',
      (id) => patch(trusted, type, id, { meta: { update: { $inc: { total: -1 } } } }),
      '/data/meta/update/$inc/total',
    ],
    [
      'a part of the field',
      (id) => patch(trusted, type, id, { meta: { update: { $push: { 'total.x': 1 } } } }),
      '/data/meta/update/$push/total.x',
    ],
    [
      'another field that is renamed',
      (id) => patch(trusted, type, id, { meta: { update: { $rename: { state: 'total' } } } }),
      '/data/meta/update/$rename/state',
    ],
    [
      'a relationship',
      (id) => patch(trusted, type, id, { relationships: { total: { data: null } } }),
      '/data/relationships/total',
    ],
    [
      'the address of a relationship',
      (id) => trusted.patch(`/resources/${type}/${id}/relationships/total`, { data: null }),
      '/data',
    ],
    [
      'an operation',
      () => operate(trusted, [{ op: 'add', data: { type, attributes: { total: 1, lines: [] } } }]),
      '/atomic:operations/0/data/attributes/total',
    ],
    [
      'a bulk change',
      async () => {
        const bulk = await trusted.withPermissions([under('/.*', {}, [...EVERY_METHOD, 'bulk'])]);
        const data = { type, attributes: { total: 0 } };
        return bulk.patch(`/resources/${type}?filter[total]=6`, { data, meta: { limit: 99 } });
      },
      '',
    ],
  ])('nor writes: %s', async (_, write, pointer) => {
    const { id } = await trusted.make(type, { lines: [tea] });
    expect(faults(await write(id))).toEqual([`422 read-only-member ${pointer}`.trim()]);
    expect(await attributesOf(type, id)).toMatchObject({ total: 6 });
  });

  test.each<[string, unknown]>([
    ['a negative count', [{ what: 'tea', count: -9 }]],
    ['a count that is none', [{ what: 'tea', count: 'NaN' }]],
    ['a thing that there is not', [{ what: 'gold', count: 1 }]],
    ['lines that are none', 'tea'],
    ['a count beyond all', [{ what: 'tea', count: 1e308 }]],
  ])('nor by %s', async (_, lines) => {
    const before = await trusted.get(`/resources/${type}`);
    const refused = await trusted.create(`/resources/${type}`, { attributes: { lines } });
    expect([403, 422]).toContain(refused.status === 201 ? refused.body.data.attributes : refused.status);
    expect((await trusted.get(`/resources/${type}`)).body.meta.count).toBe(before.body.meta.count);
  });

  test('a state is one that is given, and a paid order stays as it is', async () => {
    const made = await trusted.make(type, { lines: [tea], state: 'paid' });
    expect(made.attributes).toMatchObject({ state: 'paid' });
    expect((await patch(trusted, type, made.id, { attributes: { state: 'open' } })).status).toBe(403);
    expect((await trusted.delete(`/resources/${type}/${made.id}`)).status).toBe(403);
  });
});

describe('what is computed', () => {
  test('is so in order, after the change, and before schemas, unique values, rules of keys and expiry', async () => {
    const type = await typeWith(
      {
        slug: { $toLower: '$title' },
        path: { $concat: ['/', '$slug'] },
        until: { $dateAdd: { startDate: '$$now', unit: 'day', amount: '$days' } },
      },
      { unique: [['slug']], expires: 'until' },
    );
    await makeSchema(trusted, type, {
      attributes: { required: ['path'], properties: { path: { maxLength: 6 } } },
    });
    const web = await trusted.withPermissions([
      under('/.*', { check: { path: { $ne: '/no' } }, fields: { write: ['title', 'days'] } }),
    ]);
    const make = (title: string, days = 1) =>
      web.create(`/resources/${type}`, { attributes: { title, days } });
    const made = await make('One');
    expect(made.body.data.attributes).toMatchObject({ slug: 'one', path: '/one' });
    expect(faults(await make('ONE'))).toEqual(['409 value-taken /data/attributes/slug']);
    expect(faults(await make('Longer'))).toEqual(['422 schema-violation /data/attributes/path']);
    expect(faults(await make('No'))).toEqual([
      '403 rule-violated /data/attributes/path /permissions/0/check/path',
    ]);
    const ended = await make('Gone', -1);
    expect(ended.status).toBe(201);
    expect((await trusted.get(`/resources/${type}/${ended.body.data.id}`)).body.data).toBe(null);
  });

  test('sees the document before, and who writes; the tag and the version are those of what is stored', async () => {
    const type = await typeWith({
      writes: { $add: [{ $ifNull: ['$$before.writes', 0] }, 1] },
      by: '$$viewer.id',
      first: { value: '$$viewer.id', unless: 'given' },
    });
    const made = await acl.create(`/resources/${type}`, {}, ada.headers);
    const { id } = made.body.data;
    const user = { $oid: ada.link.id };
    expect(made.body.data.attributes).toMatchObject({ writes: 1 });
    const wrapped = await trusted.get(
      `/resources/${type}?filter[by]=${encodeURIComponent(JSON.stringify(user))}`,
    );
    expect(wrapped.body.meta.count).toBe(1);
    const again = await patch(trusted, type, id, {}, { 'if-match': made.etag });
    expect(again.status).toBe(204);
    expect((await patch(trusted, type, id, {}, { 'if-match': made.etag })).status).toBe(412);
    const after = await attributesOf(type, id);
    expect(after).toMatchObject({ writes: 2 });
    expect(Object.keys(after ?? {}).sort()).toEqual(['first', 'writes']);
    const raced = await Promise.all(Array.from({ length: 20 }, () => patch(trusted, type, id, {})));
    expect(raced.map(({ body }) => body.data.attributes?.['writes']).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 3).sort(),
    );
  });

  test('is what feeds tell', async () => {
    const type = await typeWith({ twice: { $multiply: ['$n', 2] } });
    const follower = new Follower(trusted, {}, `/resources/${type}`);
    const { id } = await trusted.make(type, { n: 1 });
    await follower.turn();
    expect(follower.known.get(id)?.attributes).toEqual({ n: 1, twice: 2 });
    await patch(trusted, type, id, { attributes: { n: 4 } });
    await follower.turn();
    expect(follower.known.get(id)?.attributes).toEqual({ n: 4, twice: 8 });
  });

  test('is computed where links change, and not where there is a relationship of its name', async () => {
    const type = await typeWith({ friends: { $size: { $ifNull: ['$who', []] } } });
    const { id } = await trusted.make(type, {}, { who: { data: [] } });
    const added = await trusted.post(`/resources/${type}/${id}/relationships/who`, { data: [ada.link] });
    expect(added.status).toBe(200);
    expect(await attributesOf(type, id)).toEqual({ friends: 1 });
    await resettle(trusted, type, { set: { who: 1 } });
    expect(faults(await patch(trusted, type, id, { attributes: { n: 1 } }))).toEqual([
      '422 invalid-value /data/attributes/who /set/who',
    ]);
  });

  test('holds once the settings are answered, for documents written after; imports stay as they are', async () => {
    const type = await typeWith({});
    const { id } = await trusted.make(type, { n: 1 });
    await resettle(trusted, type, { set: { twice: { $multiply: ['$n', 2] } } });
    expect(await attributesOf(type, id)).toEqual({ n: 1 });
    await patch(trusted, type, id, {});
    expect(await attributesOf(type, id)).toEqual({ n: 1, twice: 2 });
    const other = await Client.create();
    const lines = (await exported(trusted.application, type)).replaceAll('"twice":2', '"twice":5');
    const settings = (await exported(trusted.application, 'core.type'))
      .split('\n')
      .filter((line) => line.includes(`"${type}"`));
    expect((await imported(other.application, 'core.type', settings)).status).toBe(200);
    expect((await imported(other.application, type, lines)).status).toBe(200);
    expect((await other.get(`/resources/${type}/${id}`)).body.data.attributes).toEqual({ n: 1, twice: 5 });
    await resettle(trusted, type, { set: null });
    expect((await patch(trusted, type, id, { attributes: { twice: 7 } })).status).toBe(200);
  });
});

describe('what cannot be stored is not', () => {
  test.each<[string, unknown]>([
    ['a name that looks like a wrapper', { $arrayToObject: [[['$wrapper', 5]]] }],
    ['a name with a dot', { $arrayToObject: [[['$dotted', 5]]] }],
    ['no number', { $multiply: ['$n', 1e308, 1e308] }],
    ['no decimal', { $multiply: [{ $toDecimal: 'Infinity' }, '$n'] }],
    ['a value of another kind', { $multiply: ['$text', 2] }],
    [
      'too much',
      {
        $reduce: { input: { $range: [0, 60] }, initialValue: 'xy', in: { $concat: ['$$value', '$$value'] } },
      },
    ],
    [
      'more than a document holds',
      {
        $reduce: { input: { $range: [0, 20] }, initialValue: 'xy', in: { $concat: ['$$value', '$$value'] } },
      },
    ],
    ['too deep', { $reduce: { input: { $range: [0, 70] }, initialValue: 1, in: ['$$value'] } }],
    [
      'endless work',
      { $map: { input: { $range: [0, 30_000] }, in: { $map: { input: { $range: [0, 30_000] }, in: 1 } } } },
    ],
  ])('%s', async (_, expression) => {
    const type = await typeWith({ x: expression });
    const document = { type, attributes: { n: 2, text: 'a', wrapper: '$date', dotted: 'a.b' } };
    const made = await trusted.post(`/resources/${type}`, {
      data: document,
    });
    expect([413, 422]).toContain(made.status);
    expect((await trusted.get(`/resources/${type}`)).body.meta.count).toBe(0);
    const list = Array.from({ length: 100 }, () => ({
      op: 'add',
      data: document,
    }));
    expect([413, 422]).toContain((await operate(trusted, list)).status);
  });

  test('and who does not see what an expression looks at is not told why', async () => {
    const type = await typeWith({ x: { $multiply: ['$$before.secret', 2] } });
    await resettle(trusted, type, { set: null });
    const { id } = await trusted.make(type, { n: 1, secret: 'word' });
    await resettle(trusted, type, { set: { x: { $multiply: ['$$before.secret', 2] } } });
    const change = { attributes: { n: 2 } };
    expect((await patch(trusted, type, id, change)).body.errors[0]?.detail).toMatch(/kind string/);
    for (const read of [['n', 'x'], ['n']]) {
      const web = await trusted.withPermissions([under('/.*', { fields: { read } })]);
      const refused = await patch(web, type, id, change);
      expect(faults(refused)[0]).toMatch(read.length === 2 ? /^422 invalid-value/ : /^409 change-refused/);
      expect(refused.text).not.toMatch(/string|secret|word/);
    }
  });
});
