/** Fields that not everybody sees who sees the document (decisions, sections 4 and 5): one list for all that read. */
import type { Link } from './documents.ts';
import type { Principal } from './rules.ts';
import { CORE } from './types.ts';
import { typeInfo } from './types/facts.ts';

const NONE: readonly string[] = [];

/** The fields of a type that full text never looks into, and that only the document's own user is shown under ACL. */
export function secretFields(type: string): readonly string[] {
  return typeInfo(type).secret ?? NONE;
}

export function withoutSecrets<T>(
  type: string,
  attributes: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const secret = secretFields(type);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !secret.includes(name)));
}

/** Under which a request came in: whose rights are asked, and the user under a permission with ACL on. */
export interface ReadPrincipal extends Principal {
  readonly owner: Link | null;
}

/**
 * Whether somebody asks under ACL, whose rights may be asked or not: whom the list of a permission exempts from rights
 * on documents (spec, ACL object) is a user still, and secrets are shown to the service's own keys alone.
 */
export function isUnderAcl({ viewer, owner }: Pick<ReadPrincipal, 'viewer' | 'owner'>): boolean {
  return viewer !== null || owner !== null;
}

/**
 * The fields that the conditions and orders of whoever asks take for missing. Keys without ACL are shown the hashes of
 * users; other secrets are shown to nobody, or only to some (a webhook's), so nobody searches for them.
 */
export function hiddenFields(type: string, requester: ReadPrincipal): readonly string[] {
  return isUnderAcl(requester) || type !== CORE.user ? secretFields(type) : NONE;
}

/** The fields that no pipeline sees, whoever asks. */
export function hiddenFromPipelines(type: string): readonly string[] {
  return typeInfo(type).hiddenFromPipelines ?? NONE;
}
