/** `$expr` in the `check` of a permission, as in checks of types: the document before and after, and who writes. */
import { expect, test } from 'vitest';
import { claimsOf } from '../../../src/auth/credentials.ts';
import { Client, type Reply } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { EVERY_METHOD, makeUser, may } from '../../support/people.ts';
import { under } from '../../support/rules.ts';
import { settle } from '../../support/type-settings.ts';

const trusted = await Client.create();
const ada = await makeUser(trusted, 'ada');

const keyWith = (check: object, path = '/resources/.*') =>
  trusted.withPermissions([
    under('/operations', {}),
    under(path, { check, acl: { active: false } }, [...EVERY_METHOD, 'bulk']),
  ]);
const told = ({ status, text }: Reply) => [
  status,
  ...errorsIn(text).map(({ code, meta, source }) => [code, meta?.['pointer'], source?.pointer]),
];
const errorsIn = (text: string) => (JSON.parse(text) as { errors?: Reply['body']['errors'] }).errors ?? [];
const AT = '/permissions/1/check/$expr';
const REFUSED = [403, ['rule-violated', AT, '/data/attributes/stock']];

test('no write leaves what the expression does not take: alone, by operators, in a list and in bulk', async () => {
  const web = await keyWith({ $expr: { $gte: ['$stock', { $ifNull: ['$$before.stock', 0] }] } });
  const { id } = await trusted.make('grows', { stock: 2 });
  const at = `/resources/grows/${id}`;
  const data = (stock: number) => ({ data: { type: 'grows', id, attributes: { stock } } });
  expect(told(await web.patch(at, data(1)))).toEqual(REFUSED);
  const update = { $inc: { stock: -1 } };
  expect(told(await web.update(at, { meta: { update } }))).toEqual(REFUSED);
  const created = await web.create('/resources/grows', { attributes: { stock: -1 } });
  expect(told(created)).toEqual(REFUSED);
  const operations = [3, 1].map((stock) => ({ op: 'update', ...data(stock) }));
  const listed = await operate(web, operations);
  expect(told(listed)).toEqual([403, ['rule-violated', AT, '/atomic:operations/1/data/attributes/stock']]);
  const bulk = { data: { type: 'grows', attributes: { stock: 1 } }, meta: { limit: 9 } };
  expect(told(await web.patch('/resources/grows?filter[stock]=2', bulk))[0]).toBe(403);
  expect((await web.patch(at, data(2))).status).toBe(200);
  expect((await web.delete(at)).status).toBe(204);
});

test('it knows who writes, with which key and how, and stands beside a filter', async () => {
  const web = await keyWith({
    kind: 'good',
    $expr: {
      $and: [
        { $eq: ['$$viewer.id', { $toObjectId: '$by' }] },
        { $eq: ['$$viewer.type', 'core.user'] },
        { $ne: ['$$key', null] },
        { $in: ['$$method', ['post', 'patch']] },
        { $lt: ['$$before.made', '$$now'] },
      ],
    },
  });
  const post = (attributes: object, headers = {}) => web.create('/resources/signed', { attributes }, headers);
  const right = { kind: 'good', by: ada.link.id };
  expect((await post(right, ada.headers)).status).toBe(201);
  expect(told(await post(right))).toEqual([403, ['rule-violated', AT, undefined]]);
  const bad = await post({ ...right, kind: 'bad' }, ada.headers);
  expect(told(bad)).toEqual([403, ['rule-violated', '/permissions/1/check/kind', '/data/attributes/kind']]);
});

test('it follows links, of the document before and after', async () => {
  const web = await keyWith({ $expr: { $lte: ['$count', '$variant.stock'] } });
  const [few, many] = [
    await trusted.make('variants', { stock: 1 }),
    await trusted.make('variants', { stock: 9 }),
  ];
  const order = (variant: { id: string }, count: number) => ({
    type: 'orders',
    attributes: { count },
    relationships: { variant: { data: { type: 'variants', id: variant.id } } },
  });
  const made = await web.post('/resources/orders', { data: order(many, 3) });
  expect(made.status).toBe(201);
  expect((await web.post('/resources/orders', { data: order(few, 3) })).status).toBe(403);
  const add = (count: number) => ({ op: 'add', data: order(many, count) });
  const list = (...counts: number[]) => operate(web, counts.map(add));
  expect([(await list(1, 9)).status, (await list(1, 10)).status]).toEqual([200, 403]);
  const moved = { data: { ...order(few, 3), id: made.body.data.id } };
  expect((await web.patch(`/resources/orders/${made.body.data.id}`, moved)).status).toBe(403);
});

test('rights are changed where it holds alone, and it sees what the type lists of the viewer', async () => {
  await settle(trusted, { name: 'guarded', viewer: ['username'] });
  const { id } = await trusted.make('guarded', { owner: 'ada' });
  const share = async (compare: '$eq' | '$ne') => {
    const web = await keyWith({ $expr: { [compare]: ['$owner', '$$viewer.username'] } });
    return told(await web.update(`/resources/guarded.acl/${id}`, { attributes: { read: '*' } }, ada.headers));
  };
  const refused = [403, ['rule-violated', undefined, undefined]];
  expect([await share('$ne'), await share('$eq')]).toEqual([refused, [200]]);
});

test('a key with a wrong one is refused, and one that always holds is told', async () => {
  const write = (check: object) =>
    trusted.create('/api-keys/core.api-key', {
      attributes: { name: 'k', permissions: [may('post', '/resources/x', { check })] },
    });
  const at = '/data/attributes/permissions/0/check/$expr';
  const wrong = await write({ $expr: { $gt: ['$a', { $nothing: 1 }] } });
  expect(told(wrong).slice(0, 1)).toEqual([422]);
  expect(wrong.body.errors[0]?.source?.pointer).toContain(at);
  const { text } = await write({ $expr: { $gt: [2, 1] } });
  const { meta } = JSON.parse(text) as { meta?: { warnings?: { code: string; source: unknown }[] } };
  expect(meta?.warnings?.map(({ code, source }) => [code, source])).toEqual([
    ['decides-nothing', { pointer: at }],
  ]);
  for (const name of ['where', 'check'] as const) {
    const permission = may('get', '/x', { [name]: { $or: [{ $expr: true }] } });
    const nested = await trusted.create('/api-keys/core.api-key', {
      attributes: { name: 'k', permissions: [permission] },
    });
    expect(nested.status).toBe(422);
  }
});

test('checks of a type know the id of the key and a deletion; those of creates alone leave changes alone', async () => {
  const web = await keyWith({});
  const claims = claimsOf(web.key);
  const $expr = {
    $or: [{ $eq: ['$$key', { $toObjectId: claims?.id ?? '' }] }, { $ne: ['$$method', 'delete'] }],
  };
  await settle(trusted, {
    name: 'kept',
    checks: [
      { name: 'own', on: ['update', 'delete'], filter: { $expr } },
      { name: 'new', on: ['create'], filter: { n: 1 } },
    ],
  });
  const { id } = await trusted.make('kept', { n: 1 });
  const [at, data] = [`/resources/kept/${id}`, { type: 'kept', id, attributes: { n: 2 } }];
  const made = await trusted.create('/resources/kept', { attributes: { n: 2 } });
  const changed = await trusted.patch(at, { data });
  const [refused, deleted] = [await trusted.delete(at), await web.delete(at)];
  expect([made, changed, refused, deleted].map(({ status }) => status)).toEqual([403, 200, 403, 204]);
});
