/** What the service knows of a document in answers: the `meta` of its resource object, if `fields[<type>]` names it. */
import type { Document } from '../../../domain/documents.ts';
import { presentTime, type Presentable } from '../../../domain/values/present.ts';
import { shows } from '../../../domain/rules.ts';
import { isAuditField, type AuditFieldName } from '../../../domain/audit-fields.ts';
import type { RequestContext } from '../../endpoint.ts';

/** Whether the query asks for these in documents of a type, and for which counters; null for all. */
export function asksOf({ query }: Pick<RequestContext, 'query'>, type: string) {
  const selected = [...(query.fields.get(type) ?? [])];
  return { auditFields: selected.some(isAuditField), counters: query.fields.has(type) ? selected : null };
}

/** The members that the query asks for; null for none. */
export function presentAuditFields(
  { type, auditFields, seen = null }: Pick<Document, 'type' | 'auditFields' | 'seen'>,
  { query, wrapped }: Pick<RequestContext, 'query' | 'wrapped'>,
): Readonly<Record<string, Presentable>> | null {
  const fields = query.fields.get(type);
  if (fields === undefined || auditFields === undefined) return null;
  const selected = { has: (name: AuditFieldName) => fields.has(name) && shows({ read: seen }, name) };
  const time = (at: number | null): Presentable => (at === null ? null : presentTime(at, wrapped));
  const { creator, created, updated } = auditFields;
  const shown = {
    ...(selected.has('$creator') && { creator: creator && { type: creator.type, id: creator.id } }),
    ...(selected.has('$created') && { created: time(created) }),
    ...(selected.has('$updated') && { updated: time(updated) }),
  };
  return Object.keys(shown).length > 0 ? shown : null;
}
