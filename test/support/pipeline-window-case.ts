/** How the tables of cases of `setWindowFields` are written. */
import { type Row, type Sent } from './pipeline-case.ts';

/** A stage with one field `v`, and what comes out: the documents by `n`, each with its `v`. */
export function windowed(
  behaviour: string,
  [partitionBy, sortBy]: readonly [Sent, Sent],
  v: Sent,
  expected: readonly (readonly [n: number, v: Sent])[],
  parameters?: Sent,
): Row {
  const given = {
    ...(partitionBy === null ? {} : { partitionBy }),
    ...(sortBy === null ? {} : { sortBy }),
    output: { v },
  };
  const rows = expected.map(([n, value]) => ({ n, v: value }));
  const pipeline = [{ setWindowFields: given }, { output: { attributes: ['n', 'v'] } }];
  return parameters === undefined ? [behaviour, pipeline, rows] : [behaviour, pipeline, rows, parameters];
}

export const byDate: readonly [Sent, Sent] = ['$state', { date: 1 }];
export const running = { documents: ['unbounded', 'current'] };

/** Documents `{n, x?}` in the order of `n`. */
export const of = (...xs: readonly Sent[]) => xs.map((x, n) => (x === undefined ? { n } : { n, x }));
export const inOrder: readonly [Sent, Sent] = [null, 'n'];
export const numbered = (...values: readonly Sent[]) => values.map((value, n) => [n, value] as const);
