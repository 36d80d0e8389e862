/** Creating a document: what is stored, and what its creator is told of it. */
import { OWN_ID } from '../../../collection/rpc/writes/operations.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Written } from '../../../collection/rpc/results.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { keyOf, linksOf, type Content, type Document } from '../../../domain/documents.ts';
import {
  failed,
  gravest,
  ok,
  pointerIn,
  problem,
  type Outcome,
  type Problem,
} from '../../../domain/problems.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import type { Answer, RequestContext, Handler } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { showsWritten } from '../../preferences.ts';
import { cachingOfOne } from '../answer/answers.ts';
import { onceOf, faultsOf, prepared, shownWritten } from './written.ts';
import { isToItself } from '../linked/links.ts';
import { readDocument } from '../body/read-body.ts';
import { CHOSEN_ID } from '../../../collection/rpc/refusals.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import { aclNotWritable, notWritable, shownOf } from '../rights/rules.ts';

export const createDocument: Handler = async (context) => {
  const created = await storeNew(context);
  return created.ok ? answerStored(context, created.value) : created;
};

/** The answer to a create, as its sender prefers it. */
export async function answerStored(
  context: RequestContext,
  written: Written<Document>,
): Promise<Outcome<Answer>> {
  if (showsWritten(context.preferences, true)) return answerNew(context, written);
  const { document, readable } = written;
  return ok({
    status: 204,
    location: `${context.base}${pathOfDocument(document.type, document.id)}`,
    ...(readable && (await shownOf(context, document)) !== null && cachingOfOne(context, document)),
  });
}

/** 201 with a new document, as far as who made it may see it. */
export async function answerNew(
  context: RequestContext,
  { document, readable }: Written<Document>,
): Promise<Outcome<Answer>> {
  const shown = readable ? await shownOf(context, document) : null;
  return shown === null ? answerUnseen(context, document) : answerCreated(context, shown);
}

/** 201 for a document that its creator may not read: it is there, and has an address. */
function answerUnseen(context: RequestContext, { type, id }: Document): Outcome<Answer> {
  const self = `${context.base}${pathOfDocument(type, id)}`;
  const included = context.query.include === null ? {} : { included: [] };
  return ok({ status: 201, document: { data: { type, id, links: { self } }, ...included }, location: self });
}

/** Stores the document of the body. `given`: its id, if that must say something; `made`: attributes of the service. */
export async function storeNew(
  context: RequestContext,
  given?: DocumentId,
  made?: Fields,
): Promise<Outcome<Written<Document>>> {
  const { type } = context.parameters;
  const once = await onceOf(context);
  // Before anything is looked at: what it links to may have gone since.
  const before = await collectionOf(context, type).writtenBefore(once, context.access.rule);
  if (!before.ok) return before;
  if (before.value !== null) return ok(before.value);
  const submitted = readDocument(context.body, type, null, kindOfType(type));
  if (!submitted.ok) return submitted;
  const denied = [
    // Of a stored content, the handler says what may be written.
    ...(context.stored === undefined ? notWritable(context.access.rule, submitted.value.content) : []),
    ...(submitted.value.grants === null ? [] : aclNotWritable(context.access.rule, '/data/meta/acl')),
  ];
  if (denied.length > 0) return failed(...denied);
  // What the service adds nobody needs to send.
  const added = Object.keys(made ?? {}).map((name) => `missing-attribute /data/attributes/${name}`);
  const problems = (await faultsOf(context, submitted.value, true)).filter(
    (each) => !added.includes(`${each.code} ${pointerIn(each)}`),
  );
  if (problems.length > 0) {
    const { id } = submitted.value;
    const strange = id === null ? [] : await faultsOfChosenIds(context, type);
    return failed(...gravest([...strange, ...problems]));
  }
  const kind = kindOfType(type);
  const { owner, viewer, creator, rule } = context.access;
  const { id } = submitted.value;
  const ready = await prepared(context, kind, submitted.value.content, () => Promise.resolve(null));
  if (!ready.ok) return ready;
  const created = await collectionOf(context, type).create({
    ...(id !== null && { id }),
    ...(given !== undefined && { given }),
    ...(linksToItself(submitted.value.content) && { own: OWN_ID }),
    ...ready.value,
    ...(made !== undefined && {
      content: { ...ready.value.content, attributes: { ...ready.value.content.attributes, ...made } },
    }),
    owners: owner === null ? [] : [keyOf(owner)],
    viewer,
    ...(submitted.value.grants !== null && { grants: submitted.value.grants }),
    creator,
    ...(once !== null && { once }),
    ownsItself: typeInfo(type).ownsItself ?? false,
    rule,
  });
  if (created.ok) await kind.changed?.(created.value.document.id, context);
  return created;
}

function linksToItself({ relationships }: Content): boolean {
  return Object.values(relationships).some((linkage) => linksOf(linkage).some(isToItself));
}

/** 201 with the document and `meta`. */
export async function answerCreated(
  context: RequestContext,
  document: Document,
  meta?: Readonly<Record<string, Presentable>>,
): Promise<Outcome<Answer>> {
  const { document: shown, ...caching } = await shownWritten(context, document);
  return ok({
    status: 201,
    document: meta === undefined ? shown : { ...shown, meta: { ...shown.meta, ...meta } },
    ...caching,
    ...(typeInfo(document.type).unreadable !== true && {
      location: `${context.base}${pathOfDocument(document.type, document.id)}`,
    }),
  });
}

/** The problem of an id that the client has chosen, where the settings of the type do not allow it. */
async function faultsOfChosenIds(context: RequestContext, type: TypeName): Promise<readonly Problem[]> {
  const settings = await collectionOf(context, type).settings();
  if (settings?.clientIds === true) return [];
  return [problem('client-id', CHOSEN_ID, { pointer: '/data/id' })];
}
