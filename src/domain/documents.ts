/** Documents, links and their names: what every module means by them. A leaf without I/O. */
import { storedId, type DocumentId, type ApplicationId } from './ids.ts';
import { isAggregateType, storedType, type TypeName } from './types.ts';
import { isFields, ObjectId, type Fields, type Value } from './values/values.ts';
import { isList, mapFields } from './values/tree.ts';

export interface Link {
  readonly type: TypeName;
  readonly id: DocumentId;
}

/** A to-one relationship, an empty one, or a to-many relationship. */
export type Linkage = null | Link | readonly Link[];

export type Linkages = Readonly<Record<string, Linkage>>;

/** A document without its address. */
export interface Content {
  readonly attributes: Fields;
  readonly relationships: Linkages;
}

/** What the service itself knows of a document; null for nothing, as of those that a former release stored. */
export interface AuditFields {
  /** The user who created the document. */
  readonly creator: Link | null;
  /** Milliseconds since 1970, by the service's clock. */
  readonly created: number | null;
  readonly updated: number | null;
}

/** A document as its collection keeps it. */
export interface Document extends Content {
  readonly type: TypeName;
  readonly id: DocumentId;
  /** The collection's counter at the last change. */
  readonly version: number;
  /** The same for the document's ACL. */
  readonly aclVersion: number;
  /** Where it was asked for. */
  readonly auditFields?: AuditFields | undefined;
  /** JSON of what is counted of it, where it was asked for. */
  readonly counts?: string | undefined;
  /** The fields that whoever asked is shown; null for all. */
  readonly seen?: readonly string[] | null;
}

/** An application's collection of one document type. */
export interface CollectionName {
  readonly application: ApplicationId;
  readonly type: TypeName;
}

/** The links of a relationship in order, however many. */
export function linksOf(linkage: Linkage): readonly Link[] {
  if (linkage === null) return [];
  return isList(linkage) ? linkage : [linkage];
}

/** One string for a link or a document's identity. A space is in no type name. */
export function keyOf(link: Link): string {
  return `${link.type} ${link.id}`;
}

/** The inverse of `keyOf`. */
export function linkOf(key: string): Link {
  const [type = '', id = ''] = key.split(' ');
  return { type: storedType(type), id: storedId(id) };
}

/** Documents by type and id. */
export class DocumentMap {
  readonly #byKey = new Map<string, Document>();

  constructor(documents: Iterable<Document>) {
    for (const document of documents) this.add(document);
  }

  get(link: Link): Document | undefined {
    return this.#byKey.get(keyOf(link));
  }

  add(document: Document): void {
    this.#byKey.set(keyOf(document), document);
  }
}

/** Links without repetition, first come first (decisions, section 2: the same link twice is stored once). */
export function distinctLinks(links: readonly Link[]): readonly Link[] {
  return [...new Map(links.map((link) => [keyOf(link), link])).values()];
}

/** The flat form that storage, filters and pipelines see, without `id` and `type`. */
export function flatten(content: Content): Fields {
  if (Object.keys(content.relationships).length === 0) return content.attributes;
  return { ...content.attributes, ...mapFields(content.relationships, flattenLinkage) };
}

/** The inverse of `flatten`, given which fields are relationships. */
export function unflatten(flat: Fields, relationshipNames: readonly string[]): Content {
  if (relationshipNames.length === 0) return { attributes: flat, relationships: {} };
  const names = new Set(relationshipNames);
  const entries = Object.entries(flat);
  return {
    attributes: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    relationships: Object.fromEntries(
      entries.filter(([name]) => names.has(name)).map(([name, value]) => [name, unflattenLinkage(value)]),
    ),
  };
}

function flattenLinkage(linkage: Linkage): Value {
  if (linkage === null) return null;
  // Only what is stored has object ids.
  const flat = ({ type, id }: Link): Fields => ({ type, id: isAggregateType(type) ? id : new ObjectId(id) });
  return isList(linkage) ? distinctLinks(linkage).map(flat) : flat(linkage);
}

function unflattenLinkage(value: Value): Linkage {
  if (isList(value)) return value.map(unflattenLink);
  return value === null ? null : unflattenLink(value);
}

function unflattenLink(value: Value): Link {
  if (isFields(value)) {
    const { type, id } = value;
    const text = id instanceof ObjectId ? id.hex : id;
    if (typeof type === 'string' && typeof text === 'string')
      return { type: storedType(type), id: storedId(text) };
  }
  throw new TypeError('A stored relationship holds what is no link.');
}
