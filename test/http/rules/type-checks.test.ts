/** `checks` in the settings of a type: what documents must be after a write, or before a deletion, whoever writes. */
import { describe, expect, test } from 'vitest';
import { erase } from '../../support/app.ts';
import { Client, type Reply } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { EVERY_METHOD, makeGroup, makeUser, underAcl, type Person } from '../../support/people.ts';
import { under } from '../../support/rules.ts';
import { exported, imported } from '../../support/transfer.ts';
import { resettle, settle } from '../../support/type-settings.ts';

const trusted = await Client.create();
const acl = await underAcl(trusted);
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];

let types = 0;

/** A new type with these checks. */
async function typeWith(...checks: readonly object[]): Promise<string> {
  const name = `checked-${(types += 1)}`;
  const made = await settle(trusted, { name, checks });
  if (made.status !== 201) throw new Error(made.text);
  return name;
}

const told = ({ status, body: { errors } }: Reply) =>
  errors.map(({ code, meta, source }) =>
    [status, code, meta?.['check'], meta?.['pointer'], source?.pointer].filter(Boolean).join(' '),
  );

describe('a check holds', () => {
  const positive = { name: 'positive', filter: { $expr: { $gte: ['$price', 0] } } };
  const refused = (type: string) =>
    `403 rule-violated positive /checks/0/filter/$expr${type === '' ? '' : ` ${type}`}`;

  test('for a create, a change, a change by operators, an operation and a bulk change', async () => {
    const type = await typeWith(positive);
    const bulk = await trusted.withPermissions([under('/.*', {}, [...EVERY_METHOD, 'bulk'])]);
    const { id } = await trusted.make(type, { price: 1 });
    const at = `/resources/${type}/${id}`;
    const data = { type, attributes: { price: -1 } };
    const field = refused('/data/attributes/price');
    expect(told(await trusted.post(`/resources/${type}`, { data }))).toEqual([field]);
    expect(told(await trusted.patch(at, { data: { ...data, id } }))).toEqual([field]);
    const update = { $inc: { price: -2 } };
    expect(told(await trusted.patch(at, { data: { type, id, meta: { update } } }))).toEqual([field]);
    const added = await operate(trusted, [
      { op: 'add', data: { type, attributes: { price: 5 } } },
      { op: 'update', data: { ...data, id } },
    ]);
    expect(told(added)).toEqual([refused('/atomic:operations/1/data/attributes/price')]);
    const all = `/resources/${type}?filter[*]=%7B%7D`;
    const changed = await bulk.patch(all, { data, meta: { limit: 9 } });
    expect(told(changed)).toEqual([refused('')]);
    expect((await trusted.get(`/resources/${type}`)).body.data.map((each) => each.attributes)).toEqual([
      { price: 1 },
    ]);
  });

  test('for a deletion, alone, in a list of operations and in bulk, where it says so', async () => {
    const type = await typeWith({
      name: 'closed',
      on: ['delete'],
      filter: { state: 'closed', $expr: { $and: ['$$before', { $not: ['$$after'] }] } },
      message: 'Close it first.',
    });
    const bulk = await trusted.withPermissions([under('/.*', {}, [...EVERY_METHOD, 'bulk'])]);
    const [open, closed] = [
      await trusted.make(type, { state: 'open' }),
      await trusted.make(type, { state: 'closed' }),
    ];
    const refusal = ['403 rule-violated closed /checks/0/filter/state'];
    const alone = await trusted.delete(`/resources/${type}/${open.id}`);
    expect(told(alone)).toEqual(refusal);
    expect(alone.body.errors[0]?.detail).toBe('Close it first.');
    const listed = await operate(trusted, [
      { op: 'remove', ref: { type, id: closed.id } },
      { op: 'remove', ref: { type, id: open.id } },
    ]);
    expect(listed.status).toBe(403);
    const body = { meta: { limit: 9 } };
    const all = await bulk.delete(`/resources/${type}?filter[*]=%7B%7D`, body);
    expect(told(all)).toEqual(refusal);
    expect((await trusted.get(`/resources/${type}`)).body.meta.count).toBe(2);
    expect((await trusted.delete(`/resources/${type}/${closed.id}`)).status).toBe(204);
  });

  test('for whom it is written, and from the answer to the settings on until they go', async () => {
    const type = await typeWith(positive);
    const { id } = await trusted.make(type, { price: 3 });
    const data = { type, id, attributes: { price: -1 } };
    await resettle(trusted, type, { checks: [{ ...positive, filter: { $expr: { $lt: ['$price', 0] } } }] });
    expect((await trusted.patch(`/resources/${type}/${id}`, { data })).status).toBe(200);
    await resettle(trusted, type, { checks: null });
    expect((await trusted.make(type, { price: 7 })).attributes).toEqual({ price: 7 });
  });

  test('for a document as the write really finds it: of racing withdrawals no two take the same money', async () => {
    const type = await typeWith({
      name: 'one-step',
      on: ['update'],
      filter: { $expr: { $eq: ['$step', { $add: ['$$before.step', 1] }] } },
    });
    const { id } = await trusted.make(type, { step: 0 });
    const data = { type, id, attributes: { step: 1 } };
    const raced = await Promise.all(
      Array.from({ length: 20 }, () => trusted.patch(`/resources/${type}/${id}`, { data })),
    );
    expect(raced.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(403)]);
    const list = await operate(
      trusted,
      [2, 3, 4].map((step) => ({ op: 'update', data: { ...data, attributes: { step } } })),
    );
    expect(list.status).toBe(200);
  });
});

