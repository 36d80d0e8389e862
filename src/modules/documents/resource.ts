/**
 * Documents as JSON:API resource objects: sparse fields, links, values in their response form. All are written here, as
 * text, whether their attributes are stored text or values.
 */
import { LazyDocument, onlySeen, Output } from '../../collection/rpc/packing/documents.ts';
import {
  addressesOfRelationship,
  pathOfDocument,
  pathOfType,
  segmentOf,
  segmentOfId,
  aclTypeOf,
  pathOfAcl,
  type AclTarget,
} from '../../domain/addresses/paths.ts';
import { isLinks, type Document, type Link, type Linkage } from '../../domain/documents.ts';
import { isId, type DocumentId } from '../../domain/ids.ts';
import { Lru } from '../../domain/caching/lru.ts';
import {
  JsonText,
  present,
  presentText,
  presentWrapped,
  type Presentable,
} from '../../domain/values/present.ts';
import { recall } from '../../domain/caching/recall.ts';
import { factsOf, keptType } from '../../domain/types.ts';
import type { Fields } from '../../domain/values/values.ts';
import type { AnswerDocument, Exchange } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { inverseLinksOf } from './linked/inverse-links.ts';
import { presentProvenance } from './provenance.ts';
import { MEMBERS, presentGrant, type Acl } from '../../domain/rights.ts';

/** What a search tells of each document that it finds; null for nothing. */
export type Told = ((document: Document) => Readonly<Record<string, Presentable>>) | null;

/** The resource object of a document, with the fields that the query selects. */
export async function presentDocument(
  document: Document,
  exchange: Exchange,
  told: Told = null,
): Promise<JsonText> {
  return presentStored(document, exchange) ?? presentFields(document, exchange, told);
}

/** The resource objects of several documents, in their order. */
export async function presentDocuments(
  documents: readonly Document[],
  exchange: Exchange,
  told: Told = null,
): Promise<readonly JsonText[]> {
  const shown: JsonText[] = [];
  for (const document of documents) {
    shown.push(presentStored(document, exchange) ?? (await presentFields(document, exchange, told)));
  }
  return shown;
}

/** The resource object of an ACL. */
export function presentAcl(base: string, target: AclTarget, id: DocumentId, acl: Acl): JsonText {
  const rights = Object.entries(MEMBERS[target.level]);
  const attributes = Object.fromEntries(
    rights.map(([name, right]) => [name, presentGrant(acl[right] ?? [])]),
  );
  const link = { type: keptType(aclTypeOf(target)), id };
  const self = inString(`${base}${pathOfAcl(target, id)}`);
  return textOfResource(base, link, JSON.stringify(attributes), {}, null, self);
}

/** The resource object made of the stored text, if the answer shows the whole document. */
function presentStored(document: Document, exchange: Exchange): JsonText | null {
  const { base, query, wrapped } = exchange;
  const { type } = document;
  if (wrapped || query.fields.has(type)) return null;
  if (document instanceof Output) {
    const { body, relationshipNames } = document;
    return relationshipNames.length > 0 ? null : textOfResource(base, document, presentText(body), {});
  }
  if (!(document instanceof LazyDocument) || kindOfType(type).attributes !== undefined) return null;
  if (document.split === null) return null;
  const { attributes, relationships } = document.split;
  const meta = metaOfInverses(document, exchange);
  return textOfResource(base, document, `${presentText(attributes)}}`, relationships, meta);
}

/** The documents of inverses that the answer includes; null for none. */
function metaOfInverses(document: Document, exchange: Exchange) {
  if (exchange.query.include === null) return null;
  const inverses = inverseLinksOf(exchange, document);
  return inverses === null ? null : { inverses };
}

/** The attributes in answers. What the service makes of a document is a field like others: a rule may hide it. */
async function attributesOf(document: Document, exchange: Exchange): Promise<Fields> {
  const { attributes: make } = kindOfType(document.type);
  if (make === undefined) return document.attributes;
  const whole = document instanceof LazyDocument ? document.whole : document;
  return onlySeen(await make(whole, exchange), document.seen ?? null);
}

