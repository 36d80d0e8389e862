/** `$percentile` and `$median` as expressions over the items of an array. A number counts as an array of one item. */
import { call, type Operator, type Operators } from '../core/operator.ts';
import { NOTHING } from '../core/expression.ts';
import { OrderedDoubles } from '../numbers/ordered.ts';
import { median, percentile, quantilesOf, sampleOf, type ReadQuantiles } from '../numbers/quantiles.ts';
import { isList } from '../../domain/values/tree.ts';

function overArray(read: ReadQuantiles): Operator {
  return (argument, at) => {
    const quantiles = read(argument, at);
    if (quantiles === undefined) return NOTHING;
    return call(
      [quantiles.input],
      ([input], { meter }) => {
        const sample = new OrderedDoubles();
        for (const item of input !== undefined && isList(input) ? input : [input]) {
          const number = sampleOf(item);
          if (number === undefined) continue;
          meter.spend(sample.units);
          sample.add(number);
        }
        return quantilesOf(quantiles, sample, meter);
      },
      at,
    );
  };
}

export const QUANTILES: Operators = {
  $percentile: overArray(percentile),
  $median: overArray(median),
};
