/** Reading, listing, changing and deleting documents: the endpoints of stored documents in every module. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import type { ListResult } from '../../collection/rpc/results.ts';
import { fail, failed, gravest, ok, type Outcome } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/values/present.ts';
import { hiddenFields } from '../../domain/secrets.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { showsWritten } from '../preferences.ts';
import { answerRead, cachingOfOne, isCurrent, presentIncluded } from './answers.ts';

import { readListed, toldOf } from './listed.ts';
import { listPageOf, metaOfList, pageLinks, textOfExtent, type Listed } from './paging.ts';
import { mergeOf } from '../../collection/rpc/operations.ts';
import { asksProvenance } from './provenance.ts';
import { readDocument } from './body/read-body.ts';
import { throughOf } from './linked/related-filter.ts';
import { presentDocument, presentDocuments } from './resource.ts';
import { forbidden } from '../../collection/rpc/refusals.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { asksBeyond, doubtsAsked, warningsOfDoubts, warningsOfOne } from './warnings/doubts.ts';
import { notUpdatable, notWritable, ruleOfReading, shownOf } from './rules.ts';
import { faultsOf, currentAttributes } from './content-faults.ts';
import { reach } from './linked/include.ts';
import { preconditionOf, prepared, shownWritten, cachingOfWritten } from './written.ts';

export const readOneDocument: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const read = await collectionOf(exchange, type).read(id, exchange.access, asksProvenance(exchange, type));
  switch (read.state) {
    case 'forbidden':
      return forbidden('read', exchange.access);
    case 'absent':
      return fail('document-not-found', `There is no document ${id} of type ${type}.`);
    case 'deleted': {
      const stamps = [{ type, version: read.version }];
      const caching = cachingOfOne(exchange, { type, id }, read.counter);
      if (isCurrent(exchange, { stamps, view: null, set: null })) return ok({ status: 304, ...caching });
      const included = exchange.query.include === null ? {} : { included: [] };
      return ok({ status: 200, document: { data: null, ...included }, ...caching });
    }
    case 'found': {
      const { document } = read;
      const found = { primary: [document], counters: new Map([[type, read.counter]]), set: null };
      if (!asksBeyond(exchange)) {
        return answerRead(exchange, { ...found, reached: null, judged: type }, () => {
          const data = presentDocument(document, exchange);
          return data instanceof Promise ? data.then((shown) => ({ data: shown })) : { data };
        });
      }
      const reached = await reach(exchange, [document]);
      if (!reached.ok) return reached;
      const warnings = await warningsOfOne(exchange, document);
      const findings = { ...found, reached: reached.value, warnings, judged: type };
      return answerRead(exchange, findings, async () => ({
        data: await presentDocument(document, exchange),
        ...(await presentIncluded(exchange, reached.value)),
      }));
    }
  }
};

export const listDocuments: Handler = async (exchange) => {
  const { type } = exchange.parameters;
  const { query } = exchange;
  const listed = readListed(query);
  if (!listed.ok) return listed;
  const asked = listed.value;
  const { condition, sort, through } = asked;
  const page = await listPageOf(exchange, asked);
  if (!page.ok) return page;
  const { access } = exchange;
  const { viewer, rule } = access;
  const hidden = hiddenFields(type, access);
  const provenance = asksProvenance(exchange, type);
  const doubts = doubtsAsked(exchange, type, condition);
  return collectionOf(exchange, type).list(
    { condition, sort, page: page.value, viewer, rule, hidden, provenance, doubts },
    (found) => answerList(exchange, asked, found),
    throughOf(exchange, { type, viewer, rule, hidden }, condition, through),
  );
};

async function answerList(
  exchange: Exchange,
  asked: Listed,
  listed: ListResult<readonly LazyDocument[]>,
): Promise<Outcome<Answer>> {
  const { type } = exchange.parameters;
  const { documents: primary, counter, plan } = listed;
  const reached = await reach(exchange, primary);
  if (!reached.ok) return reached;
  const warnings = listed.doubts && (await warningsOfDoubts(exchange, type, listed.doubts));
  const set = [textOfExtent(listed), ...primary.map(({ id }) => id)].join(' ');
  const counters = new Map([[type, counter]]);
  const findings = {
    primary,
    reached: reached.value,
    counters,
    set,
    ...(warnings && { warnings }),
    judged: type,
  };
  return answerRead(exchange, findings, async () => ({
    ...metaOfList(listed, exchange.explain ? presentPlan(plan, primary.length) : null),
    data: await presentDocuments(primary, exchange, toldOf(exchange, type, asked)),
    links: await pageLinks(exchange, asked, listed),
    ...(await presentIncluded(exchange, reached.value)),
  }));
}

export const updateDocument: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const submitted = readDocument(exchange.body, type, exchange.me ? { me: id } : id, kindOfType(type));
  if (!submitted.ok) return submitted;
  const { content: sent, update } = submitted.value;
  const { access } = exchange;
  const denied = [
    ...notWritable(access.rule, sent),
    ...(update === null
      ? []
      : notUpdatable(access.rule, update, ruleOfReading(access, pathOfDocument(type, id)))),
  ];
  if (denied.length > 0) return failed(...denied);
  const collection = collectionOf(exchange, type);
  const precondition = preconditionOf(exchange);
  const kind = kindOfType(type);
  if (kind.prepare !== undefined || kind.validatesWhole === true) {
    // A caller without the right must not make the service compute a hash, nor read the document.
    const admitted = await collection.allows(id, 'update', precondition);
    if (!admitted.ok) return admitted;
  }
  const problems = await faultsOf(exchange, submitted.value, false);
  if (problems.length > 0) {
    // Preconditions and the document itself come before its new content (decisions, section 1).
    const admitted = await collection.allows(id, 'update', precondition);
    return admitted.ok ? failed(...gravest(problems)) : admitted;
  }
  const { content, asSent } = await prepared(kind, submitted.value.content, () =>
    currentAttributes(exchange),
  );
  const change = mergeOf(content, submitted.value.update);
  const updated = await collection.update(id, change, precondition, asSent);
  if (!updated.ok) return updated;
  const { document, readable } = updated.value;
  await kind.changed?.(id, exchange);
  const caching = cachingOfWritten(exchange, document);
  // A user who may update but not read gets no document back (decisions, section 4).
  const shown = readable ? shownOf(exchange, document) : null;
  const shows = showsWritten(exchange.preferences, exchange.ifMatch === null);
  if (!shows || shown === null) return ok({ status: 204, ...caching });
  return ok({ status: 200, ...(await shownWritten(exchange, shown)) });
};

export const deleteDocument: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const collection = collectionOf(exchange, type);
  const precondition = preconditionOf(exchange);
  const kind = kindOfType(type);
  if (kind.removing !== undefined) {
    const admitted = await collection.allows(id, 'delete', precondition);
    if (!admitted.ok) return admitted;
    const read = await collection.read(id, TRUSTED);
    if (read.state === 'found') await kind.removing(read.document, exchange);
  }
  const removed = await collection.remove(id, precondition);
  if (!removed.ok) return removed;
  await kind.changed?.(id, exchange);
  return ok({ status: 204 });
};

/** The plan of a search, for the operator. */
export function presentPlan({ used, ...plan }: ListResult['plan'], returned: number): Presentable {
  return {
    way: plan.way,
    indexes: used,
    scan: plan.scan,
    'rows-read': plan.rows,
    'documents-visited': plan.visited,
    'documents-decoded': plan.decoded,
    'documents-returned': returned,
  };
}
