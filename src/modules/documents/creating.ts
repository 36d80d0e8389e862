/** Creating a document: what is stored, and what its creator is told of it. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Written } from '../../collection/rpc/results.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { keyOf, linksOf, type Content, type Document } from '../../domain/documents.ts';
import { failed, gravest, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/values/present.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { showsWritten } from '../preferences.ts';

import { onceOf } from './once.ts';
import { OWN_ID } from '../../collection/rpc/operations.ts';
import { readDocument } from './body/read-body.ts';
import { CHOSEN_ID } from '../../collection/rpc/refusals.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { factsOf, type TypeName } from '../../domain/types.ts';
import { aclNotWritable, notWritable, shownOf } from './rules.ts';
import { faultsOf } from './content-faults.ts';
import { prepared, shownWritten, cachingOfWritten } from './written.ts';

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

/** Stores the document of the body. `given`: its id, where that must say something. */
export async function storeNew(exchange: Exchange, given?: DocumentId): Promise<Outcome<Written<Document>>> {
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
    ...(given !== undefined && { given }),
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

/** The problem of an id that the client has chosen, where the settings of the type do not allow it. */
async function faultsOfChosenIds(exchange: Exchange, type: TypeName): Promise<readonly Problem[]> {
  const settings = await collectionOf(exchange, type).settings();
  if (settings?.clientIds === true) return [];
  return [problem('client-id', CHOSEN_ID, { pointer: '/data/id' })];
}
