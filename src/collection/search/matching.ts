/** The positions of all documents that meet a condition, for whoever asks only which they are. */
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { excessOf } from '../../operators/query/patterns.ts';
import { prepare, type Asked } from '../../query/plan/prepare.ts';
import { allOf, listedOf } from './candidates.ts';
import { Scan } from './scan.ts';
import { isTelling, type Searched } from './search.ts';
import { TUNING } from './tuning.ts';

export interface Positions {
  readonly seqs: readonly number[];
  /** As of a search (search.ts): what indexes saved, and what lacks one. */
  readonly used: readonly string[];
  readonly saved: number;
  readonly wanted: readonly string[];
  readonly looked: number;
}

/** At most `limit` of them, in the order of creation. */
export async function positionsOf(
  { records, state, type, find, pause }: Pick<Searched, 'records' | 'state' | 'type' | 'find' | 'pause'>,
  { condition, viewer }: Pick<Asked, 'condition' | 'viewer'>,
  limit: number,
): Promise<Outcome<Positions>> {
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
  if (query.budget.exceeded) {
    return fail('invalid-filter', excessOf(query.budget, 'this collection'), { parameter: 'filter' });
  }
  const { visited } = scan;
  const isScan = listed === null && query.sources.length === 0;
  return ok({
    seqs,
    used: query.used,
    saved: isScan ? 0 : Math.max(0, state.documents - visited),
    wanted: isScan && isTelling(visited) ? query.wanted : [],
    looked: visited,
  });
}
