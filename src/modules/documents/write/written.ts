/** What writes of a document share: on what they depend, what refuses their content, and the answer that shows it. */
import { type Content, type Document, keyOf } from '../../../domain/documents.ts';
import { ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Written } from '../../../collection/rpc/results.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { showsWritten } from '../../preferences.ts';
import { cachingOfFindings, cachingOfOne, presentIncluded, tagType } from '../answer/answers.ts';
import { ifMatchOf } from '../tags/conditions.ts';
import type { TagList } from '../tags/etag.ts';
import type { DocumentKind, Prepared } from '../kind.ts';
import { presentDocument } from '../answer/resource.ts';
import type { Precondition, Once } from '../../../collection/rpc/writes/operations.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { principalOf, TRUSTED } from '../../../domain/rules.ts';
import { withWarnings, warningsNoted, noteWarning } from '../warnings/warnings.ts';
import { readerOf, shownOf } from '../rights/rules.ts';
import { reach } from '../linked/include.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { kindOfType } from '../../kinds.ts';
import { checkRelationships } from '../linked/links.ts';
import type { SubmittedDocument } from '../body/read-body.ts';
import { faultsOfGuarded, faultsOfRights } from '../body/read-meta.ts';
import { changeRefused } from '../../../collection/rpc/refusals.ts';
import { disclosesOnlySeen } from '../../../collection/rpc/rules.ts';
import { TOLD } from '../../../domain/limits.ts';
import { findingsOf, type StoredRule } from '../rights/stored-rules.ts';
import { signerOf } from '../../../auth/credentials.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { textOfParsed } from '../../../domain/values/json.ts';
import { sha256 } from '../../../domain/values/sha256.ts';

/** The actor and the precondition of a write of the addressed document. */
export function preconditionOf(context: RequestContext): Precondition {
  const { access, application, ifMatch, ifNoneMatch, me } = context;
  const { type, id } = context.parameters;
  const reader = readerOf(access, pathOfDocument(type, id));
  const seen = (list: TagList) => ifMatchOf(list, application, { type, id, me }, tagType(context, type));
  return {
    ...principalOf(access),
    ...(reader !== undefined && { reader }),
    ifMatch: seen(ifMatch),
    ifNoneMatch: seen(ifNoneMatch),
  };
}

export async function prepared(
  context: RequestContext,
  kind: DocumentKind,
  content: Content,
  current: () => Promise<Fields | null>,
): Promise<Outcome<Prepared>> {
  return kind.prepare === undefined ? ok({ content, asSent: null }) : kind.prepare(content, current, context);
}

/**
 * The parts of an answer that shows a document just written, with what the query includes. It is written, whatever the
 * include comes to: one that is refused is a warning.
 */
export async function shownWritten(context: RequestContext, document: Document) {
  const reached = await reach(context, [document]);
  const data = await presentDocument(document, context);
  if (!reached.ok) {
    const warned = withWarnings(context, { data }, reached.problems);
    return { document: warned, ...cachingOfOne(context, document) };
  }
  const findings = {
    primary: [document],
    reached: reached.value,
    counters: new Map([[document.type, document.version]]),
    set: null,
  };
  return {
    document: withWarnings(
      context,
      reached.value === null ? { data } : { data, ...(await presentIncluded(context, reached.value)) },
      warningsNoted(context),
    ),
    ...cachingOfFindings(context, findings).caching,
  };
}

/**
 * What the answer to a write may show of the document; null where its sender prefers that it shows nothing, or may not
 * see it: a user who may write but not read gets no document back (decisions, section 4).
 */
export async function shownTo(
  context: RequestContext,
  { document, readable }: Written<Document>,
  byDefault: boolean,
): Promise<Document | null> {
  return readable && showsWritten(context.preferences, byDefault) ? shownOf(context, document) : null;
}

