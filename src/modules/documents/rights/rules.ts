/** Rules of permissions on what handlers write and show. A collection decides the rest, beside its rights. */
import { TOLD } from '../../../domain/limits.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { Policy } from '../../../collection/rpc/rules.ts';
import { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import type { Content, Document } from '../../../domain/documents.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import type { Access } from '../../../auth/access.ts';
import { principalOf, shows, type Principal, type Rule } from '../../../domain/rules.ts';
import { storedType } from '../../../domain/types.ts';
import { attributesOf, attributesSeen, type Update } from '../../../operators/update/update.ts';
import type { RequestContext } from '../../endpoint.ts';

/** The problems of fields that a permission does not let be written, by their places in the body of a document. */
export function notWritable(rule: Rule | null, { attributes, relationships }: Content): readonly Problem[] {
  if (rule === null) return [];
  return [
    ...Object.keys(attributes).map((name) => ['attributes', name] as const),
    ...Object.keys(relationships).map((name) => ['relationships', name] as const),
  ].flatMap(([member, name]) =>
    mayWrite(rule, name) ? [] : [notPermitted(name, pointerOf(placeOf('data', member, name)))],
  );
}

/**
 * The same of the operators of an update, which must not look at what the key does not show either: a hidden value
 * could be moved to where it is seen, or be told by how often it can be counted up. `reading` is the rule of a GET.
 */
function notUpdatable(rule: Rule | null, update: Update, reading: Rule | null): readonly Problem[] {
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

/** Both, of a change. */
export function notChangeable(
  rule: Rule | null,
  { content, update }: { readonly content: Content; readonly update: Update | null },
  reading: () => Rule | null,
): readonly Problem[] {
  return [...notWritable(rule, content), ...(update === null ? [] : notUpdatable(rule, update, reading()))];
}

const NOTHING_SHOWN: Rule = { where: null, check: null, read: [], write: [] };

/** What the rules of one request say of the documents that it answers. */
const policies = new WeakMap<Access, Policy>();

/** The rule under which the key and user of a request read an address; null without one. */
export function ruleOfReading({ hasRules, viewerOf }: Access, path: string): Rule | null {
  if (!hasRules) return null;
  const reading = viewerOf(path);
  // Not known is not shown.
  if (reading === 'exhausted') return NOTHING_SHOWN;
  return reading?.rule ?? null;
}

/**
 * As whom a GET of the addressed document would be answered, where the key permits one and it is not as the request
 * itself: refusals and answers tell no more than that shows.
 */
export function readerOf(access: Access, path: string): Principal | undefined {
  if (!access.hasRules) return undefined;
  const reading = access.viewerOf(path);
  if (reading === null) return undefined;
  if (reading === 'exhausted') return { viewer: [], rule: NOTHING_SHOWN };
  const same = reading.rule === access.rule && (reading.viewer === null) === (access.viewer === null);
  return same ? undefined : principalOf(reading);
}

/** The name that the rights on a document have among its fields. */
export const ACL_FIELD = '$acl';

/** The problem of rights that a permission does not let be changed; none where it does. */
export function aclNotWritable(rule: Rule | null, pointer: string): readonly Problem[] {
  return mayWrite(rule, ACL_FIELD) ? [] : [notPermitted(ACL_FIELD, pointer)];
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
 * What the answer to a write may show of the document: what a permitted GET at its address would show.
 * Null for nothing.
 */
export async function shownOf(context: RequestContext, document: Document): Promise<Document | null> {
  const { access } = context;
  if (!access.hasRules || !(document instanceof LazyDocument)) return document;
  const reading = access.viewerOf(pathOfDocument(document.type, document.id));
  if (reading === 'exhausted') return null;
  if (reading === null || reading.rule === null) return document;
  // As a GET after the write.
  if (reading.rule.follows === true)
    await collectionOf(context, storedType(document.type)).follow(reading.rule);
  const policy = policies.get(access) ?? new Policy();
  policies.set(access, policy);
  return document.maySee(reading.rule, policy) ? document.seenAs(reading.rule.read) : null;
}
