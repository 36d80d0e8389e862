/** Documents as they cross the object's RPC, and as they are stored: text, decoded where it is needed. */
import { decodeFields, encodeText } from '../../../domain/values/codec.ts';
import {
  flatten,
  unflatten,
  type Content,
  type Link,
  type Linkage,
  type Linkages,
} from '../../../domain/documents.ts';
import { keptId, type DocumentId } from '../../../domain/ids.ts';
import { Lru } from '../../../domain/caching/lru.ts';
import { fieldsOfProvenance } from '../../../domain/provenance.ts';
import { keptType } from '../../../domain/types.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { recall } from '../../../domain/caching/recall.ts';

/** A document as it leaves the collection: the caller decodes the body if it needs to; the object does not. */
export interface StoredDocument {
  readonly id: DocumentId;
  readonly version: number;
  /** The stored encoding of the flat document (domain/codec.ts). */
  readonly body: string;
  /** JSON array of the names of relationships, or null. */
  readonly relationships: string | null;
  /** The number of the last change of the document's ACL. */
  readonly aclVersion: number;
  /** What the service knows of it (domain/provenance.ts), where it was asked for. */
  readonly provenance?: string;
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

/** A stored document as filters and indexes see it, without `id` and `type`; with what is known of it, if that is there. */
export function flatOf({ body, provenance }: Pick<StoredDocument, 'body' | 'provenance'>): Fields {
  const fields = decodeFields(body);
  return provenance === undefined ? fields : { ...fields, ...fieldsOfProvenance(provenance) };
}

export function unpackContent({ body, relationships }: StoredContent): Content {
  return unflatten(decodeFields(body), relationships === null ? [] : (JSON.parse(relationships) as string[]));
}

/** Content of which only the links were read. */
export interface SplitContent {
  /** The stored encoding of the attributes without its last brace: a part of the body, so that nothing is copied. */
  readonly attributes: string;
  readonly relationships: Linkages;
}

const LINK = /\{"type":"([\w.-]+)","id":\{"\$oid":"([0-9a-f]{24})"\}\}/y;

/**
 * Splits stored content without decoding its attributes, which would be most of the work of showing a document.
 * Relationships come after the attributes (`flatten`); null if they do not, as when their names look like array
 * positions.
 */
export function splitContent({ body, relationships }: StoredContent): SplitContent | null {
  if (relationships === null) return { attributes: body.slice(0, -1), relationships: {} };
  const linkages: [string, Linkage][] = [];
  // The position of the comma or brace after the part that is not split yet.
  let end = body.length - 1;
  for (const { name, key } of lastFirst(relationships)) {
    const at = body.lastIndexOf(key, end - key.length);
    // After any other character the quote belongs to a name with the same ending.
    const isField = body[at - 1] === ',' || at === 1;
    const linkage = isField ? readLinkage(body.slice(at + key.length, end)) : undefined;
    if (linkage === undefined) return null;
    linkages.unshift([name, linkage]);
    end = at - 1;
  }
  return {
    attributes: end === 0 ? '{' : body.slice(0, end),
    relationships: Object.fromEntries(linkages),
  };
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

/** The linkage of a stored text; undefined for a text that is not a linkage. */
function readLinkage(text: string): Linkage | undefined {
  if (text === 'null') return null;
  const many = text.startsWith('[');
  const links: Link[] = [];
  let at = many ? 1 : 0;
  const end = many ? text.length - 1 : text.length;
  while (at < end) {
    LINK.lastIndex = at;
    const [link, type, id] = LINK.exec(text) ?? [];
    if (link === undefined || type === undefined || id === undefined) return undefined;
    links.push({ type: keptType(type), id: keptId(id) });
    at += link.length;
    if (at < end && text[at] !== ',') return undefined;
    at += 1;
  }
  if (many) return text.endsWith(']') ? links : undefined;
  return links.length === 1 ? links[0] : undefined;
}
