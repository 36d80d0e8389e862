/** What a request sends: a document as `data` of JSON:API, and of a document that was read only what has changed. */
import { isLink, isList, stateOf, type Any, type State } from './documents.ts';
import type { Resource } from './transport.ts';
import type { Rights } from './types.ts';
import { decode, isSame, write } from './values.ts';

/** The members of `data` in a request that creates or changes a document; only those that it needs. */
export interface Data {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data: unknown }>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

class Relation {
  readonly data: unknown;

  constructor(data: unknown) {
    this.data = data;
  }
}

/** Says that a value is a relationship where it does not show, in a new document: `relation([])`, `relation(null)`. */
export function relation<Target>(data: Target): Target {
  // The relation stands where the type says that its target does.
  return new Relation(data) as Target;
}

/** The bare links of a relationship's value. */
export function linksOf(value: unknown): unknown {
  if (value instanceof Relation) return linksOf(value.data);
  if (isList(value)) return value.map(linksOf);
  if (!isLink(value)) return null;
  const { type, id, lid } = value as Any;
  return lid === undefined ? { type, id } : { type, lid };
}

const isRelation = (value: unknown) =>
  value instanceof Relation ||
  isLink(value) ||
  (Array.isArray(value) && value.length > 0 && value.every(isLink));

/**
 * `data` of these members. A field that was read stays an attribute or relationship; another is a relationship if it is
 * a link, or a list of links. `undefined` removes a field; a name with `$` is an update operator.
 */
export function dataOf(members: object, read: Pick<Resource, 'attributes' | 'relationships'> = {}): Data {
  const attributes: [string, unknown][] = [];
  const relationships: [string, { data: unknown }][] = [];
  const operators: [string, unknown][] = [];
  const gone: [string, unknown][] = [];
  for (const [name, value] of Object.entries(members)) {
    const isLinked = Object.hasOwn(read.relationships ?? {}, name);
    if (name === 'id' || name === 'type') continue;
    if (name.startsWith('$')) operators.push([name, value]);
    else if (isLinked || (!Object.hasOwn(read.attributes ?? {}, name) && isRelation(value)))
      relationships.push([name, { data: linksOf(value) }]);
    else if (value === undefined) gone.push([name, true]);
    else attributes.push([name, value]);
  }
  if (gone.length > 0) {
    const { $unset } = Object.fromEntries(operators);
    operators.push(['$unset', { ...($unset as object | undefined), ...Object.fromEntries(gone) }]);
  }
  return {
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
    ...(operators.length > 0 && { meta: { update: Object.fromEntries(operators) } }),
  };
}

/** `data` of a new document, in which `undefined` says nothing. */
export const newData = (members: object, acl?: Partial<Rights>): Data => ({
  ...dataOf(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))),
  ...(acl && { meta: { acl: bareRights(acl) } }),
});

/** Rights in which users and groups are links. */
export const bareRights = (rights: Partial<Rights>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(rights).map(([right, who]) => [right, typeof who === 'string' ? who : linksOf(who)]),
  );

/** The members in which a document differs from what was read of it: links as links, `undefined` for what is gone. */
export function changesOf(document: object): Record<string, unknown> {
  const { attributes = {}, relationships = {} } = knownState(document).resource;
  const members: Readonly<Record<string, unknown>> = { ...document };
  const names = new Set([attributes, relationships, members].flatMap(Object.keys));
  const changed = [...names].flatMap((name): [string, unknown][] => {
    if (name === 'id' || name === 'type' || name.startsWith('$')) return [];
    const value = own(members, name);
    const was = own(relationships, name);
    const before = own(attributes, name);
    const now = was === undefined ? value : linksOf(value);
    // A small long is read as a number: it is the same as either.
    const then = was === undefined ? [before, before && decode(before)] : [linksOf(was.data)];
    return then.some((each) => isSame(now, each)) ? [] : [[name, now]];
  });
  return Object.fromEntries(changed);
}

/** `data` of what has changed; undefined when nothing has. */
export function changedData(document: object): Data | undefined {
  const changes = changesOf(document);
  return Object.keys(changes).length === 0 ? undefined : dataOf(changes, knownState(document).resource);
}

/** What the service has of a document after it stored `data`. */
export function merged(resource: Resource, { attributes, relationships, meta }: Data): Resource {
  const sent = JSON.parse(write({ attributes, relationships })) as Partial<Resource>;
  const { $unset = {} } = (meta?.['update'] ?? {}) as { $unset?: object };
  const kept = Object.entries(resource.attributes ?? {}).filter(([name]) => !Object.hasOwn($unset, name));
  return {
    ...resource,
    attributes: { ...Object.fromEntries(kept), ...sent.attributes },
    relationships: { ...resource.relationships, ...sent.relationships },
  };
}

function knownState(document: object): State {
  const state = stateOf(document);
  if (state !== undefined) return state;
  throw new TypeError('Not read: use create() or update().');
}

function own<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
