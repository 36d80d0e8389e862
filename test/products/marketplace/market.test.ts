/** A marketplace on the API alone: what sellers and buyers do. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Link, Reply } from '../../support/client.ts';
import { update } from '../../support/operations.ts';
import { at, found, outcomeOf, to } from '../../support/products.ts';
import { openMarket, type Market } from './market.ts';

let market: Market;
let chair: Link;
let draft: Link;
beforeAll(async () => {
  market = await openMarket();
  const { sam, samsDesk } = market;
  const seller = to(sam.link);
  chair = await samsDesk.make(
    'listings',
    { title: 'A chair', text: 'of oak', price: 40, floor: 31, status: 'open' },
    { seller },
  );
  draft = await samsDesk.make('listings', { title: 'A table', price: 90, status: 'draft' }, { seller });
});

const titles = ({ body }: Reply) => body.data.map(({ attributes }) => attributes?.['title']);

describe('listings', () => {
  test.each([
    ['/resources/listings'],
    [found('listings', { $text: { $search: 'oak' } })],
    [found('listings', { price: { $lt: 100 } }, '&sort=-price')],
  ])('everybody finds those that are open: %s', async (path) => {
    for (const who of [market.visitor, market.bea]) expect(titles(await who.get(path))).toEqual(['A chair']);
  });

  test('buyers do not see the price that the seller would still take', async () => {
    const { attributes } = (await market.bea.get(at(chair))).body.data;
    expect(attributes).toEqual({ title: 'A chair', text: 'of oak', price: 40, status: 'open' });
  });

  test('sellers see all of theirs, whole', async () => {
    const { body } = await market.samsDesk.get('/resources/listings');
    expect(body.data.map(({ attributes }) => attributes?.['floor'])).toEqual([31, undefined]);
  });

  test('a draft is opened, and sold; then the shop shows it no more', async () => {
    const { samsDesk, bea } = market;
    expect((await samsDesk.change(draft, { attributes: { status: 'open' } })).status).toBe(200);
    expect((await bea.get('/resources/listings')).body.meta.count).toBe(2);
    expect((await samsDesk.change(draft, { attributes: { status: 'sold' } })).status).toBe(200);
    expect((await bea.get(at(draft))).status).toBe(403);
  });

  test('twenty views at once are twenty', async () => {
    const views = { meta: { update: { $inc: { views: 1 } } } };
    await Promise.all(Array.from({ length: 20 }, () => market.counter.change(chair, views)));
    expect((await market.visitor.get(at(chair))).body.data.attributes?.['views']).toBe(20);
  });
});

describe('favourites', () => {
  const keep = () => market.bea.create('favourites', {}, { user: to(market.bea.link), listing: to(chair) });

  test('a listing is kept once, and by many', async () => {
    const kept = await Promise.all(Array.from({ length: 5 }, keep));
    expect(kept.map(outcomeOf).sort()).toEqual(['201', ...Array<string>(4).fill('409 value-taken')]);
    const { sam } = market;
    expect((await sam.create('favourites', {}, { user: to(sam.link), listing: to(chair) })).status).toBe(201);
  });

  test('each sees their own, with the listings', async () => {
    const { body } = await market.bea.get('/resources/favourites?include=listing');
    expect([body.meta.count, body.included.map(({ id }) => id)]).toEqual([1, [chair.id]]);
  });

  test('how many keep a listing is public; who does is not', async () => {
    const { body, text } = await market.visitor.get('/aggregates/agt.popular?include=listing');
    expect(body.data.map(({ id, attributes }) => [id, attributes])).toEqual([[chair.id, { keepers: 2 }]]);
    expect(text).not.toContain(market.bea.link.id);
  });

  test('a favourite can be given up, and kept again', async () => {
    const mine = (await market.bea.get('/resources/favourites')).body.data[0];
    expect(mine && (await market.bea.delete(mine)).status).toBe(204);
    expect((await keep()).status).toBe(201);
  });
});

describe('orders', () => {
  const place = (headers = {}) => {
    const { bea, sam } = market;
    const links = { buyer: to(bea.link), seller: to(sam.link), listing: to(chair) };
    return bea.create('orders', { price: 40, status: 'placed' }, links, { headers });
  };

  test('an order that is sent again, as its answer was lost, is placed once', async () => {
    const key = { 'idempotency-key': 'b3ac-1' };
    const [first, second] = [await place(key), await place(key)];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect((await market.samsDesk.get('/resources/orders')).body.meta.count).toBe(1);
  });

  test('the seller confirms it; from then on the buyer cannot cancel it', async () => {
    const { bea, samsDesk } = market;
    const [order] = (await samsDesk.get('/resources/orders')).body.data;
    if (order === undefined) throw new Error('There is no order.');
    const read = await bea.get(at(order));
    const list = [update(order, { status: 'confirmed' })];
    expect(outcomeOf(await samsDesk.operate(list))).toBe('200 done');
    expect((await bea.get(at(order))).body.data.attributes?.['status']).toBe('confirmed');
    const cancelled = { attributes: { status: 'cancelled' } };
    expect(outcomeOf(await bea.change(order, cancelled))).toBe('403 forbidden');
    expect(outcomeOf(await bea.change(order, cancelled, { 'if-match': read.etag }))).toBe('403 forbidden');
  });

  test('the buyer cancels an order that nobody has answered', async () => {
    const { bea, samsDesk } = market;
    const { id } = (await place()).body.data;
    const order = { type: 'orders', id };
    expect((await bea.change(order, { attributes: { status: 'cancelled' } })).status).toBe(204);
    expect((await samsDesk.get(at(order))).body.data.attributes?.['status']).toBe('cancelled');
    expect(outcomeOf(await samsDesk.change(order, { attributes: { status: 'confirmed' } }))).toBe(
      '403 forbidden',
    );
  });

  test('sellers see what they have sold, by state', async () => {
    const { body } = await market.samsDesk.get('/aggregates/agt.sales?sort=id');
    expect(body.data.map(({ id, attributes }) => [id, attributes])).toEqual([
      ['cancelled', { orders: 1, sum: 40 }],
      ['confirmed', { orders: 1, sum: 40 }],
    ]);
    expect((await market.malsDesk.get('/aggregates/agt.sales')).body.meta.count).toBe(0);
  });
});

describe('reviews', () => {
  test('the seller hands one out, the buyer writes it, once', async () => {
    const { bea, sam, samsDesk, visitor } = market;
    const links = { buyer: to(bea.link), seller: to(sam.link), listing: to(chair) };
    const made = await samsDesk.create('reviews', {}, links);
    expect(made.status).toBe(201);
    expect(outcomeOf(await samsDesk.create('reviews', {}, links))).toBe('409 value-taken');
    const review = made.body.data;
    expect((await visitor.get('/resources/reviews')).body.meta.count).toBe(0);
    const written = { attributes: { stars: 4, text: 'It stands.' } };
    expect((await bea.change(review, written)).status).toBe(204);
    expect(outcomeOf(await bea.change(review, { attributes: { stars: 1 } }))).toBe('403 forbidden');
    expect((await visitor.get(at(review))).body.data.attributes).toEqual(written.attributes);
  });

  test('the rating of a seller is for everybody', async () => {
    const { body } = await market.visitor.get(`/aggregates/agt.ratings/${market.sam.link.id}`);
    expect(body.data.attributes).toEqual({ stars: 4, reviews: 1 });
  });
});

describe('messages', () => {
  test('two people write to each other, and both see what they wrote', async () => {
    const { bea, sam, mal, visitor } = market;
    const write = (from: Link, into: Link) => ({ from: to(from), to: to(into) });
    await bea.make('messages', { text: 'Still there?' }, write(bea.link, sam.link));
    await sam.make('messages', { text: 'Yes.' }, write(sam.link, bea.link));
    for (const who of [bea, sam]) {
      const { body } = await who.get('/resources/messages');
      expect(body.data.map(({ attributes }) => attributes?.['text'])).toEqual(['Still there?', 'Yes.']);
    }
    for (const who of [mal, visitor]) {
      expect((await who.get('/resources/messages')).body.meta.count).toBe(0);
    }
  });
});
