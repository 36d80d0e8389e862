/** The five operations on documents. They serve the endpoints of stored documents in every module. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import type { ListResult, Written } from '../../collection/rpc/results.ts';
import { keyOf, linksOf, type Content, type Document } from '../../domain/documents.ts';
import { fail, failed, gravest, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/values/present.ts';
import { hiddenFields } from '../../domain/secrets.ts';
import type { Fields } from '../../domain/values/values.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { showsWritten } from '../preferences.ts';
import {
  answerRead,
  cachingOfFindings,
  cachingOfOne,
  isCurrent,
  presentIncluded,
  subjectAsked,
  tagType,
} from './answers.ts';
import { ifMatchOf } from './tags/conditions.ts';
import { include, type Reached } from './linked/include.ts';
import { type DocumentKind, type Prepared } from './kind.ts';
import { checkRelationships } from './linked/links.ts';
import { onceOf } from './once.ts';
import { readListed, toldOf } from './listed.ts';
import { listPageOf, metaOfList, pageLinks, textOfExtent, type Listed } from './paging.ts';
import { mergeOf, OWN_ID } from '../../collection/rpc/operations.ts';
import { asksProvenance } from './provenance.ts';
import { readDocument, type SubmittedDocument } from './body/read-body.ts';
import { faultsOfGuarded, faultsOfRights } from './body/read-meta.ts';
import { throughOf } from './linked/related-filter.ts';
import { presentDocument, presentDocuments } from './resource.ts';
import { CHOSEN_ID, changeRefused, forbidden } from '../../collection/rpc/refusals.ts';
import { tellsOfSeen } from '../../collection/rpc/rules.ts';
import type { Precondition } from '../../collection/rpc/precondition.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { factsOf, type TypeName } from '../../domain/types.ts';
import { principalOf, TRUSTED } from '../../domain/rules.ts';
import { doubtsAsked, warningsOfDoubts, warningsOfLeftOut, withWarnings } from './warnings.ts';
import { aclNotWritable, notUpdatable, notWritable, readerOf, ruleOfReading, shownOf } from './rules.ts';

export const createDocument: Handler = async (exchange) => {
  const created = await storeNew(exchange);
  if (!created.ok) return created;
  if (showsWritten(exchange.preferences, true)) return answerNew(exchange, created.value);
  const { document, readable } = created.value;
  return ok({
    status: 204,
    location: `${exchange.base}${pathOfDocument(document.type, document.id)}`,
    ...(readable && shownOf(exchange, document) !== null && cachingOfWritten(exchange, document)),
  });
};

/** 201 with a new document, as far as who made it may see it. */
export async function answerNew(
  exchange: Exchange,
  { document, readable }: Written<Document>,
): Promise<Outcome<Answer>> {
  const shown = readable ? shownOf(exchange, document) : null;
  return shown === null ? answerUnseen(exchange, document) : answerCreated(exchange, shown);
}

/** 201 for a document that its creator may not read: it is there, and has an address. */
function answerUnseen(exchange: Exchange, { type, id }: Document): Outcome<Answer> {
  const self = `${exchange.base}${pathOfDocument(type, id)}`;
  const included = exchange.query.include === null ? {} : { included: [] };
  return ok({ status: 201, document: { data: { type, id, links: { self } }, ...included }, location: self });
}

