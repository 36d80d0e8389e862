/** Versions of a document (docs/history.md): the list of them, and each as the document was. */
import { collectionOf } from '../../collection/rpc/client.ts';
import { ERASED, type Deleted, type VersionEntry } from '../../collection/rpc/history.ts';
import { noVersion } from '../../collection/rpc/refusals.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { digest64 } from '../../domain/digest.ts';
import { isId, storedId, type DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { placeOf } from '../../domain/pointer.ts';
import { fail, failed, ok, type Outcome } from '../../domain/problems.ts';
import { principalOf, shows, TRUSTED, type Principal } from '../../domain/rules.ts';
import { CORE, VERSION } from '../../domain/types.ts';
import { presentTime, type Presentable } from '../../domain/values/present.ts';
import { ObjectId } from '../../domain/values/values.ts';
import type { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import { isFieldName } from '../../domain/field-names.ts';
import type { Answer, AnswerDocument, Handler, Query, RequestContext } from '../endpoint.ts';
import { decodeCondition, readFilter } from '../../operators/filter/encoded.ts';
import { PathParameters } from '../path-parameters.ts';
import { onceOf, answerWritten, preconditionOf } from './write/written.ts';
import { answerTagged, cachingOf } from './answer/answers.ts';
import { listPageOf, pageLinks } from './answer/paging.ts';
import { checkLinks, placeLinks, type PlacedLink } from './linked/links.ts';
import { readRelated } from './linked/relationships.ts';
import { presentDocument, presentDocuments } from './answer/resource.ts';

export const listVersions: Handler = async (context) => {
  const { type, id } = context.parameters;
  const collection = collectionOf(context, type);
  const settings = await collection.settings();
  const name = 'versions';
  // Without a history, it is a relationship like any other.
  if ((settings?.history ?? null) === null && isFieldName(name)) {
    return readRelated({ ...context, parameters: new PathParameters(type, { id, name }) });
  }
  const readers = readersOf(context);
  return answerPage(context, `versions of ${id}`, [], async (after, limit) => {
    const read = await collection.versions(id, readers, after === null ? null : Number(after), limit);
    // One answer to all who may not see the document, or a version, whether there is one or not.
    if (read.state !== 'found')
      return fail('document-not-found', `There are no versions of a document ${id} of type ${type}.`);
    const data = read.edits.map((edit) => presentEdit(context, readers, edit));
    return ok({ data, digested: data, next: read.next === null ? null : String(read.next) });
  });
};

/** Documents that were deleted and can be restored, the last deletion first. */
export const listDeleted: Handler = (context) =>
  answerPage(context, 'deleted', ['deleted', 'fields'], async (after, limit) => {
    const { access, parameters } = context;
    const read = await collectionOf(context, parameters.type).trash(principalOf(access), after, limit);
    if (read.state === 'off') return noHistory(context, 'deleted');
    return ok({ ...(await presentPast(context, 'deleted', read.deleted)), next: read.next });
  });

interface PageRead {
  readonly data: readonly Presentable[];
  /** What distinguishes the page from others. */
  readonly digested: unknown;
  readonly next: string | null;
}

/** A page by cursor of what no search finds: it takes parameters of these families beside those of the page. */
export async function answerPage(
  context: RequestContext,
  condition: string,
  families: readonly string[],
  read: (after: string | null, limit: number) => Promise<Outcome<PageRead>>,
): Promise<Outcome<Answer>> {
  const query = pagedQuery(context.query, families);
  if (!query.ok) return query;
  const paged = { ...context, query: query.value };
  // What the list is: a cursor of it is good for no other.
  const listed = { condition, sort: [] };
  const page = await listPageOf(paged, listed);
  if (!page.ok) return page;
  const { limit, after } = { after: null, ...page.value };
  const found = await read(after, limit);
  if (!found.ok) return found;
  const { data, digested, next } = found.value;
  const links = await pageLinks(paged, listed, { total: null, more: next !== null, next, documents: data });
  return answerDigested(context, [digested, links], { data, links });
}

/**
 * What is told decides where no counter says what has changed, as of versions that go. A tag without counters is good
 * for this answer alone.
 */
export function answerDigested(
  context: RequestContext,
  digested: unknown,
  document: AnswerDocument,
): Promise<Outcome<Answer>> {
  const digests = { view: context.access.view, set: digest64(JSON.stringify(digested)) };
  const caching = cachingOf(context, new Map(), digests);
  return answerTagged(context, [{ stamps: [], ...digests }], caching, () => document);
}

/** The documents of some ids as they were at a moment: those that were there, and may be seen. */
export const listAt: Handler = async (context) => {
  const { access, parameters, query } = context;
  const only = onlyOf(query, ['at', 'fields', 'filter'], 'A list with at takes filter[id] and fields only.');
  const ids = only.ok ? idsIn(query) : only;
  if (!ids.ok) return ids;
  const found: Deleted<LazyDocument>[] = [];
  let units = 0;
  for (const id of ids.value) {
    const which = { at: query.at ?? 0 };
    const read = await collectionOf(context, parameters.type).version(id, [principalOf(access)], which);
    if (read.state === 'off') return noHistory(context, 'at');
    if (read.state === 'absent' || read.document === null) continue;
    found.push({ edit: read.edit, document: read.document });
    units += read.document.units;
    if (units > LIMITS.document * 4)
      return fail('answer-too-large', 'These documents are too large together: ask for fewer at a time.');
  }
  const { data, digested } = await presentPast(context, 'version', found);
  return answerDigested(context, digested, { meta: { count: data.length }, data });
};

/** Documents as they were, each with how that came about. */
async function presentPast(context: RequestContext, name: string, past: readonly Deleted<LazyDocument>[]) {
  const readers = [principalOf(context.access)];
  const digested = new Map(
    past.map(({ document, edit }) => [document.id, attributesOf(context, readers, edit)] as const),
  );
  const documents = past.map(({ document }) => document);
  const data = await presentDocuments(documents, context, ({ id }) => ({ [name]: digested.get(id) ?? null }));
  return { data, digested: [...digested, context.query.text] };
}

/** The ids that a filter names, in their order. */
function idsIn({ filters }: Query): Outcome<readonly DocumentId[]> {
  const filter = readFilter(filters);
  if (!filter.ok) return filter;
  const condition = decodeCondition(filter.value.condition);
  const isOfId = 'path' in condition && condition.path.join('.') === 'id';
  const one = isOfId && condition.op === 'eq' ? [condition.value] : [];
  const values = isOfId && condition.op === 'in' && condition.patterns.length === 0 ? condition.values : one;
  const ids = new Set(values.map((value) => (value instanceof ObjectId ? storedId(value.hex) : null)));
  const all = [...ids].filter((id) => id !== null).sort();
  if (all.length === ids.size && ids.size > 0 && ids.size <= LIMITS.idsAt) return ok(all);
  const form = 'filter[id]={"$in":[{"$oid":"6b011e2f6aeea231a557b680"}]}';
  return fail('invalid-parameter', `A list with at is of 1 to ${LIMITS.idsAt} ids: ${form}.`, {
    parameter: 'filter[id]',
  });
}

function noHistory({ parameters: { type } }: RequestContext, parameter: string) {
  const detail = `Documents of type ${type} have no history: their former states are not stored.`;
  return fail('invalid-parameter', detail, { parameter });
}

/** A document as it was: by the number of its version, or at a moment. */
export const readVersion: Handler = async (context) => {
  const { parameters, query } = context;
  const { type, id } = parameters;
  const only = onlyOf(query, ['at', 'fields'], 'A document as it was takes fields only.');
  if (!only.ok) return only;
  const which = query.at === null ? parameters.number : { at: query.at };
  const readers = readersOf(context);
  const read = await collectionOf(context, type).version(id, readers, which);
  if (read.state === 'off') return fail('version-not-found', `Documents of type ${type} have no history.`);
  if (read.state === 'absent') return noVersion(id, which);
  const meta = attributesOf(context, readers, read.edit);
  const data = read.document && (await presentDocument(read.document, context));
  return answerDigested(context, [id, meta, query.text], { data, meta });
};

/** A change like any: rights, rules, schemas and settings of today decide. */
export const restoreVersion: Handler = async (context) => {
  const { type, id, number: n } = context.parameters;
  const collection = collectionOf(context, type);
  const once = await onceOf(context);
  const before = await collection.writtenBefore(once, context.access.rule);
  if (!before.ok) return before;
  if (before.value !== null) return answerWritten(context, before.value, true);
  const given = await givenFiles(context);
  if (!given.ok) return given;
  const request = { id, n, readers: readersOf(context) };
  const restored = await collection.restore(request, preconditionOf(context), once ?? undefined);
  if (!restored.ok) return restored;
  return answerWritten(context, restored.value, true);
};

/**
 * Refuses a version with files that whoever restores it may not read, and that the document has not, or had not last:
 * its readers would get them. Those that are gone give nothing.
 */
async function givenFiles(context: RequestContext): Promise<Outcome<null>> {
  const { type, id, number: n } = context.parameters;
  const collection = collectionOf(context, type);
  const names: readonly string[] = (await collection.settings())?.files ?? [];
  if (names.length === 0) return ok(null);
  const filesAt = async (readers: readonly Principal[], number: number) => {
    const read = await collection.version(id, readers, number);
    const relationships = read.state === 'found' ? (read.document?.relationships ?? {}) : {};
    const links = names.flatMap((name) =>
      placeLinks(relationships[name] ?? null, name, placeOf('data', 'relationships', name, 'data')),
    );
    return links.filter((link) => link.type === CORE.file);
  };
  const newest = await collection.versions(id, [TRUSTED], null, 1);
  const [last] = newest.state === 'found' ? newest.edits : [];
  if (last === undefined) return ok(null);
  const had = await filesAt([TRUSTED], last.change === 'delete' ? last.n - 1 : last.n);
  const others = (await filesAt([TRUSTED], n)).filter((link) => !isAmong(link, had));
  if (others.length === 0) return ok(null);
  const ids = others.map((link) => link.id);
  const gone = await collectionOf(context, CORE.file).calls.missing(ids);
  const problems = await checkLinks(
    context,
    type,
    others.filter((link) => !gone.includes(link.id)),
  );
  if (problems.length === 0) return ok(null);
  // Only who sees all of them in the version is told.
  const seen = await filesAt(readersOf(context), n);
  return others.every((link) => isAmong(link, seen)) ? failed(...problems) : noVersion(id, n);
}

/** Whether a relationship has a link: who sees one need not see another with the same. */
function isAmong({ id, name }: PlacedLink, links: readonly PlacedLink[]): boolean {
  return links.some((each) => each.id === id && each.name === name);
}

/** Refuses parameters of other families. */
function onlyOf({ entries }: Query, families: readonly string[], detail: string): Outcome<null> {
  const strange = entries.find(([name]) => !families.includes(name.split('[')[0] ?? ''));
  return strange === undefined ? ok(null) : fail('invalid-parameter', detail, { parameter: strange[0] });
}

/** The query with a page by cursor, as all pages of versions are. */
function pagedQuery(query: Query, families: readonly string[]): Outcome<Query> {
  const { page } = query;
  const isFirst = page.style === 'number' ? page.number === 1 : page.style === 'cursor' || page.offset === 0;
  const only = onlyOf(
    query,
    ['page', ...families],
    'They are all listed, newest first: nothing filters, sorts or includes.',
  );
  if (!only.ok) return only;
  if (!isFirst) {
    const parameter = page.style === 'number' ? 'page[number]' : 'page[offset]';
    return fail('invalid-parameter', 'These pages take a cursor: page[after] and page[size].', {
      parameter,
    });
  }
  const size = page.style === 'offset' ? page.limit : page.size;
  const after = page.style === 'cursor' ? page.after : null;
  return ok({ ...query, page: { style: 'cursor', after, size, counted: true } });
}

/** As whom a version must be seen: who asks, and who reads the document at its own address. */
function readersOf({ access, parameters: { type, id } }: RequestContext): readonly Principal[] {
  if (!access.hasRules) return [principalOf(access)];
  const reading = access.viewerOf(pathOfDocument(type, id));
  const isNone = reading === null || reading === 'exhausted';
  return [principalOf(access), isNone ? NOBODY : principalOf(reading)];
}

const NOBODY: Principal = { viewer: [], rule: null };

function presentEdit(
  context: RequestContext,
  readers: readonly Principal[],
  edit: VersionEntry,
): Presentable {
  const { base, parameters } = context;
  const { type, id } = parameters;
  return {
    type: VERSION,
    id: `${id}.${edit.n}`,
    attributes: attributesOf(context, readers, edit),
    links: { self: `${base}${pathOfDocument(type, id)}/versions/${edit.n}` },
  };
}

/** Users are not told which key was used, nor is anybody told what a rule hides of a document's audit fields. */
function attributesOf(
  { wrapped }: RequestContext,
  readers: readonly Principal[],
  { n, change, user, key, at, until }: VersionEntry,
): Record<string, Presentable> {
  const isShown = (name: string) => readers.every(({ rule }) => shows(rule, name));
  const shown = (time: number) => presentTime(time, wrapped);
  return {
    number: n,
    change,
    ...(isShown('$updated') && { at: shown(at), until: until === null ? null : shown(until) }),
    ...(isShown('$creator') && { user: presentUser(user) }),
    ...(readers.every(({ viewer }) => viewer === null) && { key }),
  };
}

/** Users as `keyOf` writes them, and those who were erased. */
export function presentUser(user: string | null): Presentable {
  const [type = '', id = ''] = user?.split(' ') ?? [];
  return isId(id) ? { type, id } : user === null ? null : ERASED;
}
