/**
 * The links of a list. Links to other collections are checked here, once per type for the whole list. The collection
 * checks links to itself, because earlier operations may add or remove their targets.
 */
import { recall } from '../../domain/caching/recall.ts';
import { keyOf, type Link } from '../../domain/documents.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { isAggregateType, type TypeName } from '../../domain/types.ts';
import { checkLinks, linksIn, placeLinks, type PlacedLink } from '../documents/linked/links.ts';
import type { RequestContext } from '../endpoint.ts';
import type { Planned } from './read-list.ts';
import { localIdOf } from '../../collection/rpc/writes/operations.ts';

export interface LinksOf {
  /** To documents of the list's own type. */
  readonly own: readonly PlacedLink[];
  readonly foreign: readonly PlacedLink[];
}

const NONE: LinksOf = { own: [], foreign: [] };

/** The links that an operation sets, with their places in the list. */
export function linksOfOperation(operation: Planned, at: number): LinksOf {
  const links = setLinks(operation, at);
  if (links.length === 0) return NONE;
  const isOwn = (link: PlacedLink) => link.type === operation.type;
  return { own: links.filter(isOwn), foreign: links.filter((link) => !isOwn(link)) };
}

/** Problems of all operations' links to other collections. What the list adds before is there, what it removes not. */
export async function checkForeign(
  context: RequestContext,
  operations: readonly Planned[],
  links: readonly LinksOf[],
): Promise<readonly Problem[]> {
  const removed = new Set<string>();
  /** By ids that the list has chosen. */
  const added = new Set<string>();
  /** What a lid names has the id that the list has chosen, if it has. */
  const nameOf = ({ type, id }: Link): string => {
    const action = operations[localIdOf(id) ?? -1]?.action;
    return keyOf({ type, id: (action?.kind === 'add' ? action.id : undefined) ?? id });
  };
  const gone: PlacedLink[] = [];
  const linksOf = new Map<TypeName, PlacedLink[]>();
  for (const [at, { foreign }] of links.entries()) {
    const operation = operations[at];
    if (operation === undefined) break;
    for (const link of foreign) {
      if (removed.has(nameOf(link))) gone.push(link);
      else if (added.has(nameOf(link))) continue;
      else if (isAggregateType(link.type) || localIdOf(link.id) === null)
        recall(linksOf, operation.type, (): PlacedLink[] => []).push(link);
    }
    const { action, type } = operation;
    if (action.kind === 'add' && action.id !== undefined) added.add(keyOf({ type, id: action.id }));
    if (action.kind !== 'remove') continue;
    const name = nameOf({ type, id: action.id });
    removed.add(name);
    added.delete(name);
  }
  const options = { whole: '/atomic:operations', most: Infinity };
  const missing = await Promise.all(
    Array.from(linksOf, ([owner, each]) => checkLinks(context, owner, each, options)),
  );
  return [...gone.map(missingLink), ...missing.flat()];
}

/** The problem of a link into the list's own collection. */
export function missingLink({ type, id, place }: PlacedLink): Problem {
  const at = localIdOf(id);
  const which =
    at === null ? `document ${id} of type ${type}` : `document any more that operation ${at} added`;
  return problem('link-not-found', `There is no ${which}.`, { pointer: pointerOf(place) });
}

function setLinks({ action }: Planned, at: number): readonly PlacedLink[] {
  const place = placeOf('atomic:operations', at, 'data');
  if (action.kind === 'add') return linksIn(action.content.relationships, place);
  if (action.kind !== 'change') return [];
  const { change } = action;
  if (change.kind === 'merge') return linksIn(change.content.relationships, place);
  const links = placeLinks(change.linkage, change.name, place);
  // To remove a link, its target need not exist (decisions, section 2), but there must be such links.
  return change.kind === 'remove-links' ? links.filter(({ type }) => isAggregateType(type)) : links;
}
