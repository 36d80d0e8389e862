/**
 * The documents that links lead to, as a list: filtered, sorted and paged. Only those count that could be read at their
 * own addresses. They come in the order of the links; a sort, and a filter that orders, is done by their collection.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { keyOf, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { principalOf, type Principal } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import { idAmong } from '../../../operators/filter/through.ts';
import { decodeCondition } from '../../../operators/filter/encoded.ts';
import { derivationsOf } from '../../../operators/filter/derived.ts';
import type { Answer, AnswerDocument, RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import {
  readListed,
  derivedMetaOf,
  listPageOf,
  metaOfList,
  pageLinks,
  textOfExtent,
} from '../answer/paging.ts';
import { answerIncluding, type Findings } from '../answer/answers.ts';
import { presentDocuments, type DerivedMeta } from '../answer/resource.ts';
import { groupsOf, related, tooLargeInclude, type Reached } from './include.ts';
import { asksForPage, linksAmong, pageOfLinks, readableLinks } from './link-pages.ts';
import { distinguished, filterAmong, listAmong, type Filtered } from './list-among.ts';
import { warningsOfLinked } from '../warnings/diagnostics.ts';

type Group = Principal & { readonly type: TypeName; readonly ids: readonly DocumentId[] };

interface RelatedList extends Required<Pick<Findings, 'set' | 'warnings'>> {
  readonly found: Reached;
  readonly about: Pick<AnswerDocument, 'meta'>;
  /** The links of its page; null where no page was asked for. */
  readonly pages: Readonly<Record<string, Presentable>> | null;
  readonly derived: DerivedMeta;
}

/** What was found of the document with the links, and the `set` and the warnings of the list in it. */
type FindingsOf = (set: RelatedList['set'], warnings: RelatedList['warnings']) => Omit<Findings, 'reached'>;

/** Answers with the documents of `links` that the query asks for. */
export async function relatedList(
  context: RequestContext,
  links: readonly Link[],
  findingsOf: FindingsOf,
): Promise<Outcome<Answer>> {
  const { filters, sort } = context.query;
  if (filters.length === 0 && sort === null) return inTheirOrder(context, links, null, [], findingsOf);
  const listed = readListed(context.query);
  if (!listed.ok) return listed;
  const isOrdered =
    sort !== null || derivationsOf(decodeCondition(listed.value.condition)).$distance !== undefined;
  if (links.length > LIMITS.followedLinks) return tooLargeInclude();
  const groups = groupsOf(context, links);
  if (groups === null || groups.length > LIMITS.includedTypes) return tooLargeInclude();
  const made = groups.find(({ type }) => kindOfType(type).readLinked !== undefined);
  if (made !== undefined) {
    const which = `Documents of type ${made.type} are made when they are read`;
    const detail = `${which}: filter and sort them at their own address.`;
    return fail('invalid-parameter', detail, { parameter: sort === null ? 'filter' : 'sort' });
  }
  const types = [...new Set(groups.map(({ type }) => type))];
  if (isOrdered) {
    const [group, other] = groups;
    if (other !== undefined) return ofSeveral(context, other.type, types);
    if (group !== undefined) return inOrder(context, group, listed.value, findingsOf);
  }
  const matching = await linksAmong(links, groups, async (group) => {
    const searched = amongThem(context, group);
    const { condition, through } = filterAmong(context, searched, listed.value);
    const collection = collectionOf(context, group.type);
    const settled = await collection.settled(condition, through);
    if (!settled.ok) return settled;
    const { hidden, viewer, rule } = searched;
    return collection.matching({
      conditions: [settled.value],
      hidden,
      viewer,
      rule,
      limit: group.ids.length,
    });
  });
  if (!matching.ok) return matching;
  return inTheirOrder(context, matching.value, listed.value, types, findingsOf);
}

function answerRelated(
  context: RequestContext,
  findingsOf: FindingsOf,
  { found, about, pages, set, derived, warnings }: RelatedList,
): Promise<Outcome<Answer>> {
  const body = async () => ({
    ...about,
    data: await presentDocuments(found.documents, context, derived),
    ...(pages !== null && { links: pages }),
  });
  return answerIncluding(context, findingsOf(set, warnings), body, found);
}

function ofSeveral(
  { query, parameters }: RequestContext,
  type: TypeName,
  types: readonly TypeName[],
): Outcome<never> {
  const detail =
    types.length === 1
      ? distinguished(type)
      : `The links of ${parameters.name} lead to documents of several types (${types.slice(0, 5).join(', ')}), ` +
        'which have no common order.';
  return fail('invalid-parameter', detail, { parameter: query.sort === null ? 'filter' : 'sort' });
}

/** The links, in their order, or the page of them that is asked for. */
async function inTheirOrder(
  context: RequestContext,
  links: readonly Link[],
  listed: Filtered | null,
  types: readonly TypeName[],
  findingsOf: FindingsOf,
): Promise<Outcome<Answer>> {
  const isPaged = asksForPage(context);
  const readable = isPaged && listed === null ? await readableLinks(context, links) : ok(links);
  if (!readable.ok) return readable;
  const page = isPaged ? await pageOfLinks(context, readable.value, listed?.condition) : ok(null);
  if (!page.ok) return page;
  const found = await related(context, page.value?.links ?? links);
  if (!found.ok) return found;
  const shown = found.value.documents.map(keyOf).join(' ');
  const [first] = found.value.documents;
  const warnings = listed === null ? null : await warningsOfLinked(context, types, listed, links.length > 0);
  return answerRelated(context, findingsOf, {
    warnings,
    found: found.value,
    about: page.value?.about ?? {},
    pages: page.value?.addresses ?? null,
    set: page.value?.set ?? (listed === null ? null : shown),
    derived: first === undefined || listed === null ? null : derivedMetaOf(context, first.type, listed),
  });
}

/** One list of one collection, which filters, sorts and pages. */
async function inOrder(
  context: RequestContext,
  group: Group,
  listed: Filtered,
  findingsOf: FindingsOf,
): Promise<Outcome<Answer>> {
  const { type, ids } = group;
  const { type: owner, id, name } = context.parameters;
  const isPaged = asksForPage(context);
  // No filter has such a text: a cursor of one list is none of the other.
  const bound = { ...listed, condition: JSON.stringify(['related', owner, id, name, listed.condition]) };
  const page = isPaged
    ? await listPageOf(context, bound)
    : ok({ offset: 0, limit: ids.length, counted: false });
  if (!page.ok) return page;
  return listAmong(context, amongThem(context, group), listed, page.value, async (result, warnings) => {
    const { documents, counter } = result;
    return answerRelated(context, findingsOf, {
      warnings,
      found: {
        documents,
        counters: new Map([[type, counter]]),
        stamps: documents.map(({ version }) => ({ type, version })),
      },
      about: isPaged ? metaOfList(result, null) : {},
      pages: isPaged ? await pageLinks(context, bound, result) : null,
      set: `${textOfExtent(result)} ${documents.map(keyOf).join(' ')}`,
      derived: derivedMetaOf(context, type, listed),
    });
  });
}

/** The documents of a group. What conditions take for missing is the same for all: they are asked for in one way. */
function amongThem({ access }: RequestContext, { type, ids, ...principal }: Group) {
  const [id] = ids;
  const reader = id === undefined ? null : access.viewerOf(pathOfDocument(type, id));
  const hidden = hiddenFields(type, reader === null || reader === 'exhausted' ? access : reader);
  return { type, ...principalOf(principal), hidden, among: idAmong(['id'], ids) };
}
