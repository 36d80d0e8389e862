/** All pipeline cases. */
import type { PipelineCase } from './pipeline-case.ts';
import { ACCUMULATOR_CASES } from './pipeline-cases-accumulators.ts';
import { ARRAY_CASES } from './pipeline-cases-arrays.ts';
import { DATE_CASES } from './pipeline-cases-dates.ts';
import { LOGIC_CASES } from './pipeline-cases-logic.ts';
import { NUMBER_CASES } from './pipeline-cases-numbers.ts';
import { STAGE_CASES } from './pipeline-cases-stages.ts';
import { STRING_CASES } from './pipeline-cases-strings.ts';

export const PIPELINE_CASES: readonly PipelineCase[] = [
  ...STAGE_CASES,
  ...ACCUMULATOR_CASES,
  ...NUMBER_CASES,
  ...STRING_CASES,
  ...ARRAY_CASES,
  ...LOGIC_CASES,
  ...DATE_CASES,
];
