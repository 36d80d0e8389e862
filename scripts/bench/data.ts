/**
 * The documents of a run: about 1 KB each, made from a seed, so the same in every run and for every server. What is
 * filtered by is spread evenly, so that the number of matches is known beforehand. Pure.
 */

export interface GeoPoint {
  readonly type: 'Point';
  readonly coordinates: readonly [longitude: number, latitude: number];
}

export interface Place {
  readonly name: string;
  readonly street: string;
  readonly category: string;
  /** Shared by `SHARING` documents. */
  readonly batch: string;
  /** Each integer below the number of documents once. */
  readonly rank: number;
  readonly price: number;
  readonly visits: number;
  /** ISO 8601. */
  readonly opened: string;
  readonly tags: readonly string[];
  readonly location: GeoPoint;
  readonly summary: string;
  /** Fields that no search has asked for yet. */
  readonly extra: Readonly<Record<string, number>>;
  /** The index of the author. */
  readonly author: number;
}

/** Documents that have the same `batch`. */
export const SHARING = 20;
export const CATEGORIES = 50;
export const COUNTRIES = 50;
export const FRESH_FIELDS = ['a', 'b', 'c', 'd', 'e'] as const;
/** Values of each fresh field. */
export const FRESH_VALUES = 1000;

const VOCABULARY = 8000;
const WORDS = 75;
/** Words of names, which are none of the vocabulary's. */
const NAMES = 2000;
/** Coprime to every size of a run, which are products of 2 and 5. */
const STRIDE = 7919;
const SYLLABLES = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'zu', 'da', 'fe', 'gi', 'ho', 'pu'];

/** Uniform numbers from 0 to 1, the same for the same seed (mulberry32, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function authorsOf(size: number): number {
  return Math.max(100, size / 100);
}

/** The document with this index among `size` of them. */
export function placeOf(index: number, size: number): Place {
  const random = randomOf(index * 2 + 1);
  const integer = (below: number) => Math.floor(random() * below);
  return {
    name: `${nameOf(integer(NAMES))} ${nameOf(integer(NAMES))} ${index}`,
    street: `${integer(300)} ${nameOf(integer(NAMES))} street`,
    category: `category ${integer(CATEGORIES)}`,
    batch: batchOf(index % (size / SHARING)),
    rank: (index * STRIDE) % size,
    price: Math.round(random() * 100_000) / 100,
    visits: integer(1_000_000),
    opened: new Date(integer(1_700_000_000) * 1000).toISOString(),
    tags: Array.from({ length: 1 + integer(4) }, () => `tag ${integer(200)}`),
    location: pointOf(random),
    summary: Array.from({ length: WORDS }, () => wordOf(rareRank(random))).join(' '),
    extra: Object.fromEntries(FRESH_FIELDS.map((field) => [field, integer(FRESH_VALUES)])),
    author: integer(authorsOf(size)),
  };
}

/** A document that is made during the run: no filter of the run matches it, so the expected counts stay. */
export function madePlace(index: number, size: number): Place {
  return {
    ...placeOf(index + size, size),
    batch: 'made during the run',
    rank: -1 - index,
    category: `category ${index % CATEGORIES}`,
    location: { type: 'Point', coordinates: [0, -89] },
    summary: Array.from({ length: WORDS }, (_, word) => wordOf(word)).join(' '),
  };
}

export function batchOf(group: number): string {
  return `batch-${group.toString(36).padStart(5, '0')}`;
}

/** On land or sea, away from the poles. */
export function pointOf(random: () => number): GeoPoint {
  const degrees = (span: number, from: number) => Math.round((random() * span + from) * 1e6) / 1e6;
  return { type: 'Point', coordinates: [degrees(360, -180), degrees(130, -60)] };
}

/** The word of a rank; 0 is the most frequent. Distinct for distinct ranks. */
export function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  }
  return word;
}

function nameOf(index: number): string {
  return wordOf(VOCABULARY + index);
}

const searched = new Map<number, ReadonlyMap<string, number>>();

/**
 * Words that a document of 100 to 300 has, with the number of documents that have them. Every server asks for the same,
 * and counting makes all documents again: it is done once.
 */
export function searchedWords(size: number): ReadonlyMap<string, number> {
  const known = searched.get(size) ?? countWords(size);
  searched.set(size, known);
  return known;
}

function countWords(size: number): ReadonlyMap<string, number> {
  const counts = new Map(Array.from({ length: 40 }, (_, index) => [wordOf(1000 + 25 * index), 0]));
  for (let index = 0; index < size; index += 1) {
    for (const word of new Set(placeOf(index, size).summary.split(' '))) {
      const count = counts.get(word);
      if (count !== undefined) counts.set(word, count + 1);
    }
  }
  return counts;
}

/** Zipf's law with exponent 1, nearly: a word's share falls with its rank. */
function rareRank(random: () => number): number {
  return Math.floor(VOCABULARY ** random()) - 1;
}

/** Orders take from this many products and wallets, in turn, so that those at a time seldom want the same. */
export const ORDER = { among: 500, stock: 1_000_000_000 } as const;

/** An order: the numbers of three products, of a wallet, and what it costs. */
export function orderOf(index: number) {
  const { among } = ORDER;
  const products = [3 * index, 3 * index + 1, 3 * index + 2].map((number) => number % among);
  return { products, wallet: index % among, total: 3 + (index % 7) };
}
