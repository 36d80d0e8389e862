/** Lists: what one is asked for, which documents a page of it covers, and its four links (spec, Paging rules). */
import { signerOf } from '../../../auth/credentials.ts';
import type { Bounds } from '../../../auth/sealed.ts';
import type { Extent, ListPage, ListRequest } from '../../../collection/rpc/results.ts';
import { keyOf, flatten } from '../../../domain/documents.ts';
import { ok, type Outcome, fail } from '../../../domain/problems.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import type { AnswerDocument, RequestContext, RequestPage, Query } from '../../endpoint.ts';
import { staleCursor } from '../../../collection/rpc/refusals.ts';
import { decodeCondition, readFilter, type EncodedFilter } from '../../../operators/filter/encoded.ts';
import { parseSort } from '../../../query/order/sort.ts';
import {
  derivationsOf,
  isDerived,
  type Derivations,
  type DerivedName,
} from '../../../operators/filter/derived.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { DerivedMeta } from './resource.ts';

/** What determines the members of a list and their order. */
export type ListedPage = Pick<ListRequest, 'condition' | 'sort'>;

/**
 * The page that a request asks for. A cursor is checked here, before any storage is read: it must come from an answer
 * of the same list to the same viewer, so its content is ours.
 */
export async function listPageOf(context: RequestContext, listed: ListedPage): Promise<Outcome<ListPage>> {
  const { page } = context.query;
  switch (page.style) {
    case 'cursor': {
      const { sealer } = await signerOf(context.environment);
      const after = page.after === null ? null : await sealer.open(boundsOf(context, listed), page.after);
      return after === undefined ? staleCursor() : ok({ after, limit: page.size, counted: page.counted });
    }
    case 'offset':
      return ok({ offset: page.offset, limit: page.limit, counted: page.counted });
    case 'number':
      // A page number beyond any collection must not overflow into a fraction.
      return ok({
        offset: Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER),
        limit: page.size,
        counted: page.counted,
      });
  }
}

/**
 * A cursor is bound to everything that determines its list. For the viewer, that is the user, or that there is none,
 * because the sorted fields may be hidden from one user and shown to another. It is not the user's groups, which may
 * change between two pages.
 */
function boundsOf(
  { apiKey, application, parameters, query, access }: RequestContext,
  { condition, sort }: ListedPage,
): Bounds {
  const viewer = access.owner !== null ? keyOf(access.owner) : access.viewer === null ? '' : 'nobody';
  const given = JSON.stringify([...query.parameters].sort());
  const about = [parameters.type, condition, JSON.stringify(sort), given, viewer];
  // A rule shows each key and user something else. What its filter says is no part: it may name the time.
  if (access.rule !== null) {
    const user = access.holder === null ? null : keyOf(access.holder.token.holder);
    about.push(JSON.stringify([apiKey, user, access.rule.read]));
  }
  return { purpose: 'cursor', application, about };
}

/** The `meta` of a list: the count and the mark, if asked for, and for the operator the plan of the search. */
export function metaOfList(
  { total }: Extent,
  plan: Presentable,
  mark: string | null = null,
): Pick<AnswerDocument, 'meta'> {
  if (total === null && plan === null && mark === null) return NO_META;
  const count = total !== null && { count: total };
  return { meta: { ...count, ...(mark !== null && { mark }), ...(plan !== null && { plan }) } };
}

const NO_META: Pick<AnswerDocument, 'meta'> = {};

/** What distinguishes two lists that show the same documents: their links and counts differ. */
export function textOfExtent({ total, more }: Extent): string {
  return total === null ? `uncounted ${more ? 'more' : 'end'}` : String(total);
}

/**
 * `first`, `last`, `prev` and `next`, keeping the query and the style of its page; all null without a match. A page by
 * cursor has only `first` and `next`, as the collection gave it. Where nothing is counted, there is no `last`.
 */
