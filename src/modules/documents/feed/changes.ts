/** `GET …/changes`: the documents that have changed since a mark, and those that are not shown any more. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import type { FeedMark, FeedPage, FeedRequest } from '../../../collection/rpc/feed/feed.ts';
import { textOfQuery } from '../../../domain/addresses/query.ts';
import { fail, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { principalOf } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { readFilter } from '../../../query/filter/encoded.ts';
import type { Exchange, Handler } from '../../endpoint.ts';
import { answerRead, presentIncluded } from '../answers.ts';
import { toldOf } from '../listed.ts';
import { groupsOf, reach } from '../linked/include.ts';
import { presentDocuments } from '../resource.ts';
import { doubtsAsked, warningsOfDoubts } from '../warnings/doubts.ts';
import { openMark, sealMark } from './marks.ts';

type Page = FeedPage<readonly LazyDocument[]>;

/** A page of a feed, with what its request was made of. */
export interface FeedRead extends Page {
  readonly condition: string;
  readonly request: FeedRequest;
}

export const listChanges: Handler = async (exchange) => {
  const { type } = exchange.parameters;
  const read = await readFeed(exchange, exchange.query.since, sizeOf(exchange));
  if (!read.ok) return read;
  const { condition, counter, documents, mark, more, request, told } = read.value;
  const gone = told.flatMap(({ id, kind }) => (kind === 'remove' ? id : []));
  const reached = await reach(exchange, documents);
  if (!reached.ok) return reached;
  const warnings = await warningsOf(exchange, request, documents);
  if (!warnings.ok) return warnings;
  const next = await sealMark(exchange, condition, mark);
  // Where the page ends inside of the feed, the way on is a part of it; at its end, a mark stays good while nothing is told.
  const set = [...documents.map(({ id }) => id), '-', ...gone, more ? next : ''].join(' ');
  const findings = {
    primary: documents,
    reached: reached.value,
    counters: new Map([[type, counter]]),
    set,
    warnings: warnings.value,
    judged: type,
  };
  return answerRead(exchange, findings, async () => ({
    data: await presentDocuments(documents, exchange, toldOf(exchange, type, { condition, sort: [] })),
    meta: { deleted: gone.map((id) => ({ type, id })), mark: next },
    links: { next: more ? addressAfter(exchange, next) : null },
    ...(await presentIncluded(exchange, reached.value)),
  }));
};

/** A page of the feed that a request asks for, after a mark: null for the beginning; sealed, or as it is kept. */
export async function readFeed(
  exchange: Exchange,
  since: string | FeedMark | null,
  limit: number,
): Promise<Outcome<FeedRead>> {
  const { access, parameters, query } = exchange;
  const { type } = parameters;
  const filter = readFilter(query.filters);
  if (!filter.ok) return filter;
  const { condition, through } = filter.value;
  const mark = typeof since === 'string' ? await openMark(exchange, condition, since) : ok(since);
  if (!mark.ok) return mark;
  const hidden = hiddenFields(type, access);
  const request = { ...principalOf(access), condition, through, hidden, mark: mark.value, limit };
  const page = await pageOf(exchange, request);
  return page.ok ? ok({ ...page.value, condition, request }) : page;
}

/** A page of the feed, of what could be read at its own address as well. */
async function pageOf(exchange: Exchange, request: FeedRequest): Promise<Outcome<Page>> {
  const { type } = exchange.parameters;
  if (request.rule?.timed === true) return timed();
  const collection = collectionOf(exchange, type);
  const read = await collection.feed(request);
  if (!read.ok) return read;
  if (read.value === null) return linked();
  const page = read.value;
  const ids = page.told.map(({ id }) => id);
  const groups = groupsOf(
    exchange,
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
  if (groups.some(({ rule }) => rule?.timed === true)) return timed();
  const { base, position, state } = page.mark;
  const again = await collection.feed({
    ...request,
    through: [],
    mark: request.mark ?? { base, position: 0, state },
    again: { upTo: position, groups },
  });
  if (!again.ok) return again;
  if (again.value === null) return linked();
  // Each group shows its own fields.
  const seen = new Map(
    groups.flatMap(({ ids: of, rule }) => of.map((id) => [id, rule?.read ?? null] as const)),
  );
  const documents = again.value.documents.map((document) => document.seenAs(seen.get(document.id) ?? null));
  return ok({ ...page, documents, told: again.value.told });
}

/** A feed that shows nothing from its beginning says what may be the matter, as a list does. */
async function warningsOf(
  exchange: Exchange,
  { condition, hidden, mark, rule, viewer }: FeedRequest,
  documents: readonly unknown[],
): Promise<Outcome<readonly Problem[]>> {
  const { type } = exchange.parameters;
  const doubts = doubtsAsked(exchange, type, condition);
  if (mark !== null || (documents.length > 0 && !doubts.always)) return ok([]);
  const page = { offset: 0, limit: 1, counted: false };
  return collectionOf(exchange, type).list(
    { condition, hidden, rule, viewer, sort: [], page, doubts },
    async (listed) => ok(await warningsOfDoubts(exchange, type, listed.doubts ?? [])),
  );
}

function sizeOf({ query: { page } }: Exchange): number {
  return page.style === 'offset' ? page.limit : page.size;
}

/** The request's address with another mark. */
function addressAfter({ base, path, query }: Exchange, mark: string): string {
  const others = query.entries.filter(([name]) => name !== 'changes[since]');
  return `${base}${path}?${textOfQuery([...others, ['changes[since]', mark]])}`;
}

function linked() {
  const detail =
    'A feed can not be filtered by fields of linked documents: their changes are none of this type. Filter by fields of the documents themselves.';
  return fail('invalid-filter', detail, { parameter: 'filter' });
}

function timed() {
  const detail =
    'The rule of the API key names the time ($$now): what it shows changes while no document does, and a feed can not tell that.';
  return fail('forbidden', detail, { header: 'api-key' });
}
