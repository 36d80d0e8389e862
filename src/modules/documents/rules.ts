/** Rules of permissions on what handlers write and show. A collection decides the rest, beside its rights. */
import { TOLD } from '../../domain/limits.ts';
import { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import type { Content, Document } from '../../domain/documents.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import type { Access } from '../../auth/access.ts';
import { shows, type Rule } from '../../domain/rules.ts';
import { attributesOf, attributesSeen, type Update } from '../../operators/update/update.ts';
import type { Exchange } from '../endpoint.ts';

/** The problems of fields that a permission does not let be written, by their places in the body of a document. */
export function notWritable(rule: Rule | null, { attributes, relationships }: Content): readonly Problem[] {
  return [
    ...Object.keys(attributes).map((name) => ['attributes', name] as const),
    ...Object.keys(relationships).map((name) => ['relationships', name] as const),
  ].flatMap(([member, name]) =>
    mayWrite(rule, name) ? [] : [notPermitted(name, pointerOf(placeOf('data', member, name)))],
  );
}

/**
 * The same of the operators of an update, which must not look at what the key does not show either: a hidden value could
 * be moved to where it is seen, or be told by how often it can be counted up. `reading` is the rule of a GET.
 */
export function notUpdatable(rule: Rule | null, update: Update, reading: Rule | null): readonly Problem[] {
  const pointer = pointerOf(placeOf('data', 'meta', 'update'));
  const written = [...attributesOf(update)].filter((name) => !mayWrite(rule, name));
  const hidden = [...attributesSeen(update)].filter(
    (name) => mayWrite(rule, name) && !(shows(rule, name) && shows(reading, name)),
  );
  return [
    ...written.map((name) => notPermitted(name, pointer)),
    ...hidden.map((name) => {
      const detail = `The API key does not show the field ${name.slice(0, 100)}, on whose value this depends.`;
      return problem('field-not-permitted', detail, { pointer });
    }),
  ].slice(0, TOLD.inBody);
}

/** The rule under which the key and user of a request read an address; null without one. */
export function ruleOfReading({ hasRules, viewerOf }: Access, path: string): Rule | null {
  if (!hasRules) return null;
  const reading = viewerOf(path);
  // Not known is not shown.
  if (reading === 'exhausted') return { where: null, check: null, read: [], write: [] };
  return reading?.rule ?? null;
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
