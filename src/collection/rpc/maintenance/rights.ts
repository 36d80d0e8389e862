/** What a collection tells of rights: through links, why, and of a person. Plain data: it crosses the object's RPC. */
import type { DocumentId } from '../../../domain/ids.ts';

/** A person as a collection is told of them. */
export interface Person {
  /** The identity, as `keyOf` writes it. */
  readonly identity: string;
  /** In the collection of their user document: its id. */
  readonly user: DocumentId | null;
  /** Digests of the API keys and the person together, under which outcomes are kept (`Once`). */
  readonly senders: readonly string[];
  /** Whether documents of the type can belong to a person. */
  readonly owns: boolean;
}

/** How many documents are a person's, and how many others name one: as their creator, in their rights, as a member. */
export interface Traces {
  readonly owned: number;
  readonly named: number;
}

/** What one call has erased, and whether there is more. */
export interface Erased extends Traces {
  readonly more: boolean;
  /** Whether former versions still name them, because they are held. */
  readonly held: boolean;
}

export interface Reason {
  /** The entry of the settings that gives it; null for the document's own ACL. */
  readonly entry: string | null;
  /**
   * Who has it: an identity, as `keyOf` writes it. Before it, where the right comes through links, the holders of
   * rights on each linked document (`holdersOf`), from the nearest on.
   */
  readonly identities: readonly string[];
}

/** How far a collection has told: of all documents up to a position, or of all, as they were at a change. */
export interface RightsCursor {
  readonly at: number;
  /** Null once it has told of all. */
  readonly seq: number | null;
}

/** The rights on one document: rows of right and identity, with a blank between. None for one that is gone. */
export interface RightsOf {
  readonly id: DocumentId;
  readonly rows: readonly string[];
}

export interface RightsPage {
  /** Whether it begins anew: what was told before does not count. */
  readonly anew: boolean;
  readonly documents: readonly RightsOf[];
  readonly cursor: RightsCursor;
  readonly more: boolean;
  /** Milliseconds since 1970, or null: when a document ends, and with it the rights on it. */
  readonly until: number | null;
}
