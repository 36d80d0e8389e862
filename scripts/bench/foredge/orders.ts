/** Orders in a run in our own server: lists of operations on four types. */
import type { Work } from '../contender.ts';
import { ORDER, orderOf } from '../data.ts';
import { atomic, createMany, headersOf, type Credentials, type Resource } from './api.ts';

export function orders(credentials: Credentials): Work {
  const ids: { products: readonly string[]; wallets: readonly string[] } = { products: [], wallets: [] };
  const headers = headersOf(credentials);
  return {
    prepare: async () => {
      const made = (type: string, attributes: Resource['attributes']) =>
        createMany(
          credentials,
          Array.from({ length: ORDER.among }, () => ({ type, attributes })),
        );
      ids.products = (await made('products', { stock: ORDER.stock })).ids;
      ids.wallets = (await made('wallets', { balance: ORDER.stock })).ids;
      return null;
    },
    next: (index) => {
      const { products, wallet, total } = orderOf(index);
      const increment = (type: string, id: string | undefined, $inc: Readonly<Record<string, number>>) => ({
        op: 'update',
        data: { type, id, meta: { update: { $inc } } },
      });
      return atomic(headers, [
        ...products.map((product) => increment('products', ids.products[product], { stock: -1 })),
        increment('wallets', ids.wallets[wallet], { balance: -total }),
        { op: 'add', data: { type: 'orders', attributes: { total, number: index } } },
        { op: 'add', data: { type: 'ledger', attributes: { amount: -total, number: index } } },
      ]);
    },
  };
}
