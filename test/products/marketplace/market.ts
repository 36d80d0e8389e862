/**
 * A marketplace without a backend. Sellers offer listings, buyers keep favourites, order, write reviews, and people write
 * to each other. Two public keys: the shop's and the desk's, where sellers work. A third counts views; the server that
 * renders pages holds it.
 */
import { Client } from '../../support/client.ts';
import { makeUser } from '../../support/people.ts';
import { configure, LOG_IN, may, Member, ONE, shape, VIEWER } from '../../support/products.ts';
import { defined } from '../../support/aggregates.ts';
import { NOBODY } from '../../support/people.ts';

const string = { type: 'string', maxLength: 1_000 };
const price = { type: 'number', minimum: 0 };
const stars = { enum: [1, 2, 3, 4, 5] };

const SHOWN = ['title', 'text', 'price', 'status', 'views', 'seller'];
const BUYER = { 'buyer.id': '$$viewer.id' };
const SELLER = { 'seller.id': '$$viewer.id' };
const WRITTEN = { stars: { $gte: 1 } };

const SHOP = [
  LOG_IN,
  may('post', '/operations'),
  may('get', `/resources/listings(${ONE}(/relationships)?(/seller)?)?`, {
    where: { status: 'open' },
    fields: { read: SHOWN },
  }),
  // A favourite is its owner's alone.
  may('get post delete', `/resources/favourites(${ONE}(/listing)?)?`, {
    where: { 'user.id': '$$viewer.id' },
    check: { user: VIEWER },
  }),
  // An order is placed by its buyer, who can cancel it until the seller has answered.
  may('post', '/resources/orders', { where: BUYER, check: { buyer: VIEWER, status: 'placed' } }),
  may('get', `/resources/orders(${ONE}(/listing)?)?`, { where: BUYER }),
  may('patch', `/resources/orders${ONE}`, {
    where: { ...BUYER, status: 'placed' },
    check: { ...BUYER, status: 'cancelled' },
    fields: { write: ['status'] },
  }),
  // The seller hands out a review with the goods; its buyer writes it once, and nobody changes it.
  may('get', `/resources/reviews(${ONE})?`, { where: WRITTEN }),
  may('patch', `/resources/reviews${ONE}`, {
    where: { ...BUYER, stars: null },
    check: { ...BUYER, ...WRITTEN },
    fields: { write: ['stars', 'text'] },
  }),
  // A message is seen by the two, and sent by the sender.
  may('get post', `/resources/messages(${ONE})?`, {
    where: { $or: [{ 'from.id': '$$viewer.id' }, { 'to.id': '$$viewer.id' }] },
    check: { from: VIEWER },
  }),
  may('get', '/aggregates/agt\\.ratings(/[^/]+)?', { where: WRITTEN }),
  may('get', '/aggregates/agt\\.popular(/[^/]+)?(/listing)?', { fields: { read: ['listing'] } }),
];

const DESK = [
  LOG_IN,
  may('post', '/operations'),
  may('get post patch delete', `/resources/listings(${ONE})?`, {
    where: SELLER,
    check: { seller: VIEWER },
    fields: { write: ['title', 'text', 'price', 'floor', 'status', 'seller'] },
  }),
  may('get', `/resources/orders(${ONE})?`, { where: SELLER }),
  may('patch', `/resources/orders${ONE}`, {
    where: { ...SELLER, status: 'placed' },
    check: { ...SELLER, status: { $in: ['confirmed', 'refused'] } },
    fields: { write: ['status'] },
  }),
  may('post', '/resources/reviews', {
    check: { seller: VIEWER, stars: null },
    fields: { write: ['seller', 'buyer', 'listing'] },
  }),
  may('get', '/aggregates/agt\\.sales(/[^/]+)?', { where: SELLER }),
];

const COUNTER = [
  may('patch', `/resources/listings${ONE}`, { where: { status: 'open' }, fields: { write: ['views'] } }),
];

export const TYPES = ['listings', 'favourites', 'orders', 'reviews', 'messages'];

/** A market that is set up, with people who have not done anything yet. */
export async function openMarket() {
  const trusted = await Client.create('market');
  const user = 'core.user';
  const status = (...states: readonly string[]) => ({ enum: states });
  await shape(
    trusted,
    'listings',
    {
      title: string,
      text: string,
      price,
      floor: price,
      views: { type: 'integer' },
      status: status('draft', 'open', 'sold'),
    },
    { seller: user },
    ['title', 'status'],
  );
  await shape(trusted, 'favourites', {}, { user, listing: 'listings' });
  const states = status('placed', 'cancelled', 'confirmed', 'refused');
  await shape(
    trusted,
    'orders',
    { price, status: states },
    { buyer: user, seller: user, listing: 'listings' },
    ['status'],
  );
  await shape(
    trusted,
    'reviews',
    { stars, text: string },
    { buyer: user, seller: user, listing: 'listings' },
  );
  await shape(trusted, 'messages', { text: string }, { from: user, to: user }, ['text']);
  await configure(trusted, '/schemas/core.type', { name: 'favourites', unique: [['user.id', 'listing.id']] });
  await configure(trusted, '/schemas/core.type', { name: 'reviews', unique: [['buyer.id', 'listing.id']] });
  await defined(trusted, 'ratings', 'reviews', [
    { group: { id: '$seller.id', stars: { $avg: '$stars' }, reviews: { $sum: 1 } } },
    { output: { attributes: ['stars', 'reviews'] } },
  ]);
  await defined(trusted, 'popular', 'favourites', [
    { group: { id: '$listing.id', keepers: { $sum: 1 }, listing: { $first: '$listing' } } },
    { output: { attributes: ['keepers'], relationships: ['listing'] } },
  ]);
  await defined(trusted, 'sales', 'orders', [
    { group: { id: '$status', orders: { $sum: 1 }, sum: { $sum: '$price' } } },
    { output: { attributes: ['orders', 'sum'] } },
  ]);
  const shop = await trusted.withPermissions(SHOP);
  const desk = await trusted.withPermissions(DESK);
  const counter = new Member(await trusted.withPermissions(COUNTER), NOBODY);
  const [sam, bea, mal] = [
    await makeUser(trusted, 'sam'),
    await makeUser(trusted, 'bea'),
    await makeUser(trusted, 'mal'),
  ];
  return {
    trusted,
    counter,
    visitor: new Member(shop, NOBODY),
    bea: new Member(shop, bea),
    /** The seller, in the shop and at the desk. */
    sam: new Member(shop, sam),
    samsDesk: new Member(desk, sam),
    /** Somebody malicious has an account and both public keys. */
    mal: new Member(shop, mal),
    malsDesk: new Member(desk, mal),
    nobodysDesk: new Member(desk, NOBODY),
  };
}

export type Market = Awaited<ReturnType<typeof openMarket>>;
