/** parse-server on PostgreSQL in a run, with and without declared indexes. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deepOffset, distanceFor, matches, PAGE, type Contender, type Works } from '../contender.ts';
import { batchOf, CATEGORIES, madePlace, pointOf, randomOf, SHARING, searchedWords } from '../data.ts';
import type { Answer, Exchange } from '../load.ts';
import { start, temporaryFolder } from '../processes.ts';
import { installed } from './install.ts';
import {
  fieldsOf,
  HEADERS,
  INDEXED,
  INDEXED_NOTES,
  loadParse,
  masterHeaders,
  NOTES,
  PLACES,
  USER,
  type Loaded,
  type ParseServer,
} from './parse-data.ts';
import { orders } from './parse-orders.ts';
import { startPostgres } from './postgres.ts';

/** The server twice: its class without declared indexes and the one with them. */
export async function startParse(size: number, withNotes: boolean): Promise<readonly Contender[]> {
  const packages = await installed('parse', {
    'parse-server': '9.10',
    // Its batches fail with a later one.
    router: '2.2.0',
  });
  const postgres = await startPostgres();
  const server = await startServer(packages, postgres.uri);
  const loaded = await loadParse(server, postgres, size, withNotes);
  const { url } = server;
  const plain = worksOn(server, loaded, size, PLACES, NOTES);
  const { selective, broad, sort, deep, near, within, acl, taught } = worksOn(
    server,
    loaded,
    size,
    INDEXED,
    INDEXED_NOTES,
  );
  const indexed = Object.fromEntries(
    Object.entries({ selective, broad, sort, deep, near, within, acl, taught }).filter(
      ([, work]) => work !== undefined,
    ),
  );
  return [
    { name: 'parse', url, imported: loaded.imported, works: plain },
    { name: 'indexed', url, imported: null, works: indexed },
  ];
}

async function startServer(packages: string, database: string): Promise<ParseServer> {
  const masterKey = randomBytes(16).toString('hex');
  const port = 20_000 + Math.floor(Math.random() * 40_000);
  await start({
    command: process.execPath,
    args: [join(import.meta.dirname, 'parse-serve.ts')],
    environment: {
      PACKAGES: packages,
      DATABASE: database,
      MASTER_KEY: masterKey,
      PORT: String(port),
      NODE_ENV: 'production',
    },
    ready: /serves on/,
    // It writes its logs where it stands.
    cwd: temporaryFolder(),
  });
  return { url: `http://127.0.0.1:${port}`, masterKey };
}

interface Results {
  readonly results: readonly unknown[];
  readonly count?: number;
}

type Check = (results: Results) => string | null;

function worksOn(server: ParseServer, loaded: Loaded, size: number, className: string, notes: string): Works {
  const random = randomOf(7);
  const below = (count: number) => Math.floor(random() * count);
  const find = (
    query: Readonly<Record<string, unknown>>,
    check: Check,
    name = className,
    headers: Record<string, string> = HEADERS,
  ): Exchange => {
    const parameters = Object.entries({ limit: PAGE, ...query }).map(([key, value]) => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
    return {
      method: 'GET',
      path: `/parse/classes/${name}?${new URLSearchParams(parameters).toString()}`,
      headers,
      check: ({ text }) => check(JSON.parse(text) as Results),
    };
  };
  const near = (kilometers?: number) => () => {
    const [longitude, latitude] = pointOf(random).coordinates;
    const location = {
      $nearSphere: { __type: 'GeoPoint', longitude, latitude },
      ...(kilometers !== undefined && { $maxDistanceInKilometers: kilometers }),
    };
    return find({ where: { location } }, ({ results }) =>
      kilometers !== undefined || results.length === PAGE ? null : `${results.length} results`,
    );
  };
  const words = [...searchedWords(size)];
  const create = (index: number): Exchange => ({
    method: 'POST',
    path: `/parse/classes/${className}`,
    headers: HEADERS,
    body: JSON.stringify(fieldsOf(madePlace(index, size), loaded.authors)),
    status: 201,
  });
  const pick = () => loaded.places[below(size)] ?? '';
  return {
    read: {
      next: () => {
        const id = pick();
        const check = ({ text }: Answer) => (text.includes(id) ? null : 'another object');
        return { method: 'GET', path: `/parse/classes/${className}/${id}`, headers: HEADERS, check };
      },
    },
    list: { next: () => find({ count: 1 }, page) },
    selective: {
      next: () =>
        find({ where: { batch: batchOf(below(size / SHARING)) }, count: 1 }, counted(matches.selective())),
    },
    broad: {
      next: () => {
        const from = below(size - matches.broad(size));
        const rank = { $gte: from, $lt: from + matches.broad(size) };
        return find({ where: { rank }, count: 1 }, counted(matches.broad(size)));
      },
    },
    sort: { next: () => find({ order: 'rank', count: 1 }, page) },
    deep: { next: () => find({ order: 'rank', skip: deepOffset(size), count: 1 }, page) },
    text: {
      next: () => {
        const [$term, count] = words[below(words.length)] ?? ['', 0];
        return find({ where: { summary: { $text: { $search: { $term } } } }, count: 1 }, counted(count));
      },
    },
    near: { next: near() },
    within: { next: near(distanceFor(size) / 1000) },
    include: {
      next: () => find({ include: 'author.country', skip: below(size - PAGE), count: 1 }, page),
    },
    acl: {
      next: () => {
        const headers = { ...HEADERS, 'x-parse-session-token': loaded.session };
        return find({ count: 1 }, counted(matches.readable(size)), notes, headers);
      },
    },
    group: { before: create, next: () => groups(server, className) },
    grouped: { next: () => groups(server, className) },
    login: {
      next: () => ({ method: 'POST', path: '/parse/login', headers: HEADERS, body: JSON.stringify(USER) }),
    },
    patch: {
      next: (index) => ({
        method: 'PUT',
        path: `/parse/classes/${className}/${loaded.places[index % 500] ?? ''}`,
        headers: HEADERS,
        body: JSON.stringify({ visits: -1 - index }),
      }),
    },
    create: { next: create },
    taught: { next: create },
    order: orders(server),
  };
}

function page({ results }: Results): string | null {
  return results.length === PAGE ? null : `${results.length} results`;
}

function counted(expected: number): Check {
  return ({ count }) => (count === expected ? null : `a count of ${count ?? 'nothing'}, not ${expected}`);
}

function groups(server: ParseServer, className: string): Exchange {
  const group = {
    _id: '$category',
    count: { $sum: 1 },
    total: { $sum: '$price' },
    most: { $max: '$visits' },
  };
  const pipeline = encodeURIComponent(JSON.stringify([{ $group: group }]));
  const check = ({ text }: Answer) => {
    const { results } = JSON.parse(text) as Results;
    return results.length === CATEGORIES ? null : `${results.length} groups`;
  };
  const path = `/parse/aggregate/${className}?pipeline=${pipeline}`;
  return { method: 'GET', path, headers: masterHeaders(server), check };
}
