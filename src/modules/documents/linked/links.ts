/** Links across collections: whether their targets exist, asked with one call per type. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { isLinks, type Link, type Linkage, type Linkages } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { inside, placeOf, pointerOf, type Place } from '../../../domain/pointer.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import type { Exchange } from '../../endpoint.ts';

export interface PlacedLink extends Link {
  readonly place: Place;
}

/** A problem for each link of a document's relationships whose target does not exist. */
export function checkRelationships(exchange: Exchange, relationships: Linkages): Promise<readonly Problem[]> {
  const placed = Object.entries(relationships).flatMap(([name, linkage]) =>
    placeLinks(linkage, placeOf('data', 'relationships', name, 'data')),
  );
  return checkLinks(exchange, placed);
}

/** The same for the body of a relationship endpoint. */
export function checkLinkage(exchange: Exchange, linkage: Linkage): Promise<readonly Problem[]> {
  return checkLinks(exchange, placeLinks(linkage, placeOf('data')));
}

/** The links of a relationship, each with its place. */
export function placeLinks(linkage: Linkage, place: Place): readonly PlacedLink[] {
  if (linkage === null) return [];
  if (!isLinks(linkage)) return [{ ...linkage, place }];
  return linkage.map((link, index) => ({ ...link, place: inside(place, index) }));
}

/** A problem for each link, all of them well formed, whose target does not exist. `whole` is the pointer of what holds all links. */
export async function checkLinks(
  exchange: Exchange,
  links: readonly PlacedLink[],
  whole = '/data',
  most = 50,
): Promise<readonly Problem[]> {
  const byType = Map.groupBy(links, ({ type }) => type);
  if (byType.size > LIMITS.linkedTypes) {
    const detail = `The links of one request may point to at most ${LIMITS.linkedTypes} types, not ${byType.size}.`;
    return [problem('invalid-relationship', detail, { pointer: whole })];
  }
  const existing = new Set<PlacedLink>();
  await Promise.all(
    Array.from(byType, async ([type, group]) => {
      const missing = new Set(
        await collectionOf(exchange, type).missing([...new Set(group.map(({ id }) => id))]),
      );
      for (const link of group) if (!missing.has(link.id)) existing.add(link);
    }),
  );
  return links
    .filter((link) => !existing.has(link))
    .slice(0, most)
    .map(({ type, id, place }) =>
      problem('link-not-found', `There is no document ${id} of type ${type}.`, {
        pointer: pointerOf(place),
      }),
    );
}
