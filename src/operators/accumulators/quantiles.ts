/** `$percentile` and `$median` of a group: it keeps the numbers, a double each, and so is exact. */
import { OrderedDoubles } from '../numbers/ordered.ts';
import { median, percentile, quantilesOf, sampleOf, type ReadQuantiles } from '../numbers/quantiles.ts';
import type { ReadAccumulator } from './accumulator.ts';

/** Bytes of a double, with the spare room of its run. */
export const SAMPLE_BYTES = 16;

function ofSample(read: ReadQuantiles): ReadAccumulator {
  return (argument, at) => {
    const quantiles = read(argument, at);
    return (
      quantiles && {
        operand: quantiles.input.evaluate,
        joins: false,
        start: (meter) => {
          const sample = new OrderedDoubles();
          return {
            add: (value) => {
              const number = sampleOf(value);
              if (number === undefined) return;
              meter.hold(SAMPLE_BYTES);
              meter.spend(sample.units);
              sample.add(number);
            },
            result: () => meter.admit(quantilesOf(quantiles, sample, meter)),
          };
        },
      }
    );
  };
}

export const QUANTILES: Readonly<Record<string, ReadAccumulator>> = {
  $percentile: ofSample(percentile),
  $median: ofSample(median),
};
