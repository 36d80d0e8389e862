/** The five relationship and related endpoints (spec, Relationship endpoints). */
import { forbidden } from '../../collection/admission.ts';
import type { Change } from '../../collection/change.ts';
import { unpackRead } from '../../collection/packing.ts';
import { linksOf, type Document, type Linkage } from '../../domain/documents.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { fail, failed, ok, type Outcome, type Problem } from '../../domain/problems.ts';
import type { Exchange, Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { answerRead, presentIncluded } from './answers.ts';
import { cachingOfWritten, conditionOf } from './handlers.ts';
import { include, related } from './include.ts';
import { collectionOf, pathOfDocument } from './kind.ts';
import { checkLinkage } from './links.ts';
import { readLinkage } from './read-body.ts';
import { openDocument, presentDocuments, presentRelationship } from './resource.ts';

export const readRelationship: Handler = async (exchange) => {
  const owner = await readOwner(exchange);
  if (!owner.ok) return owner;
  const { document, counters, linkage } = owner.value;
  return answerRead(exchange, { primary: [document], reached: null, counters, set: null }, () =>
    Promise.resolve(presentLinkage(exchange, linkage)),
  );
};

export const readRelated: Handler = async (exchange) => {
  const owner = await readOwner(exchange);
  if (!owner.ok) return owner;
  const { document, counters, linkage } = owner.value;
  const targets = await related(exchange, linksOf(linkage));
  if (!targets.ok) return targets;
  const paths = exchange.query.include;
  const reached = paths === null ? ok(null) : await include(exchange, targets.value.documents, paths);
  if (!reached.ok) return reached;
  const all = {
    documents: [...targets.value.documents, ...(reached.value?.documents ?? [])],
    counters: new Map([...(reached.value?.counters ?? []), ...targets.value.counters]),
    stamps: [...targets.value.stamps, ...(reached.value?.stamps ?? [])],
  };
  return answerRead(exchange, { primary: [document], reached: all, counters, set: null }, async () => ({
    data: await presentDocuments(targets.value.documents, exchange),
    ...(await presentIncluded(exchange, reached.value)),
  }));
};

export const replaceRelationship: Handler = (exchange) => change(exchange, 'replace-links');
export const addToRelationship: Handler = (exchange) => change(exchange, 'add-links');
export const removeFromRelationship: Handler = (exchange) => change(exchange, 'remove-links');

async function change(exchange: Exchange, kind: Exclude<Change['kind'], 'merge'>) {
  const { type, id, name: relationship } = exchange.parameters;
  const read = readLinkage(exchange.body, kind !== 'replace-links');
  if (!read.ok) return read;
  const { name, stub } = collectionOf(exchange, type);
  const condition = conditionOf(exchange);
  // Removing a link needs no target that exists (decisions, section 2).
  const problems = kind === 'remove-links' ? [] : await checkLinkage(exchange, read.value);
  if (problems.length > 0) {
    const admitted = await stub.admits(id, 'update', condition);
    if (!admitted.ok) return admitted;
    // That the field is an attribute is 409, which comes before 422 (decisions, section 1).
    const owner = await readOwner(exchange);
    const isAttribute = !owner.ok && owner.problems.some(({ code }) => code === 'field-conflict');
    return isAttribute ? owner : failed(...problems);
  }
  const updated = await stub.update(name, id, { kind, name: relationship, linkage: read.value }, condition);
  if (!updated.ok) return failed(...updated.problems.map((each) => inBody(each, relationship)));
  const document = openDocument(type, updated.value.document);
  await kindOfType(type).changed?.(id, exchange);
  const caching = cachingOfWritten(exchange, document);
  // Who may update but not read gets no part of the document back (decisions, section 4).
  if (!updated.value.readable) return ok({ status: 204 as const, ...caching });
  const linkage = document.relationships[relationship] ?? null;
  return ok({ status: 200 as const, document: presentLinkage(exchange, linkage), ...caching });
}

/** What is wrong with this relationship of a document is, in a body of links alone, wrong with its data. */
function inBody(each: Problem, relationship: string): Problem {
  const place = pointerOf(placeOf('data', 'relationships', relationship, 'data'));
  if (each.source === undefined || !('pointer' in each.source)) return each;
  return each.source.pointer === place ? { ...each, source: { pointer: '/data' } } : each;
}

interface Owner {
  readonly document: Document;
  readonly counters: ReadonlyMap<string, number>;
  readonly linkage: Linkage;
}

/** The document whose relationship is asked for, with the relationship. */
async function readOwner(exchange: Exchange): Promise<Outcome<Owner>> {
  const { type, id, name } = exchange.parameters;
  const read = unpackRead(await collectionOf(exchange, type).stub.read(id, exchange.access.viewer));
  if (read.state === 'forbidden') return forbidden();
  if (read.state !== 'found')
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  const document = openDocument(type, read.document);
  if (!Object.hasOwn(document.relationships, name)) {
    return Object.hasOwn(document.attributes, name)
      ? fail('field-conflict', `The field ${name} of this document is an attribute.`)
      : fail('relationship-not-found', `The document has no relationship ${name}.`);
  }
  return ok({
    document,
    counters: new Map([[type, read.counter]]),
    linkage: document.relationships[name] ?? null,
  });
}

function presentLinkage(exchange: Exchange, linkage: Linkage) {
  const { type, id, name } = exchange.parameters;
  return presentRelationship(`${exchange.base}${pathOfDocument(type, id)}`, name, linkage);
}
