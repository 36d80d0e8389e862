/** `GET …/changes`: the documents that have changed since a mark, and those that are not shown any more. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CollectionReader } from '../../../collection/rpc/client-reads.ts';
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import type { FeedPage, FeedRequest } from '../../../collection/rpc/feed/feed.ts';
import { expired, type FeedMark, isAsMarked } from '../../../collection/rpc/feed/mark.ts';
import { pathOfSome } from '../../../domain/addresses/paths.ts';
import { textOfQuery } from '../../../domain/addresses/query.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { isRestricted, principalOf, type Seen } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { readFilter } from '../../../operators/filter/encoded.ts';
import type { RequestContext, Handler } from '../../endpoint.ts';
import { answerIncluding } from '../answer/answers.ts';
import { derivedMetaOf } from '../answer/paging.ts';
import { groupsOf } from '../linked/include.ts';
import { presentDocuments } from '../answer/resource.ts';
import { diagnosticsAsked, warningsOfDiagnostics } from '../warnings/diagnostics.ts';
import { openMark, sealMark, type FeedReader } from './marks.ts';

type Collection = Pick<CollectionReader, 'feed' | 'follow' | 'followed'>;

/** A page of a feed, with what its request was made of. */
export interface FeedRead extends FeedPage<readonly LazyDocument[]> {
  /** The collections whose documents the reader's rule looks at, and their counters then. */
  readonly seen: readonly Seen[];
  readonly condition: string;
  readonly request: FeedRequest;
}

export const listChanges: Handler = async (context) => {
  const { type } = context.parameters;
  const collection = collectionOf(context, type);
  const { page, since } = context.query;
  const size = page.style === 'offset' ? page.limit : page.size;
  const read = await readFeed(context, collection, since, size);
  if (!read.ok) return read;
  const { condition, counter, documents, mark, more, request, entries } = read.value;
  const gone = entries.flatMap(({ id, kind }) => (kind === 'remove' ? id : []));
  const lists = new Map(
    entries.flatMap(({ id, transaction }) => (transaction === undefined ? [] : [[id, transaction] as const])),
  );
  const warnings = await warningsOf(context, request, documents);
  if (!warnings.ok) return warnings;
  const next = await sealMark(context, condition, mark);
  // A mark at the end of the feed stays good while nothing is told. One inside it is a part of the answer, and changes
  // with all writes: a page that ends there is never unchanged for readers who may not see all: its status would tell.
  const own = context.access.viewerOf(pathOfSome(type));
  const seesAll = own !== null && own !== 'exhausted' && ![own, request].some(isRestricted);
  const way = seesAll ? next : crypto.randomUUID();
  const set = [...documents.map(({ id }) => id), '-', ...gone, more ? way : ''].join(' ');
  const findings = {
    primary: documents,
    counters: new Map([[type, counter]]),
    set,
    warnings: warnings.value,
    judged: type,
  };
  return answerIncluding(context, findings, async () => ({
    data: await presentDocuments(documents, context, derivedMetaOf(context, type, { condition, sort: [] })),
    meta: {
      deleted: gone.map((id) => ({ type, id })),
      mark: next,
      ...(lists.size > 0 && { transactions: Object.fromEntries(lists) }),
    },
    links: { next: more ? addressAfter(context, next) : null },
  }));
};

/**
 * A page of the feed of a collection, after a mark: null for the beginning; sealed, or as it is kept. It is by the
 * linked documents as they are now, and the mark must be of when the same ones met the rule.
 */
export async function readFeed(
  reader: FeedReader,
  collection: Collection,
  since: string | FeedMark | null,
  limit: number,
  units: number = LIMITS.feedPage,
): Promise<Outcome<FeedRead>> {
  const { access, parameters, query } = reader;
  const { type } = parameters;
  const filter = readFilter(query.filters);
  if (!filter.ok) return filter;
  const { condition, through } = filter.value;
  const mark = typeof since === 'string' ? await openMark(reader, condition, since) : ok(since);
  if (!mark.ok) return mark;
  const hidden = hiddenFields(type, access);
  const request = { ...principalOf(access), condition, through, hidden, mark: mark.value, limit, units };
  if (request.rule?.timed === true) return timed();
  const followed = await collection.followed(request.rule);
  if (isBegun(request.mark) && !isAsMarked(request.mark.linked, followed?.met)) return expired();
  const page = await readablePage(reader, collection, request);
  if (!page.ok) return page;
  const { seen = [] } = followed ?? {};
  const linked = followed && { mark: { ...page.value.mark, linked: await followed.mark() } };
  return ok({ ...page.value, ...linked, seen, condition, request });
}

