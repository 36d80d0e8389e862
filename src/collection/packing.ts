/**
 * Documents on their way out of an object. A list of twenty objects of five members each costs more to carry over the
 * RPC than its bodies do, so many documents go as columns. A read goes as one string: with an object, the runtime hands
 * over the means to dispose of it as well, which costs more than the object.
 */
import type { StoredDocument } from './records.ts';
import type { ReadResult } from './results.ts';

/** A read: the document with the counter before it as one text, or why there is none. */
export type PackedRead = string | Exclude<ReadResult, { readonly state: 'found' }>;

export function packRead(read: ReadResult): PackedRead {
  if (read.state !== 'found') return read;
  const { id, version, aclVersion, relationships, body } = read.document;
  const names = relationships ?? '';
  return `${read.counter} ${version} ${aclVersion} ${id} ${names.length} ${names}${body}`;
}

export function unpackRead(packed: PackedRead): ReadResult {
  if (typeof packed !== 'string') return packed;
  let at = 0;
  const next = () => {
    const from = at;
    at = packed.indexOf(' ', from) + 1;
    return packed.slice(from, at - 1);
  };
  const [counter, version, aclVersion] = [Number(next()), Number(next()), Number(next())];
  const id = next();
  const length = Number(next());
  const relationships = length === 0 ? null : packed.slice(at, at + length);
  const document = { id, version, body: packed.slice(at + length), relationships, aclVersion };
  return { state: 'found', counter, document };
}

/** Many documents, member by member, each in the order of the documents. Plain data: it crosses the object's RPC. */
export interface PackedDocuments {
  /** All ids, 24 digits each, in one string. */
  readonly ids: string;
  readonly versions: readonly number[];
  readonly bodies: readonly string[];
  /** Null when no document has any. */
  readonly relationships: readonly (string | null)[] | null;
  readonly aclVersions: readonly number[];
}

const ID_LENGTH = 24;

export function packDocuments(documents: readonly StoredDocument[]): PackedDocuments {
  const related = documents.some(({ relationships }) => relationships !== null);
  return {
    ids: documents.map(({ id }) => id).join(''),
    versions: documents.map(({ version }) => version),
    bodies: documents.map(({ body }) => body),
    relationships: related ? documents.map(({ relationships }) => relationships) : null,
    aclVersions: documents.map(({ aclVersion }) => aclVersion),
  };
}

export function unpackDocuments(packed: PackedDocuments): readonly StoredDocument[] {
  const { ids, versions, bodies, relationships, aclVersions } = packed;
  return bodies.map((body, index) => ({
    id: ids.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH),
    version: versions[index] ?? 0,
    body,
    relationships: relationships?.[index] ?? null,
    aclVersion: aclVersions[index] ?? 0,
  }));
}
