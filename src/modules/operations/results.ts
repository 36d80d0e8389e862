/** The result of each operation, as `atomic:results`: the answer of a single request, and an entity tag. */
import { explainedRefusal } from '../../auth/explanation.ts';
import type { Content, Document } from '../../domain/documents.ts';
import { readAuditFields } from '../../domain/audit-fields.ts';
import { JsonText, textOfAnswer, type Presentable } from '../../domain/values/present.ts';
import { formatTag, subjectOf, tagOf } from '../documents/tags/etag.ts';
import { shownOf } from '../documents/rights/rules.ts';
import { presentAcl, presentDocument, textOfLinkage } from '../documents/answer/resource.ts';
import { aclTypeOf } from '../../domain/addresses/paths.ts';
import type { AnswerDocument, RequestContext } from '../endpoint.ts';
import { showsWritten } from '../preferences.ts';
import { explanationIn } from './permits.ts';
import type { OperationList, Planned } from './read-list.ts';
import { namedContent } from './shares.ts';
import { errorObject, type Problem } from '../../domain/problems.ts';
import type { Attempt, Done, Failure } from '../../collection/rpc/writes/operations.ts';
import type { DocumentId } from '../../domain/ids.ts';

export async function presentResults(
  context: RequestContext,
  { operations, types }: OperationList,
  done: readonly Attempt<Document>[],
  problemsOf: (failure: Failure) => readonly Problem[],
): Promise<AnswerDocument> {
  const results: Presentable[] = [];
  for (const [at, operation] of operations.entries()) {
    const each = done[at];
    if (each === undefined) throw new Error('An operation has no result.');
    const explanation = explanationIn(context, operation);
    if ('failure' in each) {
      const problems = explainedRefusal(problemsOf(each.failure), explanation);
      // A result has data and meta alone (JSON:API, Atomic Operations).
      results.push({ meta: { errors: problems.map((problem) => errorObject(problem, context.base)) } });
      continue;
    }
    const { kind } = operation.action;
    const explained = explanation && { explained: { by: 'key', ...explanation } };
    if (kind === 'remove' || kind === 'test') results.push(explained === null ? {} : { meta: explained });
    else {
      const result = await presentResult(context, operation, each, done, explained);
      // A finished text: it may contain the text of a document.
      results.push(new JsonText(textOfAnswer(result)));
    }
  }
  // Of several types: one of them tells nobody more. As it was when the list was done, which may have been sent before.
  const transaction =
    types.length < 2
      ? undefined
      : done.flatMap((each) => ('id' in each ? (each.transaction ?? []) : [])).at(0);
  return { 'atomic:results': results, ...(transaction !== undefined && { meta: { transaction } }) };
}

async function presentResult(
  context: RequestContext,
  { action, type }: Planned,
  { id, version, auditFields, document, acl }: Done<Document>,
  done: readonly Attempt<Document>[],
  explained: Readonly<Record<string, Presentable>> | null,
): Promise<Presentable> {
  const { application, base, tagSeal, wrapped } = context;
  const target = action.kind === 'acl' ? { type, level: action.level } : null;
  const tagged = target === null ? type : aclTypeOf(target);
  const digests = { subject: subjectOf(application, { type: tagged, id }), wrapped };
  const etag = formatTag(tagOf(tagSeal, application, new Map([[tagged, version]]), digests));
  const meta = { etag, ...explained };
  const shows = showsWritten(context.preferences, true);
  if (target !== null)
    return acl === undefined || !shows ? { meta } : { data: presentAcl(base, target, id, acl), meta };
  if (action.kind === 'add') {
    // The stored content is the sent content, unless the collection gives the document: nothing needs to be read again.
    // As stored: local ids are replaced by ids, and a repeated link occurs once.
    const content = namedContent(action.content, (at) => idAt(done, at));
    const known = auditFields === undefined ? undefined : readAuditFields(auditFields);
    const added = { type, id, version, aclVersion: 0, auditFields: known, ...content };
    const isAsSent = document === undefined && !context.access.hasRules;
    const seen = isAsSent ? added : document && (await shownOf(context, document));
    // The id is what a client cannot know: it is shown whatever the client prefers.
    const least = { ...added, ...NOTHING_SHOWN };
    return { data: await presentDocument(shows ? (seen ?? least) : least, context), meta };
  }
  const shown = document === undefined || !shows ? null : await shownOf(context, document);
  if (shown === null || action.kind !== 'change') return { meta };
  const { change } = action;
  if (change.kind === 'merge') return { data: await presentDocument(shown, context), meta };
  return Object.hasOwn(shown.relationships, change.name)
    ? { data: new JsonText(textOfLinkage(shown.relationships[change.name] ?? null)), meta }
    : { meta };
}

/** The id of what an operation has added. */
function idAt(done: readonly Attempt<Document>[], at: number): DocumentId {
  const added = done[at];
  if (added === undefined || !('id' in added))
    throw new Error('A local id stands for nothing that was added before.');
  return added.id;
}

/** What is seen of a document that its creator may not read. */
const NOTHING_SHOWN: Content & Pick<Document, 'seen'> = { attributes: {}, relationships: {}, seen: [] };
