/** What a caller can write: new documents, changes, lists of both. Plain data: it crosses the object's RPC. */
import { linksOf, type Content, type Link, type Linkage } from '../../../domain/documents.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import { namedBy, type Acl, type AclLevel, type Grant, type Viewer } from '../../../domain/rights.ts';
import type { Principal, Rule, Seen } from '../../../domain/rules.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { madeId, type DocumentId } from '../../../domain/ids.ts';
import type { Update } from '../../../operators/update/update.ts';
import type { StoredContent, StoredDocument } from '../../../domain/values/stored.ts';
import type { FieldName } from '../../../domain/field-names.ts';
import type { ListRequest } from '../results.ts';

/** A new document. Plain data: it crosses the object's RPC. */
export interface Draft {
  /** The id that the client has chosen; the settings of the type must allow it. */
  readonly id?: DocumentId;
  /** The id that the service has made already, where it must say something. */
  readonly given?: DocumentId;
  readonly content: StoredContent;
  /** Stands in the content for the id that the document will get, if it links to itself. */
  readonly own?: DocumentId;
  /** Identities that get every right; none by default. */
  readonly owners?: readonly string[];
  /** Who asks, where rights decide whether they see the new document; none are checked where it is absent. */
  readonly viewer?: Viewer;
  /** The user behind the request, if it is known. */
  readonly creator?: Link | null;
  /** True when the document is an identity that gets every right on itself. */
  readonly ownsItself?: boolean;
  /** Rights beside those, by the names of their members in an ACL. */
  readonly grants?: Readonly<Record<string, Grant>>;
  /** The rule that the new document must meet. */
  readonly rule: Rule | null;
  /** Attributes as sent, where they are stored in another form (`encodeText`): for schemas. */
  readonly overlay?: string;
  /** A value that no other document has, in addition to its unique attributes: where one has it, that is the result. */
  readonly unique?: { readonly name: string; readonly value: string };
  readonly once?: Once;
}

/** A change of a document, of content as stored or decoded. As stored, it is plain data and crosses objects' RPC. */
export type Change<Encoding = StoredContent> =
  /** Attributes and relationships replace or add those of their names. */
  | {
      readonly kind: 'merge';
      readonly content: Encoding;
      /** Operators (operators/update/update.ts) that change attributes where they are, in the stored encoding. */
      readonly update?: string;
      /** True where the content is all that the document has from then on. */
      readonly whole?: true;
    }
  | { readonly kind: 'replace-links'; readonly name: FieldName; readonly linkage: Linkage }
  | { readonly kind: 'add-links' | 'remove-links'; readonly name: FieldName; readonly linkage: Linkage };

/** The change that attributes, relationships and operators make together. */
export function mergeOf(content: Content, update: Update | null): Merge<Content> {
  return {
    kind: 'merge',
    content,
    // A tree of values is a value itself.
    ...(update !== null && { update: encodeText(update) }),
  };
}

/** What a link or an identity takes at rest, about, in UTF-16 units. */
const UNITS_OF_LINK = 64;

/** About how much a change brings, in UTF-16 units. */
export function unitsOfChange(change: Change): number {
  if (change.kind === 'merge') return change.content.body.length + (change.update?.length ?? 0);
  return change.kind === 'remove-links' ? 0 : linksOf(change.linkage).length * UNITS_OF_LINK;
}

/** The same of a change of rights. */
export function unitsOfGrants(grants: Readonly<Record<string, Grant>>): number {
  return Object.values(grants).reduce((sum, grant) => sum + namedBy(grant).length * UNITS_OF_LINK, 0);
}

/** A change of attributes and relationships. */
export type Merge<Encoding = StoredContent> = Extract<Change<Encoding>, { readonly kind: 'merge' }>;

export type Relink = Exclude<Change, Merge>;

/** Why this change of a relationship is impossible, whatever the links are; or null. */
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
export function noRelationship({ attributes }: Content, name: FieldName): Problem {
  const detail = Object.hasOwn(attributes, name)
    ? `The field ${name} of this document is an attribute.`
    : `The document has no relationship ${name}.`;
  return problem('relationship-not-found', detail);
}

