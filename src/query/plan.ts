/**
 * How a collection answers a filter: a condition for SQL that holds for every document of the answer and perhaps
 * for more, and the exact matcher for what SQL could not decide. Pure: it is made from the tree and nothing else.
 */
import type { Fields } from '../domain/values.ts';
import type { Condition } from './filter/conditions.ts';

export interface Plan {
  /** Null when SQL decides everything. Then SQL counts and pages as well, and nothing is decoded. */
  readonly matches: ((document: Fields) => boolean) | null;
}

export function plan(condition: Condition): Plan {
  if (condition.op === 'and' && condition.conditions.length === 0) return { matches: null };
  return { matches: () => true };
}
