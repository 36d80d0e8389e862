/**
 * What the service itself knows of a document: who created it, when, and when it was last changed. Documents are given
 * it as fields whose names no client can write. A leaf without I/O.
 */
import type { Provenance } from './documents.ts';
import { isId, keptId } from './ids.ts';
import { keptType } from './types.ts';
import { ObjectId, type Value } from './values.ts';

/** The names of the fields in filters, sorts, and `fields[<type>]`. */
export const PROVENANCE_NAMES = ['$creator', '$created', '$updated'] as const;

export type ProvenanceName = (typeof PROVENANCE_NAMES)[number];

const NAMES: ReadonlySet<string> = new Set(PROVENANCE_NAMES);

export function isProvenance(name: string | undefined): name is ProvenanceName {
  return name !== undefined && NAMES.has(name);
}

/** As it leaves its collection: creation, change, type and id of the creator, with blanks between them. */
export function provenanceText({ creator, created, updated }: Provenance): string {
  return `${created ?? ''} ${updated ?? ''} ${creator === null ? '' : `${creator.type} ${creator.id}`}`;
}

/** The inverse of `provenanceText`. */
export function readProvenance(text: string): Provenance {
  const [created = '', updated = '', type = '', id = ''] = text.split(' ');
  return {
    creator: isId(id) ? { type: keptType(type), id: keptId(id) } : null,
    created: created === '' ? null : Number(created),
    updated: updated === '' ? null : Number(updated),
  };
}

/** The fields that filters, sorts and pipelines see. */
export function fieldsOfProvenance(text: string): Record<ProvenanceName, Value> {
  const { creator, created, updated } = readProvenance(text);
  return {
    $creator: creator && { type: creator.type, id: new ObjectId(creator.id) },
    $created: created === null ? null : new Date(created),
    $updated: updated === null ? null : new Date(updated),
  };
}
