/** Conditional requests (RFC 9110, section 13): the two headers, and what their tags say of an answer. */
import type { IfMatch } from '../../collection/precondition.ts';
import { parseTag, typeKey, type EntityTag } from './etag.ts';

/** A header of entity tags: absent, `*`, or the tags this service could have made. */
export type TagList = null | 'any' | readonly EntityTag[];

/**
 * Reads `If-Match` or `If-None-Match`. Foreign tags are dropped: they match nothing. A weak tag never matches under
 * If-Match (strong comparison), while If-None-Match compares weakly; `weak` says which.
 */
export function parseTagList(header: string | null, weak: boolean): TagList {
  if (header === null) return null;
  if (header.trim() === '*') return 'any';
  const tags: EntityTag[] = [];
  for (const [, weakness, opaque = ''] of header.matchAll(/(W\/)?"([^"]*)"/g)) {
    const tag = weakness === undefined || weak ? parseTag(opaque) : undefined;
    if (tag !== undefined) tags.push(tag);
  }
  return tags;
}

/** What an `If-Match` means to the collection of one type. */
export function ifMatchOf(list: TagList, type: string): IfMatch {
  if (list === null || list === 'any') return list;
  const key = typeKey(type);
  return list.flatMap((tag) => tag.counters.get(key) ?? []);
}

/** What an answer is made of, as far as tags can tell. */
export interface Composition {
  /** Type and version of each document shown, and of each one deleted that would have been shown. */
  readonly stamps: readonly { readonly type: string; readonly version: number }[];
  readonly view: string | null;
  readonly set: string | null;
}

/** True when one of the tags says that nothing of the answer has changed (spec, Conditional requests, rule 2). */
export function isUnchanged(list: TagList, { stamps, view, set }: Composition): boolean {
  if (list === null) return false;
  if (list === 'any') return true;
  return list.some(
    (tag) =>
      (view === null || view === tag.view) &&
      (set === null || set === tag.set) &&
      stamps.every(({ type, version }) => version <= (tag.counters.get(typeKey(type)) ?? -1)),
  );
}
