/** What a collection has of a person, and what is left of them. Plain data: it crosses the object's RPC. */

/** A person as a collection is told of them. */
export interface Person {
  /** The identity, as `keyOf` writes it. */
  readonly identity: string;
  /** Digests of the API keys and the person together, under which outcomes are kept (once.ts). */
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
