/**
 * The searches and aggregates of a collection: what they run over, and how many are running; pages on their way out,
 * from memory where they are asked for again after no write. Nothing here writes.
 */
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { Viewer } from '../domain/rights.ts';
import { EVERYTHING, guarded, type Condition } from '../operators/filter/conditions.ts';
import { decodeCondition } from '../operators/filter/encoded.ts';
import { withoutFields } from '../operators/filter/hidden.ts';
import { Aggregates } from './aggregate/aggregation.ts';
import type { Input } from './aggregate/input-reader.ts';
import { Counts } from './search/counts/count-cache.ts';
import type { Memory } from './storage/caching/answer-cache.ts';
import { PagePermit, PageSemaphore, withPermit } from './search/page-semaphore.ts';
import type { CollectionState } from './storage/documents/documents.ts';
import type { Ended } from './storage/secondary/expiries.ts';
import type { Readers } from './storage/documents/readers.ts';
import { NOTHING_CHANGED } from './rpc/feed/feed.ts';
import type { FeedMark } from './rpc/feed/mark.ts';
import { isLarge, packList, unpackRequest, type PackedList } from './rpc/packing/packing.ts';
import type { LinkedTypes, LinksFirst, MatchingRequest, MatchingResult } from './rpc/related.ts';
import {
  NOTHING_FOUND,
  type ListRequest,
  type ListResult,
  type AggregateRequest,
  type OutputPage,
} from './rpc/results.ts';
import { Diagnostics, diagnosedOf, mayDiagnose } from './search/diagnostics.ts';
import { positionsOf } from './search/matching.ts';
import { searchIn } from './search/search.ts';
import './search/warm-ups.ts';
import type { SearchReader } from './search/reading/reader.ts';
import { isDerived } from '../operators/filter/derived.ts';
import { yieldToOthers } from './storage/steps.ts';
import { isUnseen, type Unseen } from '../domain/rules.ts';
import { underRule } from './rpc/rules.ts';

/** What a search causes, others do: it only reads. */
interface Parts {
  readonly tables: Readers;
  readonly memory: Memory;
  /** The statements of one search. */
  readonly reader: () => SearchReader;
  readonly words: { prepare: (type: string, condition: Condition) => Promise<Condition> };
  readonly learning: Input['learning'];
  readonly linkTypes: { of: (names: readonly string[]) => Promise<readonly LinkedTypes[]> };
  readonly feed: { marking: () => Promise<Outcome<(began: number) => FeedMark>> };
  readonly pages: PageSemaphore;
}

/** A page, or what some names of its condition link to. */
export type Listing = PackedList | LinksFirst;

