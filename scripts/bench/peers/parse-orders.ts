/** Orders in a run in parse-server: batches in a transaction of PostgreSQL. */
import type { Work } from '../contender.ts';
import { ORDER, orderOf } from '../data.ts';
import { createAll, makeClass, masterHeaders, type ParseServer } from './parse-data.ts';

const CLASSES = {
  Products: { stock: { type: 'Number' } },
  Wallets: { balance: { type: 'Number' } },
  Orders: { total: { type: 'Number' }, number: { type: 'Number' } },
  Ledger: { amount: { type: 'Number' }, number: { type: 'Number' } },
} as const;

export function orders(server: ParseServer): Work {
  const ids: { products: readonly string[]; wallets: readonly string[] } = { products: [], wallets: [] };
  const headers = masterHeaders(server);
  return {
    prepare: async () => {
      for (const [className, fields] of Object.entries(CLASSES)) await makeClass(server, className, fields);
      ids.products = await createAll(server, 'Products', ORDER.among, () => ({ stock: ORDER.stock }));
      ids.wallets = await createAll(server, 'Wallets', ORDER.among, () => ({ balance: ORDER.stock }));
      return null;
    },
    next: (index) => {
      const { products, wallet, total } = orderOf(index);
      const put = (path: string, name: string, amount: number) => ({
        method: 'PUT',
        path: `/parse/classes/${path}`,
        body: { [name]: { __op: 'Increment', amount } },
      });
      const post = (className: string, body: Readonly<Record<string, number>>) => ({
        method: 'POST',
        path: `/parse/classes/${className}`,
        body,
      });
      const requests = [
        ...products.map((product) => put(`Products/${ids.products[product] ?? ''}`, 'stock', -1)),
        put(`Wallets/${ids.wallets[wallet] ?? ''}`, 'balance', -total),
        post('Orders', { total, number: index }),
        post('Ledger', { amount: -total, number: index }),
      ];
      const check = ({ text }: { readonly text: string }) => (text.includes('"error"') ? text : null);
      const body = JSON.stringify({ requests, transaction: true });
      return { method: 'POST', path: '/parse/batch', headers, body, check };
    },
  };
}
