/** Pages: what a page of a query covers, and the four links around it (spec, Paging rules). */
import type { Presentable } from '../../domain/present.ts';
import type { Exchange, Page } from '../endpoint.ts';

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

export function rangeOf(page: Page): Range {
  if (page.style === 'offset') return { offset: page.offset, limit: page.limit };
  // A page number beyond any collection must not overflow into a fraction.
  return { offset: Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER), limit: page.size };
}

/** `first`, `last`, `prev` and `next`, keeping the query and the style of its page; all null without a match. */
export function pageLinks(
  { base, path, query }: Exchange,
  total: number,
): Readonly<Record<string, Presentable>> {
  if (total === 0) return { first: null, last: null, prev: null, next: null };
  const { offset, limit } = rangeOf(query.page);
  const others = query.entries.filter(([name]) => !name.startsWith('page['));
  const at = (start: number) => {
    const page: [string, string][] =
      query.page.style === 'offset'
        ? [
            ['page[offset]', String(start)],
            ['page[limit]', String(limit)],
          ]
        : [
            ['page[number]', String(start / limit + 1)],
            ['page[size]', String(limit)],
          ];
    const pairs = [...others, ...page].map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    );
    return `${base}${path}?${pairs.join('&')}`;
  };
  const last = Math.floor((total - 1) / limit) * limit;
  return {
    first: at(0),
    last: at(last),
    prev: offset === 0 ? null : at(Math.max(0, Math.min(offset - limit, last))),
    next: offset + limit >= total ? null : at(offset + limit),
  };
}
