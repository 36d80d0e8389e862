/** Exports and imports: what a collection tells of its documents, and takes. Plain data: it crosses objects' RPC. */
import type { Content, AuditFields } from '../../../domain/documents.ts';
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import type { Problem } from '../../../domain/problems.ts';
import type { Acl } from '../../../domain/rights.ts';
import { packContent, type StoredContent, type StoredDocument } from '../../../domain/values/stored.ts';
import type { Edit } from '../history.ts';
import { endsOf } from '../packing/packing.ts';

/** All that is stored of a document, but its versions: they have a meaning only in its collection, and for tokens. */
export interface WholeDocument<Encoding = StoredContent> {
  readonly id: DocumentId;
  readonly content: Encoding;
  readonly acl: Acl;
  /** What the service knows of it; absent where that is not told. */
  readonly auditFields?: AuditFields;
  /** The versions elsewhere that its living tokens name. */
  readonly versions?: readonly number[];
}

/** A deletion, and who could read the document then. */
export interface WholeDeletion {
  readonly id: DocumentId;
  readonly readers: readonly string[];
}

/** Whether the versions are asked for that living tokens may name; whether the history is. */
export interface ExportRequest {
  readonly living: boolean;
  readonly history: boolean;
}

/** How a version of a document came about, and what the document was before; null where that is not known. */
export interface WholeVersion<Former = WholeDocument> {
  readonly id: DocumentId;
  readonly edit: Edit;
  readonly former: Former | null;
}

/** A page of an export. Documents are packed (`unpackExported`) where they cross the RPC. */
export interface ExportPage<Form = string> {
  readonly versions: readonly WholeVersion<Form>[];
  readonly documents: readonly Form[];
  readonly deletions: readonly WholeDeletion[];
  /** What asks for the next page; null after the last. */
  readonly next: string | null;
  /** By the ids of documents, the versions that their tokens may name; where that was asked for. */
  readonly living?: Readonly<Record<string, readonly number[]>>;
}

/** A document of an export, its own rights, and the versions that its tokens may name. */
export interface Exported<Form = StoredDocument> {
  readonly document: Form;
  readonly acl: Acl;
  readonly versions?: readonly number[] | undefined;
}

/** A line of an import, and where it stands. */
export type ImportLine<Encoding = StoredContent> =
  | {
      readonly at: number;
      readonly document: WholeDocument<Encoding>;
      /** The document that gets the content, where there is one already. */
      readonly replaces?: DocumentId;
    }
  | { readonly at: number; readonly deletion: WholeDeletion }
  | { readonly at: number; readonly version: WholeVersion<WholeDocument<Encoding>> };

/** What an import brings: lines of one file, in their order. */
export interface ImportBatch<Encoding = StoredContent> {
  readonly lines: readonly ImportLine<Encoding>[];
  /** False for a trial, which only tells what would be refused. */
  readonly stores: boolean;
  /** Whether schemas must hold. */
  readonly checked: boolean;
}

/** How many lines were stored; the documents that are new; or what is wrong with lines, and nothing is stored. */
export type ImportResult =
  | {
      readonly ok: true;
      readonly stored: number;
      readonly made: readonly DocumentId[];
    }
  | { readonly ok: false; readonly refused: readonly RefusedLine[] };

export interface RefusedLine {
  readonly at: number;
  readonly problems: readonly Problem[];
}

/** The id of what the table of moments packs. */
export function idOfExported(packed: string): DocumentId {
  return storedId(packed.slice(0, endsOf(packed)[0]));
}

/** The inverse of what the table of moments packs. */
export function unpackExported(packed: string): Exported {
  const [a, b, c, d] = endsOf(packed);
  const document = {
    id: storedId(packed.slice(0, a)),
    version: 0,
    aclVersion: 0,
    relationships: b + 1 === c ? null : packed.slice(b + 1, c),
    auditFields: packed.slice(c + 1, d),
    body: packed.slice(d + 1),
  };
  return { document, acl: a + 1 === b ? {} : (JSON.parse(packed.slice(a + 1, b)) as Acl) };
}

/** Content on its way into the object. */
export function packLine(line: ImportLine<Content>): ImportLine {
  if ('deletion' in line) return line;
  if ('document' in line) return { ...line, document: packWhole(line.document) };
  const { former } = line.version;
  return { ...line, version: { ...line.version, former: former && packWhole(former) } };
}

function packWhole(document: WholeDocument<Content>): WholeDocument {
  return { ...document, content: packContent(document.content) };
}
