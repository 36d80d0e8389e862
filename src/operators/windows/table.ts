/** All window functions by name, but for the accumulators of groups, which are window functions as they are. */
import { SAMPLES } from './gathered.ts';
import { MERGED } from './merged.ts';
import { derivative } from './points.ts';
import { RANKS } from './ranks.ts';
import { SERIES } from './series.ts';
import type { ReadWindowFunction } from './window.ts';

export const WINDOW_FUNCTIONS: Readonly<Record<string, ReadWindowFunction>> = {
  ...MERGED,
  ...RANKS,
  ...SERIES,
  ...SAMPLES,
  $derivative: derivative,
};
