/** Changes that wait until there is a way to the service: what they are, and what documents are with them. */
import { dataOf, write } from '../index.ts';
import type { Link, Resource } from '../transport.ts';
import type { Json } from '../values.ts';

/** What a change says of a document, as a request has it. */
export interface Said {
  readonly attributes: Readonly<Record<string, Json>>;
  readonly relationships: NonNullable<Resource['relationships']>;
  /** Names of attributes that are removed. */
  readonly gone: readonly string[];
}

/** A document as the service has it; null where there is none. */
export interface Current {
  readonly resource: Resource | null;
  readonly etag: string | undefined;
}

/** Why the service did not take a change. */
export interface Refusal {
  /** As of a ForedgeError: 412 and `precondition-failed` when the document is another by now. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** A change of a document, which is kept from one start of the page to another. */
export interface Change extends Link {
  /** Its place in the order of changes. */
  readonly seq: number;
  readonly kind: 'create' | 'update' | 'delete';
  readonly said: Said;
  /** What it was made on top of. */
  readonly base: Current;
  /** So that the service does a creation once, however often it is sent. */
  readonly key: string;
  /** When it was sent first: from then on it stays as it is. */
  readonly tried?: number | undefined;
  /** The end of the API key that it was sent with: the service knows a creation again by its key of that one alone. */
  readonly by?: string | undefined;
  /** The content of a new file. */
  readonly blob?: Blob | undefined;
  /** What the service answered: it waits for the feed to tell the same. */
  readonly done?: Current | undefined;
  /** It was refused, and waits for the application to decide. */
  readonly refused?: Refusal & { readonly theirs: Current; readonly gone?: boolean };
}

export const NOTHING: Said = { attributes: {}, relationships: {}, gone: [] };
export const NO_ONE: Current = { resource: null, etag: undefined };

/** What values say of a document, as a request has it. Fields of it stay attributes and relationships. */
export function saidOf(values: object, resource: Resource | null): Said {
  const data = dataOf(values, resource ?? {});
  const { $unset = {}, ...operators } = (data.meta?.['update'] ?? {}) as Record<string, object>;
  if (Object.keys(operators).length > 0) throw new TypeError('A store takes fields, and no operators.');
  const said = JSON.parse(write({ ...NOTHING, ...data, meta: undefined })) as Said;
  return { ...said, gone: Object.keys($unset) };
}

/** What two changes say, one after the other. */
export function saidAfter(first: Said, then: Said): Said {
  return {
    attributes: { ...without(first.attributes, then.gone), ...then.attributes },
    relationships: { ...first.relationships, ...then.relationships },
    gone: [...new Set([...first.gone.filter((name) => !Object.hasOwn(then.attributes, name)), ...then.gone])],
  };
}

/** A document with what a change says of it. */
export function changedBy(
  { type, id, said }: Pick<Change, 'type' | 'id' | 'said'>,
  base: Resource | null,
): Resource {
  const { attributes, relationships } = saidAfter(
    { attributes: base?.attributes ?? {}, relationships: base?.relationships ?? {}, gone: [] },
    said,
  );
  return { ...base, type, id, attributes, relationships };
}

/** The members of `data` in the request that sends a change. */
export function dataOfChange({ type, id, kind, said }: Pick<Change, keyof Link | 'kind' | 'said'>): object {
  const { gone, ...fields } = said;
  const $unset = Object.fromEntries(gone.map((name) => [name, true]));
  return {
    type,
    ...(kind === 'update' && { id }),
    ...fields,
    ...(gone.length > 0 && { meta: { update: { $unset } } }),
  };
}

/** Whether a document has all that a change says: it was done, and its answer has not come. */
export function hasAll(resource: Resource, { attributes, relationships, gone }: Said): boolean {
  const now = resource.attributes ?? {};
  const links = Object.entries(relationships).every(([name, { data }]) =>
    isSame(resource.relationships?.[name]?.data, data),
  );
  return (
    links &&
    gone.every((name) => !Object.hasOwn(now, name)) &&
    Object.entries(attributes).every(([name, value]) => Object.hasOwn(now, name) && isSame(now[name], value))
  );
}

/** A change after a document has got its id from the service. */
export function renamed(change: Change, link: Link, to: string): Change {
  const isSame = change.type === link.type && change.id === link.id;
  return { ...change, ...(isSame && { id: to }), said: relinked(change.said, link, to) };
}

/** What is said, with the links to a document leading to its new id. */
export function relinked(said: Said, { type, id }: Link, to: string): Said {
  const rename = (link: Link) => (link.type === type && link.id === id ? { type, id: to } : link);
  const relationships = Object.entries(said.relationships).map(([name, { data }]) => [
    name,
    { data: data instanceof Array ? data.map(rename) : data && rename(data) },
  ]);
  return { ...said, relationships: Object.fromEntries(relationships) as Said['relationships'] };
}

/** The documents that a change links to. */
export const linksOf = ({ said }: Pick<Change, 'said'>): readonly Link[] =>
  Object.values(said.relationships).flatMap(({ data }) => data ?? []);

function without<V>(members: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/** Whether two values are the same, whatever the order of their members. */
function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

const textOf = (value: unknown): string =>
  JSON.stringify([value], (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
