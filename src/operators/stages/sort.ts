/** `sort`: the order of the `sort` parameter's string. Equal documents keep their order. */
import type { Fields } from '../../domain/values/values.ts';
import { bySortFields, type Key, type Ordering } from '../../query/order/ordering.ts';
import { sizeOf } from '../core/meter.ts';
import { substitute } from '../core/parameters.ts';
import { countedKey, readSortText } from '../core/sort-by.ts';
import { TopN } from '../core/top-n.ts';
import { held, type ReadStage, type Start } from './stage.ts';

interface Entry {
  readonly key: Key;
  readonly document: Fields;
}

export const sort: ReadStage = (argument, at) => {
  const fields = readSortText(substitute(argument, at), at);
  if (fields === undefined) return null;
  for (const { path } of fields) at.scope.reads(path[0] ?? null);
  return { kind: 'sort', ordering: bySortFields(fields) };
};

/** Keeps the first n documents of an order, and passes them on after the end of the input. */
export function startOrder(ordering: Ordering, most: number): Start {
  return (input, run) => {
    const { meter } = run;
    const first = new TopN<Entry>(
      most,
      (a, b) => ordering.compare(a.key, b.key),
      { sizeOf: ({ document }) => sizeOf(document), comparedBy: ({ key }) => key },
      meter,
    );
    const take = (document: Fields): void => {
      meter.spend(5);
      first.add({ key: countedKey(ordering, document, meter), document });
    };
    const give = function* (): Generator<Fields | undefined> {
      for (const entry of first.drain()) yield entry?.document;
    };
    return held(input, run, take, give);
  };
}
