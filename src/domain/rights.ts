/** Rights on documents (spec, Document ACL): who is meant by an identity, what may be granted, and who is looking. */
import { keyOf, linkOf, type Link } from './documents.ts';
import { readId } from './ids.ts';
import { typeInfo } from './types/facts.ts';
import { storedType, type TypeName } from './types.ts';
import { isFields, type Value } from './values/values.ts';
import { memberOf, isList } from './values/tree.ts';

/** The rights of `<TYPE>.acl`, then those of `<TYPE>.acl.acl` under names of their own. */
export const RIGHTS = ['read', 'update', 'delete', 'super-read', 'super-update'] as const;
export type Right = (typeof RIGHTS)[number];

/** A document's ACL, or the ACL of its ACL (super ACL). */
export type AclLevel = 'acl' | 'super';

/** What each level's members mean, by the names that clients see. */
export const MEMBERS: Readonly<Record<AclLevel, Readonly<Record<string, Right>>>> = {
  acl: { read: 'read', update: 'update', delete: 'delete' },
  super: { read: 'super-read', update: 'super-update' },
};

/** All users. */
export const EVERYONE = '*';

/** Who has a right: everyone, or identities as `keyOf` writes them. */
export type Grant = typeof EVERYONE | readonly string[];

/** A right that is absent is nobody's. */
export type Acl = Readonly<Partial<Record<Right, Grant>>>;

/** Rights with others beside them, which are given by the names of their members in an ACL. */
export function withGrants(acl: Acl, grants: Readonly<Record<string, Grant>> | undefined): Acl {
  if (grants === undefined) return acl;
  const added = Object.entries(grants).flatMap(([member, grant]): [Right, Grant][] => {
    const right = MEMBERS.acl[member];
    if (right === undefined) return [];
    const before = acl[right] ?? [];
    if (grant === EVERYONE || before === EVERYONE) return [[right, EVERYONE]];
    return [[right, [...new Set([...before, ...grant])]]];
  });
  return { ...acl, ...Object.fromEntries(added) };
}

export function withoutIdentity(acl: Acl, identity: string): Acl {
  const left = Object.entries(acl).map(([right, grant]): [string, Grant] => [
    right,
    grant === EVERYONE ? grant : grant.filter((each) => each !== identity),
  ]);
  return Object.fromEntries(left.filter(([, grant]) => grant.length > 0));
}

/** Who is looking: null for a trusted service, else the identities of a user: itself, its groups, and everyone. */
export type Viewer = readonly string[] | null;

/** Whoever has a right on a document, as one identity: rights that come through links name it (docs/types.md). */
export function holdersOf(link: Link, right: Right): string {
  return `${keyOf(link)} ${right}`;
}

/** The type of the document whose holders an identity stands for; null for users, groups and everyone. */
export function typeOfHolders(identity: string): TypeName | null {
  const [type = '', , right] = identity.split(' ');
  return right === undefined ? null : storedType(type);
}

/** An identity of an access list or an ACL, checked for form only (decisions, section 4). */
export function readIdentity(value: Value): Link | undefined {
  if (!isFields(value) || Object.keys(value).length !== 2) return undefined;
  const type = memberOf(value, 'type');
  const id = memberOf(value, 'id');
  if (typeof type !== 'string' || typeof id !== 'string' || typeInfo(type).identity !== true)
    return undefined;
  const known = readId(id);
  return known && { type: storedType(type), id: known };
}

/** A grant as clients write it: `*`, or an array of identities. */
export function readGrant(value: Value): Grant | undefined {
  if (value === EVERYONE) return EVERYONE;
  if (!isList(value)) return undefined;
  const identities = value.map(readIdentity);
  if (identities.includes(undefined)) return undefined;
  return [...new Set(identities.flatMap((identity) => (identity === undefined ? [] : keyOf(identity))))];
}

/** A grant as clients read it. */
export function presentGrant(grant: Grant) {
  if (grant === EVERYONE) return EVERYONE;
  return grant.map(linkOf);
}

/** Every right on a document and on its ACL: what its creator gets. */
export function allRights(identities: readonly string[]): Acl {
  return identities.length === 0 ? {} : Object.fromEntries(RIGHTS.map((right) => [right, identities]));
}

/**
 * Whose a document is, if anybody's: nobody else may change the rights on it, and that one may, or has created it. One
 * that several answer for is nobody's.
 */
export function ownerOf({ 'super-update': keepers = [] }: Acl, creator: string | null): string | null {
  const [keeper = creator, ...others] = keepers;
  return keepers === EVERYONE || others.length > 0 ? null : keeper;
}

/** The identities a grant names, for an index. */
export function namedBy(grant: Grant | undefined): readonly string[] {
  if (grant === undefined) return [];
  return grant === EVERYONE ? [EVERYONE] : grant;
}
