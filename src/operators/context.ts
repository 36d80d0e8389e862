/**
 * MongoDB-exact operators for mingo.
 *
 * mingo implements the query language of MongoDB for objects in memory, and leaves every operator to its `Context`.
 * This folder is such a context: filters, expressions, accumulators and stages as MongoDB has them, with paths through
 * arrays, comparison across kinds, exact numbers (`Long`, `Double`, `Decimal`), object ids, PCRE patterns, geometry on
 * the sphere and full text. Operands come read and checked, in instances of `Operand`.
 *
 * It imports values, order, patterns, geometry and words, and nothing of HTTP, storage or Workers. Import
 * `mingo/query` and its kin, never `mingo`: that registers the built-in operators first, and ours would be ignored.
 */
import { Context } from 'mingo/core';
import type { Value } from '../domain/values/values.ts';
import { mapFields } from '../domain/values/tree.ts';
import type { Argument, Site } from './core/dispatch.ts';
import type { OperatorNames } from './core/expression.ts';
import { OPERATORS } from './expressions/table.ts';
import { QUERY_OPERATORS } from './filter/compile.ts';
import type { ReadAccumulator } from './accumulators/accumulator.ts';
import { NUMERIC } from './accumulators/numeric.ts';
import { QUANTILES } from './accumulators/quantiles.ts';
import { RANKED } from './accumulators/ranked.ts';
import { SINGLE } from './accumulators/single.ts';
import { $skip } from 'mingo/operators/pipeline';
import type { Options } from 'mingo/types';
import type { Documents } from './stages/flow.ts';
import type { Run, StageOperand } from './stages/stage.ts';

/** The variable in which a run reaches the stages. */
const RUN = 'run';

export function variablesOf(run: Run): Readonly<Record<string, unknown>> {
  return { [RUN]: run };
}

/** A stage comes read, and is begun. `$skip` is mingo's own. */
const PIPELINE_OPERATORS = {
  $skip,
  $stage: (input: Documents, { value: { start, index } }: StageOperand, { context, variables }: Options) =>
    // All stages run with the variables of `variablesOf`.
    start(input, { ...(variables?.[RUN] as Run), context, index }),
};

/** All accumulators by name. */
const ACCUMULATORS: Readonly<Record<string, ReadAccumulator>> = {
  ...NUMERIC,
  ...SINGLE,
  ...RANKED,
  ...QUANTILES,
};

export const NAMES: OperatorNames = {
  expressions: Object.keys(OPERATORS),
  accumulators: Object.keys(ACCUMULATORS),
};

/** At a place of a definition an operator gives a closure over documents, or what begins a state for each group. */
function atSites<T>(table: Readonly<Record<string, (argument: Value, at: Site) => T>>) {
  return mapFields(
    table,
    (read) =>
      (at: Site, { value }: Argument): T =>
        read(value, at),
  );
}

// The type of mingo's operators is one union of the types of all built-in ones: nothing else is assignable to it.
export const CONTEXT = Context.init({
  query: QUERY_OPERATORS,
  expression: atSites(OPERATORS),
  accumulator: atSites(ACCUMULATORS),
  pipeline: PIPELINE_OPERATORS,
} as unknown as NonNullable<Parameters<typeof Context.init>[0]>);
