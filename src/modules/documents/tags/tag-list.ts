/**
 * The headers `If-Match` and `If-None-Match`, read as RFC 9110 writes them (section 8.8.3, 13.1.1, 13.1.2): `*`, or
 * entity tags between commas. Any other value is malformed, and matches nothing.
 */
import type { TagSeal } from '../../../auth/tag-seal.ts';
import { parseTag, type EntityTag } from './etag.ts';

/** A header of entity tags: absent, `*`, or the tags of it that this service could have made. */
export type TagList = null | 'any' | readonly EntityTag[];

/** The detail of the problem with a malformed header. */
export const TAG_LIST_FORM = 'entity tags with their quotes, separated by commas, or *';

/** An entity tag at the place of the search: it contains no quote, no blank and no control character. */
const ENTITY_TAG = /(W\/)?"([!#-~\u0080-\uffff]*)"/y;

/**
 * Reads such a header; undefined when it is malformed. Foreign tags are dropped, because they match nothing. A weak tag
 * never matches under `If-Match` (strong comparison), while `If-None-Match` compares weakly; `weak` says which. Takes
 * one pass, whatever the header holds. Elements may be empty (section 5.6.1).
 */
export function parseTagList(seal: TagSeal, header: string, weak: boolean): TagList | undefined {
  if (isStar(header)) return 'any';
  const tags: EntityTag[] = [];
  /** True after an element that no comma has ended yet. */
  let behind = false;
  let at = 0;
  while (at < header.length) {
    const character = header[at];
    if (character === ',' || character === ' ' || character === '\t') {
      if (character === ',') behind = false;
      at += 1;
      continue;
    }
    ENTITY_TAG.lastIndex = at;
    const [whole, weakness, opaque = ''] = (behind ? null : ENTITY_TAG.exec(header)) ?? [];
    if (whole === undefined) return undefined;
    const tag = weakness === undefined || weak ? parseTag(seal, opaque) : undefined;
    if (tag !== undefined) tags.push(tag);
    at += whole.length;
    behind = true;
  }
  return tags;
}

/** A header's value has no blanks around it; a value in a body may have them. */
function isStar(text: string): boolean {
  return text.trim() === '*';
}
