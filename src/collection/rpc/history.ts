/** The history of documents (docs/history.md), as asked for and answered. Plain data: it crosses the objects' RPC. */
import type { DocumentId } from '../../domain/ids.ts';
import type { Principal } from '../../domain/rules.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';

/** `unknown`: it was made when there was no history, or by the service itself. */
export const EDIT_KINDS = ['create', 'update', 'relationships', 'delete', 'restore', 'unknown'] as const;

export type EditKind = (typeof EDIT_KINDS)[number];

/** How a version came about. */
export interface Edit {
  /** Versions of a document are numbered from 1. */
  readonly n: number;
  readonly change: EditKind;
  /** As `keyOf` writes it, or `ERASED`. */
  readonly user: string | null;
  readonly key: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A version that is told. Until when it can be restored, in milliseconds since 1970; null for no such time. */
export interface VersionEntry extends Edit {
  readonly until: number | null;
}

/** What stands for a user who was erased. */
export const ERASED = 'erased';

/** Which version is meant: by its number, or the one that a document had at a time, in milliseconds since 1970. */
export type Which = number | { readonly at: number };

/** A version that is asked for, as all of some principals see it. */
export interface VersionAsked {
  readonly id: DocumentId;
  readonly n: number;
  readonly readers: readonly Principal[];
}

/** `off`: the type has no history. `absent`: there is none of this document for whoever asks. */
type None = { readonly state: 'off' } | { readonly state: 'absent' };

/** Versions, newest first; where others follow, `next` is what they are asked for with. */
export type VersionsPage =
  | None
  | { readonly state: 'found'; readonly edits: readonly VersionEntry[]; readonly next: number | null };

/** A document as it was at its end, which can be restored, and its deletion. */
export interface Deleted<Form = StoredDocument> {
  readonly edit: VersionEntry;
  readonly document: Form;
}

/** Deleted documents, the last deletion first; where others follow, `next` is what they are asked for with. */
export type TrashPage<Form = StoredDocument> =
  | { readonly state: 'off' }
  | { readonly state: 'found'; readonly deleted: readonly Deleted<Form>[]; readonly next: string | null };

/** One version; without a document, a deletion. */
export type VersionRead<Form = StoredDocument> =
  | None
  | { readonly state: 'found'; readonly edit: VersionEntry; readonly document: Form | null };
