/** What the malicious user of the marketplace tries to forge, change and delete, and what comes of it. */
import { add, relink, remove, update } from '../../support/operations.ts';
import { at, doing, set, to, type Attempt, type Member } from '../../support/products.ts';
import type { Stock } from './stock.ts';

const by = (seller: Member) => ({ seller: to(seller.link) });

export const forgeries: readonly Attempt<Stock>[] = [
  [
    "a message in Bea's name",
    ({ bea, sam, mal }) => mal.create('messages', { text: 'x' }, { from: to(bea.link), to: to(sam.link) }),
    '403 rule-violated',
  ],
  [
    'a message from both of them',
    ({ bea, sam, mal }) =>
      mal.create('messages', { text: 'x' }, { from: to(mal.link, bea.link), to: to(sam.link) }),
    '422 schema-violation',
  ],
  [
    "a message in nobody's name",
    ({ visitor, bea, sam }) =>
      visitor.create('messages', { text: 'x' }, { from: to(bea.link), to: to(sam.link) }),
    '403 rule-violated',
  ],
  [
    'a message in a list',
    ({ bea, sam, mal }) =>
      mal.operate([add('messages', { text: 'x' }, { from: to(bea.link), to: to(sam.link) })], {}, true),
    '403 rule-violated',
  ],
  [
    'a message in a list that goes on',
    ({ bea, sam, mal }) =>
      mal.operate([add('messages', { text: 'x' }, { from: to(bea.link), to: to(sam.link) })]),
    '200 rule-violated',
  ],
  [
    'a message that gives itself rights',
    ({ bea, sam, mal }) =>
      mal.create(
        'messages',
        { text: 'x' },
        { from: to(bea.link), to: to(sam.link) },
        { meta: { acl: { read: '*' } } },
      ),
    '403 rule-violated',
  ],
  [
    'an order for Bea',
    ({ bea, sam, mal, chair }) =>
      mal.create(
        'orders',
        { price: 1, status: 'placed' },
        { ...by(sam), buyer: to(bea.link), listing: to(chair) },
      ),
    '403 rule-violated',
  ],
  [
    'an order that is confirmed',
    ({ bea, sam, mal, chair }) =>
      mal.create(
        'orders',
        { price: 1, status: 'confirmed' },
        { ...{ ...by(sam), buyer: to(bea.link), listing: to(chair) }, buyer: to(mal.link) },
      ),
    '403 rule-violated',
  ],
  [
    "a favourite of Bea's",
    ({ bea, mal, chair }) => mal.create('favourites', {}, { user: to(bea.link), listing: to(chair) }),
    '403 rule-violated',
  ],
  [
    'a second favourite',
    ({ mal, draft }) => mal.create('favourites', {}, { user: to(mal.link), listing: to(draft) }),
    '409 value-taken',
  ],
  [
    'a review',
    ({ bea, sam, mal, chair }) =>
      mal.create('reviews', { stars: 1 }, { ...by(sam), buyer: to(bea.link), listing: to(chair) }),
    '403 forbidden',
  ],
  [
    "a review at the desk, in the seller's name",
    ({ bea, sam, desk, own }) =>
      desk.create('reviews', {}, { ...by(sam), buyer: to(bea.link), listing: to(own) }),
    '403 rule-violated',
  ],
  [
    'a review at the desk that is written',
    ({ bea, sam, mal, desk, own }) =>
      desk.create(
        'reviews',
        { stars: 5 },
        { ...{ ...by(sam), buyer: to(bea.link), listing: to(own) }, seller: to(mal.link) },
      ),
    '403 field-not-permitted',
  ],
  [
    "a listing of Sam's",
    ({ sam, desk }) => desk.create('listings', { title: 'x', status: 'open' }, by(sam)),
    '403 rule-violated',
  ],
  [
    'a listing with views',
    ({ mal, desk }) =>
      desk.create('listings', { title: 'x', status: 'open', views: 9 }, { seller: to(mal.link) }),
    '403 field-not-permitted',
  ],
  [
    'a listing without a token',
    ({ sam, nobodysDesk }) => nobodysDesk.create('listings', { title: 'x', status: 'open' }, by(sam)),
    '403 rule-violated',
  ],
  [
    'a listing by the id of a draft',
    ({ sam, desk, draft }) =>
      desk.operate([
        { op: 'add', data: { ...draft, attributes: { title: 'x', status: 'open' }, relationships: by(sam) } },
      ]),
    '200 client-id',
  ],
  [
    'a user',
    ({ mal }) => mal.send('POST', '/users/core.user', { data: { type: 'core.user' } }),
    '403 forbidden',
  ],
  [
    'a key',
    ({ mal }) => mal.send('POST', '/api-keys/core.api-key', { data: { type: 'core.api-key' } }),
    '403 forbidden',
  ],
  [
    'an aggregate that shows everything',
    ({ mal }) => mal.send('POST', '/aggregates/core.aggregate', { data: { type: 'core.aggregate' } }),
    '403 forbidden',
  ],
  [
    'settings of a type',
    ({ mal }) => mal.send('POST', '/schemas/core.type', { data: { type: 'core.type' } }),
    '403 forbidden',
  ],
];

