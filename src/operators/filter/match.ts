/** The exact matcher over our operators. */
import { CONTEXT } from '../context.ts';
import type { Condition } from './conditions.ts';
import { matcherIn, type Matcher } from './matcher.ts';
import type { MatchOptions } from './matching.ts';

/**
 * Compiles a condition to a function that tells whether a document meets it. Documents are given as filters see
 * them: `id`, `type`, attributes and relationships side by side.
 */
export function compileMatcher(condition: Condition, options: MatchOptions = {}): Matcher {
  return matcherIn(CONTEXT, condition, options);
}