/** Who does an operation, as the permission that admits it says. */
export interface Actor extends Principal {
  /** Identities that get every right on what is added. */
  readonly owners: readonly string[];
  /** The creator of what is added, if it is known. */
  readonly creator: Link | null;
}

/** A list of writes. Plain data: it crosses the object's RPC. */
export interface WriteList<Encoding = StoredContent> {
  /** Operations name these by position: most lists have one. */
  readonly actors: readonly Actor[];
  readonly operations: readonly Operation<Encoding>[];
  /** True when an operation that fails is left out, and the others are performed. */
  readonly goesOn?: true;
  /** True where all of it was done before, and undone: what that has found to be allowed is done again. */
  readonly again?: true;
  readonly once?: Once;
  /** Tells its changes from those of others, in every collection that it writes. */
  readonly transaction?: string;
  /** What rules have looked at in this collection, also those of other shares of a transaction. */
  readonly seen?: readonly Seen[];
}

/** What must not have changed since rules have looked at it, where a list is written. */
export function seenBy({ actors, seen = [] }: WriteList): readonly Seen[] {
  return [...seen, ...actors.flatMap(({ rule }) => rule?.seen ?? [])];
}

interface Common {
  readonly actor: number;
  /** As whom a GET of the document would be answered, by its position among the actors, where that is another. */
  readonly reader?: number;
  /** Ids of this collection that the operation links to: these documents must exist when the operation runs. */
  readonly links?: readonly DocumentId[];
  /** True when the content is invalid: the operation will fail, unless an earlier check refuses it. */
  readonly faulty?: true;
  /** What is wrong with links to other collections: the failure tells it again. */
  readonly foreign?: readonly Problem[];
  /** True when the content holds local ids. */
  readonly local?: true;
  /** Its position in the whole list, where this one is a share of it (transactions.ts). */
  readonly place?: number;
  /** Whether the result has the document, or the ACL: the sender has what is added, but may not be shown all. */
  readonly wanted?: boolean;
}

/** One write. An id may be `localId(n)`: the id of the document that the operation at n has added before. */
export type Operation<Encoding = StoredContent> = Common & Action<Encoding>;

/** What it does. `Match`: the precondition, before or after the tags are opened. */
export type Action<Encoding = StoredContent, Match = IfMatch> =
  | {
      readonly kind: 'add';
      /** The id that the client has chosen. */
      readonly id?: DocumentId;
      /** The id that the collection has given out before. */
      readonly given?: DocumentId;
      readonly content: Encoding;
      /** Rights by the names of their members in an ACL. */
      readonly grants?: Readonly<Record<string, Grant>>;
    }
  | {
      readonly kind: 'change';
      readonly id: DocumentId;
      readonly change: Change<Encoding>;
      readonly ifMatch: Match;
    }
  | {
      readonly kind: 'acl';
      readonly id: DocumentId;
      readonly level: AclLevel;
      /** By the names of their members in the ACL; the others stay. */
      readonly grants: Readonly<Record<string, Grant>>;
      readonly ifMatch: Match;
    }
  /** A test changes nothing: it fails where the document may not be read, or is not as the tag says. */
  | {
      readonly kind: 'remove' | 'test';
      readonly id: DocumentId;
      readonly ifMatch: Match;
      /** Of a test: whether there must be no such document. */
      readonly absent?: true;
    };

/** What a list adds: documents, and about how many UTF-16 units. */
export function unitsOfList({ operations }: Pick<WriteList, 'operations'>): {
  readonly documents: number;
  readonly bytes: number;
} {
  let [documents, bytes] = [0, 0];
  for (const operation of operations) {
    if (operation.kind === 'add') {
      documents += 1;
      bytes += operation.content.body.length;
    }
    if (operation.kind === 'change') bytes += unitsOfChange(operation.change);
    if (operation.kind === 'acl') bytes += unitsOfGrants(operation.grants);
  }
  return { documents, bytes };
}

