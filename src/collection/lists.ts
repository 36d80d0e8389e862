/** Pages of lists on their way out of a collection: from memory where they are asked for again after no write. */
import { ok, type Outcome } from '../domain/problems.ts';
import type { FeedMark } from './rpc/feed/mark.ts';
import { NOTHING_CHANGED, NOTHING_FOUND } from './rpc/absence.ts';
import { isLarge, packList, unpackRequest, type PackedList } from './rpc/packing/packing.ts';
import type { LinksFirst } from './rpc/related.ts';
import type { LinkTypesOnDemand } from './on-demand.ts';
import { mayDoubt } from './search/diagnostics.ts';
import type { IndexFeedback } from './search/index-feedback.ts';
import { withPermit, type PageSemaphore } from './search/page-semaphore.ts';
import type { Searches } from './searches.ts';
import type { Memory } from './storage/caching/answer-cache.ts';
import { Part } from './write/ground.ts';

/** A page, or what some names of its condition link to. */
export type Listing = PackedList | LinksFirst;

interface Parts {
  readonly searches: Pick<Searches, 'page'>;
  readonly memory: Pick<Memory, 'pages' | 'writes'>;
  readonly linkTypes: Pick<LinkTypesOnDemand, 'of'>;
  readonly semaphore: PageSemaphore;
  /** Resolves when the feed keeps all changes, to what marks a list that began at a number and is read now. */
  readonly marking: () => Promise<Outcome<(began: number) => FeedMark>>;
  /** Notes what a page from memory has of indexes. */
  readonly learn: (feedback: IndexFeedback) => void;
}

export class Lists extends Part<Parts> {
  /** The page that a request asks for, as one text (`packRequest`). */
  page(type: string, packed: string): Listing | Promise<Listing> {
    const { memory, learn } = this.parts;
    const cached = memory.pages.get(packed);
    if (cached === undefined) return this.#found(type, packed);
    const { page, used, saved } = cached;
    if (used.length > 0) learn({ used, saved, wanted: [], looked: 0 });
    return page;
  }

  async #found(type: string, packed: string): Promise<Listing> {
    const { searches, memory, linkTypes, semaphore, marking } = this.parts;
    // Before anything is asked: whatever is written from here on, the answer is not kept.
    const { writes } = memory;
    const request = unpackRequest(packed);
    const { through = [] } = request;
    const linked = through.length === 0 ? [] : await linkTypes.of(through);
    if (linked.length > 0) return { linked };
    const mark = request.marked === true ? await marking() : null;
    if (mark?.ok === false) return mark;
    return withPermit(semaphore, async (permit) => {
      const { result, feedback } = await searches.page(type, request, permit);
      const isMarked = mark !== null && result.ok;
      const page = packList(
        isMarked ? ok({ ...result.value, mark: mark.value(result.value.counter) }) : result,
      );
      const { used, saved, wanted } = feedback;
      // A search that lacks an index is to be felt until there is one, and a large page leaves in its turn.
      const isWorth = wanted.length === 0 && 'documents' in page && !isLarge(page.documents.length);
      if (isWorth && memory.writes === writes) memory.pages.put(packed, { page, used, saved });
      return page;
    });
  }
}

/** The page of a type that never had a document. */
export function pageOfNothing(packed: string): PackedList {
  const request = unpackRequest(packed);
  const diagnostics = mayDoubt(request) ? { diagnostics: [{ kind: 'no-documents' } as const] } : null;
  const mark = request.marked === true ? { mark: NOTHING_CHANGED.mark } : null;
  return packList(ok({ ...NOTHING_FOUND, ...diagnostics, ...mark }));
}
