/**
 * One search of a collection: it is prepared, planned, run and explained. Planning tells what must be measured; a way
 * that turns out not to answer the search is planned around.
 */
import { ok, type Outcome } from '../../domain/problems.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { mapLeaves } from '../../operators/filter/map.ts';
import { isUnbounded } from '../../operators/query/geometries.ts';
import { nearOf } from '../../operators/query/near.ts';
import { excessive } from '../../operators/query/patterns.ts';
import { decodeCondition } from '../../operators/filter/encoded.ts';
import type { FindIndex } from '../../query/index/path-index.ts';
import {
  isScan,
  lacksIndex,
  lacksOrder,
  planOf,
  type Inputs,
  type Measured,
  type Measurement,
  type Plan,
} from '../../plan/plan.ts';
import { prepare, type PlanRequest, type Prepared, type CandidateSource } from '../../plan/prepare.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import type { ListRequest, ListResult } from '../rpc/results.ts';
import type { CollectionState } from '../storage/documents/documents.ts';
import type { CachedCounts } from '../storage/indexes/cached-counts.ts';
import { isMany } from '../storage/documents/rights.ts';
import { listedOf } from './candidates.ts';
import type { Counts } from './counts/count-cache.ts';
import { START, startOf, type Start } from './cursor.ts';
import { isTelling, type IndexFeedback } from './index-feedback.ts';
import { PageSemaphore, PagePermit } from './page-semaphore.ts';
import type { SearchReader } from './reading/reader.ts';
import { RangeCounts } from './counts/range-counts.ts';
import { orderOf, SearchRun, type SearchResult } from './run.ts';
import { Scan } from './scan.ts';
import { TUNING, type Tuning } from './tuning.ts';
import { answer, distanceOf } from './access-paths.ts';

/** What a search runs over. */
export interface Searched {
  readonly records: SearchReader;
  /** The counter when the search begins: a change during a pause has a larger number, and makes the tag stale. */
  readonly state: CollectionState;
  readonly type: string;
  readonly find: FindIndex;
  readonly counts: Counts;
  /** How many entries indexes have, as far as that is known. */
  readonly entries: CachedCounts;
  /** Lets other requests in between. */
  readonly pause: () => Promise<void>;
  /** How the page leaves the object; without it, the page does not wait. */
  readonly permit?: PagePermit;
  readonly tuning?: Tuning;
}

export class Search implements IndexFeedback {
  /** What the search ran over. */
  readonly searched: Searched;
  readonly #request: ListRequest;
  readonly #countedAs: ListRequest;
  readonly #planned: PlanRequest;
  readonly #query: Prepared;
  readonly #scan: Scan;
  readonly #tuning: Tuning;
  /** Whether the number of matches is known without a search, or was. */
  #isCounted = false;
  /** How the search was answered, once it was. */
  #plan: Plan = { way: 'nothing' };
  #lacksOrder = false;
  /** What must be counted in steps first; null where it may be counted at once. */
  #uncounted: (() => number | null) | null = null;

  /** `asked`: the request's condition without hidden fields, and with all that must hold beside it. */
  constructor(searched: Searched, request: ListRequest, planned: PlanRequest) {
    const { records, state, type, find, pause, tuning = TUNING } = searched;
    this.searched = searched;
    this.#request = request;
    this.#countedAs = countedAs(request, planned);
    this.#planned = planned;
    this.#tuning = tuning;
    this.#query = prepare(planned, find, { type, ...state });
    // Rights are a condition of the search like any other: documents that the viewer may not read are never looked at.
    this.#scan = new Scan(records, type, this.#query, planned.viewer, pause, tuning);
  }

  get used(): readonly string[] {
    return this.#query.used;
  }
  get saved(): number {
    return this.#isScan ? 0 : Math.max(0, this.searched.state.documents - this.#scan.visited);
  }

