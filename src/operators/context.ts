/**
 * MongoDB-exact operators for mingo.
 *
 * mingo implements the query language of MongoDB for objects in memory, and leaves every operator to its `Context`. This
 * folder is such a context: filters, expressions, accumulators and stages as MongoDB has them, with paths through
 * arrays, comparison across kinds, exact numbers (`Long`, `Double`, `Decimal`), object ids, PCRE patterns in linear time,
 * geometry on the sphere and full text. With plain mingo:
 *
 *     import { Query } from 'mingo/query';
 *     import { CONTEXT } from './operators/context.ts';
 *     new Query({ price: { $gt: new Decimal('1.10') } }, { context: CONTEXT }).test(document);
 *
 *     import { evalExpr } from 'mingo/core';
 *     evalExpr(document, { $add: ['$price', new Long(1n)] }, { context: CONTEXT });
 *
 *     import { Aggregator } from 'mingo/aggregator';
 *     new Aggregator([{ $group: { _id: '$kind', sum: { $sum: '$price' } } }], { context: CONTEXT }).run(documents);
 *
 * Stages also have names without the sign (`group`, `filter` for `$match`), under which a document is identified by `id`.
 *
 * It imports values, order, patterns, geometry and words, and nothing of HTTP, storage or Workers. Import
 * `mingo/query` and its kin, never `mingo`: that registers the built-in operators first, and ours would be ignored.
 */
import { Context } from 'mingo/core';
import type { OperatorNames } from './core/expression.ts';
import { ACCUMULATOR_OPERATORS } from './accumulator-operators.ts';
import { EXPRESSION_OPERATORS } from './expression-operators.ts';
import { QUERY_OPERATORS } from './filter/query-operators.ts';
import { PIPELINE_OPERATORS } from './pipeline-operators.ts';

/** The names in it. */
export const NAMES: OperatorNames = {
  expressions: Object.keys(EXPRESSION_OPERATORS),
  accumulators: Object.keys(ACCUMULATOR_OPERATORS),
};

type Operators = NonNullable<Parameters<typeof Context.init>[0]>;

// The type of mingo's operators is one union of the types of all built-in ones: nothing else is assignable to it.
export const CONTEXT = Context.init({
  query: QUERY_OPERATORS,
  expression: EXPRESSION_OPERATORS,
  accumulator: ACCUMULATOR_OPERATORS,
  pipeline: PIPELINE_OPERATORS,
} as unknown as Operators);
