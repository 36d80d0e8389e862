/**
 * The order that `sort` asks for: reading the parameter, and the key by which a document stands in it. Paging
 * relies on the order being total, so ties are broken by id, ascending, always.
 */
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { fieldOf, type Fields, type Value } from '../../domain/values.ts';
import { faultOfName } from '../../domain/wrappers.ts';
import { compareValues } from './compare.ts';
import { compileKeys } from './keys.ts';

export type Direction = 'ascending' | 'descending';

export interface SortField {
  readonly path: readonly string[];
  readonly direction: Direction;
}

/** Reads JSON:API's `sort`: dotted paths separated by commas, each with a `-` in front for descending. */
export function parseSort(text: string): Outcome<readonly SortField[]> {
  const parts = text.split(',');
  if (parts.length > LIMITS.sortFields) return invalid(`A sort has at most ${LIMITS.sortFields} fields.`);
  const fields: SortField[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    const path = name.split('.');
    const fault =
      name === '' ? 'A sort field is empty.' : path.map(faultOfName).find((each) => each !== undefined);
    if (fault !== undefined) return invalid(fault);
    if (seen.has(name)) return invalid(`The sort field ${name} appears twice.`);
    seen.add(name);
    fields.push({ path, direction: descending ? 'descending' : 'ascending' });
  }
  return ok(fields);
}

function invalid(detail: string): Outcome<never> {
  return fail('invalid-parameter', detail, { parameter: 'sort' });
}

/**
 * The value by which a document sorts on a path. Of the values that the path reaches through arrays it is the
 * least when ascending, the greatest when descending. A missing field sorts as null; an empty array, given as
 * `undefined`, sorts before null.
 */
export function sortKey(document: Fields, path: readonly string[], direction: Direction): Value | undefined {
  return compileKeys([{ path, direction }])(document)[0];
}

/** Compares documents by the sort fields, then by id: zero only for one and the same document. */
export function compareDocuments(sort: readonly SortField[]): (a: Fields, b: Fields) => number {
  const keyOf = compileKeys(sort);
  return (a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    for (const [field, { direction }] of sort.entries()) {
      const difference = compareValues(one[field], other[field]);
      if (difference !== 0) return direction === 'ascending' ? difference : -difference;
    }
    return compareValues(fieldOf(a, 'id'), fieldOf(b, 'id'));
  };
}
