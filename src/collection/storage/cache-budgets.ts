/**
 * What all objects of an isolate may remember together: up to a thousand share one, and its 128 MB. In UTF-16 units, about;
 * what decoded values and the maps themselves take comes beside them.
 */
import { CacheBudget } from '../../domain/bounded-cache.ts';

/** What an entry takes beside its texts. */
export const OVERHEAD = 100;

export const CACHE_BUDGETS = {
  /** Small answers to what is asked at every request (answer-cache.ts): some 20,000 of them. */
  answers: new CacheBudget(4 * 1024 * 1024),
  /** Documents by a unique value. */
  documents: new CacheBudget(2 * 1024 * 1024),
  /** Which identities hold rights where (rights.ts): some 25,000 of them. */
  holders: new CacheBudget(4 * 1024 * 1024),
  /** Counts of searches. */
  counts: new CacheBudget(2 * 1024 * 1024),
  /** Results of pipelines. */
  results: new CacheBudget(8 * 1024 * 1024),
};
