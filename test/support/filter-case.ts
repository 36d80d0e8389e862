/**
 * The form of a filter case: documents and filter as a client sends them, and what must come back. Plain data that
 * knows nothing of the code, so that the same cases run on the matcher and through HTTP.
 */
import type { Sent } from './sent.ts';

export { date, decimal, list, long, oid, raw } from './sent.ts';

export interface FilterCase {
  /** The operator or subject that the case is about. */
  readonly group: string;
  /** A sentence naming the behaviour. */
  readonly behaviour: string;
  /** The attributes of each document, as JSON text of a request: wrappers such as `$date` are to be read. */
  readonly documents: readonly string[];
  /** The `filter[...]` parameters; `field` is null for `filter[*]`. */
  readonly parameters: readonly { readonly field: string | null; readonly text: string }[];
  readonly expect:
    /** The positions of the documents that match, ascending. */
    | { readonly matches: readonly number[] }
    /** Refused with code `invalid-filter` and this pointer in `meta`. */
    | { readonly pointer: string };
}

/** One row: a sentence, the filter, and the documents that match or the pointer of the fault. */
export type Row = readonly [behaviour: string, filter: Sent, expected: readonly number[] | string];

/** Parameters of a filter that are not one `filter[*]`. */
export class Parameters {
  readonly list: readonly (readonly [field: string | null, filter: Sent])[];
  constructor(...list: readonly (readonly [field: string | null, filter: Sent])[]) {
    this.list = list;
  }
}

/** The cases of a group that share their documents. */
export function cases(group: string, documents: readonly Sent[], rows: readonly Row[]): FilterCase[] {
  const texts = documents.map((each) => JSON.stringify(each));
  return rows.map(([behaviour, filter, expected]) => ({
    group,
    behaviour,
    documents: texts,
    parameters: parametersOf(filter),
    expect: typeof expected === 'string' ? { pointer: expected } : { matches: expected },
  }));
}

function parametersOf(filter: Sent): FilterCase['parameters'] {
  const list = filter instanceof Parameters ? filter.list : [[null, filter] as const];
  return list.map(([field, each]) => ({ field, text: JSON.stringify(each) }));
}
