/** Writes the paths of types, documents, relationships and ACLs in their canonical form. */
import { isId, storedId, type DocumentId } from '../ids.ts';
import type { AclLevel } from '../rights.ts';
import { typeInfo } from '../types/facts.ts';
import { storedType, type TypeName } from '../types.ts';

/** The path of a type's collection. Throws for a type that no endpoint serves. */
export function pathOfType(type: string): string {
  const { module } = typeInfo(type);
  if (module === null) throw new Error(`Documents of type ${type} have no addresses.`);
  return `/${module}/${type}`;
}

/** The path of a document: its own endpoint. */
export function pathOfDocument(type: string, id: DocumentId): string {
  return `${pathOfType(type)}/${segmentOfId(id)}`;
}

const SOME_ID = storedId('6b011e2f6aeea231a557b680');

/** The path of any document of a type: what permissions say of it, they say of all whose patterns name no ids. */
export function pathOfSome(type: string): string {
  return pathOfDocument(type, SOME_ID);
}

/** An id as a segment of a path. Those that pipelines make may be any text. */
export function segmentOfId(id: DocumentId): string {
  return isId(id) ? id : encodeURIComponent(id);
}

/** A name as a segment of a path. Names that a pipeline makes may hold half a character, which no address can hold. */
export function segmentOf(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** The address of a relationship, and that of the documents it leads to; `document` is the address of its document. */
export function addressesOfRelationship(document: string, segment: string) {
  return { self: `${document}/relationships/${segment}`, related: `${document}/${segment}` };
}

/** The rights on documents of a type, at a level. */
export interface AclTarget {
  readonly type: TypeName;
  readonly level: AclLevel;
}

/** The type and level of an ACL type, `<type>.acl` or `<type>.acl.acl`; undefined for another type. */
export function aclTarget(type: string): AclTarget | undefined {
  const [, base, superAcl] = /^(.+?)\.acl(\.acl)?$/.exec(type) ?? [];
  return base === undefined
    ? undefined
    : { type: storedType(base), level: superAcl === undefined ? 'acl' : 'super' };
}

export function aclTypeOf({ type, level }: AclTarget): string {
  return `${type}.acl${level === 'super' ? '.acl' : ''}`;
}

/** The path of an ACL document: beside its document, under the name of the ACL type. */
export function pathOfAcl({ type, level }: AclTarget, id: DocumentId): string {
  return `${pathOfType(type)}.acl${level === 'super' ? '.acl' : ''}/${id}`;
}
