/**
 * Answers of a collection since its last write. The first SQL statement of a call costs more than the rest of such a
 * call, and users, groups and definitions are read at every request but seldom change. Every write clears the cache, so
 * an answer is never older than the tables.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import type { CollectionState } from '../documents/documents.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import type { PackedPage } from '../../rpc/packing/packing.ts';
import { BoundedCache, CacheBudget } from '../../../domain/caching/bounded-cache.ts';

export class Memory {
  #state: CollectionState | null = null;
  /** Documents by a unique value, null if none has it. */
  readonly unique = new ObjectCache<StoredDocument | null>(
    'documents',
    (document) => document?.body.length ?? 0,
  );
  /** The groups of an identity. */
  readonly groups = new ObjectCache<readonly DocumentId[]>('answers', (groups) =>
    groups.reduce((units, group) => units + group.length, 0),
  );
  /** Whether a token is valid; null where it is not known. */
  readonly standing = new ObjectCache<boolean | null>('answers');
  /** Whether there is a document. */
  readonly existing = new ObjectCache<boolean>('answers');
  /** Pages of lists, by the texts of their requests. */
  readonly pages = new PageCache();
  #writes = 0;

  /** How many writes there were: what a search has begun to read before the last one is no answer of now. */
  get writes(): number {
    return this.#writes;
  }

  /** The state of the collection as a whole. */
  stateOf(records: { readonly state: () => CollectionState }): CollectionState {
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

/** A page, and what its search had of indexes: they are used as often as it is asked for. */
interface CachedPage {
  readonly page: PackedPage;
  readonly used: readonly string[];
  readonly saved: number;
}

/**
 * Pages of lists since the last write of their collection. A start page, or the newest entries of anything, is the same
 * list for everyone who looks at it, and is asked for many times before something changes. The text of a request holds
 * all that its page depends on beside the tables: who looks, by which rule, the condition, the order and the place.
 */
export class PageCache {
  /** Requests since the last write. */
  readonly #requests = new ObjectCache<true>('requests');
  readonly #pages = new ObjectCache<CachedPage>(
    'pages',
    ({ page }) => page.rest.length + page.documents.length,
  );

  /** The page that a request is answered with; `undefined` where it must be searched for. */
  get(request: string): CachedPage | undefined {
    return this.#pages.get(request);
  }

  /** Keeps a page from the second time on that it is asked for: most requests come once before the next write. */
  put(request: string, { page, used, saved }: CachedPage): void {
    if (this.#requests.get(request) === true) {
      const documents = copied(page.documents);
      this.#pages.set(request, { page: { ...page, documents }, used, saved });
    } else this.#requests.set(request, true);
  }

  clear(): void {
    this.#requests.clear();
    this.#pages.clear();
  }
}

/**
 * The same text with memory of its own. A text cut out of another one keeps all of that: here the document behind the
 * page, which may be larger than the page.
 */
function copied(text: string): string {
  return ` ${text}`.slice(1);
}

/** The size of an entry, or of a part of one, without its texts. */
export const OVERHEAD = 100;

/**
 * How much all objects of an isolate may cache together: up to a thousand objects share one isolate and its 128 MB. The
 * unit is about one UTF-16 unit of text; decoded values and the maps themselves take more.
 */
export const CACHE_BUDGETS = {
  /** Small answers that every request needs: some 20,000 of them. */
  answers: new CacheBudget(4 * 1024 * 1024),
  /** Documents by a unique value. */
  documents: new CacheBudget(2 * 1024 * 1024),
  /** Which identities hold rights where (rights.ts): some 25,000 of them. */
  holders: new CacheBudget(4 * 1024 * 1024),
  /** Counts of searches. */
  counts: new CacheBudget(2 * 1024 * 1024),
  /** Segments of indexes whose entries are counted (cached-counts.ts): some 50,000, of as many million entries. */
  segments: new CacheBudget(4 * 1024 * 1024),
  /** Pages of lists. A page that has just been asked for does not go for another one. */
  pages: new CacheBudget(8 * 1024 * 1024, 10_000),
  /** The last requests of lists: some 2,000 of them. */
  requests: new CacheBudget(1024 * 1024),
  /** Results of pipelines. */
  results: new CacheBudget(8 * 1024 * 1024),
  /** Groups of pipelines, in bytes as pipelines count them, which is more than they take. */
  groups: new CacheBudget(16 * 1024 * 1024),
};

/** A cache within one of these. `weigh`: what a value takes beside its key. */
export class ObjectCache<V> extends BoundedCache<V> {
  constructor(budget: keyof typeof CACHE_BUDGETS, weigh: (value: V) => number = () => 0) {
    super(CACHE_BUDGETS[budget], (key, value) => OVERHEAD + key.length + weigh(value));
  }
}

/** The same of what holds until the collection changes: for one number of its counter. */
export class StateCache<V> {
  readonly #entries: ObjectCache<{ readonly counter: number; readonly value: V }>;

  constructor(budget: keyof typeof CACHE_BUDGETS, weigh: (value: V) => number = () => 0) {
    this.#entries = new ObjectCache(budget, ({ value }) => weigh(value));
  }

  get(key: string, counter: number): V | undefined {
    const entry = this.#entries.get(key);
    return entry?.counter === counter ? entry.value : undefined;
  }

  set(key: string, counter: number, value: V): void {
    this.#entries.set(key, { counter, value });
  }
}
