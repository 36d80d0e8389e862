/** The operations that are to run in little memory over many documents: each as a row of the table. */
import { deepOffset, distanceFor, PAGE } from '../contender.ts';
import { FRESH_VALUES, madePlace, randomOf, wordOf } from '../data.ts';
import type { Exchange } from '../load.ts';
import {
  creation,
  headersOf,
  operations,
  searchPath,
  type Credentials,
  type Resource,
} from '../foredge/api.ts';
import { resourceOf, type Loaded } from '../foredge/data.ts';

export interface Operation {
  readonly name: string;
  /** The request with this number, from 0. */
  readonly next: (index: number) => Exchange;
  /** Statuses that are right; 200 when absent. */
  readonly right?: readonly number[];
  /** How the repeated request comes: at once, once an index is learned, or never. */
  readonly again?: 'at once' | 'learned' | 'never';
}

const FEW_GROUPS = { id: '$category', count: { $sum: 1 }, total: { $sum: '$price' } };
/** Documents of a group where there are many groups. */
const OF_MANY = 10;
const AGGREGATES: Readonly<Record<string, readonly unknown[]>> = {
  'agt.few': [{ group: FEW_GROUPS }],
  'agt.many': [{ group: { id: { $floor: { $divide: ['$rank', OF_MANY] } }, count: { $sum: 1 } } }],
  'agt.each': [{ group: { id: '$rank', count: { $sum: 1 } } }],
  'agt.gathered': [{ group: { id: null, all: { $push: '$summary' } } }],
  'agt.sorted': [{ sort: '-visits' }, { limit: 10 }, { project: { id: '$id', visits: 1 } }],
};

/** The definitions of the aggregates, to be created first. */
export function definitions(): readonly Resource[] {
  return Object.entries(AGGREGATES).map(([output, pipeline]) => ({
    type: 'core.aggregate',
    attributes: { 'input-type': 'places', 'output-type': output, pipeline },
  }));
}

