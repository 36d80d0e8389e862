/** Rights that come through links, as the collection of the linked documents tells them. Plain data: it crosses RPC. */
import type { DocumentId } from '../../../domain/ids.ts';

/** How far a collection has told: of all documents up to a position, or of all, as they were at a change. */
export interface RightsMark {
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
  readonly mark: RightsMark;
  readonly more: boolean;
  /** Milliseconds since 1970, or null: when a document ends, and with it the rights on it. */
  readonly until: number | null;
}
