/** What a collection answers, also one of an unused type. Plain data only: it crosses the object's RPC. */
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Acl } from '../../domain/rights.ts';
import { isRestricted, type Principal } from '../../domain/rules.ts';
import type { Numbers, SortField } from '../../query/order/sort.ts';
import type { Way } from '../../plan/plan.ts';
import type { FeedMark } from './feed/mark.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import type { TypeName } from '../../domain/types.ts';

/** One read. `counter` is the number of the collection's last change at that moment. */
export type ReadResult<Form = StoredDocument> =
  | { readonly state: 'found'; readonly counter: number; readonly document: Form }
  | NotRead;

/** Why a read shows nothing. */
export type NotRead =
  | { readonly state: 'deleted'; readonly version: number }
  | { readonly state: 'absent' }
  /** The viewer may not read it, or may not know whether there is one. */
  | { readonly state: 'forbidden' };

/** A read of an unused type: it has no tables, and a read makes none. */
export function neverThere(principal: Principal): NotRead {
  return isRestricted(principal) ? { state: 'forbidden' } : { state: 'absent' };
}

export interface ReadManyRequest extends Principal {
  readonly ids: readonly DocumentId[];
  /** Documents, and UTF-16 units of their bodies together, at most. */
  readonly limit: number;
  readonly units: number;
  /** Whether documents come with what the service knows of them; not by default. */
  readonly auditFields?: boolean;
  /** The counters that documents come with; null for all, none by default. */
  readonly counters?: readonly string[] | null;
}

/** Several reads at once. Documents are packed (packing.ts) where they cross the RPC. */
export interface ReadManyResult<Form = string> {
  readonly counter: number;
  readonly documents: Form;
  /** False when the documents would exceed the given number or size. */
  readonly complete: boolean;
}

/** The answer of an unused type. */
export const NONE_READ: ReadManyResult = { counter: 0, documents: '', complete: true };

export interface ListRequest extends Principal {
  /** The stored encoding of a condition (operators/filter/conditions.ts). */
  readonly condition: string;
  readonly sort: readonly SortField[];
  /** What stands in the place of fields in the sort. */
  readonly numbers?: Readonly<Record<string, Numbers>>;
  readonly page: ListPage;
  /** Fields that the condition and the sort treat as missing (domain/secrets.ts). */
  readonly hidden: readonly string[];
  /** Whether documents come with what the service knows of them; not by default. */
  readonly auditFields?: boolean;
  /** The counters that documents come with; null for all, none by default. */
  readonly counters?: readonly string[] | null;
  /** Names in the condition: if some are relationships, the answer is what they link to, and no page (related.ts). */
  readonly through?: readonly string[];
  /** Whether the mark of a feed that goes on after the page is asked for. */
  readonly marked?: boolean;
  /** Set where an answer that is empty is to say what may be the matter (search/diagnostics.ts). */
  readonly diagnostics?: DiagnosticsRequest;
}

/** The parts of a request that can be diagnosed, beside its order. */
export interface DiagnosticsRequest {
  /** The condition as the client has sent it, in the stored encoding: that of the search may be bound, or rewritten. */
  readonly condition: string;
  readonly questions: readonly Question[];
  /** Whether to say so of an answer that is not empty, too. */
  readonly always: boolean;
}

/** What is asked of one path. */
export interface Question {
  readonly path: readonly string[];
  /** The classes of what it is compared with; none where it is not compared. */
  readonly compared: readonly ValueClass[];
  /** Whether the path goes on in linked documents, where its first name is a relationship. */
  readonly through?: boolean;
}

/** Values that may be compared with one another. */
export type ValueClass = 'string' | 'number' | 'date' | 'object id' | 'boolean';

/** What may be wrong with a search that finds nothing. Paths are dotted. */
export type Diagnostic =
  | { readonly kind: 'no-documents' }
  /** With names of fields that there are. */
  | { readonly kind: 'no-field'; readonly path: string; readonly names: readonly string[] }
  | {
      readonly kind: 'other-kind';
      readonly path: string;
      readonly compared: readonly ValueClass[];
      readonly held: readonly ValueClass[];
    }
  /** Nothing yet: the documents of these types are linked there, and say the rest. */
  | {
      readonly kind: 'elsewhere';
      readonly path: string;
      readonly types: readonly string[];
      readonly rest: Question;
    };

