/** The differences between documents of different modules, so that one set of handlers serves them all. */
import type { OutputSelection, Diagnostic } from '../../collection/rpc/results.ts';
import type { WholeDeletion } from '../../collection/rpc/maintenance/transfer.ts';
import type { Content, Document } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome, Problem } from '../../domain/problems.ts';
import type { Principal } from '../../domain/rules.ts';
import type { TypeName } from '../../domain/types.ts';
import type { Fields } from '../../domain/values/values.ts';
import type { Reader, RequestContext } from '../endpoint.ts';
import type { Raw } from './body/raw.ts';
import type { ReadLinked } from './linked/read-linked.ts';
import type { StoredRule } from './rights/stored-rules.ts';

/** Content to be stored, and attributes as sent where they are stored in another form. */
export interface Prepared {
  readonly content: Content;
  readonly asSent: Fields | null;
}

export interface DocumentKind {
  /**
   * The problems of the content of a create (`whole`) or of a PATCH, beyond the rules for all documents. `current`
   * holds the attributes before a PATCH, for a kind that must see all. Without an exchange the content is imported.
   */
  readonly validate?: (
    content: Content,
    whole: boolean,
    current: Fields | null,
    context?: RequestContext,
  ) => readonly Problem[];
  /** The problems of content in its stored form, which an import brings, beyond those. */
  readonly faultsOfStored?: (content: Content) => readonly Problem[];
  readonly validatesWhole?: boolean;
  /** The conditions in valid content that are stored to be asked of documents. `current`: as above. */
  readonly rules?: (content: Content, current: Fields | null) => readonly StoredRule[];
  /** The attributes that operators (`data.meta.update`) cannot change; by default, all of a kind with validation. */
  readonly guarded?: ReadonlySet<string>;
  /**
   * Attributes whose JSON has `$` names that are not wrappers. They are stored as JSON text, and are text to filters.
   */
  readonly raw?: Raw;
  /** The stored form of valid content: a password as its hash. `current` reads the stored attributes; null if new. */
  readonly prepare?: (
    content: Content,
    current: () => Promise<Fields | null>,
    context: RequestContext,
  ) => Promise<Outcome<Prepared>>;
  /** How linked documents are read, if not from their collection. */
  readonly readLinked?: ReadLinked;
  /** What is said of a list of such linked documents that finds nothing (warnings/diagnostics.ts). */
  readonly diagnostics?: (
    context: RequestContext,
    type: TypeName,
    principal: Principal,
    search: OutputSelection,
  ) => Promise<readonly Diagnostic[]>;
  /** The names of attributes in answers that are not stored. */
  readonly made?: readonly string[];
  /** The attributes in answers, if they differ from the stored ones in more than raw JSON. */
  readonly attributes?: (document: Document, reader: Reader) => Promise<Fields>;
  /** Called before a permitted deletion of a document, which it may refuse. */
  readonly removing?: (document: Document, context: RequestContext) => Promise<Outcome<unknown>>;
  /** Called before deletions that an import brings are noted. */
  readonly burying?: (
    deletions: readonly WholeDeletion[],
    context: RequestContext,
  ) => Promise<Outcome<unknown>>;
  /** Called after a change or deletion of a document of the kind, before the answer. */
  readonly changed?: (id: DocumentId, context: RequestContext) => void | Promise<void>;
}
