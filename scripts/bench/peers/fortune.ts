/** fortune in memory in a run: the one peer that speaks JSON:API. It has no rights, no text, no places. */
import { join } from 'node:path';
import { deepOffset, matches, PAGE, type Contender, type Work } from '../contender.ts';
import { authorsOf, batchOf, COUNTRIES, madePlace, placeOf, randomOf, SHARING, type Place } from '../data.ts';
import { Connections, inParallel, type Answer, type Exchange } from '../load.ts';
import { start } from '../processes.ts';
import { installed } from './install.ts';

const HEADERS = { 'content-type': 'application/vnd.api+json', accept: 'application/vnd.api+json' };
const WIDTH = 16;

interface Body {
  readonly data: { readonly id: string };
}

interface List {
  readonly data: readonly unknown[];
  readonly included?: readonly unknown[];
  readonly meta?: { readonly count?: number };
}

export async function startFortune(size: number): Promise<Contender> {
  const packages = await installed('fortune', {
    fortune: '5.5',
    'fortune-http': '1',
    'fortune-json-api': '2.3',
  });
  const port = 20_000 + Math.floor(Math.random() * 40_000);
  await start({
    command: process.execPath,
    args: [join(import.meta.dirname, 'fortune-serve.ts')],
    environment: { PACKAGES: packages, PORT: String(port), NODE_ENV: 'production' },
    ready: /serves on/,
  });
  const url = `http://127.0.0.1:${port}`;
  const countries = await createAll(url, COUNTRIES, (index) =>
    resource('countries', { name: `country ${index}` }),
  );
  const authors = await createAll(url, authorsOf(size), (index) =>
    resource(
      'authors',
      { name: `author ${index}`, born: 1900 + (index % 100) },
      { country: link('countries', countries[index % COUNTRIES]) },
    ),
  );
  const begun = performance.now();
  const places = await createAll(url, size, (index) => placeResource(placeOf(index, size), authors));
  const seconds = (performance.now() - begun) / 1000;
  const imported = { documents: size, seconds, how: `one by one, ${WIDTH} connections` };
  return { name: 'fortune', url, imported, works: worksOn(places, authors, size) };
}

function worksOn(places: readonly string[], authors: readonly string[], size: number): Contender['works'] {
  const random = randomOf(7);
  const below = (count: number) => Math.floor(random() * count);
  const find = (query: Readonly<Record<string, string>>, check: (list: List) => string | null): Exchange => ({
    method: 'GET',
    path: `/places?${new URLSearchParams({ 'page[limit]': String(PAGE), ...query }).toString()}`,
    headers: HEADERS,
    check: ({ text }) => check(JSON.parse(text) as List),
  });
  const create: Work = { next: (index) => creation(placeResource(madePlace(index, size), authors)) };
  return {
    read: {
      next: () => {
        const id = places[below(size)] ?? '';
        const check = ({ text }: Answer) => (text.includes(id) ? null : 'another record');
        return { method: 'GET', path: `/places/${encodeURIComponent(id)}`, headers: HEADERS, check };
      },
    },
    list: { next: () => find({}, page) },
    selective: {
      next: () =>
        find({ 'filter[batch]': batchOf(below(size / SHARING)) }, ({ meta }) =>
          meta?.count === matches.selective() ? null : `a count of ${meta?.count ?? 'nothing'}`,
        ),
    },
    sort: { next: () => find({ sort: 'rank' }, page) },
    deep: { next: () => find({ sort: 'rank', 'page[offset]': String(deepOffset(size)) }, page) },
    include: {
      next: () =>
        find({ include: 'author.country', 'page[offset]': String(below(size - PAGE)) }, (list) =>
          (list.included?.length ?? 0) > 0 ? page(list) : 'nothing included',
        ),
    },
    patch: {
      next: (index) => {
        const id = places[index % 500] ?? '';
        const body = JSON.stringify({ data: { type: 'places', id, attributes: { visits: -1 - index } } });
        return {
          method: 'PATCH',
          path: `/places/${encodeURIComponent(id)}`,
          headers: HEADERS,
          body,
          status: 204,
        };
      },
    },
    create,
    taught: create,
  };
}

function page({ data }: List): string | null {
  return data.length === PAGE ? null : `${data.length} records`;
}

interface Resource {
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

function resource(
  type: string,
  attributes: Readonly<Record<string, unknown>>,
  relationships: Readonly<Record<string, unknown>> = {},
): Resource {
  return { type, attributes, relationships };
}

function link(type: string, id: string | undefined) {
  return { data: { type, id } };
}

function placeResource({ author, ...attributes }: Place, authors: readonly string[]): Resource {
  return resource('places', attributes, { author: link('authors', authors[author]) });
}

function creation(data: Resource): Exchange {
  const body = JSON.stringify({ data });
  return { method: 'POST', path: `/${data.type}`, headers: HEADERS, body, status: 201 };
}

async function createAll(
  url: string,
  count: number,
  make: (index: number) => Resource,
): Promise<readonly string[]> {
  const client = new Connections(url, WIDTH);
  const ids: string[] = [];
  await inParallel(Array.from({ length: count }).keys(), WIDTH, async (index) => {
    const { text } = await client.exchange(creation(make(index)));
    ids[index] = (JSON.parse(text) as Body).data.id;
  });
  client.close();
  return ids;
}
