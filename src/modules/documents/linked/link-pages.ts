/**
 * Pages of the links of one relationship, and of the documents that they lead to, in the order of the links: a to-many
 * relationship may have thousands.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { MatchingResult } from '../../../collection/rpc/related.ts';
import type { Extent } from '../../../collection/rpc/results.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { keyOf, type Link } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import { principalOf } from '../../../domain/rules.ts';
import { idAmong } from '../../../operators/filter/through.ts';
import type { AnswerDocument, RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { groupsOf, related, tooLargeInclude } from './include.ts';
import { listPageOf, metaOfList, pageLinks, textOfExtent } from '../answer/paging.ts';

/** Whether a request asks for a page: without, it gets all there is. */
export function asksForPage({ query }: RequestContext): boolean {
  return query.entries.some(([name]) => name.startsWith('page['));
}

/** One page of links, and what an answer says about it. */
export interface LinkPage {
  readonly links: readonly Link[];
  readonly about: Pick<AnswerDocument, 'meta'>;
  /** `first`, `last`, `prev` and `next`. */
  readonly addresses: Readonly<Record<string, Presentable>>;
  /** What distinguishes the page from others, for its tag. */
  readonly set: string;
}

/** The page of these links that the request asks for; `filter`, by which they were found, is part of their cursors. */
export async function pageOfLinks(
  context: RequestContext,
  all: readonly Link[],
  filter?: string,
): Promise<Outcome<LinkPage>> {
  const { type, id, name } = context.parameters;
  // No filter has such a text: a cursor of one is none of the other.
  const listed = {
    condition: JSON.stringify(['links', type, id, name, ...(filter === undefined ? [] : [filter])]),
    sort: [],
  };
  const page = await listPageOf(context, listed);
  if (!page.ok) return page;
  const { limit, counted = true } = page.value;
  const start = 'after' in page.value ? placeAfter(page.value.after, all) : page.value.offset;
  const links = all.slice(start, start + limit);
  const last = links.at(-1);
  const more = start + limit < all.length;
  const next = last !== undefined && more ? `${start + links.length} ${keyOf(last)}` : null;
  const extent: Extent = { total: counted ? all.length : null, more, next };
  return ok({
    links,
    about: metaOfList(extent, null),
    addresses: await pageLinks(context, listed, { ...extent, documents: links }),
    set: `${textOfExtent(extent)} ${links.map(keyOf).join(' ')}`,
  });
}

/** Behind the link of a cursor, or where it was if it has gone; the start without one. */
function placeAfter(cursor: string | null, all: readonly Link[]): number {
  if (cursor === null) return 0;
  const [place = '0', ...key] = cursor.split(' ');
  const at = all.findIndex((link) => keyOf(link) === key.join(' '));
  return at === -1 ? Number(place) : at + 1;
}

/** Those of the links whose documents exist, and could be read at their own addresses; in their order. */
export async function readableLinks(
  context: RequestContext,
  links: readonly Link[],
): Promise<Outcome<readonly Link[]>> {
  const groups = groupsOf(context, links);
  if (groups === null) return tooLargeInclude();
  if (links.length > LIMITS.followedLinks) return tooLargeInclude();
  return linksAmong(links, groups, async ({ type, ids, ...principal }) => {
    if (kindOfType(type).readLinked !== undefined) {
      const made = await related(
        context,
        ids.map((id) => ({ type, id })),
      );
      return made.ok ? ok([made.value.documents.map(({ id }) => id)]) : made;
    }
    const conditions = [encodeText(idAmong(['id'], ids))];
    const request = { conditions, ...principalOf(principal), hidden: [], limit: ids.length };
    return collectionOf(context, type).matching(request);
  });
}

type Groups = NonNullable<ReturnType<typeof groupsOf>>;

/** Those of the links, in their order, whose documents are found when each group of them is asked for. */
export async function linksAmong(
  links: readonly Link[],
  groups: Groups,
  find: (group: Groups[number]) => Promise<MatchingResult>,
): Promise<Outcome<readonly Link[]>> {
  const found = new Set<string>();
  const answers = await Promise.all(groups.map(async (group) => [group.type, await find(group)] as const));
  for (const [type, answer] of answers) {
    if (!answer.ok) return answer;
    for (const id of answer.value?.flat() ?? []) found.add(keyOf({ type, id }));
  }
  return ok(links.filter((link) => found.has(keyOf(link))));
}
