/**
 * Documents as JSON:API resource objects: sparse fields, links, values in their response form. All are written here, as
 * text, whether their attributes are stored text or values.
 */
import { LazyDocument, onlySeen } from '../../../collection/rpc/packing/documents.ts';
import {
  addressesOfRelationship,
  pathOfDocument,
  pathOfType,
  segmentOf,
  segmentOfId,
  aclTypeOf,
  pathOfAcl,
  type AclTarget,
} from '../../../domain/addresses/paths.ts';
import { type Document, type Link, type Linkage } from '../../../domain/documents.ts';
import { isId, type DocumentId } from '../../../domain/ids.ts';
import { Lru } from '../../../domain/caching/lru.ts';
import {
  JsonText,
  present,
  presentText,
  presentWrapped,
  type Presentable,
} from '../../../domain/values/present.ts';
import { recall } from '../../../domain/caching/recall.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { isAggregateType, storedType, type TypeName } from '../../../domain/types.ts';
import type { Fields, Value } from '../../../domain/values/values.ts';
import { isList, mapFields } from '../../../domain/values/tree.ts';
import type { AnswerDocument, Reader, RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { inverseLinksOf } from '../linked/inverse-links.ts';
import { openedRaw } from '../body/raw.ts';
import { presentAuditFields } from './audit-fields.ts';
import { MEMBERS, presentGrant, type Acl } from '../../../domain/rights.ts';

/** What a search tells of each document that it finds; null for nothing. */
export type DerivedMeta = ((document: Document) => Readonly<Record<string, Presentable>> | undefined) | null;

/** The resource object of a document, with the fields that the query selects. */
export function presentDocument(document: Document, context: Reader): JsonText | Promise<JsonText> {
  const form = formOf(document.type, context, null);
  return presentStored(document, form, context) ?? presentFields(document, form, context, null);
}

/** The resource objects of several documents, in their order. */
export async function presentDocuments(
  documents: readonly Document[],
  context: Reader,
  derived: DerivedMeta = null,
): Promise<readonly JsonText[]> {
  const shown: JsonText[] = [];
  let form: Form | null = null;
  for (const document of documents) {
    if (form?.type !== document.type) form = formOf(document.type, context, derived);
    const stored = presentStored(document, form, context);
    shown.push(stored ?? (await presentFields(document, form, context, derived)));
  }
  return shown;
}

export function presentAcl(base: string, target: AclTarget, id: DocumentId, acl: Acl): JsonText {
  const rights = Object.entries(MEMBERS[target.level]);
  const attributes = Object.fromEntries(
    rights.map(([name, right]) => [name, presentGrant(acl[right] ?? [])]),
  );
  const type = storedType(aclTypeOf(target));
  const self = inString(`${base}${pathOfAcl(target, id)}`);
  return textOfResource(
    { opening: openingOf(type), isRead: true },
    { id, self },
    JSON.stringify(attributes),
    '',
  );
}

/** What the resource objects of one type in an answer have in common. */
interface Form extends Addressing {
  readonly type: TypeName;
  /** Whether their stored texts are shown, as far as those can be split. */
  readonly isStored: boolean;
  /** Whether they have attributes that are not stored, or are shown otherwise. */
  readonly isMade: boolean;
}

/** How the texts of a type's resource objects begin, and their addresses before the id, as in JSON strings. */
interface Addressing {
  readonly opening: string;
  readonly address: string;
  /** Whether an endpoint gives them: every link leads to one (decisions, section 4). */
  readonly isRead: boolean;
}

const addressings = new Lru<string, Addressing>(1_000);

function formOf(type: TypeName, { base, query, wrapped }: Reader, derived: DerivedMeta): Form {
  const { opening, address, isRead } = recall(addressings, `${base} ${type}`, () => ({
    opening: openingOf(type),
    address: inString(`${base}${pathOfType(type)}/`),
    isRead: typeInfo(type).unreadable !== true,
  }));
  const isStored = !wrapped && derived === null && !query.fields.has(type);
  const { attributes, raw } = kindOfType(type);
  const isMade = attributes !== undefined || raw !== undefined;
  return { type, opening, address, isRead, isStored, isMade };
}

/** JSON needs no escapes in types. */
function openingOf(type: string): string {
  return `{"type":"${type}","id":"`;
}

/** The resource object made of the stored text, if the answer shows the whole document. */
function presentStored(document: Document, form: Form, context: Reader): JsonText | null {
  if (!form.isStored) return null;
  if (!(document instanceof LazyDocument) || form.isMade) return null;
  if (isAggregateType(form.type)) {
    const { body, relationships } = document.stored;
    if (relationships !== null) return null;
    return textOfResource(form, namingOf(document, form), presentText(body), '');
  }
  const { id, split } = document;
  if (split === null) return null;
  // Ids of stored documents need no escapes, here and in links.
  const self = `${form.address}${id}`;
  const relationships = textOfMembers(self, split.linkages, ({ linkage }) => presentText(linkage));
  const meta = metaOfInverses(document, context);
  return textOfResource(form, { id, self }, `${presentText(split.attributes)}}`, relationships, meta);
}

/** The documents of inverses that the answer includes; null for none. */
function metaOfInverses(document: Document, context: Reader) {
  if (context.query.include === null) return null;
  const inverses = inverseLinksOf(context, document);
  return inverses === null ? null : { inverses };
}

/** The attributes in answers. What the service makes of a document is a field like others: a rule may hide it. */
async function attributesOf(document: Document, context: Reader): Promise<Fields> {
  const { attributes: make, raw } = kindOfType(document.type);
  if (make === undefined && raw === undefined) return document.attributes;
  const whole = document instanceof LazyDocument ? document.whole : document;
  const made = make === undefined ? whole.attributes : await make(whole, context);
  return onlySeen(openedRaw(made, raw ?? {}), document.seen ?? null);
}

async function presentFields(
  document: Document,
  form: Form,
  context: Reader,
  derived: DerivedMeta,
): Promise<JsonText> {
  const { type } = form;
  const selected = context.query.fields.get(type);
  const all = await attributesOf(document, context);
  const attributes = JSON.stringify(presentAttributes(chosen(all, selected), context, type));
  const known = presentAuditFields(document, context);
  const inverses = metaOfInverses(document, context);
  const told = derived?.(document);
  const isNone = known === null && told === undefined && inverses === null;
  const meta = isNone ? null : { ...known, ...told, ...inverses };
  const naming = namingOf(document, form);
  const linkages = Object.entries(chosen(document.relationships, selected));
  const named = linkages.map(([name, linkage]) => ({ name, linkage }));
  const relationships = textOfMembers(naming.self, named, ({ linkage }) => textOfLinkage(linkage));
  return textOfResource(form, naming, attributes, relationships, meta);
}

/** The id and the address of a document, as in JSON strings. */
interface Naming {
  readonly id: string;
  readonly self: string;
}

/** Those of a document whose id may be any text. */
function namingOf({ id }: Link, { address }: Pick<Addressing, 'address'>): Naming {
  return { id: textOfId(id), self: `${address}${segmentOfId(id)}` };
}

/** Writes a resource object. `attributes` is the JSON of an object; `relationships` are members of one. */
function textOfResource(
  { opening, isRead }: Pick<Addressing, 'opening' | 'isRead'>,
  { id, self }: Naming,
  attributes: string,
  relationships: string,
  meta: Presentable = null,
): JsonText {
  // Added up piece by piece: no piece of a large document is copied twice.
  let text = `${opening}${id}"`;
  if (attributes !== '{}') text += `,"attributes":${attributes}`;
  if (relationships !== '') text += `,"relationships":{${relationships}}`;
  if (isRead) text += `,"links":{"self":"${self}"}`;
  if (meta !== null) text += `,"meta":${JSON.stringify(meta)}`;
  return new JsonText(`${text}}`);
}

/** The relationship object that the request asks for; `more` are links beside its own. */
export function presentRelationship(
  { base, parameters }: RequestContext,
  linkage: Linkage,
  more: Readonly<Record<string, Presentable>> = {},
): AnswerDocument {
  const self = `${base}${pathOfDocument(parameters.type, parameters.id)}`;
  const links = { ...addressesOfRelationship(self, segmentOf(parameters.name)), ...more };
  return { data: new JsonText(textOfLinkage(linkage)), links };
}

/** A text as in a JSON string. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Relationship objects as members of an object; `self` is the address of their document, as in a JSON string. */
function textOfMembers<Named extends { readonly name: string }>(
  self: string,
  members: readonly Named[],
  textOfData: (member: Named) => string,
): string {
  let text = '';
  let separator = '';
  for (const each of members) {
    const { opening, own, related } = recall(names, each.name, textsOfName);
    text += `${separator}${opening}${textOfData(each)},"links":{"self":"${self}${own}","related":"${self}${related}"}}`;
    separator = ',';
  }
  return text;
}

/** How relationship objects begin, and how their addresses go on behind that of their document, by names. */
const names = new Lru<string, Readonly<Record<'opening' | 'own' | 'related', string>>>(1_000);

function textsOfName(name: string) {
  const { self: own, related } = addressesOfRelationship('', segmentOf(name));
  return { opening: `${JSON.stringify(name)}:{"data":`, own, related };
}

export function textOfLinkage(linkage: Linkage): string {
  if (linkage === null) return 'null';
  return isList(linkage) ? `[${linkage.map(textOfLink).join(',')}]` : textOfLink(linkage);
}

function textOfLink({ type, id }: Link): string {
  return `${openingOf(type)}${textOfId(id)}"}`;
}

/** JSON needs no escapes in ids, but for those that pipelines make. */
function textOfId(id: DocumentId): string {
  return isId(id) ? id : inString(id);
}

/** Raw attributes are shown as they were sent: their `$` names are not wrappers. */
export function presentAttributes(
  attributes: Fields,
  { wrapped }: Pick<Reader, 'wrapped'>,
  type: string,
): Presentable {
  if (!wrapped) return present(attributes);
  const { raw } = kindOfType(type);
  if (raw === undefined) return presentWrapped(attributes);
  const shown = (value: Value, name: string) =>
    Object.hasOwn(raw, name) ? present(value) : presentWrapped(value);
  return mapFields(attributes, shown);
}

/** The selected members; all if nothing is selected. */
function chosen<T>(
  members: Readonly<Record<string, T>>,
  selected: ReadonlySet<string> | undefined,
): Readonly<Record<string, T>> {
  if (selected === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => selected.has(name)));
}
