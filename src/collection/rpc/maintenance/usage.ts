/** What an application is told of its objects: counts, and messages to others. Plain data: it crosses objects' RPC. */
import type { Amount } from '../writes/target.ts';

/** Requests, and those of them that were refused or failed: answers of 400 and above. */
export interface Requests {
  readonly requests: number;
  readonly errors: number;
}

/** Requests of each API key, by its id, and of each type, by its name after this word: `type/articles`. */
export type CountedRequests = Readonly<Record<string, Requests>>;

export const OF_TYPE = 'type/';

/** Stands for all others, where there are too many keys or types to count each. */
const OTHERS = 'others';

/** API keys of one application, and types, that are counted each; the others are counted together. */
const MOST = 1000;

/** Under which name a request counts, where others have counts already: whoever has a key may ask for any type. */
export function countedAs(name: string, counts: ReadonlyMap<string, unknown>): string {
  if (counts.has(name)) return name;
  const isType = name.startsWith(OF_TYPE);
  const alike = [...counts.keys()].filter((other) => other.startsWith(OF_TYPE) === isType).length;
  return alike < MOST ? name : othersOf(name);
}

/** The same where counts stay: a type of which all was refused takes no place. */
export function storedAs(name: string, { requests, errors }: Requests, counts: ReadonlyMap<string, unknown>) {
  const isRefused = name.startsWith(OF_TYPE) && errors === requests;
  return isRefused && !counts.has(name) ? othersOf(name) : countedAs(name, counts);
}

function othersOf(name: string): string {
  return name.startsWith(OF_TYPE) ? `${OF_TYPE}${OTHERS}` : OTHERS;
}

/** What a collection has served since it is counted. */
export interface Served {
  /** Calls of its object: a request may need several, or none. */
  readonly calls: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** An index that a collection has learned, or `$text`. */
export interface IndexUsage {
  readonly path: string;
  /** The share of the documents that it covers. It serves searches from 1 on. */
  readonly built: number;
}

export function shareBuilt(complete: boolean, built: number, last: number): number {
  return complete ? 1 : Math.min(0.99, built / Math.max(1, last));
}

export interface TypeUsage extends Amount, Served {
  /** Indexes that it has learned. */
  readonly indexes: number;
  readonly indexed: readonly IndexUsage[];
}

/** Calls of a webhook, or the mails of an application. */
export interface QueueName {
  readonly kind: 'webhook' | 'mail';
  readonly addressee: string;
}

/** The mails about accounts, in the collection of account actions. */
export const MAILS: QueueName = { kind: 'mail', addressee: 'mail' };

export interface MessageSummary {
  readonly id: string;
  readonly state: 'waiting' | 'dead';
  /** What was written, and how: the id of the document, and the event. */
  readonly document: string;
  readonly about: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly tries: number;
  /** What the last try came to; null before it. */
  readonly failure: string | null;
  /** When it was given up, in milliseconds since 1970; null while it waits. */
  readonly died: number | null;
}

export interface MessagePage {
  /** How many wait, and how many were given up. */
  readonly waiting: number;
  readonly dead: number;
  /** The last of those that were given up, then the first of those that wait. */
  readonly messages: readonly MessageSummary[];
}

export const NO_MESSAGES: MessagePage = { waiting: 0, dead: 0, messages: [] };
