/** Links across collections: whether their targets exist, asked with one call per type. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { OWN_ID } from '../../../collection/rpc/writes/operations.ts';
import { type Link, type Linkage, type Linkages } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { inside, placeOf, pointerOf, type Place } from '../../../domain/pointer.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import { CORE, isAggregateType, type TypeName } from '../../../domain/types.ts';
import type { RequestContext } from '../../endpoint.ts';
import { notToAttach } from '../../files/attached.ts';
import { isList } from '../../../domain/values/tree.ts';

export interface PlacedLink extends Link {
  /** Of the relationship. */
  readonly name: string;
  readonly place: Place;
}

/** A problem for each link of a document's relationships whose target does not exist. */
export function checkRelationships(
  context: RequestContext,
  relationships: Linkages,
): Promise<readonly Problem[]> {
  // A new document that links to itself will be there.
  const others = linksIn(relationships, placeOf('data')).filter((link) => !isToItself(link));
  return checkLinks(context, context.parameters.type, others);
}

/** Whether a link is to the document that it is made with. To an output of an aggregate, any text may be the id. */
export function isToItself({ type, id }: Link): boolean {
  return id === OWN_ID && !isAggregateType(type);
}

/** The same for the body of a relationship endpoint. */
export function checkLinkage(context: RequestContext, linkage: Linkage): Promise<readonly Problem[]> {
  const { type, name } = context.parameters;
  return checkLinks(context, type, placeLinks(linkage, name, placeOf('data')));
}

/** The links of a relationship, each with its place. */
export function placeLinks(linkage: Linkage, name: string, place: Place): readonly PlacedLink[] {
  if (linkage === null) return [];
  if (!isList(linkage)) return [{ ...linkage, name, place }];
  return linkage.map((link, index) => ({ ...link, name, place: inside(place, index) }));
}

/** The links of the relationships of a resource object at a place. */
export function linksIn(relationships: Linkages, resource: Place): readonly PlacedLink[] {
  const place = inside(resource, 'relationships');
  return Object.entries(relationships).flatMap(([name, linkage]) =>
    placeLinks(linkage, name, inside(inside(place, name), 'data')),
  );
}

/** A problem for each link of a relationship that leads to another type. `says`: what the links are. */
export function faultsOfTypes(
  name: string,
  linkage: Linkage,
  isRight: (type: string) => boolean,
  says: string,
): readonly Problem[] {
  return linksIn({ [name]: linkage }, placeOf('data'))
    .filter(({ type }) => !isRight(type))
    .map(({ type, place }) =>
      problem('invalid-relationship', `${says}, not ${type}.`, { pointer: pointerOf(place) }),
    );
}

export interface LinkCheck {
  /** The pointer of what holds all links. */
  readonly whole?: string;
  /** Problems that are told at most. */
  readonly most?: number;
  /** True where a target may have been deleted since, as it may where links are stored already. */
  readonly everHad?: boolean;
}

/**
 * A problem for each link of documents of a type, all of them well formed, whose target does not exist, or that the
 * settings of the type do not allow.
 */
export async function checkLinks(
  context: RequestContext,
  owner: TypeName,
  links: readonly PlacedLink[],
  { whole = '/data', most = 50, everHad = false }: LinkCheck = {},
): Promise<readonly Problem[]> {
  // Most changes have none.
  if (links.length === 0) return [];
  const [outputs, stored] = split(links, ({ type }) => isAggregateType(type));
  const byType = Map.groupBy(stored, ({ type }) => type);
  if (byType.size > LIMITS.linkedTypes) {
    const detail = `The links of one request may point to at most ${LIMITS.linkedTypes} types, not ${byType.size}.`;
    return [problem('invalid-relationship', detail, { pointer: whole })];
  }
  const existing = new Set<PlacedLink>();
  await Promise.all(
    Array.from(byType, async ([type, group]) => {
      const ids = [...new Set(group.map(({ id }) => id))];
      const { calls } = collectionOf(context, type);
      const missing = new Set(await calls.missing(ids, everHad ? 'ever' : undefined));
      for (const link of group) if (!missing.has(link.id)) existing.add(link);
    }),
  );
  // Who may not read a file gives it to nobody.
  if (!everHad) for (const link of await strangeFiles(context, owner, existing)) existing.delete(link);
  const missing = stored
    .filter((link) => !existing.has(link))
    .map(({ type, id, place }) =>
      problem('link-not-found', `There is no document ${id} of type ${type}.`, {
        pointer: pointerOf(place),
      }),
    );
  return [...missing, ...(await strangeOutputs(context, owner, outputs))].slice(0, most);
}

/**
 * Links to files that their sender may not read, or that are gone, where the settings let readers of the document read
 * them: these go with the last such document, so they are claimed until this one is written.
 */
async function strangeFiles(
  context: RequestContext,
  owner: TypeName,
  links: Iterable<PlacedLink>,
): Promise<readonly PlacedLink[]> {
  const files = [...links].filter(({ type }) => type === CORE.file);
  if (files.length === 0) return [];
  const names: readonly string[] = (await collectionOf(context, owner).settings())?.files ?? [];
  const attached = files.filter(({ name }) => names.includes(name));
  if (attached.length === 0) return [];
  const ids = [...new Set(attached.map(({ id }) => id))];
  const strange = await notToAttach(context, ids);
  const own = ids.filter((id) => !strange.has(id));
  const { calls } = collectionOf(context, CORE.file);
  context.afterwards?.push(() => calls.unclaim(own));
  const gone = await calls.missing(own, 'claimed');
  return attached.filter(({ id }) => strange.has(id) || gone.includes(id));
}

/** The problems of links to aggregates. No such document need be there: outputs come and go as they are computed. */
async function strangeOutputs(
  context: RequestContext,
  owner: TypeName,
  links: readonly PlacedLink[],
): Promise<readonly Problem[]> {
  if (links.length === 0) return [];
  const settings = await collectionOf(context, owner).settings();
  const allowed: readonly string[] = settings?.aggregateLinks ?? [];
  return links
    .filter(({ name }) => !allowed.includes(name))
    .map(({ type, name, place }) => {
      const setting = `the settings of ${owner} do not name ${name.slice(0, 200)} in aggregate-links`;
      const detail = `No link leads to the type ${type.slice(0, 200)}: ${setting}.`;
      return problem('invalid-relationship', detail, { pointer: pointerOf(place) });
    });
}

function split<T>(all: readonly T[], holds: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(holds), all.filter((each) => !holds(each))];
}
