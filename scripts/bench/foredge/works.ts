/** The works of a run as requests to our own server. */
import { deepOffset, distanceFor, matches, PAGE, type Work, type Works } from '../contender.ts';
import { batchOf, CATEGORIES, madePlace, pointOf, randomOf, SHARING, searchedWords } from '../data.ts';
import { counted, firstPage, including, listOf, pageOf, type Check } from '../lists.ts';
import { Connections, type Answer, type Exchange } from '../load.ts';
import { short } from '../stats.ts';
import {
  bodyOf,
  creation,
  headersOf,
  learn,
  MEDIA_TYPE,
  searchPath,
  type Body,
  type Credentials,
} from './api.ts';
import { orders } from './orders.ts';
import { basic, GROUPS, resourceOf, USER, type Loaded } from './data.ts';

/** Documents that take turns in being updated: more than there are connections. */
const UPDATED = 500;
/** Numbers of documents that are made before a work is measured. */
const BEFORE_ALL = 100_000_000;
/** Milliseconds: an index of many documents is built in steps, with pauses between them. */
const learningDeadline = (size: number) => 60_000 + size * 0.6;
/** Searches that teach. Those after them only ask whether the index is built, and leave it most of the time. */
const TEACHING = 20;
const REST = { least: 100, times: 3 };

export function foredgeWorks(credentials: Credentials, loaded: Loaded, size: number): Works {
  const headers = headersOf(credentials);
  const random = randomOf(7);
  const below = (count: number) => Math.floor(random() * count);
  const idAt = (index: number) => loaded.places[index] ?? '';
  const pick = () => idAt(below(size));
  const search = (query: Record<string, string>, check: Check, type = 'places'): Exchange => ({
    method: 'GET',
    path: searchPath(type, query),
    headers,
    check: ({ text }) => check(listOf(text)),
  });
  const learned = (next: () => Exchange): Work => ({
    next,
    prepare: () => noteOfLearning(credentials, next, learningDeadline(size)),
  });
  const near = (most?: number) => () => {
    const $geometry = pointOf(random);
    const $near = { $geometry, ...(most !== undefined && { $maxDistance: most }) };
    const check = most === undefined ? whole : firstPage;
    return search({ 'filter[location]': JSON.stringify({ $near }) }, check);
  };
  const whole = pageOf(size);
  const words = [...searchedWords(size)];
  const create = (index: number, type?: string) =>
    creation(headers, { ...resourceOf(madePlace(index, size), loaded.authors), ...(type && { type }) });
  let before = BEFORE_ALL;
  /** Groups are kept from the second pass after a write on. Answers the seconds that the first one took. */
  const keepGroups = async () => {
    const client = new Connections(credentials.url, 1);
    const seconds: number[] = [];
    for (let pass = 0; pass < 3; pass += 1) {
      await client.exchange(create((before += 1)));
      const begun = performance.now();
      await client.exchange(groups(headers, size));
      seconds.push((performance.now() - begun) / 1000);
    }
    client.close();
    return seconds[0] ?? 0;
  };
  return {
    read: { next: () => readOf(headers, pick()) },
    list: { next: () => search({}, whole) },
    selective: learned(() =>
      search(
        { 'filter[batch]': JSON.stringify(batchOf(below(size / SHARING))) },
        counted(matches.selective()),
      ),
    ),
    broad: learned(() => {
      const from = below(size - matches.broad(size));
      const filter = { $gte: from, $lt: from + matches.broad(size) };
      return search({ 'filter[rank]': JSON.stringify(filter) }, counted(matches.broad(size)));
    }),
    sort: learned(() => search({ sort: 'rank' }, whole)),
    deep: learned(() =>
      search({ sort: 'rank', 'page[offset]': String(deepOffset(size)), 'page[limit]': String(PAGE) }, whole),
    ),
    text: learned(() => {
      const [word, count] = words[below(words.length)] ?? ['', 0];
      return search({ 'filter[*]': JSON.stringify({ $text: { $search: word } }) }, counted(count));
    }),
    near: learned(near()),
    within: learned(near(distanceFor(size))),
    include: {
      next: () =>
        search({ include: 'author.country', 'page[offset]': String(below(size - PAGE)) }, including(size)),
    },
    acl: {
      next: () => ({
        ...search({}, counted(matches.readable(size)), 'notes'),
        headers: headersOf(loaded.underAcl, loaded.token),
      }),
    },
    grouped: { next: () => groups(headers, size) },
    group: {
      prepare: async () => `a pass over all documents took ${short(await keepGroups())} s`,
      wake: async () => {
        await keepGroups();
      },
      before: (index) => create(index),
      next: () => groups(headers, size),
    },
    login: {
      next: () => ({
        method: 'POST',
        path: '/users/core.user.token',
        headers: { ...headers, 'content-type': MEDIA_TYPE, authorization: basic(USER) },
        status: 201,
      }),
    },
    patch: updates(credentials, loaded.places),
    // Notes are as many as places, and nobody has searched them by a field.
    create: { next: (index) => create(index, 'notes') },
    taught: { next: (index) => create(index) },
    order: orders(credentials),
  };
}

function readOf(headers: Record<string, string>, id: string): Exchange {
  const check = ({ text }: Answer) => (bodyOf(text).data.id === id ? null : 'another document');
  return { method: 'GET', path: `/resources/places/${id}`, headers, check };
}

function groups(headers: Record<string, string>, size: number): Exchange {
  const check = ({ text }: Answer) => {
    const { data } = JSON.parse(text) as { readonly data: readonly Body['data'][] };
    const sum = data.reduce((total, { attributes }) => total + Number(attributes['count']), 0);
    return data.length === CATEGORIES && sum >= size ? null : `${data.length} groups of ${sum} documents`;
  };
  return { method: 'GET', path: `/aggregates/${GROUPS}?page%5Blimit%5D=100`, headers, check };
}

/** Each update bears the tag that the read or the update before it has answered. */
function updates(credentials: Credentials, ids: readonly string[]): Work {
  const headers = headersOf(credentials);
  const waiting: (readonly [id: string, tag: string])[] = [];
  const keep = (id: string) => (answer: Answer) => {
    waiting.push([id, String(answer.headers['etag'])]);
  };
  return {
    prepare: async () => {
      const client = new Connections(credentials.url, 1);
      for (const id of ids.slice(0, UPDATED)) {
        await client.exchange({ ...readOf(headers, id), after: keep(id) });
      }
      client.close();
      return null;
    },
    next: (index) => {
      const [id, tag] = waiting.shift() ?? ['', ''];
      const data = { type: 'places', id, attributes: { visits: -1 - index } };
      return {
        method: 'PATCH',
        path: `/resources/places/${id}`,
        headers: { ...headers, 'if-match': tag },
        body: JSON.stringify({ data }),
        status: 204,
        after: keep(id),
      };
    },
  };
}

/** What is worth a note of how an index was learned: null where the first search had one. */
async function noteOfLearning(
  credentials: Credentials,
  next: () => Exchange,
  patience: number,
): Promise<string | null> {
  const client = new Connections(credentials.url, 1);
  const rest = (tries: number, took: number) =>
    tries < TEACHING ? 0 : Math.max(REST.least, took * REST.times);
  const learned = await learn(client, credentials, next, patience, rest).finally(() => {
    client.close();
  });
  if (learned === null) return `its plan still scans after ${Math.round(patience / 1000)} s`;
  const { milliseconds, tries } = learned;
  return tries === 1 ? null : `learned in ${short(milliseconds / 1000)} s, by ${tries} searches`;
}
