/** Uploads of contents that may be continued, as they cross RPC. */
import type { DocumentId } from '../../../domain/ids.ts';

/** A content that a collection answers for, and whether it has a document. */
export interface KnownContent {
  readonly id: DocumentId;
  readonly isStored: boolean;
}

/** What is said of a content before it comes. */
export interface UploadBegun {
  readonly size: number;
  /** The identity of whom it is; null where the key asks nobody. */
  readonly owner: string | null;
  readonly name: string | null;
  readonly mediaType: string;
  /** As it was sent: tus has it told again. */
  readonly metadata?: string | undefined;
}

/** Plain data: it crosses RPC, and is stored as JSON. */
export interface UploadState extends UploadBegun {
  /** Bytes that have come, and those of them that are in parts. */
  readonly offset: number;
  readonly parted: number;
  readonly upload: string | null;
  readonly parts: readonly R2UploadedPart[];
  /** The number of the last claim, and of the last part that somebody has begun. */
  readonly claim: number;
  readonly numbers: number;
}

export type UploadStep =
  | { readonly kind: 'look' }
  /** To go on at an offset, which must be where the upload is. */
  | { readonly kind: 'claim'; readonly offset: number }
  /** To begin a part. */
  | { readonly kind: 'number'; readonly claim: number; readonly upload: string }
  /** Further parts, and bytes behind all parts: in the place of those before where there are such parts. */
  | {
      readonly kind: 'note';
      readonly claim: number;
      readonly parts: readonly R2UploadedPart[];
      readonly parted: number;
      readonly tail: Uint8Array;
    };

/** What a step has come to. */
export interface Stepped {
  readonly state: UploadState;
  /** When the upload ends, in milliseconds since 1970. */
  readonly due: number;
  /** For a claim: the bytes behind all parts. */
  readonly tail: Uint8Array;
}
