/** Rules of permissions on what handlers write and show. A collection decides the rest, beside its rights. */
import { LazyDocument } from '../../collection/rpc/documents.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import type { Content, Document } from '../../domain/documents.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import type { Rule } from '../../domain/rules.ts';
import type { Exchange } from '../endpoint.ts';

/** The problems of fields that a permission does not let be written, by their places in the body of a document. */
export function notWritable(
  rule: Rule | null,
  { attributes, relationships }: Content,
  updated: readonly string[] = [],
): readonly Problem[] {
  if (rule === null || rule.write === null) return [];
  return [
    ...Object.keys(attributes).map((name) => ['attributes', name] as const),
    ...Object.keys(relationships).map((name) => ['relationships', name] as const),
    ...updated.map((name) => ['meta', name] as const),
  ].flatMap(([member, name]) => {
    const place = member === 'meta' ? placeOf('data', 'meta', 'update') : placeOf('data', member, name);
    return mayWrite(rule, name) ? [] : [notPermitted(name, pointerOf(place))];
  });
}

/** Whether a permission lets a field be written. */
export function mayWrite(rule: Rule | null, name: string): boolean {
  return rule === null || rule.write === null || rule.write.includes(name);
}

/** A field must not be written, as the pointer says. */
export function notPermitted(name: string, pointer: string): Problem {
  const detail = `The API key does not permit the field ${name.slice(0, 100)} to be written.`;
  return problem('field-not-permitted', detail, { pointer });
}

/**
 * What the answer to a write may show of the document: what a GET at its address would show, where the key permits one.
 * Null for nothing.
 */
export function shownOf({ access }: Exchange, document: Document): Document | null {
  if (!access.hasRules || !(document instanceof LazyDocument)) return document;
  const reading = access.viewerOf(pathOfDocument(document.type, document.id));
  if (reading === 'exhausted') return null;
  if (reading === null || reading.rule === null) return document;
  return document.maySee(reading.rule) ? document.seenAs(reading.rule.read) : null;
}
