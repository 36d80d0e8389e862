/** What a pass over documents has shown about indexes: those that served, and those that were missing. */
import type { ListedCandidates } from '../../plan/plan.ts';
import type { Prepared } from '../../plan/prepare.ts';
import { mostListed } from './candidates.ts';
import { TUNING } from './tuning.ts';

export interface IndexFeedback {
  /** Paths on which indexes served, and how many documents were not looked at thanks to them. */
  readonly used: readonly string[];
  readonly saved: number;
  /** Paths that lack an index, and how many documents were looked at for that reason. */
  readonly wanted: readonly string[];
  readonly looked: number;
}

/** A search that looked at more documents than this would have been faster with an index. */
const MANY = 200;

export function isTelling(looked: number): boolean {
  return looked > MANY;
}

/** True when every one was looked at because no index served. */
export function isPass(listed: ListedCandidates | null, { sources }: Pick<Prepared, 'sources'>): boolean {
  return listed === null && sources.length === 0;
}

/** How many documents there are, how many of them a pass looked at, and how many matched. */
export interface Passed {
  readonly documents: number;
  readonly visited: number;
  readonly matched: number;
}

/** Of a pass over the candidates of a query. Where more match than an index may leave, none would have served. */
export function feedbackOf(
  listed: ListedCandidates | null,
  query: Pick<Prepared, 'sources' | 'used' | 'wanted'>,
  { documents, visited, matched }: Passed,
): IndexFeedback {
  const passed = isPass(listed, query);
  const lacks =
    passed && isTelling(visited) && matched <= Math.max(TUNING.few, mostListed(documents, TUNING));
  return {
    used: query.used,
    saved: passed ? 0 : Math.max(0, documents - visited),
    wanted: lacks ? query.wanted : [],
    looked: visited,
  };
}