export type ListPage = {
  /** False where nobody asks how many documents match: then nothing is counted. */
  readonly counted?: boolean;
  /** UTF-16 units of its bodies together, about, at which the page ends; then the cursor of each document is told. */
  readonly units?: number;
} & (
  | { readonly offset: number; readonly limit: number }
  /** A page after a cursor; null begins at the start. */
  | { readonly after: string | null; readonly limit: number }
);

/** How far a list reaches beyond its page. */
export interface Extent {
  /** The number of matches over all pages; null where they are not counted. */
  readonly total: number | null;
  readonly more: boolean;
  /**
   * For a page by cursor that others follow: the cursor after which the next one begins, or null if that begins at the
   * start too, as every document of the page changed meanwhile.
   */
  readonly next: string | null;
}

/** A page of a list. Its documents are packed (packing.ts) where they cross the RPC. */
export interface ListResult<Form = string> extends Extent {
  readonly counter: number;
  readonly documents: Form;
  readonly cursors?: readonly string[];
  readonly mark?: FeedMark;
  /** Where the request asks for them. */
  readonly diagnostics?: readonly Diagnostic[];
  /** How the answer was found, for operators. */
  readonly plan: {
    readonly way: Way | 'kept-groups';
    /** Paths whose indexes served. */
    readonly used: readonly string[];
    /** Whether the search looked at all documents, because no index served it. */
    readonly scan: boolean;
    /** Rows of tables and indexes that were read, documents that SQL looked into, and those that were decoded. */
    readonly rows: number;
    readonly visited: number;
    readonly decoded: number;
  };
}

/** The answer of an unused type. */
export const NOTHING_FOUND: ListResult = {
  counter: 0,
  total: 0,
  more: false,
  documents: '',
  next: null,
  plan: { way: 'nothing', used: [], scan: false, rows: 0, visited: 0, decoded: 0 },
};

/** A successful write: the new state of the document; its version is the counter. */
export interface Written<Form = StoredDocument> {
  readonly document: Form;
  /** Whether the viewer who wrote it may also read it. */
  readonly readable: boolean;
}

export type WriteResult = Outcome<Written>;
/** A successful deletion, with its number. */
export type DeleteResult = Outcome<number>;

export type AclReadResult =
  | { readonly state: 'found'; readonly acl: Acl; readonly version: number }
  | NotRead;

/** A successful change of rights, with its number. */
export type AclResult = Outcome<{ readonly acl: Acl; readonly version: number; readonly readable: boolean }>;

/**
 * JSON texts: raw attributes of a definition (null for no parameters), and the request's parameters, which replace
 * them.
 */
export interface Texts {
  readonly outputType: TypeName;
  readonly pipeline: string;
  readonly parameters: string | null;
  /** By the names of parameters. */
  readonly overrides: Readonly<Record<string, string>>;
}

export type OutputSelection =
  | { readonly ids: readonly DocumentId[] }
  | Pick<ListRequest, 'condition' | 'sort' | 'page' | 'diagnostics'>;

export interface AggregateRequest extends Texts, Principal {
  readonly select: OutputSelection;
}

/** Outputs, member by member, each in their order (see packing.ts). Plain data: it crosses the object's RPC. */
export interface PackedOutputs {
  readonly ids: readonly DocumentId[];
  /** The stored encoding of attributes and relationships side by side. */
  readonly bodies: readonly string[];
  /** Which of these are relationships; null when no output has any. */
  readonly relationships: readonly (readonly string[])[] | null;
}

export interface OutputPage<Form = PackedOutputs> extends Extent {
  /** The number of the last change of the input. */
  readonly counter: number;
  readonly documents: Form;
  /** Where the request asks for them. */
  readonly diagnostics?: readonly Diagnostic[];
  /** False when the same documents may give other outputs another time. */
  readonly repeatable: boolean;
  readonly plan: ListResult['plan'];
}
