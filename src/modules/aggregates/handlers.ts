/** The documents of aggregates: computed when they are read, read-only, searched like any others. */
import type { Output } from '../../collection/rpc/packing/documents.ts';
import { digest64 } from '../../domain/digest.ts';
import { keyOf, linksOf, type Linkage } from '../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import {
  cachingOf,
  contentOfOutputs,
  isCurrent,
  presentIncluded,
  textOfWarnings,
  type Findings,
} from '../documents/answer/answers.ts';
import {
  diagnosticsAsked,
  warningsOfDiagnostics,
  warningsOfOne,
  warningsOfReached,
} from '../documents/warnings/diagnostics.ts';
import { describePlan } from '../documents/handlers.ts';
import { reach, together, type Reached } from '../documents/linked/include.ts';
import { relatedList } from '../documents/linked/related-list.ts';
import { readListed, derivedMetaOf } from '../documents/answer/listed.ts';
import { listPageOf, metaOfList, pageLinks, textOfExtent } from '../documents/answer/paging.ts';
import { presentDocument, presentDocuments, presentRelationship } from '../documents/answer/resource.ts';
import type { Answer, AnswerDocument, RequestContext, Handler } from '../endpoint.ts';
import { strictly, withWarnings, warningsNoted } from '../documents/warnings/warnings.ts';
import { runAggregate, stampsOf, type AggregateRun } from './run.ts';
import type { OutputSelection } from '../../collection/rpc/results.ts';
import { CORE } from '../../domain/types.ts';

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
  const reached = await reach(context, documents);
  if (!reached.ok) return reached;
  const extent = textOfExtent(ran.value);
  const derived = derivedMetaOf(context, type, request);
  const warnings =
    ran.value.diagnostics && (await warningsOfDiagnostics(context, type, ran.value.diagnostics));
  const findings = { extent, warnings: warnings ?? null, judged: type };
  return answer(context, ran.value, reached.value, findings, async () => ({
    ...metaOfList(ran.value, describePlan(context, plan, documents.length)),
    data: await presentDocuments(documents, context, derived),
    links: await pageLinks(context, request, ran.value),
    ...(await presentIncluded(context, reached.value)),
  }));
};

export const readAggregate: Handler = async (context) => {
  const found = await readOne(context);
  if (!found.ok) return found;
  const { document } = found.value;
  const reached = await reach(context, [document]);
  if (!reached.ok) return reached;
  const warnings = await warningsOfOne(context, document);
  const findings = { extent: null, warnings, judged: document.type };
  const derived = describePlan(context, found.value.ran.plan, 1);
  return answer(context, found.value.ran, reached.value, findings, async () => ({
    ...(derived !== null && { meta: { plan: derived } }),
    data: await presentDocument(document, context),
    ...(await presentIncluded(context, reached.value)),
  }));
};

export const readAggregateRelationship: Handler = async (context) => {
  const found = await readLinkage(context);
  if (!found.ok) return found;
  const { linkage, ran } = found.value;
  return answer(context, ran, null, NOTHING_JUDGED, () =>
    Promise.resolve(presentRelationship(context, linkage)),
  );
};

export const readAggregateRelated: Handler = async (context) => {
  const found = await readLinkage(context);
  if (!found.ok) return found;
  const { linkage, ran } = found.value;
  return relatedList(
    context,
    linksOf(linkage),
    async ({ found: first, about, pages, set, derived, warnings }) => {
      const further = await reach(context, first.documents);
      if (!further.ok) return further;
      return answer(
        context,
        ran,
        { ...together(first, further.value), documents: first.documents },
        { extent: set, warnings, judged: null },
        async () => ({
          ...about,
          data: await presentDocuments(first.documents, context, derived),
          ...(pages !== null && { links: pages }),
          ...(await presentIncluded(context, further.value)),
        }),
      );
    },
  );
};

function run(context: RequestContext, select: OutputSelection): Promise<Outcome<AggregateRun>> {
  const { parameters, access, query } = context;
  return runAggregate(context, parameters.type, access, select, Object.fromEntries(query.parameters));
}

async function readOne(
  context: RequestContext,
): Promise<Outcome<{ readonly document: Output; readonly ran: AggregateRun }>> {
  const { type, id } = context.parameters;
  const ran = await run(context, { ids: [id] });
  if (!ran.ok) return ran;
  const [document] = ran.value.documents;
  if (document === undefined)
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  return ok({ document, ran: ran.value });
}

async function readLinkage(
  context: RequestContext,
): Promise<Outcome<{ readonly linkage: Linkage; readonly ran: AggregateRun }>> {
  const found = await readOne(context);
  if (!found.ok) return found;
  const { name } = context.parameters;
  const { relationships } = found.value.document;
  if (!Object.hasOwn(relationships, name)) {
    return fail('relationship-not-found', `The document has no relationship ${name}.`);
  }
  return ok({ linkage: relationships[name] ?? null, ran: found.value.ran });
}

/** What an answer says beside its documents; warnings and judged as of findings (documents/answer/answers.ts). */
interface Judged extends Required<Pick<Findings, 'warnings' | 'judged'>> {
  /** Of a list, how far it reaches; null for anything else. */
  readonly extent: string | null;
}

const NOTHING_JUDGED: Judged = { extent: null, warnings: null, judged: null };

/**
 * An aggregate has no versions. A digest says whether the content has changed. One document is also unchanged when
 * neither input nor definition has changed, if it depends on nothing else: so the tag of a list, which holds their
 * counters, is valid for its members. For a list itself only the digest counts.
 */
async function answer(
  context: RequestContext,
  ran: AggregateRun,
  reached: Reached | null,
  { extent, warnings: derived, judged }: Judged,
  body: () => Promise<AnswerDocument>,
): Promise<Outcome<Answer>> {
  const { type } = context.parameters;
  const further = await warningsOfReached(context, reached, judged);
  const warnings = [...(derived ?? []), ...further, ...warningsNoted(context)];
  const heeded = strictly(context, warnings);
  if (!heeded.ok) return heeded;
  const view = digest64(`${context.access.view} ${ran.variant ?? ''}`);
  const shown = (reached?.documents ?? []).map(keyOf);
  const set = digest64(
    `${extent ?? ''} ${contentOfOutputs([...ran.documents, ...(reached?.documents ?? [])])}${shown.join(' ')}${textOfWarnings(derived)}`,
  );
  const stamps = reached?.stamps ?? [];
  const counters = new Map([
    ...(reached?.counters ?? []),
    [type, ran.input],
    // All definitions share one counter: a later change has a larger number than all of them.
    [CORE.aggregate, Math.max(ran.definition, reached?.counters.get(CORE.aggregate) ?? 0)],
  ]);
  const caching = cachingOf(context, counters, { view, set });
  const byStamps = extent === null && ran.repeatable && reached === null && derived === null;
  const unchanged =
    (await isCurrent(context, { stamps, view, set })) ||
    (byStamps && (await isCurrent(context, { stamps: stampsOf(type, ran), view, set: null })));
  if (unchanged) return ok({ status: 304, ...caching });
  return ok({ status: 200, document: withWarnings(context, await body(), warnings), ...caching });
}
