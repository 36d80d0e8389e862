/** The documents of aggregates: computed when they are read, read-only, searched like any others. */
import { digest64 } from '../../domain/digest.ts';
import { linksOf } from '../../domain/documents.ts';
import { fail, ok, type Outcome, type Problem } from '../../domain/problems.ts';
import { answerIncluding, answerRead, contentOfOutputs } from '../documents/answer/answers.ts';
import { diagnosticsAsked, warningsOfDiagnostics, warningsOfOne } from '../documents/warnings/diagnostics.ts';
import { describePlan } from '../documents/handlers.ts';
import { relatedList } from '../documents/linked/related-list.ts';
import {
  readListed,
  derivedMetaOf,
  listPageOf,
  metaOfList,
  pageLinks,
  textOfExtent,
} from '../documents/answer/paging.ts';
import { presentDocument, presentDocuments, presentRelationship } from '../documents/answer/resource.ts';
import type { RequestContext, Handler } from '../endpoint.ts';
import { runAggregate, stampsOf, type AggregateRun } from './run.ts';
import type { OutputSelection } from '../../collection/rpc/results.ts';

export const listAggregate: Handler = async (context) => {
  const { query } = context;
  const listed = readListed(query);
  if (!listed.ok) return listed;
  const { condition, sort } = listed.value;
  const request = { condition, sort };
  const page = await listPageOf(context, request);
  if (!page.ok) return page;
  const { type } = context.parameters;
  const diagnostics = diagnosticsAsked(context, type, condition);
  const ran = await run(context, { ...request, page: page.value, diagnostics });
  if (!ran.ok) return ran;
  const { documents, plan } = ran.value;
  const warnings =
    ran.value.diagnostics && (await warningsOfDiagnostics(context, type, ran.value.diagnostics));
  const extent = textOfExtent(ran.value);
  const findings = { ...findingsOf(context, ran.value, extent, warnings), judged: type };
  return answerIncluding(context, findings, async () => ({
    ...metaOfList(ran.value, describePlan(context, plan, documents.length)),
    data: await presentDocuments(documents, context, derivedMetaOf(context, type, request)),
    links: await pageLinks(context, request, ran.value),
  }));
};

export const readAggregate: Handler = async (context) => {
  const found = await readOne(context);
  if (!found.ok) return found;
  const { document, ran } = found.value;
  const warnings = await warningsOfOne(context, document);
  const plan = describePlan(context, ran.plan, 1);
  const findings = { ...findingsOf(context, ran, null, warnings), judged: document.type };
  return answerIncluding(context, findings, async () => ({
    ...(plan !== null && { meta: { plan } }),
    data: await presentDocument(document, context),
  }));
};

export const readAggregateRelationship: Handler = async (context) => {
  const found = await readLinkage(context);
  if (!found.ok) return found;
  const { linkage, ran } = found.value;
  const findings = { ...findingsOf(context, ran, null, null), reached: null };
  return answerRead(context, findings, () => presentRelationship(context, linkage));
};

export const readAggregateRelated: Handler = async (context) => {
  const found = await readLinkage(context);
  if (!found.ok) return found;
  const { linkage, ran } = found.value;
  return relatedList(context, linksOf(linkage), (set, warnings) => findingsOf(context, ran, set, warnings));
};

function run(context: RequestContext, select: OutputSelection): Promise<Outcome<AggregateRun>> {
  const { parameters, access, query } = context;
  return runAggregate(context, parameters.type, access, select, Object.fromEntries(query.parameters));
}

async function readOne(context: RequestContext) {
  const { type, id } = context.parameters;
  const ran = await run(context, { ids: [id] });
  if (!ran.ok) return ran;
  const [document] = ran.value.documents;
  if (document === undefined)
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  return ok({ document, ran: ran.value });
}

async function readLinkage(context: RequestContext) {
  const found = await readOne(context);
  if (!found.ok) return found;
  const { name } = context.parameters;
  const { relationships } = found.value.document;
  if (!Object.hasOwn(relationships, name)) {
    return fail('relationship-not-found', `The document has no relationship ${name}.`);
  }
  return ok({ linkage: relationships[name] ?? null, ran: found.value.ran });
}

/**
 * An aggregate has no versions. A digest says whether the content has changed. One document is also unchanged when
 * neither input nor definition has changed, if it depends on nothing else: so the tag of a list, which holds their
 * counters, is valid for its members. For a list itself, which has an extent, only the digest counts.
 */
function findingsOf(
  { access, parameters: { type } }: RequestContext,
  ran: AggregateRun,
  extent: string | null,
  warnings: readonly Problem[] | null = null,
) {
  const view = digest64(`${access.view} ${ran.variant ?? ''}`);
  const isByInput = extent === null && ran.repeatable && warnings === null;
  return {
    primary: ran.documents,
    counters: new Map([[type, ran.input]]),
    set: `${extent ?? ''} ${contentOfOutputs(ran.documents)}`,
    warnings,
    outputs: {
      ...{ view, definition: ran.definition },
      alike: isByInput ? { stamps: stampsOf(type, ran), view, set: null } : null,
    },
  };
}
