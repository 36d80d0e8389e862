/** Pages of lists on their way out of a collection: from memory where they are asked for again and nothing was written since. */
import { ok } from '../domain/problems.ts';
import { NOTHING_FOUND } from './rpc/absence.ts';
import { isLarge, packList, unpackRequest, type PackedList } from './rpc/packing/packing.ts';
import type { LinksFirst } from './rpc/related.ts';
import type { LinkTypesOnDemand } from './link-types-on-demand.ts';
import { mayDoubt } from './search/doubts.ts';
import type { Lesson } from './search/lesson.ts';
import { withPermit, type PageSemaphore } from './search/page-semaphore.ts';
import type { Searches } from './searches.ts';
import type { Memory } from './storage/answer-cache.ts';

/** A page, or what some names of its condition link to. */
export type Listing = PackedList | LinksFirst;

interface Parts {
  readonly searches: Pick<Searches, 'page'>;
  readonly memory: Pick<Memory, 'pages' | 'writes'>;
  readonly linkTypes: Pick<LinkTypesOnDemand, 'of'>;
  readonly semaphore: PageSemaphore;
  /** Notes what a page from memory has of indexes. */
  readonly learn: (lesson: Lesson) => void;
}

export class Lists {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The page that a request asks for, as one text (`packRequest`). */
  page(type: string, packed: string): Listing | Promise<Listing> {
    const { memory, learn } = this.#parts;
    const kept = memory.pages.get(packed);
    if (kept === undefined) return this.#found(type, packed);
    const { page, used, saved } = kept;
    if (used.length > 0) learn({ used, saved, wanted: [], looked: 0 });
    return page;
  }

  async #found(type: string, packed: string): Promise<Listing> {
    const { searches, memory, linkTypes, semaphore } = this.#parts;
    // Before anything is asked: whatever is written from here on, the answer is not kept.
    const { writes } = memory;
    const request = unpackRequest(packed);
    const { through = [] } = request;
    const linked = through.length === 0 ? [] : await linkTypes.of(through);
    if (linked.length > 0) return { linked };
    return withPermit(semaphore, async (permit) => {
      const { result, lesson } = await searches.page(type, request, permit);
      const page = packList(result);
      const { used, saved, wanted } = lesson;
      // A search that lacks an index is to be felt until there is one, and a large page leaves in its turn.
      const isWorth = wanted.length === 0 && 'documents' in page && !isLarge(page.documents.length);
      if (isWorth && memory.writes === writes) memory.pages.put(packed, { page, used, saved });
      return page;
    });
  }
}

/** The page of a type that never had a document. */
export function pageOfNothing(packed: string): PackedList {
  const doubts = mayDoubt(unpackRequest(packed)) ? { doubts: [{ kind: 'no-documents' } as const] } : null;
  return packList(ok({ ...NOTHING_FOUND, ...doubts }));
}