export class Searches {
  readonly #parts: Parts;
  readonly #aggregates: Aggregates;
  readonly #counts = new Counts();
  readonly #diagnostics = new Diagnostics();
  #running = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#aggregates = new Aggregates(parts.tables);
  }

  /** Whether any is running: the indexes that it uses must not be dropped meanwhile. */
  get areRunning(): boolean {
    return this.#running > 0;
  }

  /** The page that a request asks for, as one text (`packRequest`). */
  page(type: string, packed: string): Listing | Promise<Listing> {
    const cached = this.#parts.memory.pages.get(packed);
    if (cached === undefined) return this.#found(type, packed);
    const { page, used, saved } = cached;
    if (used.length > 0)
      this.#parts.learning.after({ used, saved, wanted: [], looked: 0 }, this.#state().documents);
    return page;
  }

  async #found(type: string, packed: string): Promise<Listing> {
    const { feed, linkTypes, memory, pages } = this.#parts;
    // Before anything is asked: whatever is written from here on, the answer is not kept.
    const { writes } = memory;
    const request = unpackRequest(packed);
    const { through = [] } = request;
    const linked = through.length === 0 ? [] : await linkTypes.of(through);
    if (linked.length > 0) return { linked };
    const mark = request.marked === true ? await feed.marking() : null;
    if (mark?.ok === false) return mark;
    return withPermit(pages, async (permit) => {
      const { result, feedback } = await this.#searched(type, request, permit);
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

  /** A page for the object itself: no caller takes it. */
  async list(type: string, wanted: ListRequest): Promise<Outcome<ListResult>> {
    return (await this.#searched(type, wanted, new PagePermit(new PageSemaphore()))).result;
  }

  /** One page of the matching documents, and what the search has shown about indexes. `permit`: how the page leaves. */
  async #searched(type: string, wanted: ListRequest, permit: PagePermit) {
    const request = { ...wanted, viewer: this.#narrowed(wanted.viewer) };
    const unseen = unseenBy(request);
    const ranked = withoutFields(decodeCondition(request.condition), unseen);
    const condition = await this.#prepare(type, underRule(ranked, request.rule));
    const sort = request.sort.filter(
      ({ path: [name] }) => name === undefined || isDerived(name) || !isUnseen(unseen, name),
    );
    return this.#during(async () => {
      const { records, ...over } = this.#over(type);
      const { counts } = this.#parts.tables.indexes;
      const begin = () => ({
        ...over,
        records,
        state: this.#state(),
        counts: this.#counts,
        entries: counts,
        permit,
      });
      const { numbers, viewer } = request;
      const planned = { condition, viewer, sort, ranked, ...(numbers && { numbers }) };
      const { search, result } = await searchIn(begin, request, planned);
      const { searched } = search;
      this.#parts.learning.after(search, searched.state.documents);
      const listed = { result, feedback: search };
      if (!result.ok || !mayDiagnose(request)) return listed;
      const diagnosed = diagnosedOf(request, result.value);
      if (diagnosed === null) return listed;
      const shown = await this.#prepare(type, EVERYTHING);
      const diagnostics = await this.#diagnostics.of(this.#parts.tables, searched, shown, diagnosed);
      return { result: ok({ ...result.value, diagnostics }), feedback: search };
    });
  }

  /** Does what uses indexes. */
  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  /** What every search runs over. */
  #over(type: string) {
    const { indexes } = this.#parts.tables;
    const find = (path: string) => indexes.find(path);
    return { records: this.#parts.reader(), state: this.#state(), type, find, pause: yieldToOthers };
  }

  /** Which documents that the viewer may read meet each of several conditions. */
  async matching(type: string, wanted: MatchingRequest): Promise<MatchingResult> {
    const viewer = this.#narrowed(wanted.viewer);
    return this.#during(async () => {
      const ids: (readonly DocumentId[])[] = [];
      let left = wanted.limit;
      for (const condition of wanted.conditions) {
        const prepared = await this.#conditionOf(type, { ...wanted, condition });
        const searched = this.#over(type);
        const found = await positionsOf(searched, { condition: prepared, viewer }, left + 1);
        if (!found.ok) return found;
        this.#parts.learning.after(found.value.feedback, searched.state.documents);
        left -= found.value.seqs.length;
        if (left < 0) return ok(null);
        ids.push(searched.records.idsAt(found.value.seqs));
      }
      return ok(ids);
    });
  }

  /** The outputs of a pipeline over the documents that the viewer may read. */
  async aggregate(type: string, wanted: AggregateRequest): Promise<Outcome<OutputPage>> {
    const request = { ...wanted, viewer: this.#narrowed(wanted.viewer) };
    const { learning, tables } = this.#parts;
    const prepare = (condition: Condition) => this.#prepare(type, condition);
    const settled = tables.expiries.ended === null;
    return this.#during(() =>
      this.#aggregates.run(request, { ...this.#over(type), prepare, learning, settled }, type),
    );
  }

  /** The outputs of a pipeline without input: its collection never had a document. */
  aggregateOfNothing(type: string, request: AggregateRequest): Promise<Outcome<OutputPage>> {
    return this.#aggregates.run(request, null, type);
  }

  /** What the condition of a request becomes: without fields that are not seen, and under the rule. */
  #conditionOf(type: string, wanted: Seeing & Pick<ListRequest, 'condition'>): Promise<Condition> {
    const condition = withoutFields(decodeCondition(wanted.condition), unseenBy(wanted));
    return this.#prepare(type, underRule(condition, wanted.rule));
  }

  /** What every search passes: what has ended is not there, though it may not be deleted yet. */
  #prepare(type: string, condition: Condition): Promise<Condition> {
    const { ended } = this.#parts.tables.expiries;
    return this.#parts.words.prepare(type, ended === null ? condition : guarded(condition, notEnded(ended)));
  }

  /** The part of a viewer that matters here: searches and caches depend on nothing else. */
  #narrowed(viewer: Viewer): Viewer {
    return viewer && this.#parts.tables.rights.narrow(viewer, 'read');
  }

  #state(): CollectionState {
    return this.#parts.memory.stateOf(this.#parts.tables.records);
  }
}

/** The page of a type that never had a document. */
export function pageOfNothing(packed: string): PackedList {
  const request = unpackRequest(packed);
  const diagnostics = mayDiagnose(request) ? { diagnostics: [{ kind: 'no-documents' } as const] } : null;
  const mark = request.marked === true ? { mark: NOTHING_CHANGED.mark } : null;
  return packList(ok({ ...NOTHING_FOUND, ...diagnostics, ...mark }));
}

/** The condition that a document has not ended. Arrays of dates end nothing, though filters look into them. */
function notEnded({ name, until }: Ended): Condition {
  const path = [name];
  const isArray: Condition = { op: 'type', path, kinds: ['array'] };
  const isPast: Condition = { op: 'lte', path, value: new Date(until) };
  return { op: 'or', conditions: [{ op: 'not', condition: isPast }, isArray] };
}

/** What decides which fields a search takes for missing. */
type Seeing = Pick<ListRequest, 'hidden' | 'rule'>;

function unseenBy({ hidden, rule }: Seeing): Unseen {
  return { hidden, only: rule?.read ?? null };
}