/** Stores the document of the body. */
export async function storeNew(exchange: Exchange): Promise<Outcome<Written<Document>>> {
  const { type } = exchange.parameters;
  const once = await onceOf(exchange);
  if (once !== null) {
    // Before anything is looked at: what it links to may have gone since.
    const before = await collectionOf(exchange, type).writtenBefore(once, exchange.access.rule);
    if (!before.ok) return before;
    if (before.value !== null) return ok(before.value);
  }
  const submitted = readDocument(exchange.body, type, null, kindOfType(type));
  if (!submitted.ok) return submitted;
  const denied = [
    ...notWritable(exchange.access.rule, submitted.value.content),
    ...(submitted.value.grants === null ? [] : aclNotWritable(exchange.access.rule, '/data/meta/acl')),
  ];
  if (denied.length > 0) return failed(...denied);
  const problems = await faultsOf(exchange, submitted.value, true);
  if (problems.length > 0) {
    const { id } = submitted.value;
    const strange = id === null ? [] : await faultsOfChosenIds(exchange, type);
    return failed(...gravest([...strange, ...problems]));
  }
  const kind = kindOfType(type);
  const { owner, viewer, creator, rule } = exchange.access;
  const { id } = submitted.value;
  const created = await collectionOf(exchange, type).create({
    ...(id !== null && { id }),
    ...(linksToItself(submitted.value.content) && { own: OWN_ID }),
    ...(await prepared(kind, submitted.value.content, () => Promise.resolve(null))),
    owners: owner === null ? [] : [keyOf(owner)],
    viewer,
    ...(submitted.value.grants !== null && { grants: submitted.value.grants }),
    creator,
    ...(once !== null && { once }),
    ownsItself: factsOf(type).ownsItself ?? false,
    rule,
  });
  if (created.ok) await kind.changed?.(created.value.document.id, exchange);
  return created;
}

function linksToItself({ relationships }: Content): boolean {
  return Object.values(relationships).some((linkage) => linksOf(linkage).some(({ id }) => id === OWN_ID));
}

/** 201 with the document and `meta`. */
export async function answerCreated(
  exchange: Exchange,
  document: Document,
  meta?: Readonly<Record<string, Presentable>>,
): Promise<Outcome<Answer>> {
  const { document: shown, ...caching } = await shownWritten(exchange, document);
  return ok({
    status: 201,
    document: meta === undefined ? shown : { ...shown, meta: { ...shown.meta, ...meta } },
    ...caching,
    ...(factsOf(document.type).unreadable !== true && {
      location: `${exchange.base}${pathOfDocument(document.type, document.id)}`,
    }),
  });
}

/**
 * The parts of an answer that shows a document just written, with what the query includes. It is written, whatever the
 * include comes to: one that is refused is a warning.
 */
