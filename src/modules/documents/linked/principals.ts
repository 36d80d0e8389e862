/** For whom the documents of a type are asked, where a request reads them beside what it addresses. */
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { madeId } from '../../../domain/ids.ts';
import { RuleNumbers } from '../../../domain/rules.ts';
import type { ReadPrincipal } from '../../../domain/secrets.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { RequestContext } from '../../endpoint.ts';

/** Ids that stand for all of a type: patterns of keys tell none from another, or do so by their first digits. */
const SAMPLES = ['0', '6', 'c', 'f'].map((digit) => madeId(digit.repeat(24)));

/** Names of principals of one request: those of equal names may see the same. */
export function namesOfPrincipals(): (principal: ReadPrincipal) => string {
  const rules = new RuleNumbers();
  return ({ viewer, owner, rule }) =>
    `${viewer === null ? 'nobody' : 'user'} ${owner === null ? '' : 'owned'} ${rules.of(rule)}`;
}

/**
 * For whom the documents of a type are asked: as the key would admit a GET of one; null if its patterns take too long.
 */
export function principalsOf(
  { access }: RequestContext,
  type: TypeName,
  nameOf = namesOfPrincipals(),
): readonly ReadPrincipal[] | null {
  const principals = new Map<string, ReadPrincipal>();
  if (typeInfo(type).unreadable === true) return [];
  for (const id of SAMPLES) {
    const principal = access.viewerOf(pathOfDocument(type, id));
    if (principal === 'exhausted') return null;
    if (principal !== null) principals.set(nameOf(principal), principal);
  }
  return [...principals.values()];
}
