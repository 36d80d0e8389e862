/** One search under way: what all ways of answering it share, and how its page is put together. */
import { ok, type Outcome, fail } from '../../domain/problems.ts';
import type { Key } from '../../query/order/ordering.ts';
import { type SqlCondition, ALWAYS } from '../../query/sql/condition.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import {
  lastOf,
  splitDocuments,
  isLarge,
  packDocuments,
  unpackDocument,
  withoutLast,
} from '../rpc/packing/packing.ts';
import type { ListRequest, ListResult } from '../rpc/results.ts';
import { type CollectionState, READ_AT_ONCE } from '../storage/documents/documents.ts';
import { mayRead } from '../storage/documents/rights.ts';
import type { Lookup } from './candidates.ts';
import { cursorAt, type Start } from './cursor.ts';
import { type PagePermit, busy } from './page-semaphore.ts';
import type { Scan } from './scan.ts';
import { LIMITS } from '../../domain/limits.ts';
import { bytesInMemory } from '../../domain/work/memory.ts';
import type { SearchReader } from './reading/reader.ts';
import type { Positions } from './reading/rows.ts';

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

/** The same when the rights of many identities are checked for each. */
const READ_AMONG_MANY = 8;

interface Shown {
  readonly seq: number;
  readonly version: number;
}

/**
 * Resolves when the documents of a page may be read: at once, unless the page is large and others are on their way.
 * True when it waited: the documents may have changed meanwhile.
 */
async function turnOf(
  permit: PagePermit,
  records: SearchReader,
  shown: readonly Shown[],
  scan: Pick<Scan, 'yield'>,
): Promise<Outcome<boolean>> {
  if (permit.isFree || !isLarge(records.sizesAt(shown).reduce(sum, 0))) return ok(false);
  if (!(await permit.acquire())) return busy();
  await scan.yield();
  return ok(true);
}

/** The documents of `shown` that the viewer may read, packed, in its order; refused if they are too large together. */
async function fetchPage(
  records: SearchReader,
  readable: SqlCondition,
  shown: readonly Shown[],
  scan: Pick<Scan, 'paused' | 'decoder' | 'weight' | 'yield'>,
  auditFields: boolean,
): Promise<Outcome<string>> {
  const many = scan.weight > 1;
  const size = many ? READ_AMONG_MANY : READ_AT_ONCE;
  if (shown.length > 0 && shown.length <= size && !scan.paused) {
    const joined = records.joined(positionsAt(shown), readable, auditFields);
    if (joined !== null) return ok(joined.packed);
  }
  const documents: string[] = [];
  let bytes = 0;
  for (let at = 0; at < shown.length; at += size) {
    const part = shown.slice(at, at + size).map(({ seq }) => seq);
    if (many && at > 0) await scan.yield();
    for (const { packed } of records.at(part, readable, auditFields)) {
      // During a pause the document may have changed so that it no longer matches, even before the search looked at it:
      // the search does not ask the index again.
      if (scan.paused && !scan.decoder.matches(unpackDocument(packed))) continue;
      bytes += bytesInMemory(packed);
      if (bytes > LIMITS.answer) return tooLarge();
      documents.push(packed);
    }
  }
  return ok(packDocuments(documents));
}

/** The statement of the positions of `shown`, in its order. */
function positionsAt(shown: readonly Shown[]): Positions {
  const text = 'SELECT value AS seq FROM json_each(?)';
  return { text, parameters: [JSON.stringify(shown.map(({ seq }) => seq))] };
}

/**
 * The documents at few positions, which were not looked at yet; refused when the first `limit` of them, which are the
 * page, are too large together. One more means that others follow.
 */
export function readPage(records: SearchReader, positions: Positions, limit: number, auditFields: boolean) {
  const joined = records.joined(positions, ALWAYS, auditFields);
  // All of them together are far smaller than an answer.
  if (joined !== null) {
    const more = joined.documents > limit;
    return ok({ documents: more ? withoutLast(joined.packed) : joined.packed, more });
  }
  const documents = records.at(records.seqs(positions), ALWAYS, auditFields).map(({ packed }) => packed);
  const shown = documents.slice(0, limit);
  const bytes = shown.map(bytesInMemory).reduce(sum, 0);
  return bytes > LIMITS.answer
    ? tooLarge()
    : ok({ documents: packDocuments(shown), more: documents.length > limit });
}

/**
 * The last document of a page that is unchanged since it was found. It has the version that the search looked at, and
 * no two documents have ever had the same version; or, if only an index entry gave its place, its version is not above
 * the counter at which the search began.
 */
function lastInPlace(documents: string, shown: readonly Shown[], counter: number): string | undefined {
  const versions = new Set(shown.map(({ version }) => version));
  return splitDocuments(documents).findLast((packed) => {
    const { version } = unpackDocument(packed);
    return version <= counter || versions.has(version);
  });
}

function sum(one: number, other: number): number {
  return one + other;
}

export function tooLarge(): Outcome<never> {
  const detail = 'The documents of this page are too large together: ask for fewer at a time.';
  return fail('answer-too-large', detail);
}
