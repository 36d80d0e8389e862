/** Reads addresses of documents that clients send: the inverse of `paths.ts`, for the types of `/resources`. */
import { readId, type DocumentId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { readResourceType } from '../types.ts';
import { decodedParts } from './decoding.ts';
import { aclTarget } from './paths.ts';
import { isFieldName, type FieldName } from '../field-names.ts';

/** A collection, a document of it, its ACL, or a relationship of the document. */
export interface AddressPlace {
  /** As the address has it: that of an ACL ends in `.acl`. */
  readonly type: string;
  readonly id: DocumentId | null;
  readonly relationship: FieldName | null;
}

/** The place that an address of this service names, whole or from the first slash on; undefined for any other text. */
export function placeOfHref(href: string, base: string): AddressPlace | undefined {
  const url = href.length > LIMITS.path + base.length ? null : URL.parse(href, `${base}/operations`);
  const segments = url === null ? [] : segmentsOf(url, base);
  const [module, type = '', id, relationships, name, ...more] = segments;
  const document = id === undefined ? undefined : readId(id);
  const relationship = name !== undefined && isFieldName(name) ? name : null;
  const acl = aclTarget(type);
  const stored = readResourceType(acl?.type ?? type);
  if (
    module !== 'resources' ||
    stored === undefined ||
    (id !== undefined && document === undefined) ||
    (acl !== undefined && (document === undefined || relationships !== undefined)) ||
    !(relationships === undefined || (relationships === 'relationships' && relationship !== null)) ||
    more.length > 0
  ) {
    return undefined;
  }
  return { type, id: document ?? null, relationship };
}

/** The segments of an address of this service behind its base, which may have a path of its own; none of another. */
function segmentsOf({ origin, pathname, search, hash }: URL, base: string): readonly string[] {
  const prefix = base.startsWith(origin) ? base.slice(origin.length) : null;
  if (prefix === null || /^[^/]/.test(prefix) || search !== '' || hash !== '') return [];
  const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  return decodedParts(path.slice(1).split('/')) ?? [];
}
