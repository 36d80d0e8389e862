/**
 * `GET /resources`: the types of documents that the key may list, by name. Names are those of the registry, so a page
 * that counts nothing wakes no other object; a count is told only where neither rights nor rules decide what is seen.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { ListPage } from '../../collection/rpc/results.ts';
import { typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { pathOfType } from '../../domain/addresses/paths.ts';
import { digest64 } from '../../domain/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { isKeptIgnorant } from '../../domain/rules.ts';
import { isResourceType, type TypeName } from '../../domain/types.ts';
import { cachingOf, isCurrent } from '../documents/answer/answers.ts';
import { listPageOf, pageLinks, type Listed } from '../documents/answer/paging.ts';
import type { RequestContext, Handler } from '../endpoint.ts';

/** Types that are asked at a time: each wakes an object. */
const AT_ONCE = 16;

/** The list of types is always the same one, in the same order: all, by name. */
const LISTED: Listed = { condition: '', sort: [] };

/** A type that the caller may list. */
interface Listable {
  readonly name: TypeName;
  /** Whether the caller may see every document of it. */
  readonly isWhole: boolean;
}

export const listTypes: Handler = async (context) => {
  const page = await listPageOf(context, LISTED);
  if (!page.ok) return page;
  const listable = await listableTypes(context);
  if (!listable.ok) return listable;
  const all = listable.value;
  const { counted = true, limit } = page.value;
  const start = startOf(page.value, all);
  const types = await withCounts(context, all.slice(start, start + limit), counted);
  const more = start + limit < all.length;
  const extent = {
    total: counted ? all.length : null,
    more,
    next: types.at(-1)?.name ?? null,
    documents: types,
  };
  const links = await pageLinks(context, LISTED, extent);
  const meta = { ...(counted && { count: all.length }), types };
  const { application, access } = context;
  // No counter covers several types: what is told decides. A tag without counters is good for this answer alone.
  const digests = { view: access.view, set: digest64(`${application} ${JSON.stringify(meta)}`) };
  const caching = cachingOf(context, new Map(), digests);
  if (await isCurrent(context, { stamps: [], ...digests })) return ok({ status: 304, ...caching });
  return ok({ status: 200, document: { meta, links }, ...caching });
};

/** The types whose collections the key and the user may GET, by name. */
async function listableTypes(context: RequestContext): Promise<Outcome<readonly Listable[]>> {
  const listable: Listable[] = [];
  const names = (await typesOf(context, LIMITS.typesListed)).filter(isResourceType);
  for (const name of names.toSorted()) {
    const asking = context.access.viewerOf(pathOfType(name));
    if (asking === 'exhausted') {
      return fail('forbidden', 'The patterns of the API key take too much work on the paths of all types.', {
        header: 'api-key',
      });
    }
    if (asking !== null) listable.push({ name, isWhole: !isKeptIgnorant(asking) });
  }
  return ok(listable);
}

/** The place of the page's first type. */
function startOf(page: ListPage, all: readonly Listable[]): number {
  if ('offset' in page) return page.offset;
  const { after } = page;
  const start = after === null ? 0 : all.findIndex(({ name }) => name > after);
  return start === -1 ? all.length : start;
}

async function withCounts(context: RequestContext, types: readonly Listable[], counted: boolean) {
  const isTold = counted && types.length <= LIMITS.typesCounted;
  const told: { readonly name: string; readonly documents?: number }[] = [];
  for (let at = 0; at < types.length; at += AT_ONCE) {
    const some = types.slice(at, at + AT_ONCE).map(async ({ name, isWhole }) => {
      if (!isTold || !isWhole) return { name };
      const { documents } = await collectionOf(context, name).calls.holding();
      return { name, documents };
    });
    told.push(...(await Promise.all(some)));
  }
  return told;
}
