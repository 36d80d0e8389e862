/** The words of doubts: where in the request they arise, and what would be right. */
import type { Diagnostic, ValueClass } from '../../../collection/rpc/results.ts';
import { oneOf, shownName } from '../../../domain/names.ts';
import type { RequestContext } from '../../endpoint.ts';

/** The parameter of the request that names a path, of a filter or of documents of a type. */
export function parameterOf({ query }: RequestContext, type: string, path: string): string {
  const { filters, sort, fields, include } = query;
  if (filters.some(({ field }) => field === path)) return `filter[${path}]`;
  const written = JSON.stringify(path.split('.')[0]).slice(1, -1);
  if (filters.some(({ field, text }) => field === null && text.includes(written))) return 'filter[*]';
  const outer = filters.find(({ field }) => field !== null && path.startsWith(`${field}.`))?.field;
  if (outer !== undefined && outer !== null) return `filter[${outer}]`;
  if (sort?.split(',').some((each) => each.replace(/^-/, '') === path) === true) return 'sort';
  if (fields.get(type)?.has(path) === true) return `fields[${type}]`;
  return include?.some((names) => names.includes(path)) === true ? 'include' : 'filter';
}

/** How each class of values is written in a filter. */
const WRITTEN: Readonly<Record<ValueClass, string>> = {
  string: 'a string',
  number: 'a number without quotes',
  date: '{"$date": "2026-01-31T12:00:00Z"}',
  'object id': '{"$oid": "…"}',
  boolean: 'true or false',
};

/** What a field holds, what it is compared with, and how that is written. */
export function detailOfKinds(
  { compared, held }: Extract<Diagnostic, { readonly kind: 'other-kind' }>,
  path: string,
): string {
  const kinds = held.map((each) => `${each}s`);
  const what = kinds.length === 0 ? 'no values that can be compared so' : oneOf(kinds, 'and');
  const pairs = compared
    .filter((each) => !held.includes(each))
    .map((each) => `a ${each}`.replace('a object', 'an object'));
  const cure =
    held.length === 0
      ? ''
      : ` Write ${oneOf(
          held.map((each) => WRITTEN[each]),
          'or',
        )}.`;
  return `The field ${shownName(path)} holds ${what}, and is compared with ${oneOf(pairs, 'or')}.${cure}`;
}
