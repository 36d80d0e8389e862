/**
 * Answers of a collection since its last write. The first SQL statement of a call costs more than the rest of such a
 * call, and users, groups and definitions are read at every request but seldom change. Every write clears the cache, so
 * an answer is never older than the tables.
 */
import { BoundedCache } from '../../../domain/caching/bounded-cache.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { CACHE_BUDGETS, OVERHEAD } from './cache-budgets.ts';
import type { State } from '../documents/documents.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import { PageCache } from './page-cache.ts';

const { answers, documents } = CACHE_BUDGETS;

export class Memory {
  #state: State | null = null;
  /** Documents by a unique value, null if none has it. */
  readonly unique = new BoundedCache<StoredDocument | null>(
    documents,
    (key, document) => OVERHEAD + key.length + (document?.body.length ?? 0),
  );
  /** The groups of an identity. */
  readonly groups = new BoundedCache<readonly DocumentId[]>(
    answers,
    (key, groups) => OVERHEAD + key.length + groups.reduce((units, group) => units + group.length, 0),
  );
  /** Whether a token is valid; null where it is not known. */
  readonly standing = new BoundedCache<boolean | null>(answers, weightOfKey);
  /** Whether there is a document. */
  readonly existing = new BoundedCache<boolean>(answers, weightOfKey);
  /** Pages of lists, by the texts of their requests. */
  readonly pages = new PageCache();
  #writes = 0;

  /** How many writes there were: what a search has begun to read before the last one is no answer of now. */
  get writes(): number {
    return this.#writes;
  }

  /** The state of the collection as a whole. */
  stateOf(records: { readonly state: () => State }): State {
    return (this.#state ??= records.state());
  }

  /** To be called after every write, also one that failed. */
  forget(): void {
    this.#state = null;
    this.#writes += 1;
    this.pages.clear();
    this.unique.clear();
    this.groups.clear();
    this.standing.clear();
    this.existing.clear();
  }
}

function weightOfKey(key: string): number {
  return OVERHEAD + key.length;
}
