/** A market in which things have happened: those of Sam and Bea, and some of Mallory's own. */
import { to } from '../../support/products.ts';
import { openMarket } from './market.ts';

export async function stock() {
  const market = await openMarket();
  const { bea, sam, samsDesk } = market;
  const { mal, malsDesk: desk } = market;
  const seller = to(sam.link);
  const buyer = to(bea.link);
  const chair = await samsDesk.make(
    'listings',
    { title: 'A chair', price: 40, floor: 31.5, status: 'open' },
    { seller },
  );
  const draft = await samsDesk.make(
    'listings',
    { title: 'Mahogany', price: 90, status: 'draft' },
    { seller },
  );
  const bought = { buyer, seller, listing: to(chair) };
  const order = await bea.make('orders', { price: 40, status: 'placed' }, bought);
  const done = await bea.make('orders', { price: 40, status: 'placed' }, bought);
  await samsDesk.change(done, { attributes: { status: 'confirmed' } });
  const review = await samsDesk.make('reviews', {}, { ...bought, listing: to(draft) });
  const written = await samsDesk.make('reviews', {}, bought);
  await bea.change(written, { attributes: { stars: 5, text: 'It stands.' } });
  const favourite = await bea.make('favourites', {}, { user: buyer, listing: to(chair) });
  const message = await bea.make('messages', { text: 'bring cash' }, { from: buyer, to: seller });
  const own = await desk.make(
    'listings',
    { title: 'Of mine', price: 1, status: 'draft' },
    { seller: to(mal.link) },
  );
  const ownOrder = await mal.make(
    'orders',
    { price: 1, status: 'placed' },
    { ...bought, buyer: to(mal.link), listing: to(draft) },
  );
  // He may link to what he cannot see: a link says that something exists.
  const ownFavourite = await mal.make('favourites', {}, { user: to(mal.link), listing: to(draft) });
  const others = { chair, draft, order, done, review, written, favourite, message };
  return { ...market, desk, ...others, own, ownOrder, ownFavourite };
}

export type Stock = Awaited<ReturnType<typeof stock>>;
