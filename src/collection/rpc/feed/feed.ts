/** The feed of changes, as it is asked for and answered. Plain data only: it crosses the RPC. */
import type { DocumentId } from '../../../domain/ids.ts';
import type { Outcome } from '../../../domain/problems.ts';
import type { Principal } from '../../../domain/rules.ts';
import type { FeedMark } from './mark.ts';
import type { ListRequest } from '../results.ts';

export interface FeedRequest extends Principal, Pick<ListRequest, 'condition' | 'hidden' | 'through'> {
  /** Null from the beginning; `now` for nothing but the mark of now. */
  readonly mark: FeedMark | 'now' | null;
  /** Documents at most, and their UTF-16 units, about. */
  readonly limit: number;
  readonly units: number;
  /** Changes up to this number only; and as whom else these documents must be seen. Others are left out. */
  readonly again?: { readonly upTo: number; readonly groups: readonly FeedGroup[] };
}

/** What is to be said of one document. */
export interface FeedEntry {
  readonly id: DocumentId;
  /** Of its last change. */
  readonly number: number;
  /** `add`: it was not shown by the mark. */
  readonly kind: 'add' | 'update' | 'remove';
  /** The id of the list of operations that has made the change. */
  readonly transaction?: string;
  /** Up to where the reader knows the list, where it is told as that has it. */
  readonly begun?: Pick<FeedMark, 'after' | 'listed'>;
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
  readonly entries: readonly FeedEntry[];
  readonly mark: FeedMark;
  /** Whether others follow. */
  readonly more: boolean;
}

export type FeedResult = Outcome<FeedPage>;

/** The answer of an unused type. */
export const NOTHING_CHANGED: FeedPage = {
  counter: 0,
  documents: '',
  entries: [],
  mark: { base: 0, position: 0, at: 0, state: '' },
  more: false,
};
