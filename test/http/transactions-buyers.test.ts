/** A hundred buyers of the last item at once: lists of several types that all want the same row. */
import { describe, expect, test } from 'vitest';
import { Client, link, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate } from '../support/operations.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();

const read = async ({ type, id }: Link) => (await client.get(`/resources/${type}/${id}`)).body.data;
const countOf = async (type: string) => (await client.get(`/resources/${type}`)).body.meta.count;

describe('the last item', () => {
  // Whichever collection decides: that of the wallets, or that of the items.
  test.each(['market', 'xmarket'])(
    'of a hundred buyers who pay from their wallets one has the last item of a %s, and has paid',
    async (items) => {
      const wallets = `${items}-wallets`.slice(1);
      const item = await client.make(items, { stock: 1 });
      const atLeastNothing = (name: string, field: string) =>
        settle(client, { name, checks: [{ name: field, filter: { [field]: { $gte: 0 } } }] });
      await atLeastNothing(items, 'stock');
      await atLeastNothing(wallets, 'money');
      const buyers = Array.from({ length: 100 }, (_, n) => add(wallets, { n, money: 10 }));
      const { results } = await operate(client, buyers);
      const less = (of: Link, field: string, by: number) => ({
        op: 'update',
        data: { ...link(of), meta: { update: { $inc: { [field]: -by } } } },
      });
      const buy = (wallet: Link) =>
        operate(client, [
          less(item, 'stock', 1),
          less(wallet, 'money', 7),
          add(`${items}-orders`, {}, { wallet: { data: link(wallet) } }),
        ]);
      const replies = await Promise.all(results.flatMap(({ data }) => (data ? [buy(data)] : [])));
      const refused = replies.filter(({ status }) => status !== 200);
      expect([replies.length, refused.length]).toEqual([100, 99]);
      const fault = '403 rule-violated /atomic:operations/0/data/attributes/stock';
      for (const each of refused) expect(faultsOf(each)).toEqual([fault]);
      const paid = await client.get(`/resources/${wallets}?filter[money]=3`);
      expect([paid.body.meta.count, await countOf(`${items}-orders`)]).toEqual([1, 1]);
      expect((await read(item)).attributes).toEqual({ stock: 0 });
    },
  );
});
