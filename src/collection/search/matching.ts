/** The positions of all documents that meet a condition, for whoever asks only which they are. */
import { ok } from '../../domain/problems.ts';
import { excessive } from '../../operators/query/patterns.ts';
import { prepare, type PlanRequest } from '../../plan/prepare.ts';
import { allOf, listedOf } from './candidates.ts';
import { Scan } from './scan.ts';
import { feedbackOf } from './index-feedback.ts';
import type { Searched } from './search.ts';
import { TUNING } from './tuning.ts';

/** At most `limit` of them, in the order of creation. */
export async function positionsOf(
  { records, state, type, find, pause }: Pick<Searched, 'records' | 'state' | 'type' | 'find' | 'pause'>,
  { condition, viewer }: Pick<PlanRequest, 'condition' | 'viewer'>,
  limit: number,
) {
  const query = prepare({ condition, sort: null }, find, { type, ...state });
  const scan = new Scan(records, type, query, viewer, pause);
  const listed = listedOf({ records, query, viewer, tuning: TUNING });
  const seqs: number[] = [];
  if (!query.nothing) {
    await scan.each(listed ?? allOf(query), 0, [], ({ seq }) => {
      seqs.push(seq);
      return seqs.length < limit ? 'more' : 'enough';
    });
  }
  if (query.budget.exceeded) return excessive(query.budget, 'this collection');
  const passed = { documents: state.documents, visited: scan.visited, matched: seqs.length };
  return ok({ seqs, feedback: feedbackOf(listed, query, passed) });
}
