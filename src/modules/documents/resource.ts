/** Documents as JSON:API resource objects: sparse fields, links, values in their response form. */
import { unpackContent } from '../../collection/change.ts';
import type { StoredDocument } from '../../collection/records.ts';
import { isLinks, type Document, type Linkage } from '../../domain/documents.ts';
import { present, type Presentable } from '../../domain/present.ts';
import type { Exchange } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { pathOfDocument } from './kind.ts';

export function openDocument(type: string, stored: StoredDocument): Document {
  const { id, version, aclVersion } = stored;
  return { type, id, version, aclVersion, ...unpackContent(stored) };
}

/** The resource object of a document, with the fields that the query selects. */
export async function presentDocument(document: Document, exchange: Exchange): Promise<Presentable> {
  const { type, id } = document;
  const selected = exchange.query.fields.get(type);
  const all = (await kindOfType(type).attributes?.(document, exchange)) ?? document.attributes;
  const attributes = chosen(all, selected);
  const relationships = Object.entries(chosen(document.relationships, selected));
  const self = `${exchange.base}${pathOfDocument(type, id)}`;
  return {
    type,
    id,
    ...(Object.keys(attributes).length > 0 && { attributes: present(attributes) }),
    ...(relationships.length > 0 && {
      relationships: Object.fromEntries(
        relationships.map(([name, linkage]) => [name, presentRelationship(self, name, linkage)]),
      ),
    }),
    links: { self },
  };
}

export function presentLinkage(linkage: Linkage): Presentable {
  return isLinks(linkage)
    ? linkage.map(({ type, id }) => ({ type, id }))
    : linkage && { type: linkage.type, id: linkage.id };
}

/** The members that are selected; all where nothing is. */
function chosen<T>(
  members: Readonly<Record<string, T>>,
  selected: ReadonlySet<string> | undefined,
): Readonly<Record<string, T>> {
  if (selected === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => selected.has(name)));
}

/** The relationship object of a document at `self`. */
export function presentRelationship(self: string, name: string, linkage: Linkage): Presentable {
  // Names that a pipeline makes may hold half a character, which no address can.
  const segment = encodeURIComponent(name.toWellFormed());
  return {
    data: presentLinkage(linkage),
    links: { self: `${self}/relationships/${segment}`, related: `${self}/${segment}` },
  };
}
