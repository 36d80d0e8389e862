/**
 * The exact matcher in a given context of mingo: from a validated tree to a function on documents, by mingo's `Query`.
 * Everything that needs no document is computed once, when the condition is compiled.
 */
import type { Context } from 'mingo/core';
import { Query } from 'mingo/query';
import type { Fields } from '../../domain/values/values.ts';
import type { Condition } from './conditions.ts';
import { criteriaOf, variablesOf } from './compile.ts';
import { ItemBudget } from '../query/items.ts';
import type { MatchOptions } from './matching.ts';
import { CONTEXT } from '../context.ts';

export type Matcher = (document: Fields) => boolean;

export function matcherIn(context: Context, condition: Condition, options: MatchOptions): Matcher {
  const { budget, bounded } = options;
  const looked = bounded === true && budget !== undefined ? new ItemBudget(budget) : null;
  const variables = variablesOf({ ...options, looked });
  const query = new Query<Fields>(criteriaOf(condition), { context, variables });
  if (looked === null) return (document) => query.test(document);
  return (document) => {
    looked.begin();
    return query.test(document);
  };
}

/**
 * Compiles a condition to a function that tells whether a document meets it. Documents are given as filters see
 * them: `id`, `type`, attributes and relationships side by side.
 */
export function compileMatcher(condition: Condition, options: MatchOptions = {}): Matcher {
  return matcherIn(CONTEXT, condition, options);
}
