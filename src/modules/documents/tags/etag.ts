/**
 * Entity tags: a version vector in an opaque quoted string. For every type in an answer it holds the last version that
 * the answer shows, a number of the collection's counter; a document is unchanged iff its version is not above. So one
 * tag is valid for each document of its answer, its size grows with types, not with documents, and what is hidden
 * changes no tag.
 *
 * Counters are keyed by digests of application and type together: a tag of another application matches nothing. In the
 * text they are sealed: nobody counts by them what others write.
 *
 * Three digests cover what counters cannot show: `view`, who was looking with which permissions (so which documents
 * could be shown); `set`, which documents an answer listed or included in which order; and `subject`, which document an
 * answer was about. A tag also names the representation of the answer (`wrapped`, `csv`): tags are strong, and the same
 * document has other bytes in the other representation.
 */
import { fromBase64, toBase64Url } from '../../../domain/values/base64.ts';
import type { TagSeal } from '../../../auth/tag-seal.ts';
import { digest32, digest64 } from '../../../domain/digest.ts';
import type { ApplicationId } from '../../../domain/ids.ts';

/** What counters cannot show. Digests are 16 hexadecimal digits, or null. */
export interface Digests {
  /** Null if every viewer of the document sees the same; this excludes users, whose passwords only few viewers see. */
  readonly view: string | null;
  /** Null for an answer that shows one document, and nothing else. */
  readonly set: string | null;
  /** By `subjectOf`; null for an answer that is not about a single document. */
  readonly subject: string | null;
  /** True for an answer in the extended-json profile. */
  readonly wrapped: boolean;
  readonly csv: boolean;
  /** True where documents show counters, which come and go with the settings of their type. */
  readonly counted: boolean;
  /** True for an answer about a document that shows others, too. */
  readonly shared: boolean;
}

export interface EntityTag extends Digests {
  /** Counters by `typeKey`. */
  readonly counters: ReadonlyMap<number, number>;
  readonly seal: TagSeal;
  /** Whether this process has given it out: if not, it may be of a past that is gone (the data were put back). */
  readonly own: boolean;
}

/** The short key that a type of an application has in a tag. Ids of applications hold no slash. */
export function typeKey(application: ApplicationId, type: string): number {
  return digest32(`${application}/${type}`);
}

/** The digest of a document that an answer is about. */
export function subjectOf(
  application: ApplicationId,
  { type, id }: { readonly type: string; readonly id: string },
): string {
  return digest64(`${application}/${type}/${id}`);
}

/**
 * A tag for counters by type. If two types share a key, the tag keeps the older counter: it may fail to answer 304, but
 * never answers it wrongly.
 */
export function tagOf(
  seal: TagSeal,
  application: ApplicationId,
  counters: ReadonlyMap<string, number>,
  {
    view = null,
    set = null,
    subject = null,
    wrapped = false,
    csv = false,
    counted = false,
    shared = false,
  }: Partial<Digests> = {},
): EntityTag {
  const byKey = new Map<number, number>();
  for (const [type, counter] of counters) {
    const key = typeKey(application, type);
    byKey.set(key, Math.min(counter, byKey.get(key) ?? counter));
  }
  return { seal, own: true, counters: byKey, view, set, subject, wrapped, csv, counted, shared };
}

/** Flags of the present digests, in the order of their bytes, and of the representation. */
const HAS_VIEW = 1;
const HAS_SET = 2;
const HAS_SUBJECT = 4;
const WRAPPED = 8;
const CSV = 16;
const COUNTED = 32;
const SHARED = 64;

/** The header form, quotes included. Keys ascend, so that equal tags have equal texts. */
export function formatTag(tag: EntityTag): string {
  const { seal, counters, view, set, subject, wrapped, csv, counted, shared } = tag;
  const bytes = [
    (view === null ? 0 : HAS_VIEW) |
      (set === null ? 0 : HAS_SET) |
      (subject === null ? 0 : HAS_SUBJECT) |
      (wrapped ? WRAPPED : 0) |
      (csv ? CSV : 0) |
      (counted ? COUNTED : 0) |
      (shared ? SHARED : 0),
  ];
  pushWord(bytes, seal.origin);
  for (const digest of [view, set, subject]) {
    if (digest !== null) pushHex(bytes, digest);
  }
  let previous = 0;
  const ascending = counters.size === 1 ? counters : [...counters].sort(([a], [b]) => a - b);
  for (const [key, counter] of ascending) {
    pushNumber(bytes, key - previous);
    const [high, low] = seal.seal(key, counter);
    pushWord(bytes, high);
    pushWord(bytes, low);
    previous = key;
  }
  return `"${toBase64Url(Uint8Array.from(bytes))}"`;
}

/**
 * The tag of an opaque string without its quotes, or undefined for one that this service never made. The numbers of one
 * whose secret is gone are any.
 */
export function parseTag(seal: TagSeal, opaque: string): EntityTag | undefined {
  if (!/^[A-Za-z0-9_-]{2,8192}$/.test(opaque)) return undefined;
  const bytes = fromBase64(opaque) ?? new Uint8Array();
  const [flags = NaN] = bytes;
  if (!(flags <= (HAS_VIEW | HAS_SET | HAS_SUBJECT | WRAPPED | CSV | COUNTED | SHARED))) return undefined;
  let at = 1;
  const digest = (): string => {
    const part = bytes.slice(at, at + 8);
    at += 8;
    return part.toHex();
  };
  const word = (): number => {
    const part = bytes.slice(at, at + 4);
    at += 4;
    return part.length < 4 ? NaN : parseInt(part.toHex(), 16);
  };
  const number = (): number => {
    let value = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    return NaN;
  };
  const origin = word();
  const view = flags & HAS_VIEW ? digest() : null;
  const set = flags & HAS_SET ? digest() : null;
  const subject = flags & HAS_SUBJECT ? digest() : null;
  const sealed: (readonly [number, readonly [number, number]])[] = [];
  let key = 0;
  while (at < bytes.length) {
    key += number();
    sealed.push([key, [word(), word()]]);
  }
  if (at !== bytes.length) return undefined;
  const own = seal.all.find((each) => each.origin === origin);
  // Of those that another process has given out, the numbers tell the secret.
  const counters = (own === undefined ? seal.all : [own])
    .map((each) => new Map(sealed.map(([type, number]) => [type, each.open(type, number)])))
    .find((numbers) => [...numbers].flat().every(Number.isSafeInteger));
  const has = (flag: number) => (flags & flag) !== 0;
  const shown = { wrapped: has(WRAPPED), csv: has(CSV), counted: has(COUNTED), shared: has(SHARED) };
  return counters && { seal, own: own !== undefined, counters, view, set, subject, ...shown };
}

/** The bytes of a digest, four at a time. */
function pushHex(bytes: number[], digits: string): void {
  for (let at = 0; at < digits.length; at += 8) pushWord(bytes, parseInt(digits.slice(at, at + 8), 16));
}

function pushWord(bytes: number[], word: number): void {
  bytes.push(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255);
}

/** Seven bits a byte, the low ones first; the high bit says that more follow. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

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
  // A header's value has no blanks around it; a value in a body may have them.
  if (header.trim() === '*') return 'any';
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
