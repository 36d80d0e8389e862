/**
 * Searches outward from a point over an index of cells, and looks at no entry that is much farther away than the end of
 * the page. Matches within bounds are counted by cells; only documents in cells that a bound crosses are read.
 */
import { isUnbounded, surroundingsOf } from '../../../operators/query/geometries.ts';
import { childrenOf, rangeOf, type Cell } from '../../../query/geo/cells.ts';
import type { CellRange } from '../../storage/indexes/cell-table.ts';
import { Measures, type After, type CellEntry, type NearestQuery } from './measures.ts';
import { Outward, type NearestDocument } from './outward.ts';
import type { SearchReader } from '../reading/reader.ts';
import { mayRead } from '../../storage/documents/rights.ts';

/** Up to this number, measuring all documents is faster than searching. */
const FEW_DOCUMENTS = 50;

/** This number of entries is read and checked in the time that one document is measured. */
const ENTRIES = 4;

/** Up to this number of entries within bounds, one pass gives the page and the count. */
const FEW_WITHIN = 2_000;

/** Documents that are met before the search gives up, where other conditions may leave few of them. */
const MOST_MET = 2_000;

/** A cell that a bound crosses is not split further when it holds no more entries than this. */
const FEW_ENTRIES = 256;

export interface NearestPage {
  /** The number of matches over all pages; null where it is not asked for. */
  readonly total: number | null;
  /** In order, at most as many as requested. */
  readonly found: readonly NearestDocument[];
  readonly looked: number;
}

/** The first `size` documents after a place in the order; null when a scan would find them sooner. */
export async function searchNearest(
  records: SearchReader,
  query: NearestQuery,
  after: After,
  size: number,
  pause: () => Promise<void>,
): Promise<NearestPage | null> {
  const { near } = query.plan;
  const measures = new Measures(records, query, surroundingsOf(near), pause);
  const outward = new Outward(measures, after, size);
  const { total, found } = isUnbounded(near)
    ? await searchAll(measures, outward, size)
    : await searchWithin(measures, outward);
  return found && { total, found, looked: measures.looked };
}

interface Answer {
  readonly total: number | null;
  readonly found: readonly NearestDocument[] | null;
}

async function searchAll({ records, query }: Measures, outward: Outward, size: number): Promise<Answer> {
  const documents = records.cells.documents(query.plan.index.id);
  if (query.plan.filtered) {
    const share = Math.min(1, (query.known ?? documents) / documents);
    return { total: null, found: size > share * MOST_MET ? null : await outward.all(share, MOST_MET) };
  }
  // The fewer a viewer may read, the more entries of others lie between them.
  const soonScanned = Math.max(FEW_DOCUMENTS, Math.ceil(Math.sqrt((size * documents) / ENTRIES)) - 1);
  if (!query.counted) {
    const share = shareOf(records, query, { documents, soonScanned });
    return { total: null, found: share === null ? null : await outward.all(share) };
  }
  const total = countAll(records, query, documents);
  return { total, found: total <= soonScanned ? null : await outward.all(total / documents) };
}

/** About which part of the documents the viewer may read, without counting them; null when a scan finds them sooner. */
function shareOf(
  { readable }: SearchReader,
  { viewer }: NearestQuery,
  { documents, soonScanned }: { readonly documents: number; readonly soonScanned: number },
): number | null {
  if (viewer === null) return documents <= soonScanned ? null : 1;
  return readable.few(viewer, soonScanned) === null ? Math.min(1, soonScanned / documents) : null;
}

/** How many match where every geometry does. */
function countAll(records: SearchReader, { plan, viewer }: NearestQuery, documents: number): number {
  if (viewer === null) return documents;
  // If all documents have a geometry, nobody needs to check which ones do.
  return documents === records.count()
    ? records.readable.count(viewer)
    : records.countPositions(plan.source, mayRead(viewer), -1);
}

async function searchWithin(measures: Measures, outward: Outward): Promise<Answer> {
  const { ranges, ancestors } = measures.surroundings.ring(measures.least, measures.most);
  const all = measures.entries([...ranges, ...atThemselves(ancestors)], FEW_WITHIN);
  if (!measures.query.counted) {
    return { total: null, found: await (all.complete ? outward.among(all.rows) : outward.all(1)) };
  }
  if (!all.complete) return { total: await countWithin(measures), found: await outward.all(1) };
  const { sure, measured } = await decide(measures, all.rows);
  return { total: sure.length + measures.size, found: await outward.among([...sure, ...measured]) };
}

/** Which entries certainly are within the bounds, and those that do not show it, whose documents were measured. */
async function decide(measures: Measures, rows: readonly CellEntry[]) {
  const measured: CellEntry[] = [];
  const sure: CellEntry[] = [];
  for (const row of rows) {
    // Other entries of its document may be nearer.
    if (row.alone === 0) measured.push(row);
    else if (measures.isInside(row.least, row.most)) sure.push(row);
    else if (!measures.isOutside(row.least, row.most)) measured.push(row);
  }
  await measures.look(measured.map(({ seq }) => seq));
  return { sure, measured };
}

/** How many are within the bounds, counted by cells. */
async function countWithin(measures: Measures): Promise<number> {
  const { surroundings, records, query } = measures;
  const { cells, ancestors } = surroundings.ring(measures.least, measures.most);
  const inside: CellRange[] = [];
  let sure = (await decide(measures, measures.entries(atThemselves(ancestors), Infinity).rows)).sure.length;
  const waiting = [...cells];
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const [nearest, farthest] = surroundings.reach(cell);
    if (measures.isOutside(nearest, farthest)) continue;
    if (measures.isInside(nearest, farthest)) {
      inside.push(rangeOf(cell));
      continue;
    }
    const parts = childrenOf(cell);
    let opened = measures.entries([rangeOf(cell)], parts.length === 0 ? Infinity : FEW_ENTRIES);
    if (!opened.complete) {
      waiting.push(...parts);
      opened = measures.entries([[cell, cell]], Infinity);
    }
    sure += (await decide(measures, opened.rows)).sure.length;
    await measures.rest();
  }
  // A document with more than one Point has other entries, perhaps nearer: it must be looked at itself.
  if (inside.length > 0) {
    await measures.look(records.cells.notAlone(query.plan.index.id, inside));
    sure += records.cells.countAlone(query.plan.index.id, inside, measures.readable);
  }
  return sure + measures.size;
}

function atThemselves(cells: readonly Cell[]): readonly CellRange[] {
  return cells.map((cell) => [cell, cell]);
}
