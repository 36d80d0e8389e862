/** All pipeline cases. */
import type { PipelineCase } from './pipeline-case.ts';
import { STAGE_CASES } from './pipeline-cases-stages.ts';

export const PIPELINE_CASES: readonly PipelineCase[] = [...STAGE_CASES];
