/**
 * PATCH and DELETE on a collection: every document that a filter finds is changed or deleted, all or none. They are for
 * keys whose permission holds `bulk`.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { mergeOf, type BulkRequest } from '../../../collection/rpc/writes/operations.ts';
import type { Content } from '../../../domain/documents.ts';
import { memberAt } from '../../../domain/values/json.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, failed, gravest, ok, type Outcome } from '../../../domain/problems.ts';
import { principalOf } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { readFilter, type EncodedFilter } from '../../../operators/filter/encoded.ts';
import type { Answer, RequestContext, Handler } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { faultsOf } from './written.ts';
import { readDocument } from '../body/read-body.ts';
import { throughOf } from '../linked/related-filter.ts';
import { isStrict, warningsOfType } from '../warnings/diagnostics.ts';
import { notChangeable } from '../rights/rules.ts';
import { strictly, withWarnings, warningsNoted } from '../warnings/warnings.ts';

export const updateMany: Handler = async (context) => {
  const found = readMany(context);
  if (!found.ok) return found;
  const { body, parameters, access } = context;
  if (memberAt(body, 'data', 'id') !== undefined) {
    return fail('invalid-body', 'A change of many documents names no id.', { pointer: '/data/id' });
  }
  const submitted = readDocument(body, parameters.type, { me: null }, kindOfType(parameters.type));
  if (!submitted.ok) return submitted;
  const { content, update } = submitted.value;
  const denied = notChangeable(access.rule, submitted.value, () => found.value.reader.rule);
  if (denied.length > 0) return failed(...denied);
  const problems = await faultsOf(context, submitted.value, false);
  if (problems.length > 0) return failed(...gravest(problems));
  return answerCount(context, { ...found.value, change: mergeOf(content, update) });
};

export const deleteMany: Handler = async (context) => {
  const found = readMany(context);
  if (!found.ok) return found;
  if (memberAt(context.body, 'data') !== undefined) {
    return fail('invalid-body', 'A deletion takes a filter, and no data.', { pointer: '/data' });
  }
  return answerCount(context, { ...found.value, change: null });
};

async function answerCount(
  context: RequestContext,
  { through, ...request }: BulkRequest<Content> & Pick<EncodedFilter, 'through'>,
): Promise<Outcome<Answer>> {
  const { type } = context.parameters;
  const { condition, hidden, reader } = request;
  const collection = collectionOf(context, type);
  const searched = { type, hidden, ...reader };
  const settled = await collection.settled(condition, throughOf(context, searched, condition, through));
  if (!settled.ok) return settled;
  const diagnosed = { condition, sort: [], questions: [] };
  const before = isStrict(context) ? await warningsOfType(context, type, diagnosed) : [];
  const heeded = strictly(context, [...before, ...warningsNoted(context)]);
  if (!heeded.ok) return heeded;
  const written = await collection.bulk({ ...request, condition: settled.value });
  if (!written.ok) return written;
  const after = written.value === 0 ? await warningsOfType(context, type, diagnosed) : [];
  const document = { meta: { count: written.value } };
  const warnings = [...after, ...warningsNoted(context)];
  return ok({ status: 200, document: withWarnings(context, document, warnings) });
}

/**
 * What is asked for beside the change. What is found is what a list shows: else the number of changes would tell of
 * documents, and of fields, that the sender is not shown.
 */
function readMany({
  access,
  body,
  ifNoneMatch,
  parameters,
  path,
  query,
}: RequestContext): Outcome<Omit<BulkRequest<Content>, 'change'> & Pick<EncodedFilter, 'through'>> {
  const reader = access.viewerOf(path);
  // The decision about the request has asked for it; what may fail here is the work that the patterns take.
  if (reader === null || reader === 'exhausted') {
    const detail = 'The patterns of the API key take too much work on this path.';
    return fail('forbidden', detail, { header: 'api-key' });
  }
  if (ifNoneMatch !== null) {
    const detail = 'A change of many documents takes no If-None-Match: a condition belongs into the filter.';
    return fail('invalid-header', detail, { header: 'If-None-Match' });
  }
  const limit = limitOf(body);
  if (!limit.ok) return limit;
  if (query.filters.length === 0) {
    const detail = 'A filter must say which documents are meant; filter[*]={} means all.';
    return fail('invalid-parameter', detail, { parameter: 'filter' });
  }
  const filter = readFilter(query.filters);
  if (!filter.ok) return filter;
  return ok({
    ...filter.value,
    hidden: hiddenFields(parameters.type, reader),
    reader: principalOf(reader),
    writer: principalOf(access),
    limit: limit.value,
  });
}

/** `meta.limit`: how many documents may be found. */
function limitOf(body: RequestContext['body']): Outcome<number> {
  const limit = memberAt(body, 'meta', 'limit');
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.bulk) {
    return ok(limit);
  }
  const most = `from 1 to ${LIMITS.bulk}`;
  const detail = `The limit says how many documents may be found, ${most}: if there are more, nothing is done.`;
  return fail('invalid-body', detail, { pointer: '/meta/limit' });
}
