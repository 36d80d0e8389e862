/** The query of a request: filters, order, includes, fields, pages and parameters of aggregates. */
import { isLink } from './documents.ts';
import { ObjectId, write } from './values.ts';

/** What a list is asked for, untyped. */
export interface RawQuery {
  readonly filter?: object | undefined;
  readonly sort?: string | readonly string[] | undefined;
  readonly include?: string | readonly string[] | undefined;
  /** Names of the type that is asked for, or names by type. */
  readonly fields?: readonly string[] | Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** How many documents a request brings. */
  readonly size?: number | undefined;
  /** Parameters of an aggregate. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The parameters of a query, but those of pages. */
export function parametersOf(type: string, query: RawQuery): Record<string, string> {
  const { filter, sort, include, fields, parameters = {} } = query;
  const byType: object = Array.isArray(fields) ? { [type]: fields } : (fields ?? {});
  return {
    ...(filter && { 'filter[*]': write(withIds(filter)) }),
    ...(sort && { sort: String(sort) }),
    ...(include && { include: String(include) }),
    ...Object.fromEntries(
      Object.entries(byType).map(([of, names]: [string, unknown]) => [`fields[${of}]`, String(names)]),
    ),
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [`parameters[${name}]`, write(value)]),
    ),
  };
}

/** Parameters as a query string, which has numbers as their digits. */
export const encodeQuery = (parameters: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(parameters as Record<string, string>).toString();

/**
 * A filter in which ids are object ids, and a document stands for its id: `{'author.id': '6b01…'}`, `{author: ada}`.
 * Under `id`, and at the end of a path under `.id`, strings of 24 hexadecimal digits are ids.
 */
function withIds(filter: object): object {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]: [string, unknown]) => {
      if (/^\$(and|or|nor)$/.test(name) && Array.isArray(value)) return [name, value.map(withIds)];
      if (isLink(value)) return [`${name}.id`, new ObjectId(value.id)];
      return [name, /(^|\.)id$/.test(name) ? idsIn(value) : value];
    }),
  );
}

function idsIn(value: unknown): unknown {
  if (typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  if (Array.isArray(value)) return value.map(idsIn);
  if (typeof value !== 'object' || value === null || value instanceof ObjectId) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, idsIn(each)]));
}