async function shownWritten(exchange: Exchange, document: Document) {
  const reached = await reach(exchange, [document]);
  const data = await presentDocument(document, exchange);
  if (!reached.ok) {
    const told = withWarnings(exchange, { data }, reached.problems);
    return { document: told, ...cachingOfWritten(exchange, document) };
  }
  const findings = {
    primary: [document],
    reached: reached.value,
    counters: new Map([[document.type, document.version]]),
    set: null,
  };
  return {
    document: withWarnings(
      exchange,
      { data, ...(await presentIncluded(exchange, reached.value)) },
      warningsOfLeftOut(exchange),
    ),
    ...cachingOfFindings(exchange, findings).caching,
  };
}

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
  const listed = readListed(query);
  if (!listed.ok) return listed;
  const { through, ...asked } = listed.value;
  const page = await listPageOf(exchange, asked);
  if (!page.ok) return page;
  const { access } = exchange;
  const hidden = hiddenFields(type, access);
  const provenance = asksProvenance(exchange, type);
  const doubts = doubtsAsked(exchange);
  const request = { ...asked, page: page.value, ...principalOf(access), hidden, provenance, doubts };
  return collectionOf(exchange, type).list(
    request,
    (found) => answerList(exchange, asked, found),
    throughOf(exchange, asked.condition, through, { hidden, only: access.rule?.read ?? null }),
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
  const warnings = await warningsOfDoubts(exchange, listed.doubts ?? []);
  const set = [
    textOfExtent(listed),
    ...primary.map(({ id }) => id),
    // They may change while the list stays empty.
    ...warnings.map(({ code, detail }) => `${code} ${detail}`),
  ].join(' ');
  const findings = { primary, reached: reached.value, counters: new Map([[type, counter]]), set, warnings };
  return answerRead(exchange, findings, async () => ({
    ...metaOfList(listed, exchange.explain ? presentPlan(plan, primary.length) : null),
    data: await presentDocuments(primary, exchange, toldOf(exchange, asked)),
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

/** The headers for caches of an answer about a document just written: its version is the collection's counter. */
export function cachingOfWritten(exchange: Exchange, document: Document) {
  return cachingOfOne(exchange, document, document.version);
}

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

/** The actor and the precondition of a write of the addressed document. */
export function preconditionOf(exchange: Exchange): Precondition {
  const { access, application, ifMatch, parameters } = exchange;
  const reader = readerOf(access, pathOfDocument(parameters.type, parameters.id));
  return {
    ...principalOf(access),
    ...(reader !== undefined && { reader }),
    ifMatch: ifMatchOf(ifMatch, application, tagType(exchange, parameters.type), subjectAsked(exchange)),
  };
}

async function prepared(
  kind: DocumentKind,
  content: Content,
  current: () => Promise<Fields | null>,
): Promise<Prepared> {
  return kind.prepare === undefined ? { content, asSent: null } : kind.prepare(content, current);
}

/** The documents of the query's include; null without one. */
export async function reach(
  exchange: Exchange,
  primary: readonly Document[],
): Promise<Outcome<Reached | null>> {
  const paths = exchange.query.include;
  return paths === null ? ok(null) : include(exchange, primary, paths);
}

/** The problem of an id that the client has chosen, where the settings of the type do not allow it. */
async function faultsOfChosenIds(exchange: Exchange, type: TypeName): Promise<readonly Problem[]> {
  const settings = await collectionOf(exchange, type).settings();
  if (settings?.clientIds === true) return [];
  return [problem('client-id', CHOSEN_ID, { pointer: '/data/id' })];
}

/** All problems of submitted content, links last, because they cost calls. */
export async function faultsOf(
  exchange: Exchange,
  submitted: SubmittedDocument,
  whole: boolean,
): Promise<readonly Problem[]> {
  const { content } = submitted;
  const kind = kindOfType(exchange.parameters.type);
  const seesWhole = !whole && kind.validatesWhole === true;
  const current = seesWhole ? await currentAttributes(exchange) : null;
  const own = kind.validate?.(content, whole, current) ?? [];
  // Problems of the whole document reveal its stored part.
  const told = seesWhole && own.length > 0 && !(await isTold(exchange, own)) ? changeRefused().problems : own;
  return [
    ...submitted.problems,
    ...told,
    ...faultsOfRights(exchange.parameters.type, submitted.grants),
    ...faultsOfGuarded(submitted.update ?? [], (name) => isGuarded(kind, name)),
    ...(await checkRelationships(exchange, content.relationships)),
  ];
}

/** Whether an attribute is checked, or stored in another form, as a whole: then operators cannot change it. */
function isGuarded({ validate, guarded }: DocumentKind, name: string): boolean {
  return guarded === undefined ? validate !== undefined : guarded.has(name);
}

/** Whether a caller may be told of problems of the whole addressed document. */
async function isTold(exchange: Exchange, problems: readonly Problem[]): Promise<boolean> {
  const { type, id } = exchange.parameters;
  for (const each of [exchange.access, readerOf(exchange.access, pathOfDocument(type, id))]) {
    if (each === undefined) continue;
    if (!tellsOfSeen(problems, each.rule)) return false;
    const read = await collectionOf(exchange, type).read(id, each);
    if (read.state !== 'found') return false;
  }
  return true;
}

/** The attributes of the addressed document; null if there is none, which the write itself will report. */
async function currentAttributes(exchange: Exchange): Promise<Fields | null> {
  const { type, id } = exchange.parameters;
  const read = await collectionOf(exchange, type).read(id, TRUSTED);
  return read.state === 'found' ? read.document.attributes : null;
}
