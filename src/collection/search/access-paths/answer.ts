/** Runs a plan: one runner for each way. */
import type { Outcome } from '../../../domain/problems.ts';
import type { Plan } from '../../../plan/plan.ts';
import { allOf } from '../candidates.ts';
import type { Found, SearchRun } from '../run.ts';
import { look } from './look.ts';
import { outward } from './outward.ts';
import { ofCreation, ofPositions, ofSource } from './positions.ts';
import { walk } from './walk.ts';

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
