/** What writes of a document share: on what they depend, and the answer that shows what was written. */
import type { Content, Document } from '../../../domain/documents.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Written } from '../../../collection/rpc/results.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { showsWritten } from '../../preferences.ts';
import { cachingOfFindings, cachingOfOne, presentIncluded, tagType } from '../answer/answers.ts';
import { ifMatchOf } from '../tags/conditions.ts';
import type { TagList } from '../tags/etag.ts';
import type { DocumentKind, Prepared } from '../kind.ts';
import { presentDocument } from '../answer/resource.ts';
import type { Precondition } from '../../../collection/rpc/writes/operations.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { principalOf } from '../../../domain/rules.ts';
import { withWarnings, warningsNoted } from '../warnings/warnings.ts';
import { readerOf, shownOf } from '../rights/rules.ts';
import { reach } from '../linked/include.ts';

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
    return { document: warned, ...cachingOfWritten(context, document) };
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
  if (shown === null) return ok({ status: 204, ...cachingOfWritten(context, written.document) });
  return ok({ status: 200, ...(await shownWritten(context, shown)) });
}

/** The headers for caches of an answer about a document just written: its version is the collection's counter. */
export function cachingOfWritten(context: RequestContext, document: Document) {
  return cachingOfOne(context, document, document.version);
}
