/** One search under way: what all ways of answering it share, and how its page is put together. */
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Key } from '../../query/order/ordering.ts';
import type { SqlCondition } from '../../query/sql/condition.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import { lastOf, splitDocuments } from '../rpc/packing/packing.ts';
import type { ListRequest, ListResult } from '../rpc/results.ts';
import type { CollectionState } from '../storage/documents/documents.ts';
import { mayRead } from '../storage/documents/rights.ts';
import type { Lookup } from './candidates.ts';
import { cursorAt, type Start } from './cursor.ts';
import type { PagePermit } from './page-semaphore.ts';
import { fetchPage, lastInPlace, turnOf } from './page.ts';
import type { Scan } from './scan.ts';

/** A matching document: its place in the order. */
export interface Candidate {
  readonly seq: number;
  readonly version: number;
  readonly key: Key;
}

/** What a way answers: the page, and how many documents match if that is asked for. */
export type SearchResult = Omit<ListResult, 'counter' | 'plan'>;

/** What a run is made of. */
export interface SearchContext extends Omit<Lookup, 'walks'> {
  /** The counter when the search begins: a change during a pause has a larger number, and makes the tag stale. */
  readonly state: CollectionState;
  readonly page: ListRequest['page'];
  readonly scan: Scan;
  readonly permit: PagePermit;
  /** Whether documents come with what the service knows of them. */
  readonly auditFields: boolean;
  /** Where the page begins. */
  readonly start: Start;
}

export class SearchRun {
  readonly around: SearchContext;

  constructor(around: SearchContext) {
    this.around = around;
  }

  /** Matches before the page, from its start on. */
  get offset(): number {
    const { page } = this.around;
    return 'offset' in page ? page.offset : 0;
  }

  /** Matches up to the one behind the page, which tells that others follow. */
  get end(): number {
    return this.offset + this.around.page.limit + 1;
  }

  /** Whether it is asked how many documents match. */
  get counted(): boolean {
    return this.around.page.counted !== false;
  }

  /** The order of the answer. Ids ascend with positions. */
  compare(a: Start, b: Start): number {
    return this.around.query.ordering?.compare(a.key, b.key) || a.seq - b.seq;
  }

  /** The page of candidates; there is one candidate more if others follow. */
  async fetch(
    candidates: readonly Candidate[],
    total: number | null,
    readable: SqlCondition = mayRead(this.around.viewer),
  ): Promise<Outcome<SearchResult>> {
    const { page, permit, records, scan, viewer, query, state, auditFields } = this.around;
    const first = candidates.slice(0, page.limit);
    const shown =
      page.units === undefined ? first : first.slice(0, fitting(records.sizesAt(first), page.units));
    const turn = await turnOf(permit, records, shown, scan);
    if (!turn.ok) return turn;
    const allowed = turn.value ? mayRead(viewer) : readable;
    const documents = await fetchPage(records, allowed, shown, scan, auditFields);
    if (!documents.ok) return documents;
    // One that changed while the search paused may sort elsewhere now.
    const moved = scan.paused && query.ordering !== null;
    const last = moved ? lastInPlace(documents.value, shown, state.counter) : lastOf(documents.value);
    // The candidates decide whether others follow: documents may have been deleted during a pause.
    return this.found(documents.value, candidates.length > shown.length, total, last);
  }

  /** `last`: the document after which the next page begins; without one, it begins where this page began. */
  found(documents: string, more: boolean, total: number | null, last?: string): Outcome<SearchResult> {
    const { page, permit, records } = this.around;
    const follows = more && 'after' in page;
    const next = follows
      ? last === undefined
        ? page.after
        : cursorAt(last, orderOf(this.around), records)
      : null;
    permit.holds(documents.length);
    const cursors =
      page.units === undefined
        ? null
        : splitDocuments(documents).map((each) => cursorAt(each, orderOf(this.around), records));
    // What is known though it was not asked for is not told: an answer depends on nothing but its request and the data.
    return ok({ total: this.counted ? total : null, more, documents, next, ...(cursors && { cursors }) });
  }
}

/** How many documents of some sizes, from the first on and at least one, take about so many units together. */
function fitting(sizes: readonly number[], units: number): number {
  let left = units;
  const end = sizes.findIndex((size) => (left -= size) < 0);
  return end === -1 ? sizes.length : Math.max(1, end);
}

/** The order of a list, as cursors know it. */
export function orderOf({ query, scan, state }: Pick<SearchContext, 'query' | 'scan' | 'state'>) {
  const whole = (document: StoredDocument) => scan.decoder.whole(document);
  return { ordering: query.ordering, whole, auditFields: query.auditFields, idsAscend: state.idsAscend };
}

/** A candidate that was not looked at yet, so it cannot have changed since. */
export function candidateAt(seq: number): Candidate {
  return { seq, version: 0, key: [] };
}
