/** What the settings of a type say in vain, or probably do not mean, is told in warnings when they are written. */
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { makeSchema, resettle, settle } from '../../support/type-settings.ts';

const client = await Client.create();
const properties = { price: {}, stock: {} };
await makeSchema(client, 'goods', {
  attributes: { properties, additionalProperties: false },
  relationships: { properties: { channel: {}, shop: {} } },
});
await settle(client, { name: 'goods' });
// A relationship that no schema lists, and a document has.
const self = await client.make('goods', {});
await client.make('goods', {}, { chanels: { data: { type: 'goods', id: self.id } } });

const EXPR = '/checks/0/filter/$expr';
const NO_FIELD = (name: string, offer = '') => `The schema of the type lists no field ${name}.${offer}`;
const NEAR = NO_FIELD('chanel', ' Did you mean channel?');
const counting = (by: string, where = {}) => ({ count: { sold: { type: 'goods', by, where } } });
const of = (filter: object) => ({ checks: [{ name: 'a', filter }] });

test.each<
  readonly [settings: object, warnings: readonly (readonly [code: string, detail: string, at: string])[]]
>([
  [of({ $expr: { $gte: ['$price', 0] } }), []],
  [of({ $expr: { $gte: ['price', 0] } }), [['decides-nothing', 'Every document meets this.', EXPR]]],
  [of({ $expr: { $lt: ['price', 0] } }), [['decides-nothing', 'No document meets this.', EXPR]]],
  [of({ $expr: false }), []],
  [of({ $expr: { $eq: ['$$viewer.id', '$$before.price'] } }), []],
  [
    of({ $expr: { $gte: ['$prize', 0] } }),
    [['no-such-field', NO_FIELD('prize', ' Did you mean price?'), EXPR]],
  ],
  [of({ $expr: { $eq: ['$$after.other', '$$before.price'] } }), [['no-such-field', NO_FIELD('other'), EXPR]]],
  [
    of({ price: { $gt: 0, $not: { $gt: 0 } } }),
    [['decides-nothing', 'No document meets this.', '/checks/0/filter']],
  ],
  [of({ other: { $gt: 0 } }), [['no-such-field', NO_FIELD('other'), '/checks/0/filter/other']]],
  [
    { set: { stock: { $ifNull: ['$stok', 1] } } },
    [['no-such-field', NO_FIELD('stok', ' Did you mean stock?'), '/set/stock']],
  ],
  [{ set: { stock: { value: 1, unless: 'given' } } }, []],
  [{ rights: { read: ['$creator', '$channel', '$chanels', '$unlisted', '*'] } }, []],
  [{ rights: { read: ['*', '$chanel'] } }, [['no-such-field', NEAR, '/rights/read/1']]],
  [{ rights: { create: ['$chanel.read'] } }, [['no-such-field', NEAR, '/rights/create/0']]],
  [{ rights: { 'super-update': ['$chanel'] } }, [['no-such-field', NEAR, '/rights/super-update/0']]],
  [counting('shop', { stock: 1 }), []],
  [counting('unlisted'), []],
  [
    counting('shop', { stock: { $in: [] } }),
    [['decides-nothing', 'No document meets this.', '/count/sold/where']],
  ],
  [counting('chanel'), [['no-such-field', NEAR, '/count/sold/by']]],
  [
    counting('shop', { stok: 1 }),
    [['no-such-field', NO_FIELD('stok', ' Did you mean stock?'), '/count/sold/where/stok']],
  ],
])('%j', async (settings, warnings) => {
  const { status, text } = await resettle(client, 'goods', {
    checks: null,
    set: null,
    count: null,
    rights: null,
    ...settings,
  });
  const { meta } = JSON.parse(text) as { meta?: { warnings?: readonly Warning[] } };
  expect([status, (meta?.warnings ?? []).map(({ code, detail, source }) => [code, detail, source])]).toEqual([
    200,
    warnings.map(([code, detail, at]) => [code, detail, { pointer: `/data/attributes${at}` }]),
  ]);
});

interface Warning {
  readonly code: string;
  readonly detail: string;
  readonly source: object;
}
