/** The copies in KV that let credentials be looked up without waking an object, as both sides know them. */
import type { DocumentId, ApplicationId } from '../../../domain/ids.ts';

/** The copy of one document. */
export type Lookup =
  | { readonly state: 'current'; readonly body: string }
  | { readonly state: 'changing' }
  | { readonly state: 'gone' };

/** Seconds for which an edge location may serve its copy; the platform's minimum. */
export const LOOKUP_TTL = 30;

/** The KV key of a document's copy. */
export function lookupKey(application: ApplicationId, type: string, id: DocumentId): string {
  return `${type}/${application}/${id}`;
}

/** Which lookups to withdraw: those of the documents after so many, for good or until the object begins again. */
export interface Withdrawal {
  readonly forever: boolean;
  readonly skip: number;
}

/** Documents whose lookups one call withdraws: an invocation may call KV a thousand times. */
export const LOOKUPS_AT_ONCE = 400;
