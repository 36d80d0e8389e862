/**
 * Documents on their way out of an object. A list of twenty objects of five members each costs more to carry over the
 * RPC than its bodies do, so many documents go as columns.
 */
import type { StoredDocument } from './records.ts';

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
