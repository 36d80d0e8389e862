/** All accumulators by name. */
import type { ReadAccumulator } from './accumulator.ts';
import { NUMERIC } from './numeric.ts';
import { QUANTILES } from './quantiles.ts';
import { RANKED } from './ranked.ts';
import { SINGLE } from './single.ts';

export const ACCUMULATORS: Readonly<Record<string, ReadAccumulator>> = {
  ...NUMERIC,
  ...SINGLE,
  ...RANKED,
  ...QUANTILES,
};
