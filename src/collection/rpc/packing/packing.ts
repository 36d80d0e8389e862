/**
 * Documents on their way out of an object, as texts, and what is asked of lists: making objects of rows, and sending
 * objects over RPC, costs more than their content. SQLite makes the texts (`PACKED`), the Worker splits them.
 * On the way into it, content has the stored encoding, which the object need not decode.
 */
import { storedId } from '../../../domain/ids.ts';
import { ok, type Outcome, problem } from '../../../domain/problems.ts';
import type { ListRequest, ListResult, NotRead, ReadResult, WriteResult } from '../results.ts';
import { type StoredDocument, packContent } from '../../../domain/values/stored.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import type { Content } from '../../../domain/documents.ts';
import type { Fields } from '../../../domain/values/values.ts';
import {
  unitsOfChange,
  type Change,
  type Draft,
  type ListOutcome,
  type Operation,
} from '../writes/operations.ts';

/** Separates documents, and the members of each. JSON text, ids and numbers hold no control characters. */
export const DOCUMENTS = '\u001e';
const MEMBERS = '\u001f';

export function unpackDocument(packed: string): StoredDocument {
  // Looking for the ends is faster than splitting, which goes through the body too.
  const [a, b, c, d] = endsOf(packed);
  // Behind the number there may be a blank and what the service knows of the document.
  const acl = packed.slice(b + 1, c);
  const blank = acl.indexOf(' ');
  const version = packed.slice(a + 1, b);
  const gap = version.indexOf(' ');
  const document = {
    id: storedId(packed.slice(0, a)),
    version: Number(gap === -1 ? version : version.slice(0, gap)),
    ...(gap !== -1 && { counts: version.slice(gap + 1) }),
    aclVersion: Number(blank === -1 ? acl : acl.slice(0, blank)),
    relationships: c + 1 === d ? null : packed.slice(c + 1, d),
    body: packed.slice(d + 1),
  };
  return blank === -1 ? document : { ...document, auditFields: acl.slice(blank + 1) };
}

/** A packed document with what is counted of it, behind its version. */
export function packCounts(packed: string, counts: string): string {
  const [, b] = endsOf(packed);
  return `${packed.slice(0, b)} ${counts}${packed.slice(b)}`;
}

/** The inverse, for a document that is at hand, with a text in front: so the document is copied once. */
function packDocument(
  before: string,
  { id, version, aclVersion, auditFields, relationships, body }: StoredDocument,
): string {
  const acl = auditFields === undefined ? '' : ` ${auditFields}`;
  const members = `${id}${MEMBERS}${version}${MEMBERS}${aclVersion}${acl}${MEMBERS}${relationships ?? ''}`;
  return `${before}${members}${MEMBERS}${body}`;
}

/** Where the members before the body end. */
export function endsOf(packed: string): readonly [number, number, number, number] {
  const a = packed.indexOf(MEMBERS);
  const b = packed.indexOf(MEMBERS, a + 1);
  const c = packed.indexOf(MEMBERS, b + 1);
  return [a, b, c, packed.indexOf(MEMBERS, c + 1)];
}

/** Joins packed documents; the empty text stands for none. */
export function packDocuments(packed: readonly string[]): string {
  return packed.join(DOCUMENTS);
}

export function unpackDocuments(packed: string): readonly StoredDocument[] {
  return splitDocuments(packed).map(unpackDocument);
}

/** Splits joined documents; each is still packed. */
export function splitDocuments(packed: string): readonly string[] {
  return packed === '' ? [] : packed.split(DOCUMENTS);
}

/** The last of joined documents; undefined where there are none. */
export function lastOf(packed: string): string | undefined {
  return packed === '' ? undefined : packed.slice(packed.lastIndexOf(DOCUMENTS) + 1);
}

export function withoutLast(packed: string): string {
  return packed.slice(0, Math.max(0, packed.lastIndexOf(DOCUMENTS)));
}

/** A read: the counter, then the packed document; or why there is none. */
export type PackedRead = string | NotRead;

