/**
 * How a search is answered: a plan is one of the ways that docs/performance.md names. It is made from plain data, by
 * one function that reads nothing. Where an unknown number decides, that function says what is to be measured, and is
 * asked again with the answer.
 */
import { isCertain, type BodyTest } from '../query/sql/body-test.ts';
import type { Nearest, Prepared, SortedBy, CandidateSource } from './prepare.ts';

/** Positions among which all matches are, ascending. */
export interface ListedCandidates {
  readonly seqs: readonly number[];
  /** What SQL can tell of each of them. */
  readonly test: BodyTest;
  /** True when all of them match, and may be read: none need be looked at. */
  readonly settled: boolean;
}

/** `total` is null where nobody asks for it, or where it is counted on the way. */
export type Plan =
  /** No document matches: nothing is read. */
  | { readonly way: 'nothing' }
  /** An index decides the filter alone, and these are the matches. */
  | { readonly way: 'positions-of-an-index'; readonly listed: ListedCandidates }
  /** The same with many matches: the positions of the page are read in the order of the index. */
  | { readonly way: 'page-of-an-index'; readonly source: CandidateSource; readonly total: number | null }
  /** The matches are among a few documents, which are looked at. */
  | { readonly way: 'few-candidates'; readonly listed: ListedCandidates }
  /** From a point over an index of cells. */
  | { readonly way: 'outward'; readonly nearest: Nearest; readonly total: number | null }
  /**
   * Documents in the order of their creation up to the end of the page: looked at, unless every one matches. Beyond
   * `most` the way does not answer: matches lie elsewhere than at the start, and to list them costs less.
   */
  | {
      readonly way: 'order-of-creation';
      readonly total: number | null;
      readonly looks: boolean;
      readonly most: number;
    }
  /**
   * Keys of an index up to the end of the page: documents are looked at, unless every one in the range matches, or
   * those are known that do (`among`).
   */
  | {
      readonly way: 'order-of-an-index';
      readonly sortedBy: SortedBy;
      readonly total: number | null;
      readonly looks: boolean;
      readonly among: readonly number[] | null;
    }
  /** All documents are looked at; `total` is null where they are counted on the way, if that is asked for. */
  | { readonly way: 'everything'; readonly total: number | null };

export type Way = Plan['way'];

/** What decides between ways, and is not known yet. */
export type Measurement =
  /** The positions of the index that decides alone, if they are a few. */
  | { readonly measure: 'few-positions'; readonly source: CandidateSource }
  /** How many they are. */
  | { readonly measure: 'count'; readonly source: CandidateSource }
  /** The least position among them: before it nothing matches, and a walk in the order of creation may begin there. */
  | { readonly measure: 'least'; readonly entries: NonNullable<CandidateSource['entries']> }
  /**
   * The candidates that indexes, or the viewer's rights, leave, if they are few. `walks`: without them a walk ends
   * with the page.
   */
  | { readonly measure: 'candidates'; readonly walks: boolean };

/** What a plan is made from. */
export interface Inputs {
  readonly query: Pick<
    Prepared,
    'everything' | 'ordering' | 'sortedBy' | 'ids' | 'nearest' | 'sources' | 'decided' | 'words'
  >;
  /** Whose rights are asked: nobody's, those of a few identities, those of many. */
  readonly viewer: 'nobody' | 'few' | 'many';
  /** How many documents the collection has. */
  readonly documents: number;
  /** Matches from the first one to the first one after the page. */
  readonly end: number;
  /** Whether the page begins at a place in the order of distances, or at the start. */
  readonly startsAtDistance: boolean;
  /** Whether it is asked how many documents match. */
  readonly counted: boolean;
}

/** What is measured so far. */
export interface Measured {
  /** How many documents match; null where that is not known. */
  readonly total: number | null;
  /** Null for too many; undefined before they are asked for. */
  readonly few?: readonly number[] | null;
  readonly listed?: ListedCandidates | null;
  /** Undefined before it is asked for. */
  readonly least?: number;
  /** Ways that turned out not to answer this search. */
  readonly failed: readonly Way[];
}

