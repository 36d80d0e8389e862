/** Pages: what a page of a query covers, and the four links around it (spec, Paging rules). */
import type { ListPage } from '../../collection/results.ts';
import type { Presentable } from '../../domain/present.ts';
import type { Exchange, Page } from '../endpoint.ts';

export function listPageOf(page: Page): ListPage {
  switch (page.style) {
    case 'cursor':
      return { after: page.after, limit: page.size };
    case 'offset':
      return { offset: page.offset, limit: page.limit };
    case 'number':
      // A page number beyond any collection must not overflow into a fraction.
      return { offset: Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER), limit: page.size };
  }
}

type PageLinks = Readonly<Record<'first' | 'last' | 'prev' | 'next', Presentable>>;

/**
 * `first`, `last`, `prev` and `next`, keeping the query and the style of its page; all null without a match. A page by
 * cursor knows only what comes next: `nextCursor`.
 */
export function pageLinks(exchange: Exchange, total: number, nextCursor: string | null): PageLinks {
  const { page } = exchange.query;
  if (total === 0) return { first: null, last: null, prev: null, next: null };
  if (page.style === 'cursor') {
    const at = (after: string) => linkTo(exchange, { after, size: page.size });
    return { first: at(''), last: null, prev: null, next: nextCursor === null ? null : at(nextCursor) };
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
