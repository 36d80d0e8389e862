/** Filters as conditions, for tests below the API. */
import { parseFilter } from '../../src/operators/filter/parse.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';

/** The condition that a filter means, which is no mistake; a text is JSON as it is. */
export function conditionOf(filter: unknown): Condition {
  const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
  const parsed = parseFilter([{ field: null, text }]);
  if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.problems)}`);
  return parsed.value;
}
