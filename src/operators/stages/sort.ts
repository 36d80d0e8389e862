/** `sort`: documents in the order that the `sort` parameter's string asks for. Equal ones keep their order. */
import type { Fields } from '../../domain/values.ts';
import { bySortFields, type Key, type Ordering } from '../../query/order/ordering.ts';
import { sizeOf } from '../core/meter.ts';
import { substitute } from '../core/parameters.ts';
import { readSortText } from '../core/sort-by.ts';
import { TopN } from '../core/top-n.ts';
import type { ReadStage, Run, Sink } from './stage.ts';

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

/** Keeps the first so many documents of an order, and gives them on when all have come. */
export function startOrder(ordering: Ordering, most: number, next: Sink, { meter }: Run): Sink {
  const first = new TopN<Entry>(
    most,
    (a, b) => ordering.compare(a.key, b.key),
    ({ document }) => sizeOf(document),
    meter,
  );
  return {
    push: (document) => {
      meter.spend(5);
      first.add({ key: ordering.keyOf(document), document });
      return true;
    },
    finish: () => {
      const documents = first.sorted();
      for (const { document } of documents) if (!meter.transiently(() => next.push(document))) break;
      first.clear();
      next.finish();
    },
  };
}
