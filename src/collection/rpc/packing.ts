/**
 * Documents on their way out of an object, as one text: objects cost more to make of rows, and to carry over the RPC,
 * than all that they hold. SQLite makes the texts (`PACKED`), the Worker takes them apart.
 */
import { ok, type Outcome } from '../../domain/problems.ts';
import type { ListResult, NotRead, ReadResult } from './results.ts';
import type { StoredDocument } from './content.ts';
import { LIMITS } from '../../domain/limits.ts';

/** Parts documents, and the members of each. JSON text holds no control characters, and neither do ids and numbers. */
const DOCUMENTS = '\u001e';
const MEMBERS = '\u001f';

export function unpackDocument(packed: string): StoredDocument {
  // Looking for the ends is faster than splitting, which goes through the body too.
  const [a, b, c, d] = endsOf(packed);
  return {
    id: packed.slice(0, a),
    version: Number(packed.slice(a + 1, b)),
    aclVersion: Number(packed.slice(b + 1, c)),
    relationships: c + 1 === d ? null : packed.slice(c + 1, d),
    body: packed.slice(d + 1),
  };
}

/** Where the members before the body end. */
function endsOf(packed: string): readonly [number, number, number, number] {
  const a = packed.indexOf(MEMBERS);
  const b = packed.indexOf(MEMBERS, a + 1);
  const c = packed.indexOf(MEMBERS, b + 1);
  return [a, b, c, packed.indexOf(MEMBERS, c + 1)];
}

/** Packed documents together; none are the empty text. */
export function packDocuments(packed: readonly string[]): string {
  return packed.join(DOCUMENTS);
}

export function unpackDocuments(packed: string): readonly StoredDocument[] {
  return splitDocuments(packed).map(unpackDocument);
}

/** Documents that were packed together, each still packed. */
export function splitDocuments(packed: string): readonly string[] {
  return packed === '' ? [] : packed.split(DOCUMENTS);
}

/** A read: the packed document behind the counter, or why there is none. */
export type PackedRead = string | NotRead;

export function packFound(counter: number, document: string): PackedRead {
  return `${counter}${DOCUMENTS}${document}`;
}

export function unpackRead(packed: PackedRead): ReadResult {
  if (typeof packed !== 'string') return packed;
  const end = packed.indexOf(DOCUMENTS);
  const document = unpackDocument(packed.slice(end + 1));
  return { state: 'found', counter: Number(packed.slice(0, end)), document };
}

/** A page of a list as one text: all else as JSON, then its documents; or why there is none. */
export type PackedList = string | Failed;

type Failed = Exclude<Outcome<never>, { readonly ok: true }>;

export function packList(list: Outcome<ListResult>): PackedList {
  if (!list.ok) return list;
  const { documents, ...rest } = list.value;
  return `${JSON.stringify(rest)}${DOCUMENTS}${documents}`;
}

export function unpackList(packed: PackedList): Outcome<ListResult> {
  if (typeof packed !== 'string') return packed;
  const end = packed.indexOf(DOCUMENTS);
  const rest = JSON.parse(packed.slice(0, end)) as Omit<ListResult, 'documents'>;
  return ok({ ...rest, documents: packed.slice(end + 1) });
}

/** Whether a page of so many UTF-16 units is large: whoever takes it says so, with `taken`. */
export function isLarge(units: number): boolean {
  return units > LIMITS.sentAtOnce;
}
