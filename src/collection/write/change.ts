/** Changes of a document as pure functions: what it is after a PATCH or a change of one relationship. */
import { decodeFields, encodeText } from '../../domain/codec.ts';
import {
  distinctLinks,
  flatten,
  keyOf,
  linksOf,
  unflatten,
  type Content,
  type Link,
  type Linkage,
  type Linkages,
} from '../../domain/documents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { Lru } from '../../domain/lru.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { fail, failed, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import type { StoredDocument } from '../storage/documents.ts';
import { keepFields } from './unchanged.ts';

/** Content in the stored encoding. Plain data: it crosses the object's RPC. */
export type StoredContent = Pick<StoredDocument, 'body' | 'relationships'>;

/** A change of a document. Plain data: it crosses the object's RPC. */
export type Change =
  /** Attributes and relationships replace or add those of their names. */
  | { readonly kind: 'merge'; readonly content: StoredContent }
  | { readonly kind: 'replace-links'; readonly name: string; readonly linkage: Linkage }
  | { readonly kind: 'add-links' | 'remove-links'; readonly name: string; readonly linkage: Linkage };

export function packContent(content: Content): StoredContent {
  const names = Object.keys(content.relationships);
  return {
    body: encodeText(flatten(content)),
    relationships: names.length === 0 ? null : JSON.stringify(names),
  };
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
 * Parts stored content without decoding its attributes, which is most of the work of showing a document. Relationships
 * stand behind the attributes (`flatten`); null where they do not, as those named like array positions.
 */
export function splitContent({ body, relationships }: StoredContent): SplitContent | null {
  if (relationships === null) return { attributes: body.slice(0, -1), relationships: {} };
  const linkages: [string, Linkage][] = [];
  // Of the comma or brace behind what is yet to be parted.
  let end = body.length - 1;
  for (const { name, key } of lastFirst(relationships)) {
    const at = body.lastIndexOf(key, end - key.length);
    // After anything else the quote belongs to a name that ends alike.
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

/** Relationships by the text of their names: few documents of a type have others than its others. */
const known = new Lru<string, readonly Relationship[]>(100);

interface Relationship {
  readonly name: string;
  /** As it stands before its linkage. */
  readonly key: string;
}

function lastFirst(relationships: string): readonly Relationship[] {
  const found = known.get(relationships);
  if (found !== undefined) return found;
  const names = JSON.parse(relationships) as string[];
  const made = names.map((name) => ({ name, key: `${JSON.stringify(name)}:` })).reverse();
  known.set(relationships, made);
  return made;
}

/** The linkage of a stored text; undefined for what is none. */
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
    links.push({ type, id });
    at += link.length;
    if (at < end && text[at] !== ',') return undefined;
    at += 1;
  }
  if (many) return text.endsWith(']') ? links : undefined;
  return links.length === 1 ? links[0] : undefined;
}

/** The document after the change, or why it can not be made. */
export function applyChange(before: StoredContent, change: Change): Outcome<StoredContent> {
  const content = unpackContent(before);
  const after =
    change.kind === 'merge' ? merge(content, unpackContent(change.content)) : relink(content, change);
  return after.ok ? withinSize(packContent(after.value)) : after;
}

/**
 * A change as it is for someone who may not read the document. Links are removed from whatever has the name: where there
 * are none, none are left, and nobody learns what else it is.
 */
export function blind(before: StoredContent, change: Change): Change {
  if (change.kind !== 'remove-links') return change;
  const names = JSON.parse(before.relationships ?? '[]') as string[];
  return names.includes(change.name) ? change : NO_CHANGE;
}

/**
 * Whether a change holds plain numbers that fit no kind (`Oversized`). Whether they are stored ones that come back is
 * not for those to learn who may not read the document.
 */
export function holdsOversized(change: Change): boolean {
  // In JSON text this can only be a tag: a quote inside a string is written with a backslash.
  return change.kind === 'merge' && change.content.body.includes('{"$number":');
}

const NO_CHANGE: Change = { kind: 'merge', content: { body: '{}', relationships: null } };

/** Refuses content past the size of a document (decisions, section 6). */
export function withinSize(content: StoredContent): Outcome<StoredContent> {
  // A UTF-16 unit is at most three bytes: most documents need no counting.
  const size = content.body.length * 3 <= LIMITS.document ? 0 : new TextEncoder().encode(content.body).length;
  return size > LIMITS.document
    ? fail(
        'document-too-large',
        `A document holds at most ${LIMITS.document} bytes; this one would have ${size}.`,
      )
    : ok(content);
}

/** Problems reported at most. */
const MOST_FAULTS = 50;

/** What comes back as answers show it stays as it is; the rest of the change replaces or adds. */
function merge(before: Content, change: Content): Outcome<Content> {
  const collisions = [
    ...collide('attributes', change.attributes, before.relationships),
    ...collide('relationships', change.relationships, before.attributes),
  ];
  if (collisions.length > 0) return failed(...collisions);
  const faults: Problem[] = [];
  const place = placeOf('data', 'attributes');
  const changed = keepFields(before.attributes, change.attributes, place, (at, digits) => {
    const pointer = pointerOf(at);
    faults.push(problem('invalid-value', `The number ${digits} fits no kind of number.`, { pointer }));
  });
  if (faults.length > 0) return failed(...faults.slice(0, MOST_FAULTS));
  return ok({
    attributes: { ...before.attributes, ...changed },
    relationships: { ...before.relationships, ...change.relationships },
  });
}

function collide(member: 'attributes' | 'relationships', changed: object, others: object) {
  const other = member === 'attributes' ? 'a relationship' : 'an attribute';
  return Object.keys(changed)
    .filter((name) => Object.hasOwn(others, name))
    .map((name) =>
      problem('field-collision', `The document has ${other} named ${name}.`, {
        pointer: pointerOf(placeOf('data', member, name)),
      }),
    );
}

type Relink = Exclude<Change, { readonly kind: 'merge' }>;

/** Why a document has no relationship that could be changed so, whatever the links are; or null. */
export function faultOfTarget(
  before: Content,
  { kind, name }: Pick<Relink, 'kind' | 'name'>,
): Problem | null {
  if (kind === 'remove-links') {
    return Object.hasOwn(before.relationships, name) ? null : noRelationship(before, name);
  }
  if (!Object.hasOwn(before.attributes, name)) return null;
  return problem('field-conflict', `The field ${name} of this document is an attribute.`);
}

/** The problem of a read, or of a removal, where there is no relationship of the name. */
export function noRelationship({ attributes }: Content, name: string): Problem {
  const detail = Object.hasOwn(attributes, name)
    ? `The field ${name} of this document is an attribute.`
    : `The document has no relationship ${name}.`;
  return problem('relationship-not-found', detail);
}

function relink(before: Content, change: Relink): Outcome<Content> {
  const { name } = change;
  const fault = faultOfTarget(before, change);
  if (fault !== null) return failed(fault);
  const current = Object.hasOwn(before.relationships, name) ? before.relationships[name] : undefined;
  const linkage = linkageAfter(current ?? null, change);
  return ok({
    attributes: before.attributes,
    relationships: Object.fromEntries([...Object.entries(before.relationships), [name, linkage]]),
  });
}

/** Adding and removing turn a to-one relationship into a to-many one (spec, Relationship endpoints). */
function linkageAfter(current: Linkage, { kind, linkage }: Relink): Linkage {
  switch (kind) {
    case 'replace-links':
      return linkage;
    case 'add-links':
      return distinctLinks([...linksOf(current), ...linksOf(linkage)]);
    case 'remove-links': {
      const removed = new Set(linksOf(linkage).map(keyOf));
      return linksOf(current).filter((link) => !removed.has(keyOf(link)));
    }
  }
}
