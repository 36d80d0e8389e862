/** Documents as JSON:API resource objects: sparse fields, links, values in their response form. */
import { LazyDocument } from '../../collection/rpc/documents.ts';
import {
  addressesOfRelationship,
  pathOfDocument,
  pathOfType,
  segmentOf,
} from '../../domain/addresses/paths.ts';
import { isLinks, type Document, type Link, type Linkage } from '../../domain/documents.ts';
import { Lru } from '../../domain/lru.ts';
import { JsonText, present, presentText, presentWrapped, type Presentable } from '../../domain/present.ts';
import { factsOf } from '../../domain/types.ts';
import type { Fields } from '../../domain/values.ts';
import type { Exchange } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { presentProvenance } from './provenance.ts';
import { recall } from '../../domain/recall.ts';

/** What a search tells of each document that it finds; null for nothing. */
export type Told = ((document: Document) => Readonly<Record<string, Presentable>>) | null;

/** The resource object of a document, with the fields that the query selects. */
export async function presentDocument(
  document: Document,
  exchange: Exchange,
  told: Told = null,
): Promise<Presentable> {
  return presentStored(document, exchange) ?? presentFields(document, exchange, told);
}

/** The resource objects of several documents, in their order. */
export async function presentDocuments(
  documents: readonly Document[],
  exchange: Exchange,
  told: Told = null,
): Promise<readonly Presentable[]> {
  const shown: Presentable[] = [];
  for (const document of documents) {
    shown.push(presentStored(document, exchange) ?? (await presentFields(document, exchange, told)));
  }
  return shown;
}

/** The resource object made of the stored text, if the answer shows the whole document. */
function presentStored(document: Document, exchange: Exchange): JsonText | null {
  const { type } = document;
  if (!(document instanceof LazyDocument) || exchange.wrapped || exchange.query.fields.has(type)) return null;
  if (kindOfType(type).attributes !== undefined || document.split === null) return null;
  const { id } = document;
  const { attributes, relationships } = document.split;
  const self = `${textOfPrefix(exchange.base, type)}${id}`;
  let text = `{"type":"${type}","id":"${id}"`;
  if (attributes !== '{') text += `,"attributes":${presentText(attributes)}}`;
  let separator = ',"relationships":{';
  for (const name in relationships) {
    text += separator + textOfRelationship(self, name, relationships[name] ?? null);
    separator = ',';
  }
  return new JsonText(`${text}${separator === ',' ? '}' : ''},"links":{"self":"${self}"}}`);
}

/** The part of addresses before the ids of stored documents, as in JSON strings. */
const prefixes = new Lru<string, string>(1_000);

function textOfPrefix(base: string, type: string): string {
  return recall(prefixes, `${base} ${type}`, () =>
    JSON.stringify(`${base}${pathOfType(type)}/`).slice(1, -1),
  );
}

/** A relationship with its name, as `presentRelationship` shows it. */
function textOfRelationship(self: string, name: string, linkage: Linkage): string {
  const { member, segment } = textOfName(name);
  const data = isLinks(linkage) ? `[${linkage.map(textOfLink).join(',')}]` : linkage && textOfLink(linkage);
  const links = addressesOfRelationship(self, segment);
  return `${member}:{"data":${data ?? 'null'},"links":{"self":"${links.self}","related":"${links.related}"}}`;
}

/** Names of relationships as members, and as segments of addresses. */
const names = new Lru<string, { readonly member: string; readonly segment: string }>(1_000);

function textOfName(name: string) {
  return recall(names, name, () => ({ member: JSON.stringify(name), segment: segmentOf(name) }));
}

/** JSON needs no escapes in types and ids. */
function textOfLink({ type, id }: Link): string {
  return `{"type":"${type}","id":"${id}"}`;
}

/** The relationship objects of a document at `self`, or null when it has none. */
function presentRelationships(self: string, relationships: readonly [string, Linkage][]): Presentable {
  if (relationships.length === 0) return null;
  const objects = relationships.map(
    ([name, linkage]) => [name, presentRelationship(self, name, linkage)] as const,
  );
  return Object.fromEntries(objects);
}

async function presentFields(document: Document, exchange: Exchange, told: Told): Promise<Presentable> {
  const { type, id } = document;
  const selected = exchange.query.fields.get(type);
  const all = (await kindOfType(type).attributes?.(document, exchange)) ?? document.attributes;
  const attributes = chosen(all, selected);
  const self = `${exchange.base}${pathOfDocument(type, id)}`;
  const relationships = presentRelationships(self, Object.entries(chosen(document.relationships, selected)));
  const known = presentProvenance(document, exchange);
  const meta = known === null && told === null ? null : { ...known, ...told?.(document) };
  return {
    type,
    id,
    ...(Object.keys(attributes).length > 0 && { attributes: presentAttributes(attributes, exchange, type) }),
    ...(relationships !== null && { relationships }),
    // Every link leads to an endpoint (decisions, section 4).
    ...(factsOf(type).unreadable !== true && { links: { self } }),
    ...(meta !== null && { meta }),
  };
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

export function presentLinkage(linkage: Linkage): Presentable {
  return isLinks(linkage)
    ? linkage.map(({ type, id }) => ({ type, id }))
    : linkage && { type: linkage.type, id: linkage.id };
}

/** The selected members; all if nothing is selected. */
function chosen<T>(
  members: Readonly<Record<string, T>>,
  selected: ReadonlySet<string> | undefined,
): Readonly<Record<string, T>> {
  if (selected === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => selected.has(name)));
}

/** The relationship object of a document at `self`; `more` are links beside its own. */
export function presentRelationship(
  self: string,
  name: string,
  linkage: Linkage,
  more: Readonly<Record<string, Presentable>> = {},
): Readonly<Record<'data' | 'links', Presentable>> {
  const links = { ...addressesOfRelationship(self, segmentOf(name)), ...more };
  return { data: presentLinkage(linkage), links };
}