/** The cheapest plan that gives the exact answer, or what must be measured before it is known. */
export function planOf(inputs: Inputs, measured: Measured): Plan | Measurement {
  const { query, viewer } = inputs;
  const { everything, ordering, sortedBy, nearest } = query;
  const { total, few, listed, failed } = measured;
  if (total === 0) return { way: 'nothing' };
  // Ways that stop at the end of the page do not count.
  const mayStop = total !== null || !inputs.counted;
  if (everything && ordering === null && mayStop) return creation(total);
  const isOutward = ordering !== null && viewer !== 'many' && inputs.startsAtDistance;
  if (nearest !== null && isOutward && (mayStop || !nearest.filtered) && !failed.includes('outward'))
    return { way: 'outward', nearest, total };
  const deciding = viewer === 'nobody' ? decidingSource(query) : null;
  // The walk begins and ends with what the filter finds.
  const walked = failed.includes('order-of-an-index') ? null : sortedBy;
  const isWithin = deciding !== null && walked?.within != null;
  // Words are dear to ask of one document after the other, and so all matches are listed.
  const isListed = query.words && query.decided && walked !== null && viewer !== 'many';
  if (deciding !== null && total === null) {
    if (few === undefined) return { measure: 'few-positions', source: deciding };
    if (few !== null) {
      if (isWithin) return walk(walked, few.length, false);
      const test = deciding.test();
      return { way: 'positions-of-an-index', listed: { seqs: few, test, settled: true } };
    }
    // What is listed is counted.
    if (inputs.counted && (!isListed || listed === null)) return { measure: 'count', source: deciding };
  }
  if (mayStop && deciding !== null && ordering === null) {
    if (query.ids !== null) return creation(total);
    if (deciding.ascending) return { way: 'page-of-an-index', source: deciding, total };
  }
  // Where a walk from the start meets too little, one from the first match is tried.
  const isLate = failed.includes('order-of-creation') && measured.least === undefined;
  if (isLate && deciding?.entries != null) return { measure: 'least', entries: deciding.entries };
  const isSparse = total === null || !isBroad(inputs, total) || failed.includes('order-of-creation');
  if (isListed || (!isWithin && isSparse)) {
    if (listed === undefined) {
      const stops = ordering === null ? !failed.includes('order-of-creation') : walked !== null;
      return { measure: 'candidates', walks: total === null && mayStop && stops && !isListed };
    }
    if (listed !== null) {
      const { seqs, settled } = listed;
      if (settled && walked !== null && areSoonMet(inputs, seqs.length)) {
        return { ...walk(walked, seqs.length, false), among: seqs };
      }
      return { way: settled ? 'positions-of-an-index' : 'few-candidates', listed };
    }
  }
  if (mayStop && walked !== null) {
    return walk(walked, total, !isWithin && (!everything || viewer !== 'nobody'));
  }
  if (mayStop && ordering === null) {
    const isLast = failed.includes('order-of-creation') || !isListable(inputs);
    const worth = Math.floor((total ?? inputs.documents) / POSITIONS_EACH);
    const most = isLast ? Infinity : Math.max(inputs.end, worth);
    return { way: 'order-of-creation', total, looks: true, most };
  }
  return { way: 'everything', total };
}

/** The order of creation where every document matches. */
function creation(total: number | null): Plan {
  return { way: 'order-of-creation', total, looks: false, most: Infinity };
}

function walk(
  sortedBy: SortedBy,
  total: number | null,
  looks: boolean,
): Plan & { readonly way: 'order-of-an-index' } {
  return { way: 'order-of-an-index', sortedBy, total, looks, among: null };
}

/**
 * Whether a plan looks at all documents because it has no index. If the filter has an index, a pass ends with the page.
 */
export function isScan(plan: Plan, { sources }: Pick<Prepared, 'sources'>): boolean {
  if (plan.way === 'order-of-creation') return plan.looks && sources.length === 0;
  return plan.way === 'everything';
}

/**
 * Whether a plan looks at documents that an index on another path might have left out. The primary key is none: what a
 * walk looks at in a range of ids lacks an index like what it looks at anywhere.
 */
export function lacksIndex(plan: Plan, { sources, ids }: Pick<Prepared, 'sources' | 'ids'>): boolean {
  if (plan.way !== 'order-of-creation' && plan.way !== 'order-of-an-index') return plan.way === 'everything';
  return plan.looks && sources.length === (ids === null ? 0 : 1);
}

/**
 * Whether a plan puts all that matches in order, though a walk over an index of that order would soon meet the page:
 * its filter lacks the index. A few are put in order in any case.
 */
export function lacksOrder(plan: Plan, inputs: Inputs, { few = null }: Pick<Measured, 'few'>): boolean {
  const { ordering, sortedBy } = inputs.query;
  if (plan.way !== 'positions-of-an-index' || ordering === null || sortedBy !== null) return false;
  return few === null && areSoonMet(inputs, plan.listed.seqs.length);
}

/** The source that alone decides what matches, or null. */
function decidingSource({ sources }: Pick<Prepared, 'sources'>): CandidateSource | null {
  const [source, other] = sources;
  return source !== undefined && other === undefined && isCertain(source.test()) ? source : null;
}

/** Whether this number of matches is so dense that walking past other documents costs less than listing all matches. */
function isBroad(inputs: Inputs, total: number): boolean {
  const { query, documents, end } = inputs;
  const { ordering, sortedBy, everything, sources } = query;
  if (ordering !== null && sortedBy === null) return false;
  if (!everything && sources.length === 0) return true;
  return ((end * documents) / total) * (isListable(inputs) ? POSITIONS_EACH : 1) < total;
}

/** Whether what matches can be listed without a look at documents. */
function isListable({ query, viewer }: Inputs): boolean {
  return query.decided && viewer !== 'many';
}

/** Positions of an index that are listed, or keys that are passed, in the time in which one document is looked at. */
export const POSITIONS_EACH = 20;

/** Whether a walk over keys meets so many of the listed matches sooner than all of them are looked at. */
function areSoonMet({ documents, end }: Inputs, count: number): boolean {
  return (end * documents) / count < count * POSITIONS_EACH;
}
