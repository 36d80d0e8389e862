/** Where a search looks: all documents, or the few that an index or the viewer's rights leave. */
import type { Viewer } from '../../domain/rights.ts';
import { POSITIONS_EACH, type ListedCandidates } from '../../plan/plan.ts';
import type { PathIndex } from '../../query/index/path-index.ts';
import type { Prepared, CandidateSource } from '../../plan/prepare.ts';
import { CERTAIN, isCertain, type BodyTest } from '../../query/sql/body-test.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import { isMany, mayRead, readablePositions } from '../storage/documents/rights.ts';
import type { SearchReader } from './reading/reader.ts';
import type { Tuning } from './tuning.ts';
import { Bitmap } from './bitmap.ts';

/** Where a pass looks. */
export interface Candidates {
  /** Positions, ascending; null for every document. */
  readonly seqs: readonly number[] | null;
  /** Of every document, those up to this position; without it, all. */
  readonly last?: number;
  /** Of every document, where ids ascend, those with ids in a range. */
  readonly ids?: Prepared['ids'];
  /** What SQL must decide for each of them. */
  readonly test: BodyTest;
  /** An index of the columns that are read, where nothing else of a document decides. */
  readonly columns?: PathIndex | undefined;
}

/** What candidates are found by. */
export interface Lookup {
  readonly records: SearchReader;
  readonly query: Prepared;
  readonly viewer: Viewer;
  readonly tuning: Tuning;
  /** Whether, without candidates, a walk ends with the page. */
  readonly walks?: boolean;
}

/** The number of rights that are read in the time of one document. */
const RIGHTS_EACH = 10;

/** Of this number of documents, how many an index may leave: with more, a full pass costs less. */
export function mostListed(documents: number, { mostListed, worthwhileShare }: Tuning): number {
  return Math.min(mostListed, Math.floor(documents * worthwhileShare));
}

/** Every document. */
export function allOf({ everything, test, ids }: Pick<Prepared, 'everything' | 'test' | 'ids'>): Candidates {
  return { seqs: null, ids, test: everything ? CERTAIN : test() };
}

/** Positions that contain all matches, or null when no index leaves few enough of them. */
export function listedOf(lookup: Lookup): ListedCandidates | null {
  const { viewer } = lookup;
  return isMany(viewer) ? listedOfMany(lookup, viewer) : listedOfFew(lookup);
}

/** The same for a viewer of many identities: each statement checks rights on only a few documents. */
function listedOfMany(lookup: Lookup, viewer: readonly string[]): ListedCandidates | null {
  const { records, query, tuning } = lookup;
  const { few } = tuning;
  const readable = records.readable.few(viewer, few * RIGHTS_EACH);
  if (readable !== null) return listed(readable, allOf(query).test);
  const best = smallest(query.sources, lookup)?.source;
  if (best === undefined) return null;
  const most = mostListed(records.count(), tuning);
  const total = records.countPositions(best, ALWAYS, most + 1);
  if (total > most) return null;
  // Rights are checked in steps: even a document that surely matches must be looked at.
  return { seqs: records.positions(best, ALWAYS, total), test: best.test(), settled: false };
}

function listedOfFew(lookup: Lookup): ListedCandidates | null {
  const { records, query, viewer, tuning } = lookup;
  const sources = [...query.sources, ...readableSource(lookup)];
  const best = smallest(sources, lookup);
  if (best === undefined) return null;
  const { source, size } = best;
  const readable = mayRead(viewer);
  const { small, few } = tuning;
  const isWorthwhile = sources.length === 1 || size > small;
  if (query.decided && isWorthwhile && lookup.walks !== true) {
    // To list what all of them find takes less than to look at what one finds, if no list is far longer than that.
    const longest = sources.length === 1 || size > few ? Infinity : size * POSITIONS_EACH;
    const common = commonPositions(records, sources, Math.min(tuning.mostListed, longest));
    if (common !== null) return listed(common, CERTAIN);
  }
  const seqs = records.positions(source, readable, few + 1);
  if (seqs.length <= few) return listed(seqs, source.test());
  // Behind what is worth listing, nothing is counted.
  const most = mostListed(records.count(), tuning);
  const total = records.countPositions(source, readable, most + 1);
  if (total > most) return null;
  return listed(records.positions(source, readable, total), source.test());
}

function listed(seqs: readonly number[], test: BodyTest): ListedCandidates {
  return { seqs, test, settled: isCertain(test) };
}

/** The source with the fewest positions; they are counted up to one more than a few where that decides. */
function smallest(sources: readonly CandidateSource[], { records, tuning }: Lookup) {
  const [only, second] = sources;
  if (only !== undefined && second === undefined) return { source: only, size: 0 };
  const sized = sources.map((source) => ({
    source,
    size: records.countPositions(source, ALWAYS, tuning.few + 1),
  }));
  return sized.sort((one, other) => one.size - other.size)[0];
}

/** The documents that the viewer may read are a source like any index. */
function readableSource({ viewer, query }: Lookup): readonly CandidateSource[] {
  if (viewer === null) return [];
  return [{ ...readablePositions(viewer), ascending: false, entries: null, test: () => allOf(query).test }];
}

/** The positions that several sources share, ascending; null if one has over `most`: its list would be in memory. */
function commonPositions(
  records: SearchReader,
  sources: readonly Pick<CandidateSource, 'positions' | 'parameters'>[],
  most: number,
): readonly number[] | null {
  const last = records.lastSeq();
  let common: Bitmap | null = null;
  for (const source of sources) {
    const seqs = records.listed(source, ALWAYS, most + 1);
    if (seqs.length > most) return null;
    const bitmap = new Bitmap(last);
    for (const seq of seqs) if (common === null || common.has(seq)) bitmap.add(seq);
    common = bitmap;
  }
  return common?.list() ?? [];
}
