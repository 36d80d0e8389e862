/** Documents as schemas see them: as clients read them back (decisions, section 5). Pure, blind to links' addresses. */
import type { Content, Linkage } from '../domain/documents.ts';
import { mapFields } from '../domain/values/tree.ts';
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
  const attributes = mapFields(content.attributes, (value) => plainOf(value, Infinity, refuse));
  const relationships = mapFields(content.relationships, showLinkage);
  return {
    ...(hasAny(attributes) && { attributes }),
    ...(hasAny(relationships) && { relationships }),
  };
}

function showLinkage(linkage: Linkage): Plain {
  return linkage === null ? null : { data: plainOf(linkage, Infinity, refuse) };
}

function hasAny(members: PlainObject): boolean {
  return Object.keys(members).length > 0;
}

function refuse(): never {
  throw new TypeError('A document holds what is no value.');
}