export async function answerWritten(
  context: RequestContext,
  written: Written<Document>,
  byDefault: boolean,
): Promise<Outcome<Answer>> {
  const shown = await shownTo(context, written, byDefault);
  if (shown === null) return ok({ status: 204, ...cachingOfOne(context, written.document) });
  return ok({ status: 200, ...(await shownWritten(context, shown)) });
}

/** All problems of submitted content, links last, because they cost calls. */
export async function faultsOf(
  context: RequestContext,
  submitted: SubmittedDocument,
  whole: boolean,
): Promise<readonly Problem[]> {
  const { content } = submitted;
  const kind = kindOfType(context.parameters.type);
  const seesWhole = !whole && kind.validatesWhole === true;
  const current = seesWhole ? await currentAttributes(context) : null;
  const own = kind.validate?.(content, whole, current, context) ?? [];
  // Problems of the whole document reveal its stored part.
  const shown =
    seesWhole && own.length > 0 && !(await isShown(context, own)) ? changeRefused().problems : own;
  return [
    ...submitted.problems,
    ...shown,
    ...faultsOfRights(context.parameters.type, submitted.grants),
    ...faultsOfGuarded(submitted.update ?? [], (name) => isGuarded(kind, name)),
    ...(own.length > 0 ? [] : await checkRules(context, kind.rules?.(content, current))),
    ...(await checkRelationships(context, content.relationships)),
  ];
}

async function checkRules(
  context: RequestContext,
  rules: readonly StoredRule[] = [],
): Promise<readonly Problem[]> {
  if (rules.length === 0) return [];
  const { problems, warnings } = await findingsOf(context, rules);
  for (const each of warnings) noteWarning(context, each);
  return problems.slice(0, TOLD.inBody);
}

/** Whether an attribute is checked, or stored in another form, as a whole: then operators cannot change it. */
function isGuarded({ validate, guarded }: DocumentKind, name: string): boolean {
  return guarded === undefined ? validate !== undefined : guarded.has(name);
}

/** Whether a caller may be told of problems of the whole addressed document. */
async function isShown(context: RequestContext, problems: readonly Problem[]): Promise<boolean> {
  const { type, id } = context.parameters;
  for (const each of [context.access, readerOf(context.access, pathOfDocument(type, id))]) {
    if (each === undefined) continue;
    if (!disclosesOnlySeen(problems, each.rule)) return false;
    const read = await collectionOf(context, type).read(id, each);
    if (read.state !== 'found') return false;
  }
  return true;
}

/** The attributes of the addressed document; null if there is none, which the write itself will report. */
export async function currentAttributes(context: RequestContext): Promise<Fields | null> {
  const { type, id } = context.parameters;
  const read = await collectionOf(context, type).read(id, TRUSTED);
  return read.state === 'found' ? read.document.attributes : null;
}

/**
 * What a request with an `Idempotency-Key` is told again from: the key of the API, the user, the path and the header
 * together, and the body. The digest of the body is made with a secret: a body may hold a password, which nobody who
 * reads the storage may find by trying. Null for a request without the header.
 */
export async function onceOf(context: RequestContext): Promise<Once | null> {
  const { access, apiKey, application, body, environment, idempotencyKey, path } = context;
  if (idempotencyKey === null) return null;
  // Not only under ACL: rules look at the user, and so do the permissions of the operations in a list.
  const user = access.holder === null ? null : keyOf(access.holder.token.holder);
  const { sealer } = await signerOf(environment);
  const bounds = { purpose: 'request body', application, about: [] } as const;
  return {
    key: sha256(JSON.stringify([apiKey, user, path, idempotencyKey])),
    sender: senderOf(apiKey, user),
    digests: await sealer.digests(bounds, textOfParsed(body)),
  };
}

/** The sender of requests: an API key, null for the operator, and a user, as `keyOf` writes it. */
export function senderOf(apiKey: DocumentId | null, user: string | null): string {
  return sha256(JSON.stringify([apiKey, user]));
}
