/** Local ids of a list, replaced by the ids of the documents that its operations add. */
import { distinctLinks, isLinks, type Content, type Link, type Linkage } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { isAggregateType } from '../../domain/types.ts';
import { localIdOf, type Operation } from '../../collection/rpc/writes/operations.ts';

/** The id of what the operation at a position of the list adds. */
export type IdAt = (at: number) => DocumentId;

/** An operation with ids in place of local ones. */
export function namedOperation(operation: Operation<Content>, idAt: IdAt): Operation<Content> {
  const { local: _, ...rest } = operation;
  switch (rest.kind) {
    case 'add':
      return { ...rest, content: namedContent(rest.content, idAt) };
    case 'change':
      return { ...rest, id: namedId(rest.id, idAt), change: namedChange(rest.change, idAt) };
    case 'acl':
    case 'remove':
    case 'test':
      return { ...rest, id: namedId(rest.id, idAt) };
  }
}

function namedChange(change: Change, idAt: IdAt): Change {
  return change.kind === 'merge'
    ? { ...change, content: namedContent(change.content, idAt) }
    : { ...change, linkage: namedLinkage(change.linkage, idAt) };
}

type Change = Extract<Operation<Content>, { readonly kind: 'change' }>['change'];

/** Content as stored: a repeated link occurs once. */
export function namedContent(content: Content, idAt: IdAt): Content {
  const names = Object.keys(content.relationships);
  if (names.length === 0) return content;
  const relationships = names.map((name): [string, Linkage] => {
    const linkage = content.relationships[name] ?? null;
    return [name, namedLinkage(isLinks(linkage) ? distinctLinks(linkage) : linkage, idAt)];
  });
  return { attributes: content.attributes, relationships: Object.fromEntries(relationships) };
}

function namedLinkage(linkage: Linkage, idAt: IdAt): Linkage {
  if (linkage === null) return null;
  // Ids of aggregates' documents may be any text.
  const named = ({ type, id }: Link): Link => ({ type, id: isAggregateType(type) ? id : namedId(id, idAt) });
  return isLinks(linkage) ? linkage.map(named) : named(linkage);
}

function namedId(id: DocumentId, idAt: IdAt): DocumentId {
  const at = localIdOf(id);
  return at === null ? id : idAt(at);
}
