/** What the malicious user of the marketplace tries to read and to infer, and what comes of it. */
import { at, found, doing, type Attempt } from '../../support/products.ts';
import type { Stock } from './stock.ts';

export const reads: readonly Attempt<Stock>[] = [
  ['a draft at its address', ({ mal, draft }) => mal.get(at(draft)), '403 forbidden'],
  [
    'a draft at its address, without a token',
    ({ visitor, draft }) => visitor.get(at(draft)),
    '403 forbidden',
  ],
  ["a draft at the seller's desk", ({ desk, draft }) => desk.get(at(draft)), '403 forbidden'],
  ["others' listings at the desk", ({ desk }) => desk.get('/resources/listings'), '200 of 1'],
  ['the desk without a token', ({ nobodysDesk }) => nobodysDesk.get('/resources/listings'), '200 of 0'],
  [
    'a draft by its id in a filter',
    ({ mal, draft }) => mal.get(`/resources/listings?filter[id]={"$oid":"${draft.id}"}`),
    '200 of 0',
  ],
  ['drafts by a filter', ({ mal }) => mal.get(found('listings', { status: 'draft' })), '200 of 0'],
  [
    'drafts by a negation',
    ({ mal }) => mal.get(found('listings', { $nor: [{ status: 'open' }] })),
    '200 of 0',
  ],
  [
    'drafts by an alternative',
    ({ mal }) => mal.get(found('listings', { $or: [{}, { status: 'draft' }] })),
    '200 of 1',
  ],
  [
    'a draft by full text',
    ({ mal }) => mal.get(found('listings', { $text: { $search: 'mahogany' } })),
    '200 of 0',
  ],
  ['a draft by a pattern', ({ mal }) => mal.get(found('listings', { title: { $regex: '^M' } })), '200 of 0'],
  [
    'a draft by the related read of a favourite',
    ({ mal, ownFavourite }) => mal.get(at(ownFavourite, '/listing')),
    '200',
  ],
  ['a draft by an include', ({ mal }) => mal.get('/resources/favourites?include=listing'), '200 of 1'],
  [
    'a draft by the related read of an order',
    ({ mal, ownOrder }) => mal.get(at(ownOrder, '/listing')),
    '200',
  ],
  ["a draft's seller", ({ mal, draft }) => mal.get(at(draft, '/relationships/seller')), '403 forbidden'],
  ["an order of Bea's", ({ mal, order }) => mal.get(at(order)), '403 forbidden'],
  ["an order of Bea's at the desk", ({ desk, order }) => desk.get(at(order)), '403 forbidden'],
  [
    "orders by their buyer's id",
    ({ bea, mal }) => mal.get(found('orders', { 'buyer.id': { $oid: bea.link.id } })),
    '200 of 0',
  ],
  [
    'all orders',
    ({ mal }) => mal.get('/resources/orders?sort=-price&page[size]=1&page[number]=1'),
    '200 of 1',
  ],
  ['a review that is not written', ({ mal, review }) => mal.get(at(review)), '403 forbidden'],
  ["a favourite of Bea's", ({ mal, favourite }) => mal.get(at(favourite)), '403 forbidden'],
  ['what Bea keeps', ({ mal }) => mal.get(found('favourites', { 'user.id': { $ne: null } })), '200 of 1'],
  ['a message', ({ mal, message }) => mal.get(at(message)), '403 forbidden'],
  ['messages', ({ mal }) => mal.get('/resources/messages?page[after]='), '200 of 0'],
  ['messages without a token', ({ visitor }) => visitor.get('/resources/messages'), '200 of 0'],
  [
    'messages by their words',
    ({ mal }) => mal.get(found('messages', { $text: { $search: 'cash' } })),
    '200 of 0',
  ],
  [
    'a message, by a type in other letters',
    ({ mal, message }) => mal.get(`/resources/Messages/${message.id}`),
    '403 forbidden',
  ],
  [
    'a message, by an encoded path',
    ({ mal, message }) => mal.get(`/resources/%6dessages/${message.id}`),
    '403 forbidden',
  ],
  [
    'a message, by a path with dots',
    ({ mal, message }) => mal.get(`/resources/listings/../messages/${message.id}`),
    '403 forbidden',
  ],
  [
    'the rights of a message',
    ({ mal, message }) => mal.get(`/resources/messages.acl/${message.id}`),
    '403 forbidden',
  ],
  ['users', ({ mal }) => mal.get('/users/core.user'), '403 forbidden'],
  ['API keys', ({ mal }) => mal.get('/api-keys/core.api-key'), '403 forbidden'],
  ['aggregates', ({ mal }) => mal.get('/aggregates/core.aggregate'), '403 forbidden'],
  ['schemas', ({ mal }) => mal.get('/schemas/core.schema'), '403 forbidden'],
  ['sales in the shop', ({ mal }) => mal.get('/aggregates/agt.sales'), '403 forbidden'],
  ['sales of others at the desk', ({ desk }) => desk.get('/aggregates/agt.sales'), '200 of 0'],
  ['sales without a token', ({ nobodysDesk }) => nobodysDesk.get('/aggregates/agt.sales'), '200 of 0'],
];

/** The price that the seller would still take: a field that the shop does not show. */
export const inferences: readonly Attempt<Stock>[] = [
  ['by name', ({ mal, chair }) => mal.get(`${at(chair)}?fields[listings]=floor`), '200'],
  ['by a filter', ({ mal }) => mal.get(found('listings', { floor: { $gt: 30 } })), '200 of 0'],
  [
    'by whether it is there',
    ({ mal }) => mal.get(found('listings', { floor: { $exists: true } })),
    '200 of 0',
  ],
  ['by its kind', ({ mal }) => mal.get(found('listings', { floor: { $type: 'double' } })), '200 of 0'],
  [
    'by a path of two names',
    ({ mal }) => mal.get(found('listings', { $or: [{ floor: 31.5 }, { 'floor.a': 1 }] })),
    '200 of 0',
  ],
  ['by an order', ({ mal }) => mal.get('/resources/listings?sort=floor'), '200 of 1'],
  [
    'by a cursor of an order',
    ({ mal }) => mal.get('/resources/listings?sort=-floor&page[after]=&page[size]=1'),
    '200 of 1',
  ],
  [
    'by an aggregate over what others keep',
    ({ mal }) => mal.get('/aggregates/agt.popular?include=listing'),
    '200 of 2',
  ],
  ['by a change', ({ mal, chair }) => mal.change(chair, doing({ $inc: { floor: 1 } })), '403 forbidden'],
  [
    'by a change at the desk',
    ({ desk, chair }) => desk.change(chair, doing({ $rename: { floor: 'text' } })),
    '403 forbidden',
  ],
  [
    "by the counter's answer to a change",
    ({ counter, chair }) => counter.change(chair, doing({ $min: { floor: 1 } })),
    '403 field-not-permitted',
  ],
  [
    "by the counter's renaming it",
    ({ counter, chair }) => counter.change(chair, doing({ $rename: { floor: 'views' } })),
    '403 field-not-permitted',
  ],
];