describe('an expression knows', () => {
  test.each<[string, object, readonly number[]]>([
    [
      'the document as it was, which a new one lacks',
      { $ne: [{ $type: '$$before' }, 'missing'] },
      [403, 200],
    ],
    ['the document as it will be', { $eq: ['$$after.n', '$n'] }, [201, 200]],
    ['what does it, alone or in a list', { $in: ['$$method', ['post']] }, [201, 403]],
    ['a change', { $eq: ['$$method', 'patch'] }, [403, 200]],
    ['the moment', { $lt: [{ $abs: { $subtract: ['$$now', '$$updated'] } }, 1] }, [201, 200]],
    ['its id and type', { $eq: [{ $type: '$id' }, 'objectId'] }, [201, 200]],
    ['who made it', { $eq: ['$$creator.id', '$$viewer.id'] }, [201, 403]],
    ['the key', { $eq: [{ $type: '$$key' }, 'objectId'] }, [201, 200]],
    ['that nobody is no viewer', { $eq: [{ $type: '$$viewer' }, 'object'] }, [201, 200]],
  ])('%s', async (_, $expr, expected) => {
    const type = await typeWith({ name: 'x', filter: { $expr } });
    const own = await acl.create(`/resources/${type}`, { attributes: { n: 1 } }, ada.headers);
    const made = own.status === 201 ? own : await remake(type);
    const { id } = made.body.data;
    await trusted.update(`/resources/${type}.acl/${id}`, { attributes: { update: '*', read: '*' } });
    const changed = await acl.update(`/resources/${type}/${id}`, { attributes: { n: 2 } }, bob.headers);
    expect([own.status, changed.status]).toEqual(expected);
  });

  /** A document that was there before the checks. */
  async function remake(type: string): Promise<Reply> {
    const { body } = await trusted.get(`/schemas/core.type?filter[name]=${type}`);
    const checks = body.data[0]?.attributes?.['checks'];
    await resettle(trusted, type, { checks: null });
    const made = await trusted.create(`/resources/${type}`, { attributes: { n: 1 } });
    await resettle(trusted, type, { checks });
    return made;
  }

  test('the groups of the viewer, in filters too; and a check that names nobody there refuses', async () => {
    const group = await makeGroup(trusted, [ada]);
    const type = await typeWith(
      { name: 'member', filter: { $expr: { $in: ['$team.id', '$$viewer.groups'] } } },
      { name: 'own', filter: { 'by.id': '$$viewer.id' } },
    );
    const relationships = { team: { data: group }, by: { data: ada.link } };
    const post = (client: Client, headers: Person['headers']) =>
      client.create(`/resources/${type}`, { relationships }, headers);
    expect((await post(acl, ada.headers)).status).toBe(201);
    expect((await post(acl, bob.headers)).status).toBe(403);
    expect((await post(trusted, {})).status).toBe(403);
  });
});

