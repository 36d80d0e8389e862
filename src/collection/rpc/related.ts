/** What is asked between collections for conditions on linked documents. Plain data only: it crosses the RPC. */
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Principal } from '../../domain/rules.ts';

/** A name that is a relationship of some document, with the types that its links lead to, or led to once. */
export interface LinkedTypes {
  readonly name: string;
  readonly types: readonly string[];
}

/** What a list answers first whose condition passes through relationships. */
export interface LinksFirst {
  readonly linked: readonly LinkedTypes[];
}

/** How the condition of a list asks linked documents. */
export interface Through {
  /** Names in the condition that may be those of relationships. */
  readonly names: readonly string[];
  /** The condition to search by where some of them are; in the stored encoding. */
  readonly condition: (linked: readonly LinkedTypes[]) => Promise<Outcome<string>>;
}

/** Which documents that a viewer may read meet each of several conditions. */
export interface MatchingRequest extends Principal {
  /** In the stored encoding. */
  readonly conditions: readonly string[];
  /** Fields that the conditions treat as missing (domain/secrets.ts). */
  readonly hidden: readonly string[];
  /** Documents at most, counted once for each condition. */
  readonly limit: number;
}

/** The ids for each condition, in the order of creation; null when they are more than the limit. */
export type MatchingResult = Outcome<readonly (readonly DocumentId[])[] | null>;
