/**
 * Pipelines that mean harm, or that no one meant: each must be refused, fail or be answered soon and in little memory,
 * and never throw.
 */
import type { HostilePipeline } from './pipeline-hostile-case.ts';
import { STREAMS } from './pipeline-hostile-streams.ts';
import { DEFINITIONS, PATTERNS } from './pipeline-hostile-texts.ts';
import { DATES, GROWTH, NUMBERS, SPANS } from './pipeline-hostile-values.ts';

export const HOSTILE_PIPELINES: readonly HostilePipeline[] = [
  ...SPANS,
  ...GROWTH,
  ...STREAMS,
  ...PATTERNS,
  ...NUMBERS,
  ...DATES,
  ...DEFINITIONS,
];