  /** After the run. */
  get wanted(): readonly string[] {
    const lacks = lacksIndex(this.#plan, this.#query) || this.#lacksOrder;
    return lacks && isTelling(this.looked) ? this.#query.wanted : [];
  }
  get looked(): number {
    return this.#scan.visited;
  }

  /** What is found; null where much of an index must be counted first, and that may be done `inSteps`. */
  async run(inSteps: boolean): Promise<Outcome<ListResult> | null> {
    const { state, counts, records } = this.searched;
    const { counter } = state;
    const start = this.#start();
    if (!start.ok) return start;
    const found = await this.#find(start.value, inSteps);
    if (found === null) return null;
    if (this.#query.budget.exceeded) return excessive(this.#query.budget, 'this collection');
    if (!found.ok) return found;
    // The count belongs to this counter: after a write no request asks for it any more.
    if (found.value.total !== null && !this.#isCounted)
      counts.put(this.#countedAs, counter, found.value.total);
    const { visited, decoder } = this.#scan;
    const explained = { way: this.#plan.way, used: this.used, scan: this.#isScan };
    const costs = { rows: records.rowsRead, visited, decoded: decoder.decoded };
    return ok({ counter, ...found.value, plan: { ...explained, ...costs } });
  }

  /** Counts what `run` could not count at once. */
  async count(): Promise<void> {
    const { state, pause } = this.searched;
    if (this.#uncounted !== null) await this.#ranges.inSteps(this.#uncounted, state.documents, pause);
  }

  async #find(start: Start, inSteps: boolean): Promise<Outcome<SearchResult> | null> {
    const { records, state, permit = new PagePermit(new PageSemaphore()) } = this.searched;
    const { page } = this.#request;
    const { viewer } = this.#planned;
    const [query, scan, tuning] = [this.#query, this.#scan, this.#tuning];
    // Cursors, and the second look after a pause, need what the filter and the order look at.
    const auditFields = query.auditFields || this.#request.auditFields === true;
    const run = new SearchRun({
      records,
      state,
      page,
      viewer,
      query,
      scan,
      permit,
      tuning,
      start,
      auditFields,
    });
    const inputs: Inputs = {
      query,
      viewer: viewer === null ? 'nobody' : isMany(viewer) ? 'many' : 'few',
      documents: state.documents,
      end: run.end,
      startsAtDistance: distanceOf(start) >= 0,
      counted: run.counted,
    };
    let measured: Measured = { total: this.#known(run.counted), failed: [] };
    for (;;) {
      const plan = planOf(inputs, measured);
      if ('measure' in plan) {
        const known = this.#measure(plan, inSteps);
        if (known === null) return null;
        measured = { ...measured, ...known };
        // From the first match on, a walk may serve that failed from the start; not if that was met on it.
        const { least = 0 } = known;
        if (least > this.#scan.visited) measured = { ...measured, failed: [] };
      } else {
        this.#plan = plan;
        this.#lacksOrder = lacksOrder(plan, inputs, measured);
        const least = this.#least(plan, measured);
        const found = await answer(run, plan, (least ?? 1) - 1);
        if (found !== null) return found;
        const { listed, ...known } = measured;
        const others = least === undefined ? known : { ...known, least };
        const failed = [...measured.failed, plan.way];
        // Where a walk could answer, not all was listed that can be.
        measured = { ...others, ...(listed != null && { listed }), failed };
      }
    }
  }

  /** Where a page by cursor begins; the start of everything for a page by offset. */
  #start(): Outcome<Start> {
    const { page } = this.#request;
    const order = orderOf({ query: this.#query, scan: this.#scan, state: this.searched.state });
    return 'after' in page
      ? startOf(page.after, order, this.searched.records, {
          viewer: this.#planned.viewer,
          rule: this.#request.rule,
        })
      : ok(START);
  }

  /** The number of matches, if it is known without a search; nothing is counted that is not asked for. */
  #known(counted: boolean): number | null {
    const { viewer } = this.#planned;
    const { state, counts, records } = this.searched;
    const { nothing, everything } = this.#query;
    const known = nothing
      ? 0
      : everything && viewer === null
        ? state.documents
        : (counts.get(this.#countedAs, state.counter) ?? null);
    this.#isCounted = known !== null;
    if (known !== null) return known;
    return counted && everything && viewer !== null ? records.readable.count(viewer) : null;
  }

  /** Null where that takes many steps. */
  #measure(measurement: Measurement, inSteps: boolean): Partial<Measured> | null {
    const { records } = this.searched;
    switch (measurement.measure) {
      case 'few-positions': {
        const { small } = this.#tuning;
        const { entries } = measurement.source;
        if (entries !== null && this.#ranges.hasMoreThan(entries, small)) return { few: null };
        const seqs = records.positions(measurement.source, ALWAYS, small + 1);
        return { few: seqs.length <= small ? seqs : null };
      }
      case 'count': {
        const total = this.#count(measurement.source, inSteps);
        return total === null ? null : { total };
      }
      case 'least': {
        const least = this.#inSteps(inSteps, (most) => this.#ranges.least(measurement.entries, most));
        return least === null ? null : { least };
      }
      case 'candidates': {
        const { viewer } = this.#planned;
        const { walks } = measurement;
        return { listed: listedOf({ records, query: this.#query, viewer, tuning: this.#tuning, walks }) };
      }
    }
  }

  #count(source: CandidateSource, inSteps: boolean): number | null {
    const { entries } = source;
    if (entries === null) return this.searched.records.countPositions(source, ALWAYS, -1);
    return this.#inSteps(inSteps, (most) => this.#ranges.count(entries, most));
  }

  /** What is told at once; null where that takes steps, and may be done so. */
  #inSteps(inSteps: boolean, count: (most?: number) => number | null): number | null {
    const counted = count(inSteps ? undefined : Infinity);
    if (counted === null) this.#uncounted = () => count();
    return counted;
  }

  /** The position before which nothing matches, for a walk in the order of creation, as far as it is known. */
  #least(plan: Plan, { least }: Measured): number | undefined {
    if (plan.way !== 'order-of-creation' || !plan.looks) return undefined;
    if (least !== undefined) return least;
    const known = this.#query.sources.flatMap(({ entries }) => {
      const cached = entries === null ? null : this.#ranges.cachedLeast(entries);
      return cached ?? [];
    });
    return known.length === 0 ? undefined : Math.max(...known);
  }

  get #ranges(): RangeCounts {
    return new RangeCounts(this.searched.entries, this.searched.records.entries, this.#tuning);
  }

  get #isScan(): boolean {
    return isScan(this.#plan, this.#query);
  }
}

/**
 * The search of a request, and what it has found. If much must be counted first, others may write: then the search
 * begins anew, so that its count and its page are of one moment.
 */
export async function searchIn(begin: () => Searched, request: ListRequest, planned: PlanRequest) {
  for (let inSteps = true; ; inSteps = false) {
    const search = new Search(begin(), request, planned);
    const result = await search.run(inSteps);
    if (result !== null) return { search, result };
    await search.count();
  }
}

/** The search that finds as many: from wherever `$near` without bounds looks, it finds the same. */
function countedAs(request: ListRequest, { condition, ranked = condition }: PlanRequest): ListRequest {
  if (nearOf(ranked) === undefined) return request;
  const from = { type: 'Point', coordinates: [0, 0] } as const;
  const anywhere = mapLeaves(decodeCondition(request.condition), (leaf) =>
    leaf.op === 'near' && isUnbounded(leaf) ? { ...leaf, geometry: from } : leaf,
  );
  return { ...request, condition: encodeText(anywhere) };
}
