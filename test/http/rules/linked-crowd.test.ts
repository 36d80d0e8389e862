/** Writes whose checks look at documents that many write at once: they are done one after the other. */
import { expect, test } from 'vitest';
import { Client, to } from '../../support/client.ts';
import { add, operate } from '../../support/operations.ts';
import { EVERY_METHOD, may } from '../../support/people.ts';

const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;

test('a shop sells what it has, and no more, to a crowd', async () => {
  const client = await Client.create();
  const web = await client.withPermissions([
    may(EVERY_METHOD, '/resources/orders.*', { check: { 'variant.stock': { $gt: 0 } } }),
    may(EVERY_METHOD, '/.*'),
  ]);
  const { type, id } = await client.make('variants', { stock: 12 });
  const buy = async () => {
    const taken = { op: 'update', data: { type, id, meta: { update: { $inc: { stock: -1 } } } } };
    return (await operate(web, [add('orders', {}, { variant: to({ type, id }) }), taken])).status;
  };
  const statuses = await Promise.all(Array.from({ length: 30 }, buy));
  expect([countOf(statuses, 200), countOf(statuses, 403)]).toEqual([12, 18]);
  expect((await client.get(`/resources/variants/${id}`)).body.data.attributes).toEqual({ stock: 0 });
  expect((await client.get('/resources/orders')).body.meta.count).toBe(12);
});

test('many answer one document of their own type', async () => {
  const client = await Client.create();
  const check = { 'to.closed': { $ne: true } };
  const web = await client.withPermissions([may(EVERY_METHOD, '/.*', { check })]);
  const root = await client.make('posts', { closed: false });
  const answer = async () =>
    (await web.create('/resources/posts', { relationships: { to: to(root) } })).status;
  const statuses = await Promise.all(Array.from({ length: 60 }, answer));
  expect(countOf(statuses, 201)).toBe(60);
});
