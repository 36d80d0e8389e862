/** What a server must be able to do to take part in a run. */
import type { Exchange } from './load.ts';
import { SHARING } from './data.ts';

export const WORKS = {
  read: 'read by id',
  list: 'list',
  selective: 'selective filter',
  broad: 'broad filter',
  sort: 'sort, first page',
  deep: 'sort, page 500',
  text: 'text',
  near: 'near',
  within: 'near, within a distance',
  include: 'include two levels',
  acl: 'list under ACL',
  group: 'group, after a write',
  grouped: 'group, repeated',
  login: 'login',
  patch: 'update',
  create: 'create',
  taught: 'create, all indexes learned',
  order: 'order of four types',
} as const;

export type WorkName = keyof typeof WORKS;

export const WORK_NAMES = Object.keys(WORKS) as readonly WorkName[];

/** Works that the floor does, too. Beside all others its read by id is measured. */
export const FLOORS_OWN: readonly WorkName[] = ['read', 'create', 'taught', 'patch', 'group'];

/** Documents on a page of a list. */
export const PAGE = 20;
/** The documents before page 500, or before the last one where there are fewer. */
export function deepOffset(size: number): number {
  return Math.min(499 * PAGE, size - PAGE);
}
/** The share of the documents that the broad filter matches, and that the user may read. */
const BROAD = 0.3;
export const READABLE = 0.01;

export interface Work {
  /** The exchange with this number. Numbers do not repeat in a run. */
  readonly next: (index: number) => Exchange;
  /** Sent before each timed exchange: the work then has one connection. */
  readonly before?: (index: number) => Exchange;
  /** Done once before the work is measured. Answers what is worth a note, or null. */
  readonly prepare?: () => Promise<string | null>;
  /** Done before each round: an object that nobody has asked for ten seconds has forgotten what it kept in memory. */
  readonly wake?: () => Promise<void>;
  /** The work keeps to one connection. */
  readonly single?: boolean;
}

export type Works = Readonly<Partial<Record<WorkName, Work>>>;

/** Documents that were imported, and the seconds it took. */
export interface Imported {
  readonly documents: number;
  readonly seconds: number;
  readonly how: string;
}

/** A server that holds the data. */
export interface Contender {
  readonly name: ContenderName;
  readonly url: string;
  readonly imported: Imported | null;
  readonly works: Works;
}

export const CONTENDERS = {
  ours: 'Foredge',
  floor: 'floor',
  hand: 'by hand',
  parse: 'parse-server',
  indexed: 'indexes declared',
} as const;

export type ContenderName = keyof typeof CONTENDERS;

/** How many documents a selective filter matches, and the others of known number. */
export const matches = {
  selective: () => SHARING,
  broad: (size: number) => Math.round(size * BROAD),
  readable: (size: number) => Math.round(size * READABLE),
};

/** The meters within which about 40 of so many evenly strewn places lie. */
export function distanceFor(size: number): number {
  const EARTH_SURFACE = 5.1e14;
  const STREWN = 0.9;
  return Math.sqrt((40 / size) * ((EARTH_SURFACE * STREWN) / Math.PI));
}
