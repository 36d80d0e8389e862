/** Runs a plan: one runner for each way. */
import type { Outcome } from '../../../domain/problems.ts';
import type { Plan } from '../../../plan/plan.ts';
import { allOf } from '../candidates.ts';
import type { Found, SearchRun } from '../run.ts';
import { look } from './look.ts';
import { ofCreation, ofPositions, ofSource } from './positions.ts';
import { walk } from './walk.ts';
import type { Nearest } from '../../../plan/prepare.ts';
import { START, type Start } from '../cursor.ts';
import { searchNearest } from '../nearest/nearest.ts';

/**
 * What the plan finds; null when its way turns out not to answer this search. Up to the position `behind` nothing matches.
 */
export function answer(run: SearchRun, plan: Plan, behind = 0): Promise<Outcome<Found> | null> {
  const { query } = run.around;
  switch (plan.way) {
    case 'nothing':
      return Promise.resolve(run.found('', false, 0));
    case 'positions-of-an-index':
      // The order may still need what the documents hold.
      return query.ordering === null ? ofPositions(run, plan.listed) : look(run, plan.listed, null);
    case 'page-of-an-index':
      return ofSource(run, plan.source, plan.total);
    case 'few-candidates':
      return look(run, plan.listed, null);
    case 'outward':
      return outward(run, plan.nearest, plan.total);
    case 'order-of-creation':
      return plan.looks
        ? look(run, allOf(query), plan.total, plan.most, behind)
        : ofCreation(run, plan.total);
    case 'order-of-an-index':
      return walk(run, plan);
    case 'everything':
      return look(run, allOf(query), plan.total);
  }
}

/** The distance in meters at which a page begins; NaN for a cursor that names no place in the order of distances. */
export function distanceOf(start: Start): number {
  return Number(start.key[0] ?? 0);
}

/** The documents of the page, nearest first; null when a full pass costs less. `known`: how many match, if that is known. */
async function outward(
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
