/**
 * Answers of a collection since its last write. The first SQL statement of a call costs more than the rest of such a
 * call, and users, groups and definitions are read at every request but seldom change. Every write clears the cache, so
 * an answer is never older than the tables.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { ObjectCache } from './cache-budgets.ts';
import type { CollectionState } from '../documents/documents.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import type { PackedPage } from '../../rpc/packing/packing.ts';

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