/** The result of a write. */
export interface Done<Form = StoredDocument> {
  readonly id: DocumentId;
  readonly version: number;
  /** What the service knows of a document that was added. */
  readonly auditFields?: string;
  /** The document, if the caller wants it and the actor may read it. */
  readonly document?: Form;
  /** The same of rights that were changed. */
  readonly acl?: Acl;
  /** Of the first in a list that has written: the id of the list. */
  readonly transaction?: string;
}

export interface Failure {
  /** The position of the operation that failed; null where the whole list is refused. */
  readonly at: number | null;
  /** Empty when only links are missing, or the content was known to be invalid. */
  readonly problems: readonly Problem[];
  /** Positions in the operation's `links` of documents that do not exist. */
  readonly missing: readonly number[];
  /** Problems of links to other collections. */
  readonly foreign?: readonly Problem[];
}

/** The result of a write, or why it was left out. */
export type Attempt<Form = StoredDocument> = Done<Form> | { readonly failure: Failure };

/** What a list has come to, or why nothing of it was done. */
export type ListOutcome<T> =
  | { readonly ok: true; readonly done: T }
  | { readonly ok: false; readonly failure: Failure };

export type WriteListResult<Form = StoredDocument> = ListOutcome<readonly Attempt<Form>[]>;

/** A name for the id that a document will get. Ids of clients have no capital letters: they are read in lower case. */
export function localId(operation: number): DocumentId {
  return madeId(`LID${operation}`);
}

const LOCAL_ID = /^LID(\d+)$/;

/** In a draft that is created alone: the id that it will get itself. */
export const OWN_ID = localId(0);

/** The operation that adds the document of a local id, or null for an ordinary id. */
export function localIdOf(id: DocumentId): number | null {
  const [, at] = LOCAL_ID.exec(id) ?? [];
  return at === undefined ? null : Number(at);
}

/** What tells a request that is done once, however often it is sent (`Idempotency-Key`), from every other one. */
export interface Once {
  /** A digest of the API key, the user, the path and the header. */
  readonly key: string;
  /** A digest of the API key and the user: what is kept is bounded for each. */
  readonly sender: string;
  /** Digests of the body: the first is kept, any of them is the same body. */
  readonly digests: readonly string[];
}

/** A write of every document that a search finds. */
export interface BulkRequest<Encoding = StoredContent> extends Pick<ListRequest, 'condition' | 'hidden'> {
  /** Who would be shown the list of the documents, and who writes them: two permissions may admit these. */
  readonly reader: Principal;
  readonly writer: Principal;
  /** If more are found, none is written. */
  readonly limit: number;
  /** Null where they are deleted. */
  readonly change: Change<Encoding> | null;
}

/**
 * `If-Match` as the collection sees it (RFC 9110, section 13.1.1), decided on the current row inside the write's
 * transaction: which versions a client has seen. `null` for no precondition, `any` for `*`, else the counters of its
 * entity tags for this type. A document is unchanged since a tag iff its version is not above the counter, and the
 * collection knows the counter.
 */
export type IfMatch = null | 'any' | readonly number[];

/** True when a document of this version (undefined: there is none) may be changed. */
export function holds(ifMatch: IfMatch, version: number | undefined): boolean {
  if (ifMatch === null) return true;
  if (version === undefined) return false;
  return ifMatch === 'any' || ifMatch.some((counter) => version <= counter);
}

/** The conditions of a request. A write needs the first to hold, and the second, if there is one, not to. */
export interface Conditions {
  readonly ifMatch: IfMatch;
  readonly ifNoneMatch?: IfMatch;
}

/** What a write of one document depends on: who writes, and which version the document must have. */
export interface Precondition extends Principal, Conditions {
  /** As whom a GET of the document would be answered, where that is somebody else: refusals tell them no more. */
  readonly reader?: Principal;
  /** For a deletion: whether it is refused while somebody is about to link to the document. */
  readonly unclaimed?: true;
}
