/** The five things one does with documents. Every module's endpoints of stored documents are served by these. */
import { packContent } from '../../collection/change.ts';
import type { Content, Document } from '../../domain/documents.ts';
import { encodeText } from '../../domain/codec.ts';
import { fail, failed, ok, statusOf, type Outcome, type Problem } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/present.ts';
import { parseFilter } from '../../query/filter/parse.ts';
import { parseSort } from '../../query/order/sort.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { answerRead, presentIncluded } from './answers.ts';
import { ifMatchOf, isUnchanged } from './conditions.ts';
import { tagOf } from './etag.ts';
import { include, type Reached } from './include.ts';
import { collectionOf, pathOfDocument } from './kind.ts';
import { checkRelationships } from './links.ts';
import { listPageOf, pageLinks } from './paging.ts';
import { readDocument, type Submitted } from './read-body.ts';
import { openDocument, presentDocument } from './resource.ts';

export const createDocument: Handler = async (exchange) => {
  const created = await storeNew(exchange);
  return created.ok ? answerCreated(exchange, created.value) : created;
};

/** Stores the document of the body. */
export async function storeNew(exchange: Exchange): Promise<Outcome<Document>> {
  const { type } = exchange.parameters;
  const submitted = readDocument(exchange.body, type, null);
  if (!submitted.ok) return submitted;
  const problems = await faultsOf(exchange, submitted.value, true);
  if (problems.length > 0) return failed(...gravest(problems));
  const { name, stub } = collectionOf(exchange, type);
  const created = await stub.create(name, packContent(submitted.value.content));
  if (!created.ok) return created;
  await kindOfType(type).changed?.(created.value.id, exchange);
  return ok(openDocument(type, created.value));
}

/** 201 with the document; `meta` stands beside it. */
export async function answerCreated(
  exchange: Exchange,
  document: Document,
  meta?: Readonly<Record<string, Presentable>>,
): Promise<Outcome<Answer>> {
  return ok({
    status: 201,
    document: { data: await presentDocument(document, exchange), ...(meta && { meta }) },
    tag: tagOfDocument(document),
    location: `${exchange.base}${pathOfDocument(document.type, document.id)}`,
  });
}

export const readOneDocument: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const read = await collectionOf(exchange, type).stub.read(id);
  switch (read.state) {
    case 'absent':
      return fail('document-not-found', `There is no document ${id} of type ${type}.`);
    case 'deleted': {
      const counters = new Map([[type, read.counter]]);
      const stamps = [{ type, version: read.version }];
      const tag = tagOf(counters);
      if (isUnchanged(exchange.ifNoneMatch, { stamps, view: null, set: null }))
        return ok({ status: 304, tag });
      const included = exchange.query.include === null ? {} : { included: [] };
      return ok({ status: 200, document: { data: null, ...included }, tag });
    }
    case 'found': {
      const document = openDocument(type, read.document);
      const reached = await reach(exchange, [document]);
      if (!reached.ok) return reached;
      const counters = new Map([[type, read.counter]]);
      const findings = { primary: [document], reached: reached.value, counters, set: null };
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
  const filter = parseFilter(query.filters);
  if (!filter.ok) return filter;
  const sort = query.sort === null ? ok([]) : parseSort(query.sort);
  if (!sort.ok) return sort;
  const { name, stub } = collectionOf(exchange, type);
  const request = { condition: encodeText(filter.value), sort: sort.value, page: listPageOf(query.page) };
  const listed = await stub.list(name, request);
  if (!listed.ok) return listed;
  const { total, counter, next } = listed.value;
  const primary = listed.value.documents.map((stored) => openDocument(type, stored));
  const reached = await reach(exchange, primary);
  if (!reached.ok) return reached;
  const set = `${total} ${primary.map(({ id }) => id).join(' ')}`;
  const findings = { primary, reached: reached.value, counters: new Map([[type, counter]]), set };
  return answerRead(exchange, findings, async () => ({
    meta: { count: total },
    data: await Promise.all(primary.map((document) => presentDocument(document, exchange))),
    links: pageLinks(exchange, total, next),
    ...(await presentIncluded(exchange, reached.value)),
  }));
};

export const updateDocument: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const submitted = readDocument(exchange.body, type, id);
  if (!submitted.ok) return submitted;
  const { name, stub } = collectionOf(exchange, type);
  const ifMatch = ifMatchOf(exchange.ifMatch, type);
  const problems = await faultsOf(exchange, submitted.value, false);
  if (problems.length > 0) {
    // Preconditions and the document itself come before its new content (decisions, section 1).
    const admitted = await stub.admits(id, ifMatch);
    return admitted.ok ? failed(...gravest(problems)) : admitted;
  }
  const change = { kind: 'merge', content: packContent(submitted.value.content) } as const;
  const updated = await stub.update(name, id, change, ifMatch);
  if (!updated.ok) return updated;
  const document = openDocument(type, updated.value);
  await kindOfType(type).changed?.(id, exchange);
  const tag = tagOfDocument(document);
  if (exchange.ifMatch !== null) return ok({ status: 204, tag });
  return ok({ status: 200, document: { data: await presentDocument(document, exchange) }, tag });
};

export const deleteDocument: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const { name, stub } = collectionOf(exchange, type);
  const removed = await stub.remove(name, id, ifMatchOf(exchange.ifMatch, type));
  if (!removed.ok) return removed;
  await kindOfType(type).changed?.(id, exchange);
  return ok({ status: 204 });
};

/** The tag of a document just written: its version is the collection's counter. */
export function tagOfDocument({ type, version }: Document): NonNullable<Answer['tag']> {
  return tagOf(new Map([[type, version]]));
}

/** What the query's include leads to; null when it asks for nothing. */
export async function reach(
  exchange: Exchange,
  primary: readonly Document[],
): Promise<Outcome<Reached | null>> {
  const paths = exchange.query.include;
  return paths === null ? ok(null) : include(exchange, primary, paths);
}

/** Everything wrong with submitted content, links last: they cost calls. */
async function faultsOf(
  exchange: Exchange,
  submitted: Submitted<Content>,
  whole: boolean,
): Promise<readonly Problem[]> {
  const { content } = submitted;
  const own = kindOfType(exchange.parameters.type).validate?.(content, whole) ?? [];
  return [...submitted.problems, ...own, ...(await checkRelationships(exchange, content.relationships))];
}

/** The problems of the status that comes first in the order of checks. */
function gravest(problems: readonly Problem[]): readonly Problem[] {
  const first = Math.min(...problems.map(({ code }) => statusOf(code)));
  return problems.filter(({ code }) => statusOf(code) === first);
}