export async function pageLinks(
  context: RequestContext,
  listed: ListedPage,
  { total, more, next, documents }: Extent & { readonly documents: readonly unknown[] },
) {
  const { page } = context.query;
  const isFirst = page.style === 'cursor' ? page.after === null : startOf(page) === 0;
  const isEmpty = total === null ? isFirst && documents.length === 0 && !more : total === 0;
  if (isEmpty) return { first: null, last: null, prev: null, next: null };
  const linkTo = addressOfPages(context);
  if (page.style === 'cursor') {
    const { sealer } = await signerOf(context.environment);
    const at = async (after: string | null) => {
      const sealed = after === null ? '' : await sealer.seal(boundsOf(context, listed), after);
      return linkTo({ after: sealed, size: page.size });
    };
    return {
      first: await at(null),
      last: null,
      prev: null,
      next: more ? await at(next) : null,
    };
  }
  const offset = startOf(page);
  const limit = page.style === 'offset' ? page.limit : page.size;
  const at = (start: number) =>
    linkTo(page.style === 'offset' ? { offset: start, limit } : { number: start / limit + 1, size: limit });
  const last = total === null ? null : Math.floor((total - 1) / limit) * limit;
  const follows = total === null ? more : offset + limit < total;
  return {
    first: at(0),
    last: last === null ? null : at(last),
    prev: offset === 0 ? null : at(Math.max(0, Math.min(offset - limit, last ?? Infinity))),
    next: follows ? at(offset + limit) : null,
  };
}

/** How many matches lie before a page that is no page by cursor. */
function startOf(page: Exclude<RequestPage, { readonly style: 'cursor' }>): number {
  return page.style === 'offset' ? page.offset : (page.number - 1) * page.size;
}

function addressOfPages({ base, path, query }: RequestContext) {
  const start = `${base}${path}?${query.unpaged}`;
  const counted = query.page.counted ? '' : `&${textOfMember('count', 'false')}`;
  return (page: Readonly<Record<string, string | number>>): string => {
    let text = start;
    let separator = query.unpaged === '' ? '' : '&';
    for (const name in page) {
      text += `${separator}${textOfMember(name, page[name] ?? '')}`;
      separator = '&';
    }
    return text + counted;
  };
}

/** A member of a page in a query. Numbers, and cursors, which are base64, need no encoding. */
function textOfMember(name: string, value: string | number): string {
  return `page%5B${name}%5D=${value}`;
}

/** The conditions that give each. */
const GIVEN_BY: Readonly<Record<DerivedName, string>> = { $distance: '$near', $score: '$text' };

/** The filter and the order of a query, or their faults: read together, as an order may be of what the filter gives. */
export function readListed({
  filters,
  sort,
}: Pick<Query, 'filters' | 'sort'>): Outcome<ListedPage & Pick<EncodedFilter, 'through'>> {
  const filter = readFilter(filters);
  if (!filter.ok) return filter;
  const { condition, through } = filter.value;
  if (sort === null) return ok({ condition, through, sort: [] });
  const names = sort
    .split(',')
    .map((name) => name.replace(/^-/, ''))
    .filter(isDerived);
  if (names.length > 0) {
    const derivations = derivationsOfText(condition);
    const [lacking] = names.filter((name) => derivations[name] === undefined);
    if (lacking !== undefined) {
      const detail = `There is no ${lacking} to sort by without ${GIVEN_BY[lacking]} in the filter.`;
      return fail('invalid-parameter', detail, { parameter: 'sort' });
    }
  }
  const read = parseSort(sort, names);
  return read.ok ? ok({ condition, through, sort: read.value }) : read;
}

/** What the query asks to be told of each document of a type that the search finds; null for nothing. */
export function derivedMetaOf(
  { query }: Pick<RequestContext, 'query'>,
  type: TypeName,
  { condition }: ListedPage,
): DerivedMeta {
  const names = [...(query.fields.get(type) ?? [])].filter(isDerived);
  if (names.length === 0) return null;
  const derivations = derivationsOfText(condition);
  const members = names.flatMap((name) => {
    const derive = derivations[name];
    return derive === undefined ? [] : [{ member: name.slice(1), derive }];
  });
  if (members.length === 0) return null;
  return (document) => {
    const fields = { ...flatten(document), type: document.type };
    return Object.fromEntries(members.map(({ member, derive }) => [member, derive(fields)]));
  };
}

/** Of a condition in its stored encoding. */
function derivationsOfText(condition: string): Derivations {
  return derivationsOf(decodeCondition(condition));
}
