/** Documents as they cross the object's RPC, and as they are stored: text, decoded where it is needed. */
import { decodeFields, encodeText, type StoredFields } from './codec.ts';
import { flatten, unflatten, type Content, type Link, type Linkage, type Linkages } from '../documents.ts';
import { storedId, type DocumentId } from '../ids.ts';
import { Lru } from '../caching/lru.ts';
import { valuesOfAuditFields } from '../audit-fields.ts';
import { storedType } from '../types.ts';
import type { Fields } from './values.ts';
import { recall } from '../caching/recall.ts';

/** A document as it leaves the collection: the caller decodes the body if it needs to; the object does not. */
export interface StoredDocument {
  readonly id: DocumentId;
  readonly version: number;
  /** The stored encoding of the flat document (codec.ts). */
  readonly body: string;
  /** JSON array of the names of relationships, or null. */
  readonly relationships: string | null;
  /** The number of the last change of the document's ACL. */
  readonly aclVersion: number;
  /** What the service knows of it (domain/audit-fields.ts), where it was asked for. */
  readonly auditFields?: string;
  /** JSON of the numbers that its type shows (docs/types.md), by their names, where they were asked for. */
  readonly counts?: string;
}

/** Content in the stored encoding. Plain data: it crosses the object's RPC. */
export type StoredContent = Pick<StoredDocument, 'body' | 'relationships'>;

export function packContent(content: Content): StoredContent {
  const names = Object.keys(content.relationships);
  return {
    body: encodeText(flatten(content)),
    relationships: names.length === 0 ? null : JSON.stringify(names),
  };
}

/** A stored document as filters and indexes see it, without `id` and `type`; with its audit fields, if given. */
export function flatOf({ body, auditFields }: Pick<StoredDocument, 'body' | 'auditFields'>): Fields {
  const fields = decodeFields(body);
  return auditFields === undefined ? fields : { ...fields, ...valuesOfAuditFields(auditFields) };
}

export function unpackContent({ body, relationships }: StoredContent): Content {
  return unflatten(decodeFields(body), relationships === null ? [] : (JSON.parse(relationships) as string[]));
}

/** The fields of stored content, not decoded: attributes, and linkages as they are stored. */
export interface StoredParts {
  readonly attributes: StoredFields;
  readonly relationships: StoredFields;
}

export function partsOf({ body, relationships }: StoredContent): StoredParts {
  const fields = JSON.parse(body) as StoredFields;
  if (relationships === null) return { attributes: fields, relationships: {} };
  const names = new Set(JSON.parse(relationships) as string[]);
  const attributes: [string, StoredFields[string]][] = [];
  const linkages: [string, StoredFields[string]][] = [];
  for (const field of Object.entries(fields)) (names.has(field[0]) ? linkages : attributes).push(field);
  return { attributes: Object.fromEntries(attributes), relationships: Object.fromEntries(linkages) };
}

export function packParts({ attributes, relationships }: StoredParts): StoredContent {
  const names = Object.keys(relationships);
  return {
    body: JSON.stringify({ ...attributes, ...relationships }),
    relationships: names.length === 0 ? null : JSON.stringify(names),
  };
}

/** Content whose parts are still in the stored encoding. */
export interface SplitContent {
  /** The attributes without their last brace: a part of the body, so that nothing is copied. */
  readonly attributes: string;
  /** The linkage of each relationship: parts of the body, too. */
  readonly linkages: readonly StoredLinkage[];
}

interface StoredLinkage {
  readonly name: string;
  /** The stored text. */
  readonly linkage: string;
}

/** Without relationships. */
const NO_LINKAGES: readonly StoredLinkage[] = [];

const LINK = /\{"type":"([\w.-]+)","id":\{"\$oid":"([0-9a-f]{24})"\}\}/y;

/**
 * Splits stored content without decoding it, which would be most of the work of showing a document. Relationships come
 * after the attributes (`flatten`); null if they do not, as when their names look like array positions.
 */
export function splitContent({ body, relationships }: StoredContent): SplitContent | null {
  if (relationships === null) return { attributes: body.slice(0, -1), linkages: NO_LINKAGES };
  const names = lastFirst(relationships);
  // As long as it becomes: an array that grows takes room for more than a document has.
  const linkages = new Array<StoredLinkage>(names.length);
  let left = names.length;
  // The position of the comma or brace after the part that is not split yet.
  let end = body.length - 1;
  for (const { name, key } of names) {
    const at = body.lastIndexOf(key, end - key.length);
    // After any other character the quote belongs to a name with the same ending.
    const isField = body[at - 1] === ',' || at === 1;
    const linkage = body.slice(at + key.length, end);
    if (!isField || !isLinkage(linkage)) return null;
    left -= 1;
    linkages[left] = { name, linkage };
    end = at - 1;
  }
  return { attributes: end === 0 ? '{' : body.slice(0, end), linkages };
}

export function relationshipsOf({ linkages }: Pick<SplitContent, 'linkages'>): Linkages {
  return Object.fromEntries(linkages.map(({ name, linkage }) => [name, readLinkage(linkage)]));
}

/** Relationships by the text of their names: most documents of a type have the same names. */
const known = new Lru<string, readonly Relationship[]>(100);

interface Relationship {
  readonly name: string;
  /** The text in front of its linkage. */
  readonly key: string;
}

function lastFirst(relationships: string): readonly Relationship[] {
  return recall(known, relationships, () =>
    (JSON.parse(relationships) as string[])
      .map((name) => ({ name, key: `${JSON.stringify(name)}:` }))
      .reverse(),
  );
}

/** Whether a part of stored content is a linkage. */
function isLinkage(text: string): boolean {
  if (text === 'null' || text === '[]') return true;
  const many = text.startsWith('[');
  const end = many ? text.length - 1 : text.length;
  // Before each link is a bracket or a comma.
  for (let at = many ? 1 : 0; ; at = LINK.lastIndex + 1) {
    LINK.lastIndex = at;
    if (!LINK.test(text)) return false;
    if (LINK.lastIndex === end) return !many || text.endsWith(']');
    if (!many || text[LINK.lastIndex] !== ',') return false;
  }
}

/** The linkage of a stored text that is one. */
function readLinkage(text: string): Linkage {
  const many = text.startsWith('[');
  const links: Link[] = [];
  LINK.lastIndex = many ? 1 : 0;
  for (let found = LINK.exec(text); found !== null; found = LINK.exec(text)) {
    const [, type = '', id = ''] = found;
    links.push({ type: storedType(type), id: storedId(id) });
    // A comma, or the end.
    LINK.lastIndex += 1;
  }
  return many ? links : (links[0] ?? null);
}