describe('a refusal tells no more than a GET would show', () => {
  test('a check that looks at a hidden field is not named, whether it looks before or after', async () => {
    for (const $expr of [
      { $eq: ['$$before.secret', 'x'] },
      { $eq: ['$secret', 'x'] },
      { $eq: ['$$after.secret', 'x'] },
      { $eq: [{ $getField: 'secret' }, 'x'] },
      { $eq: [{ $getField: { field: 'secret', input: '$$before' } }, 'x'] },
      { $eq: [{ $objectToArray: '$$ROOT' }, []] },
      { $eq: [{ $divide: ['$n', '$$before.secret'] }, 1] },
    ]) {
      const type = await typeWith({ name: 'hush', on: ['update'], filter: { $expr }, message: 'Hush.' });
      const web = await trusted.withPermissions([under('/.*', { fields: { read: ['n'] } })]);
      const { id } = await trusted.make(type, { n: 1, secret: 'y' });
      const data = { type, id, attributes: { n: 2 } };
      const refused = await web.patch(`/resources/${type}/${id}`, { data });
      expect(told(refused)).toEqual(['403 rule-violated']);
      expect(refused.text).not.toMatch(/hush|secret/i);
      expect(told(await trusted.patch(`/resources/${type}/${id}`, { data }))[0 as never]).toContain('hush');
    }
  });

  test('who may write a document and not read it learns that it is refused', async () => {
    const type = await typeWith({ name: 'hush', filter: { $expr: { $eq: ['$n', '$$before.n'] } } });
    await resettle(trusted, type, { rights: { update: ['*'] } });
    await resettle(trusted, type, { checks: null });
    const { id } = await trusted.make(type, { n: 1 });
    await resettle(trusted, type, { checks: [{ name: 'hush', filter: { n: 1 } }] });
    const data = { type, id, attributes: { n: 2 } };
    expect(told(await acl.patch(`/resources/${type}/${id}`, { data }, ada.headers))).toEqual([
      '403 rule-violated',
    ]);
  });

  test('no check sees a password', async () => {
    const client = await Client.create();
    const filter = { $expr: { $eq: [{ $type: '$password' }, 'missing'] } };
    await settle(client, { name: 'core.user', checks: [{ name: 'none', filter }] });
    await makeUser(client, 'eve');
  });
});

describe('what cannot be judged is refused', () => {
  test.each<[string, unknown]>([
    ['a value of another kind', { $gt: [{ $multiply: ['$n', 2] }, 0] }],
    ['an endless range', { $gt: [{ $size: { $range: [0, 2_000_000_000] } }, 0] }],
    [
      'work beyond the budget',
      {
        $gt: [
          {
            $sum: {
              $map: {
                input: { $range: [0, 100_000] },
                as: 'a',
                in: { $sum: { $map: { input: { $range: [0, 100_000] }, as: 'b', in: 1 } } },
              },
            },
          },
          0,
        ],
      },
    ],
    [
      'a value that grows',
      {
        $gt: [
          {
            $strLenCP: {
              $reduce: {
                input: { $range: [0, 60] },
                initialValue: 'xy',
                in: { $concat: ['$$value', '$$value'] },
              },
            },
          },
          0,
        ],
      },
    ],
  ])('%s', async (_, $expr) => {
    const type = await typeWith({ name: 'x', filter: { $expr } });
    const body = { data: { type, attributes: { n: 'text' } } };
    expect((await trusted.post(`/resources/${type}`, body)).status).toBe(403);
    const list = Array.from({ length: 200 }, () => ({ op: 'add', data: body.data }));
    expect((await operate(trusted, list)).status).toBe(403);
  });
});

