/**
 * Accumulators over windows. Percentiles follow their window; all others are computed anew for each window that differs
 * from the one before, and pay for that work.
 */
import type { Value } from '../../domain/values/values.ts';
import { SAMPLE_BYTES } from '../accumulators/quantiles.ts';
import { readAccumulator, Site } from '../core/dispatch.ts';
import { OrderedDoubles } from '../numbers/ordered.ts';
import { median, percentile, quantilesOf, sampleOf, type ReadQuantiles } from '../numbers/quantiles.ts';
import { reachOf, overSpans, readBounds } from './bounds.ts';
import { Column, type ReadWindowFunction } from './window.ts';

/** An accumulator of groups over windows; undefined where it reported a fault, null if there is no such accumulator. */
export function readGathered(
  argument: Value,
  at: Parameters<ReadWindowFunction>[1],
): ReturnType<ReadWindowFunction> | null {
  const accumulator = readAccumulator(argument, new Site(at.name, at.place, at.scope));
  if (accumulator === undefined) return null;
  const bounds = readBounds(at);
  if (accumulator === null || bounds === undefined) return undefined;
  return overSpans(bounds, (keep, first) => {
    const { meter } = keep;
    // Arguments that depend on a group look at its first document, whichever is looked at by then.
    const frame = { ...first };
    const values = new Column(keep);
    let known: { readonly from: number; readonly to: number; readonly value: Value } | undefined;
    const gathered = (from: number, to: number): Value => {
      const before = meter.held;
      const state = accumulator.start(meter, at.name, frame);
      for (let index = from; index < to; index += 1) {
        meter.spend(2);
        state.add(values.at(index));
      }
      const value = state.result() ?? null;
      meter.release(meter.held - before);
      return value;
    };
    return {
      add: (each) => {
        values.add(accumulator.operand(each));
      },
      over: ({ from, to }) => {
        if (known?.from !== from || known.to !== to) known = { from, to, value: gathered(from, to) };
        return known.value;
      },
    };
  });
}

function ofSample(read: ReadQuantiles): ReadWindowFunction {
  return (argument, at) => {
    const quantiles = read(argument, at);
    const bounds = readBounds(at);
    if (quantiles === undefined || bounds === undefined) return undefined;
    // What the first window holds is taken as it comes: else that would be one long step.
    const reach = reachOf(bounds);
    return overSpans(bounds, (keep) => {
      const { meter } = keep;
      const numbers: (number | undefined)[] = [];
      const sample = new OrderedDoubles();
      let from = 0;
      let to = 0;
      const take = (): void => {
        const number = numbers[to];
        to += 1;
        if (number === undefined) return;
        meter.spend(sample.units);
        sample.add(number);
      };
      const leave = (): void => {
        const number = numbers[from];
        from += 1;
        if (number === undefined) return;
        meter.spend(sample.units);
        sample.remove(number);
      };
      return {
        add: (frame) => {
          keep.hold(SAMPLE_BYTES + 8);
          numbers.push(sampleOf(quantiles.input.evaluate(frame)));
          if (to <= reach) take();
        },
        over: (span) => {
          while (to < span.to) take();
          while (from < span.from) leave();
          return meter.admit(quantilesOf(quantiles, sample, meter));
        },
      };
    });
  };
}

export const SAMPLES: Readonly<Record<string, ReadWindowFunction>> = {
  $percentile: ofSample(percentile),
  $median: ofSample(median),
};
