/**
 * The exact matcher: from a validated tree to a function on documents, by mingo's `Query` over our operators. All that
 * can be known of a condition is worked out once, when it is compiled; the function itself decides and nothing more.
 */
import { Query } from 'mingo/query';
import type { Fields } from '../../domain/values.ts';
import { CONTEXT } from '../context.ts';
import type { Condition } from './conditions.ts';
import { criteriaOf } from './criteria.ts';
import type { MatchOptions } from './matching.ts';
import { variablesOf } from './query-operators.ts';

/**
 * Compiles a condition to a function that tells whether a document meets it. Documents are given as filters see
 * them: `id`, `type`, attributes and relationships side by side.
 */
export function compileMatcher(
  condition: Condition,
  options: MatchOptions = {},
): (document: Fields) => boolean {
  const query = new Query<Fields>(criteriaOf(condition), {
    context: CONTEXT,
    variables: variablesOf(options),
  });
  return (document) => query.test(document);
}