export const changes: readonly Attempt<Stock>[] = [
  ["a listing's price", ({ desk, chair }) => desk.change(chair, set({ price: 1 })), '403 forbidden'],
  [
    "a listing's seller, to be its own",
    ({ mal, desk, chair }) => desk.change(chair, { relationships: { seller: to(mal.link) } }),
    '403 forbidden',
  ],
  [
    "his own listing, to be Sam's",
    ({ sam, desk, own }) => desk.change(own, { relationships: by(sam) }),
    '403 rule-violated',
  ],
  [
    "his own listing, to be both's",
    ({ sam, mal, desk, own }) => desk.change(own, { relationships: { seller: to(mal.link, sam.link) } }),
    '422 schema-violation',
  ],
  [
    'views of his own listing',
    ({ desk, own }) => desk.change(own, doing({ $inc: { views: 1_000 } })),
    '403 field-not-permitted',
  ],
  [
    'views, by renaming a field',
    ({ desk, own }) => desk.change(own, doing({ $rename: { price: 'views' } })),
    '403 field-not-permitted',
  ],
  [
    'views, in the shop',
    ({ mal, chair }) => mal.change(chair, doing({ $inc: { views: 1 } })),
    '403 forbidden',
  ],
  [
    "a draft's views, by the counter",
    ({ counter, draft }) => counter.change(draft, doing({ $inc: { views: 1 } })),
    '403 forbidden',
  ],
  [
    'the order of Bea, cancelled',
    ({ mal, order }) => mal.change(order, set({ status: 'cancelled' })),
    '403 forbidden',
  ],
  [
    'the order of Bea, confirmed',
    ({ desk, order }) => desk.change(order, set({ status: 'confirmed' })),
    '403 forbidden',
  ],
  [
    'his own order, confirmed',
    ({ mal, ownOrder }) => mal.change(ownOrder, set({ status: 'confirmed' })),
    '403 rule-violated',
  ],
  [
    'his own order, confirmed at the desk',
    ({ desk, ownOrder }) => desk.change(ownOrder, set({ status: 'confirmed' })),
    '403 forbidden',
  ],
  [
    "his own order's seller",
    ({ mal, ownOrder }) =>
      mal.change(ownOrder, { ...set({ status: 'cancelled' }), relationships: { seller: to(mal.link) } }),
    '403 field-not-permitted',
  ],
  [
    "his own order's seller, as a relationship",
    ({ mal, ownOrder }) => mal.send('PATCH', at(ownOrder, '/relationships/seller'), { data: mal.link }),
    '403 forbidden',
  ],
  [
    "his own order's price",
    ({ mal, ownOrder }) => mal.change(ownOrder, set({ price: 0 })),
    '403 field-not-permitted',
  ],
  ["Bea's review, before her", ({ mal, review }) => mal.change(review, set({ stars: 1 })), '403 forbidden'],
  ["Bea's review, after her", ({ mal, written }) => mal.change(written, set({ stars: 1 })), '403 forbidden'],
  [
    "Bea's review, by a list",
    ({ mal, written }) => mal.operate([update(written, { stars: 1 })]),
    '200 forbidden',
  ],
  [
    "the buyer of Bea's review",
    ({ mal, review }) => mal.operate([relink('update', review, 'buyer', mal.link)], {}, true),
    '403 forbidden',
  ],
  [
    "Bea's favourite, to be his own",
    ({ mal, favourite }) => mal.change(favourite, { relationships: { user: to(mal.link) } }),
    '403 forbidden',
  ],
  ['a message', ({ mal, message }) => mal.change(message, set({ text: 'x' })), '403 forbidden'],
  [
    'the rights of a message',
    ({ mal, message }) =>
      mal.send('PATCH', `/resources/messages.acl/${message.id}`, {
        data: { type: 'messages.acl', id: message.id, attributes: { read: '*' } },
      }),
    '403 forbidden',
  ],
  [
    'the rights of a favourite, by a list',
    ({ mal, favourite }) =>
      mal.operate(
        [
          {
            op: 'update',
            ref: { type: 'favourites.acl', id: favourite.id },
            data: { type: 'favourites.acl', id: favourite.id, attributes: { read: '*' } },
          },
        ],
        {},
        true,
      ),
    '403 forbidden',
  ],
  [
    'a listing, by PUT',
    ({ desk, chair }) => desk.send('PUT', at(chair), { data: { ...chair, attributes: { price: 1 } } }),
    '405 method-not-allowed',
  ],
  [
    'a listing, by a method in a header',
    ({ desk, chair }) => desk.send('POST', at(chair), { data: chair }, { 'x-http-method-override': 'PATCH' }),
    '405 method-not-allowed',
  ],
  [
    'an aggregate',
    ({ sam, mal }) => mal.send('PATCH', `/aggregates/agt.ratings/${sam.link.id}`, { data: null }),
    '403 forbidden',
  ],
];

export const deletions: readonly Attempt<Stock>[] = [
  ['a listing', ({ desk, chair }) => desk.delete(chair), '403 forbidden'],
  ['a listing in the shop', ({ mal, chair }) => mal.delete(chair), '403 forbidden'],
  [
    'a listing, whatever its state',
    ({ desk, chair }) => desk.delete(chair, { 'if-match': '*' }),
    '403 forbidden',
  ],
  ['a favourite', ({ mal, favourite }) => mal.delete(favourite), '403 forbidden'],
  ['a favourite, by a list', ({ mal, favourite }) => mal.operate([remove(favourite)]), '200 forbidden'],
  ['a message', ({ mal, message }) => mal.delete(message), '403 forbidden'],
  ['a review', ({ desk, written }) => desk.delete(written), '403 forbidden'],
  ['an order that is done', ({ mal, done }) => mal.delete(done), '403 forbidden'],
];
