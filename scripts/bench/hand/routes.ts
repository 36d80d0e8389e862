/** The Worker's part of the works by hand: one call of their object, and its answer as a JSON:API document. */
import { Hono } from 'hono';
import { PAGE } from '../contender.ts';
import type { Hand, Order, Page, Query } from './object.ts';

/** The object as a Worker sees it: every method answers later. */
type HandStub = {
  readonly [Name in keyof Hand]: Hand[Name] extends (...parameters: infer Parameters) => infer Result
    ? (...parameters: Parameters) => Promise<Result>
    : never;
};

const JSON_API = { 'content-type': 'application/vnd.api+json' };

const LISTS: Readonly<Record<string, (hand: HandStub, query: Query) => Promise<Page>>> = {
  list: (hand) => hand.list(),
  selective: (hand, query) => hand.selective(query),
  broad: (hand, query) => hand.broad(query),
  sorted: (hand, query) => hand.sorted(query),
  text: (hand, query) => hand.text(query),
  near: (hand, query) => hand.near(query),
  within: (hand, query) => hand.within(query),
  include: (hand, query) => hand.include(query),
  readable: (hand, query) => hand.readable(query),
};

/** The routes, on the object that `handOf` finds. */
export function handRoutes<Environment>(handOf: (environment: Environment) => HandStub) {
  const app = new Hono<{ Bindings: Environment & object }>();
  app.get('/lists/:name', async ({ env, req, body, notFound }) => {
    // Hono's has no prototype, and such objects go through no call.
    const query = { ...req.query() };
    const list = LISTS[req.param('name')];
    if (list === undefined) return notFound();
    return body(documentOf(await list(handOf(env), query), req.url, query), 200, JSON_API);
  });
  app.post('/places', async ({ env, req, body }) => {
    const document = await req.text();
    await handOf(env).create(JSON.stringify((JSON.parse(document) as { readonly data: unknown }).data));
    return body(document, 201, JSON_API);
  });
  app.patch('/places/:id', async ({ env, req, body }) => {
    const { data } = await req.json<{ readonly data: { readonly attributes: unknown } }>();
    const version = Number(req.header('if-match')?.slice(1, -1));
    const next = await handOf(env).update(req.param('id'), version, JSON.stringify(data.attributes));
    return next === null ? body(null, 412) : body(null, 204, { etag: `"${next}"` });
  });
  app.post('/orders', async ({ env, req, body }) => {
    await handOf(env).order(await req.json<Order>());
    return body(null, 204);
  });
  app.post('/many/countries', async ({ env, req, body }) => {
    await handOf(env).createCountries(await req.text());
    return body(null, 204);
  });
  app.post('/many/authors', async ({ env, req, body }) => {
    await handOf(env).createAuthors(await req.text());
    return body(null, 204);
  });
  app.post('/many/places', async ({ env, req, body }) => {
    await handOf(env).createPlaces(await req.text(), Number(req.query('share')));
    return body(null, 204);
  });
  app.post('/indexes', async ({ env, body }) => {
    await handOf(env).declareIndexes();
    return body(null, 204);
  });
  return app;
}

function documentOf({ count, data, included }: Page, url: string, { offset = '0' }: Query): string {
  const from = Number(offset);
  const [path = ''] = url.split('&page%5B', 1);
  const link = (to: number) =>
    `"${path}${path.includes('?') ? '&' : '?'}page%5Boffset%5D=${to}&page%5Blimit%5D=${PAGE}"`;
  const last = Math.max(0, Math.ceil(count / PAGE) - 1) * PAGE;
  const links = [
    `"self":${JSON.stringify(url)}`,
    `"first":${link(0)}`,
    `"last":${link(last)}`,
    `"prev":${from === 0 ? 'null' : link(Math.max(0, from - PAGE))}`,
    `"next":${from + PAGE >= count ? 'null' : link(from + PAGE)}`,
  ].join(',');
  const more = included === undefined ? '' : `,"included":[${included}]`;
  return `{"meta":{"count":${count}},"data":[${data}]${more},"links":{${links}},"jsonapi":{"version":"1.1"}}`;
}
