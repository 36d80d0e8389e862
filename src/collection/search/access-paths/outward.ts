/** The way outward from a point over an index of cells. */
import type { Outcome } from '../../../domain/problems.ts';
import type { Nearest } from '../../../plan/prepare.ts';
import { START, type Start } from '../cursor.ts';
import { searchNearest } from '../nearest/nearest.ts';
import type { Found, SearchRun } from '../run.ts';

/** The distance in meters at which a page begins; NaN for a cursor that names no place in the order of distances. */
export function distanceOf(start: Start): number {
  return Number(start.key[0] ?? 0);
}

/** The documents of the page, nearest first; null when a full pass costs less. `known`: how many match, if that is known. */
export async function outward(
  run: SearchRun,
  nearest: Nearest,
  known: number | null,
): Promise<Outcome<Found> | null> {
  const { query, viewer, scan, start, records } = run.around;
  const { ordering, fields } = query;
  if (ordering === null) return null;
  const measure = (seqs: readonly number[]) => scan.among(seqs, fields, ordering, nearest.filtered);
  const after = start === START ? null : { distance: distanceOf(start), seq: start.seq };
  const asked = { plan: nearest, viewer, measure, known, counted: run.counted && known === null };
  const answer = await searchNearest(records, asked, after, run.end, () => scan.yield());
  if (answer === null) return null;
  const found = answer.found.map((each) => ({ ...each, key: [] }));
  return run.fetch(found.slice(run.offset), known ?? answer.total);
}
