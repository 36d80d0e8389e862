/** Our stages as pipeline operators of mingo: a stage comes read, and is begun. `$skip` is mingo's own. */
import { $skip } from 'mingo/operators/pipeline';
import type { Options } from 'mingo/types';
import type { Documents } from './stages/flow.ts';
import type { Run, StageOperand } from './stages/stage.ts';

/** The variable in which a run reaches the stages. */
const RUN = 'run';

export function variablesOf(run: Run): Readonly<Record<string, unknown>> {
  return { [RUN]: run };
}

export const PIPELINE_OPERATORS = {
  $skip,
  $stage: (input: Documents, { value: { start, index } }: StageOperand, { context, variables }: Options) =>
    // All stages run with the variables of `variablesOf`.
    start(input, { ...(variables?.[RUN] as Run), context, index }),
};
