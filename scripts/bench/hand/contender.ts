/** The works by hand in a run: in the floor's process, in an object of their own. */
import {
  deepOffset,
  distanceFor,
  matches,
  READABLE,
  type Contender,
  type Work,
  type Works,
} from '../contender.ts';
import {
  authorsOf,
  batchOf,
  COUNTRIES,
  madePlace,
  orderOf,
  placeOf,
  pointOf,
  randomOf,
  searchedWords,
  SHARING,
} from '../data.ts';
import { CHUNK, chunks, HEADERS, idOf, placeResource, resourceOf } from '../floor/contender.ts';
import { counted, firstPage, including, listOf, pageOf, type Check } from '../lists.ts';
import { Connections, inParallel, type Exchange } from '../load.ts';

/** Documents that take turns in being updated: more than there are connections. */
const UPDATED = 500;

export async function loadHand(url: string, size: number): Promise<Contender> {
  const client = new Connections(url, 2);
  const send = (path: string, body: unknown) =>
    client.exchange({
      method: 'POST',
      path,
      headers: HEADERS,
      body: JSON.stringify(body),
      status: 204,
    });
  const begun = performance.now();
  await send(
    '/hand/many/countries',
    Array.from({ length: COUNTRIES }, (_, index) => countryOf(index)),
  );
  for (const authors of chunks(authorsOf(size), authorOf)) {
    await send('/hand/many/authors', authors);
  }
  const share = Math.round(1 / READABLE);
  const places = chunks(size, (index) => placeResource(idOf(index), placeOf(index, size)));
  await inParallel(places, 2, async (chunk) => {
    await send(`/hand/many/places?share=${share}`, chunk);
  });
  await send('/hand/indexes', {});
  client.close();
  const seconds = (performance.now() - begun) / 1000;
  const imported = { documents: size, seconds, how: `${CHUNK} in a request, indexes declared after that` };
  return { name: 'hand', url, imported, works: worksOf(size) };
}

function worksOf(size: number): Works {
  const random = randomOf(7);
  const below = (count: number) => Math.floor(random() * count);
  const ask = (name: string, query: Readonly<Record<string, string>>, check: Check): Exchange => ({
    method: 'GET',
    path: `/hand/lists/${name}?${new URLSearchParams(query).toString()}`,
    headers: HEADERS,
    check: ({ text }) => check(listOf(text)),
  });
  const at = () => {
    const [longitude, latitude] = pointOf(random).coordinates;
    return { longitude: String(longitude), latitude: String(latitude) };
  };
  const words = [...searchedWords(size)];
  const whole = pageOf(size);
  return {
    list: { next: () => ask('list', {}, whole) },
    selective: {
      next: () => ask('selective', { batch: batchOf(below(size / SHARING)) }, counted(matches.selective())),
    },
    broad: {
      next: () => {
        const from = below(size - matches.broad(size));
        const range = { from: String(from), to: String(from + matches.broad(size)) };
        return ask('broad', range, counted(matches.broad(size)));
      },
    },
    sort: { next: () => ask('sorted', {}, whole) },
    deep: { next: () => ask('sorted', { offset: String(deepOffset(size)) }, whole) },
    text: {
      next: () => {
        const [word, count] = words[below(words.length)] ?? ['', 0];
        return ask('text', { word }, counted(count));
      },
    },
    near: { next: () => ask('near', at(), whole) },
    within: { next: () => ask('within', { ...at(), most: String(distanceFor(size)) }, firstPage) },
    include: { next: () => ask('include', { offset: String(below(size - 20)) }, including(size)) },
    acl: { next: () => ask('readable', { holder: 'reader' }, counted(matches.readable(size))) },
    order: {
      next: (index) => ({
        method: 'POST',
        path: '/hand/orders',
        headers: HEADERS,
        body: JSON.stringify(orderOf(index)),
        status: 204,
      }),
    },
    patch: updates(),
    taught: {
      next: (index) => {
        const body = JSON.stringify({ data: placeResource(idOf(size + index), madePlace(index, size)) });
        return {
          method: 'POST',
          path: '/hand/places',
          headers: HEADERS,
          body,
          status: 201,
          check: ({ text }) => (text === body ? null : 'other bytes'),
        };
      },
    },
  };
}

/** Each update bears the tag that the update before it has answered. */
function updates(): Work {
  const waiting = Array.from({ length: UPDATED }, (_, index) => ({ id: idOf(index), tag: '"1"' }));
  return {
    next: (index) => {
      const { id, tag } = waiting.shift() ?? { id: '', tag: '' };
      const data = { type: 'places', id, attributes: { visits: -1 - index } };
      return {
        method: 'PATCH',
        path: `/hand/places/${id}`,
        headers: { ...HEADERS, 'if-match': tag },
        body: JSON.stringify({ data }),
        status: 204,
        after: (answer) => {
          waiting.push({ id, tag: String(answer.headers['etag']) });
        },
      };
    },
  };
}

function countryOf(index: number) {
  return resourceOf('countries', idOf(index), { name: `country ${index}` });
}

function authorOf(index: number) {
  const attributes = { name: `author ${index}`, born: 1900 + (index % 100) };
  return resourceOf('authors', idOf(index), attributes, {
    country: { type: 'countries', id: idOf(index % COUNTRIES) },
  });
}