describe('a check that is wrong is refused when it is written', () => {
  const fine = { name: 'a', filter: { n: 1 } };
  test.each<[string, unknown, string]>([
    ['no array', fine, ''],
    ['no object', ['x'], '/0'],
    ['more than 50', Array.from({ length: 51 }, (_, n) => ({ ...fine, name: `n${n}` })), ''],
    ['no name', [{ filter: {} }], '/0/name'],
    ['a name twice', [fine, fine], '/1/name'],
    ['an unknown member', [{ ...fine, when: 1 }], '/0/when'],
    ['no filter', [{ name: 'a' }], '/0/filter'],
    ['a filter that is none', [{ name: 'a', filter: [] }], '/0/filter'],
    ['no event', [{ ...fine, on: [] }], '/0/on'],
    ['an unknown event', [{ ...fine, on: ['read'] }], '/0/on'],
    ['a message that is none', [{ ...fine, message: 1 }], '/0/message'],
    ['an unknown operator', [{ name: 'a', filter: { n: { $eqq: 1 } } }], '/0/filter/n/$eqq'],
    ['an unknown expression', [{ name: 'a', filter: { $expr: { $eqq: [1, 2] } } }], '/0/filter/$expr/$eqq'],
    ['an unknown variable', [{ name: 'a', filter: { $expr: ['$$user'] } }], '/0/filter/$expr/0'],
    ['what no viewer has', [{ name: 'a', filter: { $expr: '$$viewer.role' } }], '/0/filter/$expr'],
    ['a field compared without $expr', [{ name: 'a', filter: { n: '$m' } }], '/0/filter/n'],
    [
      'a constant that cannot be',
      [{ name: 'a', filter: { $expr: { $divide: [1, 0] } } }],
      '/0/filter/$expr/$divide',
    ],
    ['code', [{ name: 'a', filter: { $expr: { $function: {} } } }], '/0/filter/$expr/$function'],
  ])('%s', async (_, checks, pointer) => {
    const { status, body } = await settle(trusted, { name: 'wrong', checks });
    expect([status, ...body.errors.map(({ code, source }) => [code, source?.pointer])]).toEqual([
      422,
      ['invalid-attribute', `/data/attributes/checks${pointer}`],
    ]);
  });
});

describe('checks are not asked', () => {
  test('where an import brings documents, nor where they end, nor of a change of an ACL', async () => {
    const never = { name: 'never', on: ['create', 'update', 'delete'], filter: { $expr: false } };
    const type = await typeWith();
    const { id } = await trusted.make(type, { n: 1 });
    await resettle(trusted, type, { checks: [never] });
    const data = { type: `${type}.acl`, id, attributes: { read: '*' } };
    expect((await trusted.patch(`/resources/${type}.acl/${id}`, { data })).status).toBe(200);
    expect((await trusted.delete(`/resources/${type}/${id}`)).status).toBe(403);
    const other = await Client.create();
    for (const each of ['core.type', type]) {
      const all = await exported(trusted.application, each);
      const lines = all.split('\n').filter((line) => line.includes(`"${type}"`));
      expect((await imported(other.application, each, lines)).status).toBe(200);
    }
    const [settings] = (await other.get(`/schemas/core.type?filter[name]=${type}`)).body.data;
    expect(settings?.attributes?.['checks']).toEqual([never]);
    expect((await other.get(`/resources/${type}`)).body.meta.count).toBe(1);
    expect((await other.create(`/resources/${type}`)).status).toBe(403);
  });

  test('where a person is erased', async () => {
    const client = await Client.create();
    const eve = await makeUser(client, 'eve');
    const under = await underAcl(client);
    const { body } = await under.create('/resources/notes', {}, eve.headers);
    await settle(client, {
      name: 'notes',
      checks: [{ name: 'kept', on: ['delete'], filter: { kept: true } }],
    });
    const path = `/resources/notes/${body.data.id}`;
    expect((await client.delete(path)).status).toBe(403);
    await erase(client, eve.link);
    expect((await client.get(path)).body.data).toBe(null);
  });
});