async function presentFields(document: Document, exchange: Exchange, told: Told): Promise<JsonText> {
  const { type } = document;
  const selected = exchange.query.fields.get(type);
  const all = await attributesOf(document, exchange);
  const attributes = JSON.stringify(presentAttributes(chosen(all, selected), exchange, type));
  const known = presentProvenance(document, exchange);
  const inverses = metaOfInverses(document, exchange);
  const isNone = known === null && told === null && inverses === null;
  const meta = isNone ? null : { ...known, ...told?.(document), ...inverses };
  const relationships = chosen(document.relationships, selected);
  return textOfResource(exchange.base, document, attributes, relationships, meta);
}

/** Writes a resource object. `attributes` is the JSON of an object; `self` is the address, as in a JSON string. */
function textOfResource(
  base: string,
  { type, id }: Link,
  attributes: string,
  relationships: Readonly<Record<string, Linkage>>,
  meta: Presentable = null,
  self = textOfAddress(base, { type, id }),
): JsonText {
  // Added up piece by piece: no piece of a large document is copied twice.
  let text = textOfLink({ type, id }).slice(0, -1);
  if (attributes !== '{}') text += `,"attributes":${attributes}`;
  let separator = ',"relationships":{';
  for (const name in relationships) {
    const { member, segment } = textOfName(name);
    text += `${separator}${member}:${textOfRelationship(self, segment, relationships[name] ?? null)}`;
    separator = ',';
  }
  if (separator === ',') text += '}';
  // Every link leads to an endpoint (decisions, section 4).
  if (factsOf(type).unreadable !== true) text += `,"links":{"self":"${self}"}`;
  if (meta !== null) text += `,"meta":${JSON.stringify(meta)}`;
  return new JsonText(`${text}}`);
}

/** The relationship object that the request asks for; `more` are links beside its own. */
export function presentRelationship(
  { base, parameters }: Exchange,
  linkage: Linkage,
  more: Readonly<Record<string, Presentable>> = {},
): AnswerDocument {
  const self = `${base}${pathOfDocument(parameters.type, parameters.id)}`;
  const links = { ...addressesOfRelationship(self, segmentOf(parameters.name)), ...more };
  return { data: presentLinkage(linkage), links };
}

export function presentLinkage(linkage: Linkage): JsonText {
  return new JsonText(textOfLinkage(linkage));
}

/** The parts of addresses before the ids of documents, as in JSON strings. */
const prefixes = new Lru<string, string>(1_000);

/** The address of a document, as in a JSON string. */
function textOfAddress(base: string, { type, id }: Link): string {
  const prefix = recall(prefixes, `${base} ${type}`, () => inString(`${base}${pathOfType(type)}/`));
  return `${prefix}${segmentOfId(id)}`;
}

/** A text as in a JSON string. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function textOfRelationship(self: string, segment: string, linkage: Linkage): string {
  const links = addressesOfRelationship(self, segment);
  return `{"data":${textOfLinkage(linkage)},"links":{"self":"${links.self}","related":"${links.related}"}}`;
}

/** Names of relationships as members, and as segments of addresses. */
const names = new Lru<string, { readonly member: string; readonly segment: string }>(1_000);

function textOfName(name: string) {
  return recall(names, name, () => ({ member: JSON.stringify(name), segment: segmentOf(name) }));
}

function textOfLinkage(linkage: Linkage): string {
  if (linkage === null) return 'null';
  return isLinks(linkage) ? `[${linkage.map(textOfLink).join(',')}]` : textOfLink(linkage);
}

/** JSON needs no escapes in types, nor in ids, but for those that pipelines make. */
function textOfLink({ type, id }: Link): string {
  return `{"type":"${type}","id":${isId(id) ? `"${id}"` : JSON.stringify(id)}}`;
}

/** Raw attributes are shown as they were sent: their `$` names are not wrappers. */
function presentAttributes(attributes: Fields, { wrapped }: Exchange, type: string): Presentable {
  if (!wrapped) return present(attributes);
  const { rawAttributes, rawMembers } = kindOfType(type);
  if (rawAttributes === undefined && rawMembers === undefined) return presentWrapped(attributes);
  const isRaw = (name: string) =>
    rawAttributes?.has(name) === true || (rawMembers !== undefined && Object.hasOwn(rawMembers, name));
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      isRaw(name) ? present(value) : presentWrapped(value),
    ]),
  );
}

/** The selected members; all if nothing is selected. */
function chosen<T>(
  members: Readonly<Record<string, T>>,
  selected: ReadonlySet<string> | undefined,
): Readonly<Record<string, T>> {
  if (selected === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => selected.has(name)));
}
