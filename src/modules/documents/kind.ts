/** What tells the documents of one module from those of another, so that one set of handlers serves them all. */
import type { Content, Document } from '../../domain/documents.ts';
import type { Problem } from '../../domain/problems.ts';
import type { Fields } from '../../domain/values.ts';
import type { Exchange } from '../endpoint.ts';
import type { Source } from './source.ts';

/** Content to be stored, and attributes as sent where they are stored in another form. */
export interface Prepared {
  readonly content: Content;
  readonly asSent: Fields | null;
}

export interface DocumentKind {
  /**
   * What is wrong with the content of a create (`whole`) or of a PATCH, beyond the rules for all documents. `current`
   * holds the attributes before a PATCH, for a kind that must see the whole.
   */
  readonly validate?: (content: Content, whole: boolean, current: Fields | null) => readonly Problem[];
  readonly validatesWhole?: boolean;
  /** The attributes that operators (`data.meta.update`) can not change; all, unless said, of a kind that is validated. */
  readonly guarded?: ReadonlySet<string>;
  /**
   * Attributes that hold JSON of their own kind, where `$` names mean something else than wrappers. They are stored
   * as JSON text, and are text to filters.
   */
  readonly rawAttributes?: ReadonlySet<string>;
  /**
   * What is stored of content that is valid: a password as its hash. `current` reads the attributes that are stored,
   * null for a new document.
   */
  readonly prepare?: (content: Content, current: () => Promise<Fields | null>) => Promise<Prepared>;
  /** Where documents come from that links lead to, where that is not their collection. */
  readonly source?: Source;
  /** The attributes an answer shows, where they are not just the stored ones. */
  readonly attributes?: (document: Document, exchange: Exchange) => Promise<Fields>;
  /** Told before a document goes that may go. */
  readonly removing?: (document: Document, exchange: Exchange) => Promise<void>;
  /** Told after a document of the kind has changed or gone, before the answer. */
  readonly changed?: (id: string, exchange: Exchange) => void | Promise<void>;
}
