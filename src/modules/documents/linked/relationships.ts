/** The five relationship and related endpoints (spec, Relationship endpoints). */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { linksOf, type Document, type Linkage } from '../../../domain/documents.ts';
import { isAggregateType } from '../../../domain/types.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { fail, failed, gravest, ok, problem, type Outcome, type Problem } from '../../../domain/problems.ts';
import { faultOfNewFieldName } from '../../../domain/field-names.ts';
import type { RequestContext, Handler } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { answerIncluding, answerRead, cachingOfOne } from '../answer/answers.ts';
import { describePlan } from '../handlers.ts';
import { preconditionOf, shownTo, onceOf } from '../write/written.ts';
import { keepOlder } from './include.ts';
import { relatedList } from './related-list.ts';
import { inverseOf } from './inverse-links.ts';
import { listInverse, onlyOfInverses, type ListedInverse } from './inverses.ts';
import type { Inverse } from '../../../domain/types/settings.ts';
import { metaOfList, pageLinks, textOfExtent } from '../answer/paging.ts';
import { asksForPage, pageOfLinks } from './link-pages.ts';
import { checkLinkage } from './links.ts';
import { readLinkage } from '../body/read-body.ts';
import type { Written } from '../../../collection/rpc/results.ts';
import { presentDocuments, presentRelationship } from '../answer/resource.ts';
import { forbidden } from '../../../collection/rpc/refusals.ts';
import { faultOfTarget, noRelationship, type Change } from '../../../collection/rpc/writes/operations.ts';
import { notPermitted, mayWrite, readerOf } from '../rights/rules.ts';
import { isList } from '../../../domain/values/tree.ts';

export const readRelationship: Handler = async (context) => {
  const owner = await readLinks(context);
  if (!owner.ok) return owner;
  if ('inverse' in owner.value) return readInverseLinks(context, owner.value);
  const { document, counters, linkage } = owner.value;
  const taken = onlyOfInverses(context);
  if (!taken.ok) return taken;
  const findings = { primary: [document], reached: null, counters };
  if (!asksForPage(context)) {
    return answerRead(context, { ...findings, set: null }, () => presentRelationship(context, linkage));
  }
  if (!isList(linkage)) {
    const detail = `The relationship ${context.parameters.name} is to-one: it has no pages.`;
    return fail('invalid-parameter', detail, { parameter: 'page' });
  }
  const page = await pageOfLinks(context, linkage);
  if (!page.ok) return page;
  const { links, about, addresses, set } = page.value;
  return answerRead(context, { ...findings, set }, () => ({
    ...about,
    ...presentRelationship(context, links, addresses),
  }));
};

export const readRelated: Handler = async (context) => {
  const owner = await readLinks(context);
  if (!owner.ok) return owner;
  if ('inverse' in owner.value) return readInverse(context, owner.value);
  const { document, counters, linkage } = owner.value;
  const findings = { primary: [document], counters };
  return relatedList(context, linksOf(linkage), (set, warnings) => ({ ...findings, set, warnings }));
};

/** The links of an inverse: a page of them, as of a list. */
function readInverseLinks(context: RequestContext, { document, counters, inverse }: InverseOwner) {
  return listInverse(context, document, inverse, async ({ type, listed, result, warnings }) => {
    const links = result.documents.map(({ id }) => ({ type, id }));
    const now = keepOlder(new Map(counters), type, result.counter);
    const findings = { primary: [], reached: null, counters: now, warnings };
    return answerRead(context, { ...findings, set: setOf(result) }, async () => ({
      ...metaOfList(result, null),
      ...presentRelationship(context, links, await pageLinks(context, listed, result)),
    }));
  });
}

/** The documents of an inverse: a list. */
function readInverse(context: RequestContext, { document, counters, inverse }: InverseOwner) {
  return listInverse(context, document, inverse, async ({ type, listed, result, warnings }) => {
    const { documents: primary, plan } = result;
    const findings = { primary, counters: keepOlder(new Map(counters), type, result.counter), warnings };
    return answerIncluding(context, { ...findings, set: setOf(result) }, async () => ({
      ...metaOfList(result, describePlan(context, plan, primary.length)),
      data: await presentDocuments(primary, context),
      links: await pageLinks(context, listed, result),
    }));
  });
}

function setOf(result: ListedInverse['result']): string {
  return `${textOfExtent(result)} ${result.documents.map(({ id }) => id).join(' ')}`;
}

export const replaceRelationship: Handler = (context) => change(context, 'replace-links');
export const addToRelationship: Handler = (context) => change(context, 'add-links');
export const removeFromRelationship: Handler = (context) => change(context, 'remove-links');

type LinksChange = Exclude<Change['kind'], 'merge'>;

