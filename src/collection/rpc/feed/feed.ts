/** The feed of changes, as it is asked for and answered. Plain data only: it crosses the RPC. */
import type { DocumentId } from '../../../domain/ids.ts';
import type { Outcome } from '../../../domain/problems.ts';
import type { Principal } from '../../../domain/rules.ts';
import type { ListRequest } from '../results.ts';

/**
 * How far a reader of a feed has come: it knows the collection as it was at the change `base`, and what has changed since
 * up to the change `position`. `state` is what must be the same when it reads on.
 */
export interface FeedMark {
  readonly base: number;
  readonly position: number;
  readonly state: string;
}

export interface FeedRequest extends Principal, Pick<ListRequest, 'condition' | 'hidden' | 'through'> {
  /** Null from the beginning. */
  readonly mark: FeedMark | null;
  /** Documents at most. */
  readonly limit: number;
  /** Changes up to this number only; and as whom else these documents must be seen. Others are left out. */
  readonly again?: { readonly upTo: number; readonly groups: readonly FeedGroup[] };
}

/** What is to be said of one document that has changed. */
export interface Telling {
  readonly id: DocumentId;
  /** Of its last change. */
  readonly number: number;
  /** `add`: it was not shown by the mark. */
  readonly kind: 'add' | 'update' | 'remove';
}

/** Documents that must be seen as somebody else as well: as whoever a GET of their own address is answered. */
interface FeedGroup extends Principal {
  readonly ids: readonly DocumentId[];
}

/** A page of a feed. Its documents are packed (packing.ts) where they cross the RPC. */
export interface FeedPage<Form = string> {
  /** The number of the last change at that moment. */
  readonly counter: number;
  /** In the order of their last changes. */
  readonly documents: Form;
  /** What is said of these, and of those that were shown by the mark and are not any more; in the order of changes. */
  readonly told: readonly Telling[];
  readonly mark: FeedMark;
  /** Whether others follow. */
  readonly more: boolean;
}

export type FeedResult = Outcome<FeedPage>;
