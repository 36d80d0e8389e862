/** All pipeline cases. */
import type { PipelineCase } from './pipeline-case.ts';
import { ACCUMULATOR_CASES } from './pipeline-cases-accumulators.ts';
import { ARRAY_CASES } from './pipeline-cases-arrays.ts';
import { BUCKET_CASES } from './pipeline-cases-buckets.ts';
import { DATE_CASES } from './pipeline-cases-dates.ts';
import { DEFINITION_CASES } from './pipeline-cases-definitions.ts';
import { LOGIC_CASES } from './pipeline-cases-logic.ts';
import { NUMBER_CASES } from './pipeline-cases-numbers.ts';
import { OBJECT_CASES } from './pipeline-cases-objects.ts';
import { ORDER_CASES } from './pipeline-cases-order.ts';
import { PUBLISHED } from './pipeline-cases-published.ts';
import { QUANTILE_CASES } from './pipeline-cases-quantiles.ts';
import { SHAPE_CASES } from './pipeline-cases-shapes.ts';
import { STREAM_CASES } from './pipeline-cases-streams.ts';
import { STRING_CASES } from './pipeline-cases-strings.ts';
import { WINDOW_CASES } from './pipeline-cases-windows.ts';
import { WINDOW_FAULT_CASES } from './pipeline-cases-window-faults.ts';
import { WINDOW_SERIES_CASES } from './pipeline-cases-window-series.ts';
import { WINDOW_VALUE_CASES } from './pipeline-cases-window-values.ts';

export const PIPELINE_CASES: readonly PipelineCase[] = [
  ...STREAM_CASES,
  ...SHAPE_CASES,
  ...DEFINITION_CASES,
  ...ACCUMULATOR_CASES,
  ...QUANTILE_CASES,
  ...BUCKET_CASES,
  ...WINDOW_CASES,
  ...WINDOW_VALUE_CASES,
  ...WINDOW_SERIES_CASES,
  ...WINDOW_FAULT_CASES,
  ...NUMBER_CASES,
  ...STRING_CASES,
  ...ARRAY_CASES,
  ...OBJECT_CASES,
  ...LOGIC_CASES,
  ...DATE_CASES,
  ...ORDER_CASES,
  ...PUBLISHED,
];
