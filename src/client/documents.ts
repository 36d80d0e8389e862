/**
 * Documents as plain objects: attributes and relationships side by side, linked documents in place. What was read is
 * kept beside them, so that a document knows what has changed. A copy (`{...document}`) knows it too.
 */
import type { Body, Link, Resource } from './transport.ts';
import { decode } from './values.ts';

/** A document of any shape. */
export type Any = Link & { readonly [name: string]: unknown };

const STATE = Symbol();

/** What was read, or stored last. Never changed: a copy of a document must not learn what its original has saved. */
export class State {
  readonly #resource: Resource;
  readonly #etag: string | undefined;

  constructor(resource: Resource, etag: string | undefined) {
    this.#resource = resource;
    this.#etag = etag;
  }

  get resource(): Resource {
    return this.#resource;
  }

  get etag(): string | undefined {
    return this.#etag;
  }
}

/** What is known of a document, or undefined for an object that is none (or no longer that one). */
export function stateOf(document: object): State | undefined {
  const state: unknown = Reflect.get(document, STATE);
  return state instanceof State && state.resource.id === Reflect.get(document, 'id') ? state : undefined;
}

export function isList<Item>(value: Item | readonly Item[] | null | undefined): value is readonly Item[] {
  return Array.isArray(value);
}

const keyOf = ({ type, id }: Link) => `${type}/${id}`;

/** Sets a member, whatever its name. */
function put(document: object, name: string | symbol, value: unknown): void {
  Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * The documents of an answer's `data`. One that is in the answer twice is one object; a link leads to the document
 * where the answer (or `known`) has it, and else is `{type, id}`.
 */
export function documentsOf(body: Body, etag: string | undefined, known: readonly Any[] = []): Any[] {
  const { data, included = [] } = body;
  const primary = isList(data) ? data : data ? [data] : [];
  const byKey = new Map<string, Link>(known.map((each) => [keyOf(each), each]));
  const made = [...primary, ...included].map((resource) => {
    const document = { id: resource.id, type: resource.type };
    byKey.set(keyOf(resource), document);
    return { document, resource };
  });
  for (const { document, resource } of made) {
    fill(document, resource, etag, (link) => byKey.get(keyOf(link)) ?? link);
  }
  return made.slice(0, primary.length).map(({ document }) => document);
}

/** Gives a document the members of a resource object, and only those. What it links to already stays in place. */
export function refresh(document: object, resource: Resource, etag: string | undefined): void {
  const members = Object.entries(document).filter(([name]) => name !== 'id' && name !== 'type');
  const resolve = resolverOf(members.map(([, value]: [string, unknown]) => value));
  for (const [name] of members) Reflect.deleteProperty(document, name);
  fill(document, resource, etag, resolve);
}

/** Leads links to the documents among these values. */
function resolverOf(...values: readonly unknown[]): (link: Link) => Link {
  const linked = new Map(
    values
      .flat(2)
      .filter(isLink)
      .map((each) => [keyOf(each), each]),
  );
  return (link) => linked.get(keyOf(link)) ?? link;
}

/** Notes what was stored, and leaves the members as they are. */
export function remember(document: object, resource: Resource, etag: string | undefined): void {
  put(document, STATE, new State(resource, etag));
}

/** Notes a relationship as it now is. Documents that it leads to are those that were there, or are among `known`. */
export function relink(
  document: object,
  name: string,
  data: Link | readonly Link[] | null,
  etag: string | undefined,
  known: readonly unknown[],
): void {
  const state = stateOf(document);
  if (state === undefined) return;
  const { resource } = state;
  const resolve = resolverOf(Reflect.get(document, name), known);
  put(document, name, isList(data) ? data.map(resolve) : data && resolve(data));
  remember(document, { ...resource, relationships: { ...resource.relationships, [name]: { data } } }, etag);
}

function fill(
  document: object,
  resource: Resource,
  etag: string | undefined,
  resolve: (link: Link) => unknown,
): void {
  const { attributes = {}, relationships = {}, meta: { inverses, ...meta } = {} } = resource;
  for (const [name, value] of Object.entries(attributes)) put(document, name, decode(value));
  for (const [name, { data }] of Object.entries(relationships)) {
    put(document, name, isList(data) ? data.map(resolve) : data ? resolve(data) : null);
  }
  // What the service knows is there where it was asked for, under the name that asks for it.
  for (const [name, value] of Object.entries(meta)) {
    put(document, `$${name}`, decode(value));
  }
  if (inverses) {
    const lists = Object.entries(inverses).map(([name, links]) => [name, links.map(resolve)]);
    put(document, '$inverses', Object.fromEntries(lists));
  }
  remember(document, resource, etag);
}

/** Whether a value leads to a document: one that was read, `{type, id}`, or `{type, lid}` in a transaction. */
export function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id, lid } = value as Record<string, unknown>;
  return (
    typeof type === 'string' &&
    (typeof lid === 'string' || (typeof id === 'string' && /^[0-9a-f]{24}$/i.test(id)))
  );
}
