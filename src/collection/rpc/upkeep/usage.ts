/** What an application uses: counts that its objects keep. Plain data: it crosses the objects' RPC. */
import type { Holding } from './transfer.ts';

/** Requests, and those of them that were refused or failed: answers of 400 and above. */
export interface Requests {
  readonly requests: number;
  readonly errors: number;
}

/** The requests of each API key, by its id. */
export type RequestsOfKeys = Readonly<Record<string, Requests>>;

/** Stands for all others, where there are too many keys to count each. */
export const OTHER_KEYS = 'others';

/** API keys of one application that are counted each; the others are counted together. */
export const MOST_KEYS = 1000;

/** What a collection has served since it is counted. */
export interface Served {
  /** Calls of its object: a request may need several, or none. */
  readonly calls: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

export interface TypeUsage extends Holding, Served {
  /** Indexes that it has learned. */
  readonly indexes: number;
}
