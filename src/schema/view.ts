/** Documents as schemas see them: as clients read them back (decisions, section 5). Pure, blind to links' addresses. */
import type { Content, Linkage } from '../domain/documents.ts';
import { plainOf, type Plain, type PlainObject } from './plain.ts';

/** A document as a schema sees it. A member is absent when the document has nothing of it, as in answers. */
export interface SchemaDocument {
  readonly attributes?: PlainObject;
  readonly relationships?: PlainObject;
}

/**
 * The view of a document: dates as ISO strings, object ids as hexadecimal strings, longs and decimals as numbers
 * with every digit. A relationship is `{data}`; an empty to-one relationship is `null` itself.
 */
export function schemaView(content: Content): SchemaDocument {
  const attributes = mapMembers(content.attributes, (value) => plainOf(value, Infinity, refuse));
  const relationships = mapMembers(content.relationships, showLinkage);
  return {
    ...(attributes && { attributes }),
    ...(relationships && { relationships }),
  };
}

function showLinkage(linkage: Linkage): Plain {
  return linkage === null ? null : { data: plainOf(linkage, Infinity, refuse) };
}

function mapMembers<T>(
  members: Readonly<Record<string, T>>,
  map: (member: T) => Plain,
): PlainObject | undefined {
  const entries = Object.entries(members);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, member]) => [name, map(member)]));
}

function refuse(): never {
  throw new TypeError('A document holds what is no value.');
}
