/** A record of another service as a line of an export: its ids, references, owners and rights become ours. */
import type { Presentable } from '../../../src/domain/values/present.ts';
import { CORE } from '../../../src/domain/types.ts';
import { Failure } from '../../failure.ts';
import { idIn, linkage, rightsOf } from '../records.ts';
import { isList } from '../../../src/domain/values/tree.ts';

/** A record of theirs that another one, or a right, names. */
export interface Reference {
  readonly type: string;
  readonly id: Presentable;
}

export type Links = Reference | readonly Reference[] | null;

/** Who may read and who may write: some of their users and groups, or everybody. */
export type Rights = Readonly<Record<'read' | 'write', readonly Reference[] | '*'>>;

export interface ForeignRecord {
  /** As they call it; a user is a `core.user` already. */
  readonly type: string;
  readonly id: Presentable;
  readonly fields: ReadonlyMap<string, Presentable>;
  readonly links: ReadonlyMap<string, Links>;
  readonly rights?: Rights;
  /** ISO 8601. */
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
}

export interface Mapping {
  /** Types of ours by theirs. */
  readonly types: ReadonlyMap<string, string>;
  /** New names of fields by the old ones. */
  readonly names: ReadonlyMap<string, string>;
  /** Types of theirs by the names of the fields that hold bare ids of their records. */
  readonly links: ReadonlyMap<string, string>;
  /** The field that names who has all rights on a document. */
  readonly owner: string | null;
}

export function lineOfRecord(record: ForeignRecord, mapping: Mapping): string {
  const { names, links, owner } = mapping;
  const ours = (type: string) => mapping.types.get(type) ?? type;
  const linkTo = (reference: Reference) => {
    const type = ours(reference.type);
    return { type, id: idIn(type, reference.id) ?? '' };
  };
  const named = (name: string) => names.get(name) ?? name;
  const type = ours(record.type);
  const id = idIn(type, record.id) ?? '';
  const all = [...record.fields.keys(), ...record.links.keys()].map(named);
  if (new Set(all).size < all.length)
    throw new Failure(`Two fields of a record of ${record.type} would have the same name.`);
  // Maps: a name may be `__proto__`.
  const attributes = new Map<string, Presentable>();
  const relationships = new Map<string, { readonly data: Presentable }>();
  for (const [name, value] of record.fields) {
    const target = links.get(name);
    const data = target === undefined ? undefined : linkage(ours(target), value);
    if (data === undefined) attributes.set(named(name), value);
    else relationships.set(named(name), { data });
  }
  for (const [name, link] of record.links) {
    const data = link === null ? null : isList(link) ? link.map(linkTo) : linkTo(link);
    relationships.set(named(name), { data });
  }
  const owners = owner === null ? [] : [relationships.get(named(owner))?.data ?? []].flat();
  const given = (right: 'read' | 'write') => {
    const to = record.rights?.[right] ?? [];
    if (to === '*') return to;
    const all = [...to.map(linkTo), ...owners];
    return type === CORE.user ? [...all, { type, id }] : all;
  };
  const [read, write] = [given('read'), given('write')];
  const acl = { acl: { read, update: write, delete: write }, 'acl.acl': { read: write, update: write } };
  const { created = null, updated = null } = record;
  return JSON.stringify({
    type,
    id,
    attributes: Object.fromEntries(attributes),
    ...(relationships.size > 0 && { relationships: Object.fromEntries(relationships) }),
    meta: { created, updated, creator: null, ...rightsOf(type, id)?.meta, ...acl },
  });
}
