/**
 * The malicious user of the marketplace: with an account, both public keys and the ids of everything, he tries to read,
 * forge, change, delete, count and infer what is not his. In the end nothing has changed.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Link, Reply } from '../../support/client.ts';
import { at, expectRefused, outcomeOf, set, snapshotOf, type Attempt } from '../../support/products.ts';
import { inferences, reads } from './mallory-reads.ts';
import { changes, deletions, forgeries } from './mallory-writes.ts';
import { TYPES } from './market.ts';
import { stock, type Stock } from './stock.ts';

/** Words that only others may see. */
const SECRETS = ['31.5', 'Mahogany', 'bring cash'];

let market: Stock;
let before: unknown;
beforeAll(async () => {
  market = await stock();
  before = await snapshotOf(market.trusted, TYPES);
});

describe.each([
  ['reads', reads],
  ['infers what a listing would go for', inferences],
  ['forges', forgeries],
  ['changes', changes],
  ['deletes', deletions],
])('Mallory never %s', (_, attempts: readonly Attempt<Stock>[]) => {
  test.each(attempts)('%s', async (...attempt) => {
    await expectRefused(market, attempt, SECRETS);
  });
});

describe('Mallory cannot tell', () => {
  const none = (type: string): Link => ({ type, id: '0123456789abcdef01234567' });
  const same = async (ask: (link: Link) => Promise<Reply>, link: Link) => {
    const [real, made] = [await ask(link), await ask(none(link.type))];
    const strip = ({ status, text }: Reply) => [status, text.replaceAll(/[0-9a-f]{24}/g, 'ID')];
    expect(strip(real)).toEqual(strip(made));
  };

  test.each<[string, (link: Link) => Promise<Reply>]>([
    ['by reading it', (link) => market.mal.get(at(link))],
    ['by an old tag', (link) => market.mal.get(at(link), { 'if-none-match': '*' })],
    ['by changing it', (link) => market.mal.change(link, set({ status: 'cancelled' }))],
    [
      'by a precondition',
      (link) => market.mal.change(link, set({ status: 'cancelled' }), { 'if-match': '"x"' }),
    ],
  ])('whether an order is there, %s', async (_, ask) => {
    await same(ask, market.order);
  });

  test('whether Bea keeps a listing, as only his own favourites are unique to him', async () => {
    const { body } = await market.mal.get('/aggregates/agt.popular');
    expect(body.data.map(({ attributes }) => attributes)).toEqual([{ keepers: 1 }, { keepers: 1 }]);
    expect(outcomeOf(await market.mal.get('/aggregates/agt.popular?filter[user.id]=x'))).toBe('200 of 0');
  });
});

test('in the end nothing has changed', async () => {
  expect(await snapshotOf(market.trusted, TYPES)).toEqual(before);
});
