/**
 * What the service itself knows of a document: who created it, when, and when it was last changed. Documents are given
 * it as fields whose names no client can write. A leaf without I/O.
 */
import { recall } from './caching/recall.ts';
import type { AuditFields } from './documents.ts';
import { isId } from './ids.ts';
import { storedType } from './types.ts';
import { faultOfName } from './field-names.ts';
import { ObjectId, type Fields, type Value } from './values/values.ts';

/** The names of the fields in filters, sorts, and `fields[<type>]`. */
export const AUDIT_FIELD_NAMES = ['$creator', '$created', '$updated'] as const;

export type AuditFieldName = (typeof AUDIT_FIELD_NAMES)[number];

const NAMES: ReadonlySet<string> = new Set(AUDIT_FIELD_NAMES);

export function isAuditField(name: string | undefined): name is AuditFieldName {
  return name !== undefined && NAMES.has(name);
}

/** Where the names have no meaning. */
export const NO_AUDIT_FIELDS =
  `${AUDIT_FIELD_NAMES.join(', ')} are known of stored documents alone, ` +
  'not of elements of arrays, nor of what a stage has made.';

/** Why a path can not lead into a document, or undefined when it can. `known`: whether the names above may begin it. */
export function faultOfPath(path: readonly string[], known = true): string | undefined {
  const [first, ...others] = path;
  if (!isAuditField(first)) return path.map(faultOfName).find((fault) => fault !== undefined);
  return known ? others.map(faultOfName).find((fault) => fault !== undefined) : NO_AUDIT_FIELDS;
}

/** As it leaves its collection: creation, change, type and id of the creator, with blanks between them. */
export function auditFieldsText({ creator, created, updated }: AuditFields): string {
  return `${created ?? ''} ${updated ?? ''} ${creator === null ? '' : `${creator.type} ${creator.id}`}`;
}

/** The inverse of `auditFieldsText`. */
export function readAuditFields(text: string): AuditFields {
  const [created = '', updated = '', type = '', id = ''] = text.split(' ');
  return {
    creator: isId(id) ? { type: storedType(type), id } : null,
    created: created === '' ? null : Number(created),
    updated: updated === '' ? null : Number(updated),
  };
}

/** The fields that filters, sorts and pipelines see. */
export function valuesOfAuditFields(text: string): Record<AuditFieldName, Value> {
  const { creator, created, updated } = readAuditFields(text);
  return {
    $creator: creator && { type: creator.type, id: new ObjectId(creator.id) },
    $created: created === null ? null : new Date(created),
    $updated: updated === null ? null : new Date(updated),
  };
}

const PLAIN = new WeakMap<Fields, Fields>();

/** A document without these fields: as expressions that name a whole document see it, be it as often as they like. */
export function withoutAuditFields(document: Fields): Fields {
  if (!AUDIT_FIELD_NAMES.some((name) => Object.hasOwn(document, name))) return document;
  return recall(PLAIN, document, (given) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !isAuditField(name))),
  );
}
