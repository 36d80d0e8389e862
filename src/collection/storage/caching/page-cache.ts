/**
 * Pages of lists since the last write of their collection. A start page, or the newest entries of anything, is the same
 * list for everyone who looks at it, and is asked for many times before something changes. The text of a request holds
 * all that its page depends on beside the tables: who looks, by which rule, the condition, the order and the place.
 */
import { BoundedCache } from '../../../domain/caching/bounded-cache.ts';
import type { PackedPage } from '../../rpc/packing/packing.ts';
import { CACHE_BUDGETS, OVERHEAD } from './cache-budgets.ts';

/** A page, and what its search had of indexes: they are used as often as it is asked for. */
export interface CachedPage {
  readonly page: PackedPage;
  readonly used: readonly string[];
  readonly saved: number;
}

export class PageCache {
  /** Requests since the last write. */
  readonly #asked = new BoundedCache<true>(CACHE_BUDGETS.requests, (key) => OVERHEAD + key.length);
  readonly #pages = new BoundedCache<CachedPage>(
    CACHE_BUDGETS.pages,
    (key, { page }) => OVERHEAD + key.length + page.rest.length + page.documents.length,
  );

  /** The page that a request is answered with; `undefined` where it must be searched for. */
  get(request: string): CachedPage | undefined {
    return this.#pages.get(request);
  }

  /** Keeps a page from the second time on that it is asked for: most requests come once before the next write. */
  put(request: string, { page, used, saved }: CachedPage): void {
    if (this.#asked.get(request) === true) {
      const documents = copied(page.documents);
      this.#pages.set(request, { page: { ...page, documents }, used, saved });
    } else this.#asked.set(request, true);
  }

  clear(): void {
    this.#asked.clear();
    this.#pages.clear();
  }
}

/**
 * The same text with memory of its own. A text that was cut out of another one keeps all of that: here the document behind the
 * page, which may be larger than the page.
 */
function copied(text: string): string {
  return ` ${text}`.slice(1);
}