async function change(context: RequestContext, kind: LinksChange) {
  const { type, id, name: relationship } = context.parameters;
  const collection = collectionOf(context, type);
  const once = await onceOf(context);
  const before = await collection.writtenBefore(once, context.access.rule);
  if (!before.ok) return before;
  if (before.value !== null) return answerChanged(context, before.value);
  const read = readLinkage(context.body, kind !== 'replace-links');
  if (!read.ok) return read;
  if (!mayWrite(context.access.rule, relationship)) return failed(notPermitted(relationship, '/data'));
  const precondition = preconditionOf(context);
  const linkage = read.value.content;
  const problems = [...read.value.problems, ...(await faultsOf(context, kind, linkage))];
  if (problems.length > 0) {
    const admitted = await collection.allows(id, 'update', precondition);
    if (!admitted.ok) return admitted;
    const owner = await readReadableOwner(context);
    // A missing relationship is 404 or 409, which come before 422 (decisions, section 1).
    const fault = owner.ok ? faultOfTarget(owner.value.document, { kind, name: relationship }) : null;
    return failed(...gravest([...(fault === null ? [] : [fault]), ...problems]));
  }
  const links = { kind, name: relationship, linkage };
  const updated = await collection.update(id, links, precondition, null, once ?? undefined);
  if (!updated.ok) return failed(...updated.problems.map((each) => inBody(each, relationship)));
  await kindOfType(type).changed?.(id, context);
  return answerChanged(context, updated.value);
}

async function answerChanged(context: RequestContext, written: Written<Document>) {
  const { name: relationship } = context.parameters;
  const caching = cachingOfOne(context, written.document);
  const shown = await shownTo(context, written, true);
  if (shown === null || !Object.hasOwn(shown.relationships, relationship)) {
    return ok({ status: 204 as const, ...caching });
  }
  const after = shown.relationships[relationship] ?? null;
  return ok({ status: 200 as const, document: presentRelationship(context, after), ...caching });
}

/** The problems of links to set. The targets of links to remove need not exist (decisions, section 2). */
async function faultsOf(
  context: RequestContext,
  kind: LinksChange,
  linkage: Linkage,
): Promise<readonly Problem[]> {
  if (kind === 'remove-links') {
    return checkLinkage(
      context,
      linksOf(linkage).filter((link) => isAggregateType(link.type)),
    );
  }
  const { type, name } = context.parameters;
  const fault = faultOfNewFieldName(name);
  const own = kindOfType(type).validate?.(
    { attributes: {}, relationships: { [name]: linkage } },
    false,
    null,
  );
  return [
    ...(fault === undefined ? [] : [problem('invalid-field-name', fault)]),
    ...(own ?? []).map((each) => inBody(each, name)),
    ...(await checkLinkage(context, linkage)),
  ];
}

/** In a body of links, a problem of the document's relationship is a problem of `data`. */
function inBody(each: Problem, relationship: string): Problem {
  const { source } = each;
  const whole = pointerOf(placeOf('data', 'relationships', relationship));
  if (source === undefined || !('pointer' in source)) return each;
  if (source.pointer === whole) return { ...each, source: { pointer: '/data' } };
  if (!`${source.pointer}/`.startsWith(`${whole}/data/`)) return each;
  return { ...each, source: { pointer: source.pointer.slice(whole.length) } };
}

/** The document of the requested relationship. */
interface Owner {
  readonly document: Document;
  readonly counters: ReadonlyMap<string, number>;
}

async function readOwner(context: RequestContext): Promise<Outcome<Owner>> {
  const { type, id } = context.parameters;
  const read = await collectionOf(context, type).read(id, context.access);
  if (read.state === 'forbidden') return forbidden('read', context.access);
  if (read.state !== 'found')
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  return ok({ document: read.document, counters: new Map([[type, read.counter]]) });
}

/** The same for a refusal: only what a GET of the document would show, too, is told. */
async function readReadableOwner(context: RequestContext): Promise<Outcome<Pick<Owner, 'document'>>> {
  const { type, id } = context.parameters;
  const owner = await readOwner(context);
  const reader = readerOf(context.access, pathOfDocument(type, id));
  if (!owner.ok || reader === undefined) return owner;
  const read = await collectionOf(context, type).read(id, reader);
  if (read.state !== 'found') return forbidden('read', reader);
  return ok({ document: read.document.seenAs(context.access.rule?.read ?? null) });
}

/** The same with a declared inverse. */
type InverseOwner = Owner & { readonly inverse: Inverse };

/** The same with the relationship, or with the inverse of its name. An attribute has no address. */
async function readLinks(
  context: RequestContext,
): Promise<Outcome<(Owner & { readonly linkage: Linkage }) | InverseOwner>> {
  const owner = await readOwner(context);
  if (!owner.ok) return owner;
  const { type, name } = context.parameters;
  const { document } = owner.value;
  if (Object.hasOwn(document.relationships, name)) {
    return ok({ ...owner.value, linkage: document.relationships[name] ?? null });
  }
  const inverse = Object.hasOwn(document.attributes, name) ? null : await inverseOf(context, type, name);
  return inverse === null ? failed(noRelationship(document, name)) : ok({ ...owner.value, inverse });
}
