/** `If-Match` as the collection sees it (RFC 9110, section 13.1.1), decided on the current row inside the write's transaction. */
import type { Principal } from '../../../domain/rules.ts';

/**
 * Which versions a client has seen: `null` for no precondition, `any` for `*`, else the counters that its entity
 * tags hold for this type. A document is unchanged since a tag iff its version is not above the counter, and the counter
 * is one that the collection knows.
 */
export type IfMatch = null | 'any' | readonly number[];

/** True when a document of this version (undefined: there is none) may be changed. */
export function holds(ifMatch: IfMatch, version: number | undefined): boolean {
  if (ifMatch === null) return true;
  if (version === undefined) return false;
  return ifMatch === 'any' || ifMatch.some((counter) => version <= counter);
}

/** What a write of one document depends on: who writes, and which version the document must have. */
export interface Precondition extends Principal {
  readonly ifMatch: IfMatch;
  /** As whom a GET of the document would be answered, where that is somebody else: refusals tell them no more. */
  readonly reader?: Principal;
  /** For a deletion: whether it is refused while somebody is about to link to the document. */
  readonly unclaimed?: true;
}
