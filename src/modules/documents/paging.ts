/** Pages: which documents a page of a query covers, and its four links (spec, Paging rules). */
import { signerOf } from '../../auth/credentials.ts';
import type { Bounds } from '../../auth/sealed.ts';
import type { ListPage, ListRequest } from '../../collection/rpc/results.ts';
import { keyOf } from '../../domain/documents.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/present.ts';
import type { Exchange } from '../endpoint.ts';
import { staleCursor } from '../../collection/rpc/refusals.ts';

/** What determines the members of a list and their order. */
export type Listed = Pick<ListRequest, 'condition' | 'sort'>;

/**
 * The page that a request asks for. A cursor is checked here, before any storage is read: it must come from an answer
 * of the same list to the same viewer, so its content is ours.
 */
export async function listPageOf(exchange: Exchange, listed: Listed): Promise<Outcome<ListPage>> {
  const { page } = exchange.query;
  switch (page.style) {
    case 'cursor': {
      const after = page.after === '' ? '' : await openCursor(exchange, listed, page.after);
      return after === undefined ? staleCursor() : ok({ after, limit: page.size });
    }
    case 'offset':
      return ok({ offset: page.offset, limit: page.limit });
    case 'number':
      // A page number beyond any collection must not overflow into a fraction.
      return ok({
        offset: Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER),
        limit: page.size,
      });
  }
}

/**
 * A cursor is bound to everything that determines its list. For the viewer, that is the user, or that there is none,
 * because the sorted fields may be hidden from one user and shown to another. It is not the user's groups, which may
 * change between two pages.
 */
function boundsOf({ application, parameters, query, access }: Exchange, { condition, sort }: Listed): Bounds {
  const viewer = access.owner !== null ? keyOf(access.owner) : access.viewer === null ? '' : 'nobody';
  const given = JSON.stringify([...query.parameters].sort());
  const seen = access.rule?.read ?? null;
  const about = [parameters.type, condition, JSON.stringify(sort), given, viewer];
  if (seen !== null) about.push(JSON.stringify(seen));
  return { purpose: 'cursor', application, about };
}

async function openCursor(exchange: Exchange, listed: Listed, cursor: string): Promise<string | undefined> {
  const { sealer } = await signerOf(exchange.environment);
  return sealer.open(boundsOf(exchange, listed), cursor);
}

async function sealCursor(exchange: Exchange, listed: Listed, cursor: string): Promise<string> {
  const { sealer } = await signerOf(exchange.environment);
  return sealer.seal(boundsOf(exchange, listed), cursor);
}

type PageLinks = Readonly<Record<'first' | 'last' | 'prev' | 'next', Presentable>>;

/**
 * `first`, `last`, `prev` and `next`, keeping the query and the style of its page; all null without a match. A page by
 * cursor has only `next`, as the collection gave it.
 */
export async function pageLinks(
  exchange: Exchange,
  listed: Listed,
  total: number,
  next: string | null,
): Promise<PageLinks> {
  const { page } = exchange.query;
  if (total === 0) return { first: null, last: null, prev: null, next: null };
  if (page.style === 'cursor') {
    const at = (after: string) => linkTo(exchange, { after, size: page.size });
    return {
      first: at(''),
      last: null,
      prev: null,
      next: next === null ? null : at(await sealCursor(exchange, listed, next)),
    };
  }
  const [offset, limit] =
    page.style === 'offset' ? [page.offset, page.limit] : [(page.number - 1) * page.size, page.size];
  const at = (start: number) =>
    linkTo(
      exchange,
      page.style === 'offset' ? { offset: start, limit } : { number: start / limit + 1, size: limit },
    );
  const last = Math.floor((total - 1) / limit) * limit;
  return {
    first: at(0),
    last: at(last),
    prev: offset === 0 ? null : at(Math.max(0, Math.min(offset - limit, last))),
    next: offset + limit >= total ? null : at(offset + limit),
  };
}

/** The request's address with another page. */
function linkTo({ base, path, query }: Exchange, page: Readonly<Record<string, string | number>>): string {
  const others = query.entries.filter(([name]) => !name.startsWith('page['));
  const members = Object.entries(page).map(([name, value]) => [`page[${name}]`, String(value)] as const);
  const pairs = [...others, ...members].map((pair) => pair.map(encodeURIComponent).join('='));
  return `${base}${path}?${pairs.join('&')}`;
}
