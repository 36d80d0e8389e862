/** The order that `sort` asks for, read. `ordering.ts` puts documents into it. */
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { faultOfPath } from '../../domain/audit-fields.ts';

export type Direction = 'ascending' | 'descending';

export interface SortField {
  readonly path: readonly string[];
  readonly direction: Direction;
}

/** Numbers of documents, by their ids; all others have none. */
export type Numbers = Readonly<Record<string, number>>;

/**
 * Reads JSON:API's `sort`: dotted paths separated by commas, with a `-` in front for descending. `also`: names that
 * stand for more than fields.
 */
export function parseSort(text: string, also: readonly string[] = []): Outcome<readonly SortField[]> {
  const parts = text.split(',');
  if (parts.length > LIMITS.sortFields) return invalid(`A sort has at most ${LIMITS.sortFields} fields.`);
  const fields: SortField[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    const path = name.split('.');
    const fault =
      name === '' ? 'A sort field is empty.' : also.includes(name) ? undefined : faultOfPath(path);
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