export function operationsOn(credentials: Credentials, loaded: Loaded, size: number): readonly Operation[] {
  const headers = headersOf(credentials);
  const get = (path: string): Exchange => ({ method: 'GET', path, headers });
  const search = (query: Record<string, string>) => get(searchPath('places', query));
  const idAt = (index: number) => loaded.places[(index * 7919) % size] ?? '';
  const filter = (path: string, value: unknown) => ({ [`filter[${path}]`]: JSON.stringify(value) });
  const made = (index: number) => resourceOf(madePlace(index, size), loaded.authors);
  const offset = (from: number) => ({ 'page[offset]': String(from), 'page[limit]': String(PAGE) });
  const rare = (index: number) => FRESH_VALUES / 2 + index;
  const broad = { $gte: 0, $lt: 0.3 * size };
  const learned = { again: 'learned' } as const;
  const once = { again: 'never' } as const;
  return [
    { name: 'create', right: [201], next: (index) => creation(headers, made(index)) },
    {
      name: 'create 1,000 in one list of operations',
      next: (index) =>
        operations(
          headers,
          Array.from({ length: 1000 }, (_, at) => JSON.stringify(made(1000 * (index + 1) + at))),
        ),
    },
    { name: 'read by id', next: (index) => get(`/resources/places/${idAt(index)}`) },
    { name: 'list with count', next: () => search({}) },
    { name: 'list, the last page by offset', next: () => search(offset(size - PAGE)) },
    byCursor('list by cursor, pages of 1,000', search, { 'page[size]': '1000' }),
    {
      name: 'filter (1 in 1,000) with count',
      next: (index) => search(filter('extra.a', rare(index))),
      ...learned,
    },
    {
      name: 'the same on another field, a deep page by offset',
      next: (index) => search({ ...filter('extra.b', rare(index)), ...offset(0.0009 * size) }),
      ...once,
    },
    { ...byCursor('the same on a third field, by cursor', search, filter('extra.c', rare(0))), ...once },
    { name: 'filter (30 %) with count', next: () => search(filter('rank', broad)), ...learned },
    {
      name: 'the same, a deep page by offset',
      next: () => search({ ...filter('rank', broad), ...offset(0.25 * size) }),
    },
    byCursor('the same by cursor, pages of 1,000', search, {
      ...filter('rank', broad),
      'page[size]': '1000',
    }),
    {
      name: 'filter by a regular expression',
      next: () => search(filter('name', { $regex: '99$' })),
      ...once,
    },
    { name: 'filter on arrays', next: () => search(filter('tags', { $all: ['tag 1', 'tag 2'] })), ...once },
    { name: 'sort by a field', next: () => search({ sort: 'price' }), ...learned },
    { name: 'the same, page 500', next: () => search({ sort: 'price', ...offset(deepOffset(size)) }) },
    { name: 'the same, the middle page', next: () => search({ sort: 'price', ...offset(size / 2) }) },
    byCursor('the same by cursor, pages of 1,000', search, { sort: 'price', 'page[size]': '1000' }),
    {
      name: 'sort by another field, nothing learned, page 500',
      next: () => search({ sort: 'visits', ...offset(deepOffset(size)) }),
      ...once,
    },
    { name: 'sort by two fields', next: () => search({ sort: 'category,-visits' }), ...once },
    ...geo(search, filter, size),
    {
      name: 'text (the first builds the index of words)',
      next: (index) => search(filter('*', { $text: { $search: wordOf(1000 + index) } })),
    },
    {
      name: 'text by relevance',
      next: (index) => search(filter('*', { $text: { $search: `${wordOf(1)} ${wordOf(90 + index)}` } })),
    },
    aggregate('group over all, 50 groups', 'agt.few', [200]),
    aggregate(`group over all, ${(size / OF_MANY).toLocaleString('en')} groups`, 'agt.many'),
    aggregate('group over all, a group for each document', 'agt.each'),
    aggregate('group over all, every text gathered in one', 'agt.gathered'),
    aggregate('sort over all in a pipeline, first 10', 'agt.sorted', [200]),
    {
      name: 'create, with all that was learned',
      right: [201],
      next: (index) => creation(headers, made(index)),
    },
  ];

  /** What would keep too much is refused with 422. */
  function aggregate(name: string, output: string, right: readonly number[] = [200, 422]): Operation {
    return { name, next: () => get(`/aggregates/${output}`), right };
  }
}

type MakeSearch = (query: Record<string, string>) => Exchange;

function geo(
  search: MakeSearch,
  filter: (path: string, value: unknown) => Record<string, string>,
  size: number,
): readonly Operation[] {
  const random = randomOf(11);
  const degrees = (span: number, from: number) => Math.round(random() * span) + from;
  const near = (bounds: Record<string, number>) => () => {
    const coordinates = [degrees(340, -170), degrees(100, -50)];
    return search(filter('location', { $near: { $geometry: { type: 'Point', coordinates }, ...bounds } }));
  };
  const within = () => {
    const [west, south] = [degrees(300, -170), degrees(90, -50)];
    const [east, north] = [west + 10, south + 10];
    const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]; // oxfmt-ignore
    return search(
      filter('location', { $geoWithin: { $geometry: { type: 'Polygon', coordinates: [ring] } } }),
    );
  };
  const bounded = near({ $maxDistance: distanceFor(size) });
  return [
    { name: '$geoWithin, nothing learned', next: within, again: 'never' },
    { name: '$near, unbounded', next: near({}), again: 'learned' },
    { name: '$near, about 40 within a distance', next: bounded },
    { name: '$near, within 5,000 km', next: near({ $maxDistance: 5_000_000 }) },
    { name: '$geoWithin', next: within },
  ];
}

/** Each page leads to the next. */
function byCursor(name: string, search: MakeSearch, query: Record<string, string>): Operation {
  let path: string | null = null;
  const next = (): Exchange => {
    const first = search({ ...query, 'page[after]': '' });
    return {
      ...first,
      path: path ?? first.path,
      after: ({ text }) => {
        const { links } = JSON.parse(text) as { readonly links: { readonly next: string | null } };
        path = links.next === null ? null : relative(links.next);
      },
    };
  };
  return { name, next };
}

function relative(link: string): string {
  const { pathname, search } = new URL(link, 'http://localhost');
  return pathname + search;
}
