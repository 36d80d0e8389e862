/** The floor in a run: a few works only, with the bytes that our own answers have. */
import { join } from 'node:path';
import { madePlace, placeOf, randomOf, type Place } from '../data.ts';
import { Connections, exchangeOnce, inParallel, type Answer } from '../load.ts';
import { start, temporaryFolder } from '../processes.ts';
import { FLOORS_OWN, WORK_NAMES, type Contender, type Work } from '../contender.ts';

/** Documents of a request. */
export const CHUNK = 500;
export const HEADERS = { 'content-type': 'application/vnd.api+json' };

/** Beside works of others its read by id is measured: the machine may be slower by then. It has no log-in. */
const BESIDE = WORK_NAMES.filter((name) => name !== 'login' && !FLOORS_OWN.includes(name));

export async function startFloor(): Promise<string> {
  const { match } = await start({
    command: process.execPath,
    args: [join(import.meta.dirname, 'serve.ts')],
    environment: { DATA_DIR: temporaryFolder() },
    ready: /serves on (http:\S+)\./,
  });
  return match[1] ?? '';
}

export async function loadFloor(url: string, size: number): Promise<Contender> {
  const client = new Connections(url, 2);
  const begun = performance.now();
  const places = chunks(size, (index) => placeResource(idOf(index), placeOf(index, size)));
  await inParallel(places, 2, async (documents) => {
    const body = JSON.stringify(documents);
    await client.exchange({ method: 'POST', path: '/many', headers: HEADERS, body });
  });
  const seconds = (performance.now() - begun) / 1000;
  client.close();
  const random = randomOf(11);
  const pick = () => idOf(Math.floor(random() * size));
  const creation: Work = { next: (index) => creationOf(index, size) };
  const read: Work = {
    next: () => {
      const id = pick();
      const check = ({ text }: Answer) => (text.includes(id) ? null : 'another document');
      return { method: 'GET', path: `/documents/${id}`, headers: HEADERS, check };
    },
  };
  return {
    name: 'floor',
    url,
    imported: { documents: size, seconds, how: `${CHUNK} in a request` },
    works: {
      ...Object.fromEntries(BESIDE.map((name) => [name, read] as const)),
      read,
      create: creation,
      taught: creation,
      patch: creation,
      group: {
        prepare: async () => {
          await exchangeOnce(url, { method: 'POST', path: '/fields', headers: {}, status: 204 });
          return null;
        },
        single: true,
        next: () => ({
          method: 'GET',
          path: '/groups',
          headers: HEADERS,
          check: ({ text }) => checkGroups(text, size),
        }),
      },
    },
  };
}

function creationOf(index: number, size: number) {
  const place = madePlace(index, size);
  const body = JSON.stringify({ data: placeResource(idOf(size + index), place) });
  const check = ({ text }: Answer) => (text === body ? null : 'other bytes');
  return { method: 'POST', path: '/documents', headers: HEADERS, body, status: 201, check } as const;
}

function checkGroups(text: string, size: number): string | null {
  const groups = JSON.parse(text) as readonly { readonly count: number }[];
  const sum = groups.reduce((total, { count }) => total + count, 0);
  return sum >= size ? null : `${sum} documents in the groups`;
}

export function* chunks<Item>(count: number, make: (index: number) => Item): Generator<readonly Item[]> {
  for (let from = 0; from < count; from += CHUNK) {
    yield Array.from({ length: Math.min(CHUNK, count - from) }, (_, offset) => make(from + offset));
  }
}

/** As many bytes as one of our ids. */
export function idOf(index: number): string {
  return index.toString(16).padStart(24, '0');
}

/** A place as our own server answers it, byte by byte but for the ids. */
export function placeResource(id: string, { author, ...attributes }: Place) {
  return resourceOf(
    'places',
    id,
    { ...attributes, opened: { $date: attributes.opened } },
    { author: { type: 'authors', id: idOf(author) } },
  );
}

/** A resource object as our own server answers it. */
export function resourceOf(
  type: string,
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  related: Readonly<Record<string, { readonly type: string; readonly id: string }>> = {},
) {
  const self = `http://127.0.0.1:20000/resources/${type}/${id}`;
  const relationships = Object.entries(related).map(([name, data]) => [
    name,
    { data, links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` } },
  ]);
  return {
    type,
    id,
    attributes,
    ...(relationships.length > 0 && {
      relationships: Object.fromEntries(relationships) as Readonly<Record<string, unknown>>,
    }),
    links: { self },
  };
}