function isBegun(mark: FeedRequest['mark']): mark is FeedMark {
  return mark !== null && mark !== 'now' && mark.state !== '';
}

/** A page of the feed, of what could be read at its own address as well. */
async function readablePage(
  reader: FeedReader,
  collection: Collection,
  request: FeedRequest,
): Promise<Outcome<FeedPage<readonly LazyDocument[]>>> {
  const { type } = reader.parameters;
  const read = await collection.feed(request);
  if (!read.ok) return read;
  if (read.value === null) return linked();
  const page = read.value;
  const ids = page.entries.map(({ id }) => id);
  const groups = groupsOf(
    reader,
    ids.map((id) => ({ type, id })),
  );
  if (groups === null) {
    return fail('forbidden', 'The patterns of the API key take too much work.', { header: 'api-key' });
  }
  const isAlike =
    groups.reduce((sum, group) => sum + group.ids.length, 0) === ids.length &&
    groups.every(
      ({ rule, viewer }) => rule === request.rule && (viewer === null) === (request.viewer === null),
    );
  if (isAlike) return ok(page);
  for (const { rule } of groups) {
    if (rule?.timed === true) return timed();
    if (rule !== request.rule && rule?.follows === true && (await collection.follow(rule)).links)
      return following();
  }
  const { at, base, position, state } = page.mark;
  const again = await collection.feed({
    ...request,
    through: [],
    mark: isBegun(request.mark) ? request.mark : { base, position: base, at, state, after: '' },
    again: { upTo: position, groups },
  });
  if (!again.ok) return again;
  if (again.value === null) return linked();
  // Each group shows its own fields.
  const seen = new Map(
    groups.flatMap(({ ids: of, rule }) => of.map((id) => [id, rule?.read ?? null] as const)),
  );
  const documents = again.value.documents.map((document) => document.seenAs(seen.get(document.id) ?? null));
  return ok({ ...page, documents, entries: again.value.entries });
}

/** A feed that shows nothing from its beginning says what may be the matter, as a list does. */
async function warningsOf(
  context: RequestContext,
  { condition, hidden, mark, rule, viewer }: FeedRequest,
  documents: readonly unknown[],
): Promise<Outcome<readonly Problem[]>> {
  const { type } = context.parameters;
  const diagnostics = diagnosticsAsked(context, type, condition);
  if (mark !== null || (documents.length > 0 && !diagnostics.always)) return ok([]);
  const page = { offset: 0, limit: 1, counted: false };
  return collectionOf(context, type).list(
    { condition, hidden, rule, viewer, sort: [], page, diagnostics },
    async (listed) => ok(await warningsOfDiagnostics(context, type, listed.diagnostics ?? [])),
  );
}

function addressAfter({ base, path, query }: RequestContext, mark: string): string {
  const others = query.entries.filter(([name]) => name !== 'changes[since]');
  return `${base}${path}?${textOfQuery([...others, ['changes[since]', mark]])}`;
}

function linked() {
  const detail =
    'A feed can not be filtered by fields of linked documents: their changes are none of this type. ' +
    'Filter by fields of the documents themselves.';
  return fail('invalid-filter', detail, { parameter: 'filter' });
}

function timed() {
  const detail =
    'The rule of the API key names the time ($$now): ' +
    'what it shows changes while no document does, and a feed can not tell that.';
  return fail('forbidden', detail, { header: 'api-key' });
}

function following() {
  const detail =
    'Two permissions of the API key admit the feed and its documents, ' +
    'and the rule of the latter looks at linked documents: let one admit both.';
  return fail('forbidden', detail, { header: 'api-key' });
}