export function unpackRead(packed: PackedRead): ReadResult {
  return typeof packed === 'string' ? unpackFound(packed) : packed;
}

export function unpackFound(packed: string) {
  const end = packed.indexOf(DOCUMENTS);
  const document = unpackDocument(packed.slice(end + 1));
  return { state: 'found', counter: Number(packed.slice(0, end)), document } as const;
}

/** A write: whether its document may be shown, then the document; or why nothing was written. */
export type PackedWrite = string | Failed;

const READABLE = 'readable';

export function packWrite(written: WriteResult): PackedWrite {
  if (!written.ok) return written;
  const { document, readable } = written.value;
  return packDocument(readable ? `${READABLE}${DOCUMENTS}` : DOCUMENTS, document);
}

export function unpackWrite(packed: PackedWrite): WriteResult {
  if (typeof packed !== 'string') return packed;
  const end = packed.indexOf(DOCUMENTS);
  const document = unpackDocument(packed.slice(end + 1));
  return ok({ document, readable: packed.slice(0, end) === READABLE });
}

/** What a list is asked for, as one text. */
export function packRequest(request: ListRequest): string {
  return JSON.stringify(request);
}

export function unpackRequest(packed: string): ListRequest {
  return JSON.parse(packed) as ListRequest;
}

/**
 * A page of a list as two texts, everything else as JSON and its documents; or why there is no page. Joined, the
 * documents would be copied once more.
 */
export interface PackedPage {
  readonly rest: string;
  readonly documents: string;
}

export type PackedList = PackedPage | Failed;

type Failed = Exclude<Outcome<never>, { readonly ok: true }>;

export function packList(list: Outcome<ListResult>): PackedList {
  if (!list.ok) return list;
  const { documents, ...rest } = list.value;
  return { rest: JSON.stringify(rest), documents };
}

export function unpackList(packed: PackedList): Outcome<ListResult> {
  if ('ok' in packed) return packed;
  const { rest, documents } = packed;
  return ok({ ...(JSON.parse(rest) as Omit<ListResult, 'documents'>), documents });
}

/** Whether a page with this number of UTF-16 units is large: its receiver reports it with `taken`. */
export function isLarge(units: number): boolean {
  return units > LIMITS.sentAtOnce;
}

/** A document to be created, as the Worker has it. */
export interface NewDocument
  extends Omit<Draft, 'content' | 'overlay' | 'rule'>, Partial<Pick<Draft, 'rule'>> {
  readonly content: Content;
  /** Attributes as sent, where they are stored in another form: for schemas. */
  readonly asSent?: Fields | null;
}

export function packDraft({ asSent = null, content, rule = null, ...rest }: NewDocument): Draft {
  const overlay = asSent && encodeText(asSent);
  return { ...rest, content: packContent(content), rule, ...(overlay !== null && { overlay }) };
}

export function packChange(change: Change<Content>): Change {
  return change.kind === 'merge' ? { ...change, content: packContent(change.content) } : change;
}

/** The packed operations, or the failure of the first operation whose documents exceed the size of a list. */
export function packOperations(operations: readonly Operation<Content>[]): ListOutcome<readonly Operation[]> {
  const packed: Operation[] = [];
  let units = 0;
  for (const [at, operation] of operations.entries()) {
    const each = packOperation(operation);
    units += unitsOf(each);
    if (units > LIMITS.operationsWork) {
      const detail = `The documents of a list have at most ${LIMITS.operationsWork} characters together.`;
      return { ok: false, failure: { at, problems: [problem('list-too-large', detail)], missing: [] } };
    }
    packed.push(each);
  }
  return { ok: true, done: packed };
}

function packOperation(operation: Operation<Content>): Operation {
  if (operation.kind === 'add') return { ...operation, content: packContent(operation.content) };
  return operation.kind === 'change' ? { ...operation, change: packChange(operation.change) } : operation;
}

function unitsOf(operation: Operation): number {
  if (operation.kind === 'add') return operation.content.body.length;
  return operation.kind === 'change' ? unitsOfChange(operation.change) : 0;
}
