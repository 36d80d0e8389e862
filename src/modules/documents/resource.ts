/** Documents as JSON:API resource objects: sparse fields, links, values in their response form. */
import { unpackContent } from '../../collection/change.ts';
import type { StoredDocument } from '../../collection/records.ts';
import { isLinks, type Document, type Linkage } from '../../domain/documents.ts';
import { present, type Presentable } from '../../domain/present.ts';
import type { Value } from '../../domain/values.ts';
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
  const shown = ([name]: readonly [string, unknown]): boolean => selected?.has(name) ?? true;
  const all = (await kindOfType(type).attributes?.(document, exchange)) ?? document.attributes;
  const attributes: [string, Value][] = Object.entries(all).filter(shown);
  const relationships = Object.entries(document.relationships).filter(shown);
  const self = `${exchange.base}${pathOfDocument(type, id)}`;
  return {
    type,
    id,
    ...(attributes.length > 0 && { attributes: present(Object.fromEntries(attributes)) }),
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

/** The relationship object of a document at `self`. */
export function presentRelationship(self: string, name: string, linkage: Linkage): Presentable {
  const segment = encodeURIComponent(name);
  return {
    data: presentLinkage(linkage),
    links: { self: `${self}/relationships/${segment}`, related: `${self}/${segment}` },
  };
}
