/** What a collection answers. Plain data only: it crosses the object's RPC. */
import type { Outcome } from '../domain/problems.ts';
import type { SortField } from '../query/order/sort.ts';
import type { StoredDocument } from './records.ts';

/** One read. `counter` is the number of the collection's last change at that moment. */
export type ReadResult =
  | { readonly state: 'found'; readonly counter: number; readonly document: StoredDocument }
  /** Deleted with this number. */
  | { readonly state: 'deleted'; readonly counter: number; readonly version: number }
  | { readonly state: 'absent'; readonly counter: number };

/** Several reads at once. */
export interface ReadManyResult {
  readonly counter: number;
  readonly documents: readonly StoredDocument[];
  /** The number of the last deletion among those asked for, 0 for none. */
  readonly lastDeletion: number;
  /** False when the documents would have been more, or larger, than asked for. */
  readonly complete: boolean;
}

export interface ListRequest {
  /** The stored encoding of a condition (query/filter/conditions.ts). */
  readonly condition: string;
  readonly sort: readonly SortField[];
  readonly page: ListPage;
}

export type ListPage =
  | { readonly offset: number; readonly limit: number }
  /** What comes after a cursor; '' begins at the start. */
  | { readonly after: string; readonly limit: number };

export interface ListResult {
  readonly counter: number;
  /** All that match, over all pages. */
  readonly total: number;
  readonly documents: readonly StoredDocument[];
  /** For a page by cursor: the cursor of its last document, or null when no document follows. */
  readonly next: string | null;
}

/** A write that was done: the document as it now is, its version being the counter. */
export type WriteResult = Outcome<StoredDocument>;
/** A deletion that was done, with its number. */
export type DeleteResult = Outcome<number>;
