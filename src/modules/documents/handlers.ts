/** Reading, listing, changing and deleting documents: the endpoints of stored documents in every module. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CollectionReader } from '../../collection/rpc/client-reads.ts';
import type { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import type { ListResult } from '../../collection/rpc/results.ts';
import type { Document } from '../../domain/documents.ts';
import { fail, failed, gravest, ok, type Outcome } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/values/present.ts';
import { hiddenFields } from '../../domain/secrets.ts';
import type { Answer, RequestContext, Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { answerIncluding, answerTagged, cachingOfOne } from './answer/answers.ts';
import { sealMark } from './feed/marks.ts';
import {
  readListed,
  derivedMetaOf,
  listPageOf,
  metaOfList,
  pageLinks,
  textOfExtent,
  type ListedPage,
} from './answer/paging.ts';
import { mergeOf } from '../../collection/rpc/writes/operations.ts';
import { asksOf } from './answer/audit-fields.ts';
import { readDocument } from './body/read-body.ts';
import { throughOf } from './linked/related-filter.ts';
import { presentDocument, presentDocuments, type DerivedMeta } from './answer/resource.ts';
import { forbidden } from '../../collection/rpc/refusals.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { diagnosticsAsked, warningsOfDiagnostics, warningsOfOne } from './warnings/diagnostics.ts';
import { notChangeable, ruleOfReading } from './rights/rules.ts';
import { faultsOf, currentAttributes, answerWritten, preconditionOf, prepared } from './write/written.ts';

export const readOneDocument: Handler = async (context) => {
  const { type, id } = context.parameters;
  const { auditFields, counters } = asksOf(context, type);
  const read = await collectionOf(context, type).read(id, context.access, auditFields, counters);
  switch (read.state) {
    case 'forbidden':
      return forbidden('read', context.access);
    case 'absent':
      return fail('document-not-found', `There is no document ${id} of type ${type}.`);
    case 'deleted': {
      const unchanged = { stamps: [{ type, version: read.version }], view: null, set: null };
      const caching = cachingOfOne(context, { type, id, version: read.version });
      const included = context.query.include === null ? {} : { included: [] };
      return answerTagged(context, [unchanged], caching, () => ({ data: null, ...included }), [], false);
    }
    case 'found': {
      const { document } = read;
      const counters = new Map([[type, read.counter]]);
      const warnings = await warningsOfOne(context, document);
      const findings = { primary: [document], counters, set: null, warnings, judged: type };
      return answerIncluding(context, findings, async () => ({
        data: await presentDocument(document, context),
      }));
    }
  }
};

export const listDocuments: Handler = async (context) => {
  const { type } = context.parameters;
  const { query } = context;
  const listed = readListed(query);
  if (!listed.ok) return listed;
  const search = listed.value;
  const { condition, sort, through } = search;
  const page = await listPageOf(context, search);
  if (!page.ok) return page;
  const { access } = context;
  const { viewer, rule } = access;
  const hidden = hiddenFields(type, access);
  const diagnostics = diagnosticsAsked(context, type, condition);
  const collection = collectionOf(context, type);
  const followed = query.since === null ? null : await collection.followed(rule);
  return collection.list(
    {
      ...{ condition, sort, page: page.value, viewer, rule, hidden, diagnostics },
      ...asksOf(context, type),
      ...(query.since === null ? null : { marked: true }),
    },
    (found) => answerList(context, search, found, followed),
    throughOf(context, { type, viewer, rule, hidden }, condition, through),
  );
};

async function answerList(
  context: RequestContext,
  search: ListedPage,
  listed: ListResult<readonly LazyDocument[]>,
  followed: Awaited<ReturnType<CollectionReader['followed']>>,
): Promise<Outcome<Answer>> {
  const { type } = context.parameters;
  const { documents: primary, counter, plan, mark = null } = listed;
  const warnings = listed.diagnostics && (await warningsOfDiagnostics(context, type, listed.diagnostics));
  const set = [textOfExtent(listed), ...primary.map(({ id }) => id)].join(' ');
  const counters = new Map([[type, counter]]);
  const findings = { primary, counters, set, ...(warnings && { warnings }), judged: type };
  return answerIncluding(context, findings, async () => ({
    ...metaOfList(
      listed,
      describePlan(context, plan, primary.length),
      mark && (await sealMark(context, search.condition, { ...mark, linked: await followed?.mark() })),
    ),
    data: await presentDocuments(primary, context, await tellingOf(context, search, primary)),
    links: await pageLinks(context, search, listed),
  }));
}

async function tellingOf(
  context: RequestContext,
  search: ListedPage,
  documents: readonly Document[],
): Promise<DerivedMeta> {
  const described = derivedMetaOf(context, context.parameters.type, search);
  const more = await context.tells?.(documents);
  if (more === undefined) return described;
  return (each) => {
    const told = more.get(each.id);
    return told === undefined ? described?.(each) : { ...described?.(each), ...told };
  };
}

export const updateDocument: Handler = async (context) => {
  const { type, id } = context.parameters;
  const submitted = readDocument(context.body, type, context.me ? { me: id } : id, kindOfType(type));
  if (!submitted.ok) return submitted;
  const { access } = context;
  const denied = notChangeable(access.rule, submitted.value, () =>
    ruleOfReading(access, pathOfDocument(type, id)),
  );
  if (denied.length > 0) return failed(...denied);
  const collection = collectionOf(context, type);
  const precondition = preconditionOf(context);
  const kind = kindOfType(type);
  if (kind.prepare !== undefined || kind.validatesWhole === true) {
    // A caller without the right must not make the service compute a hash, nor read the document.
    const admitted = await collection.allows(id, 'update', precondition);
    if (!admitted.ok) return admitted;
  }
  const problems = await faultsOf(context, submitted.value, false);
  if (problems.length > 0) {
    // Preconditions and the document itself come before its new content (decisions, section 1).
    const admitted = await collection.allows(id, 'update', precondition);
    return admitted.ok ? failed(...gravest(problems)) : admitted;
  }
  const ready = await prepared(context, kind, submitted.value.content, () => currentAttributes(context));
  if (!ready.ok) return ready;
  const { content, asSent } = ready.value;
  const change = mergeOf(content, submitted.value.update);
  const updated = await collection.update(id, change, precondition, asSent);
  if (!updated.ok) return updated;
  await kind.changed?.(id, context);
  return answerWritten(context, updated.value, context.ifMatch === null);
};

export const deleteDocument: Handler = async (context) => {
  const { type, id } = context.parameters;
  const collection = collectionOf(context, type);
  const precondition = preconditionOf(context);
  const kind = kindOfType(type);
  if (kind.removing !== undefined) {
    const admitted = await collection.allows(id, 'delete', precondition);
    if (!admitted.ok) return admitted;
    const read = await collection.read(id, TRUSTED);
    const prepared = read.state === 'found' ? await kind.removing(read.document, context) : ok(null);
    if (!prepared.ok) return prepared;
  }
  const removed = await collection.remove(id, precondition);
  if (!removed.ok) return removed;
  await kind.changed?.(id, context);
  return ok({ status: 204 });
};

/** The plan of a search, for the operator: null where nobody asks. It is noted in any case. */
export function describePlan(
  { explain, query, trace }: RequestContext,
  { used, ...plan }: ListResult['plan'],
  returned: number,
): Presentable {
  const { way, scan, visited } = plan;
  const described = { way, scan, 'documents-visited': visited };
  if (trace !== undefined) trace.search = { ...described, parameters: query.entries.map(([name]) => name) };
  if (!explain) return null;
  return {
    ...described,
    indexes: used,
    'rows-read': plan.rows,
    'documents-decoded': plan.decoded,
    'documents-returned': returned,
  };
}
