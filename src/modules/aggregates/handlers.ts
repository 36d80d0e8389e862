/** The documents of aggregates: computed when they are read, read-only, searched like any others. */
import type { Output } from '../../collection/rpc/packing/documents.ts';
import { digest64 } from '../../domain/digest.ts';
import { linksOf, type Document, type Linkage } from '../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import {
  cachingOf,
  contentOfOutputs,
  isCurrent,
  presentIncluded,
  textOfWarnings,
  type Findings,
} from '../documents/answers.ts';
import {
  doubtsAsked,
  warningsOfDoubts,
  warningsOfOne,
  warningsOfReached,
} from '../documents/warnings/doubts.ts';
import { presentPlan } from '../documents/handlers.ts';
import { reach } from '../documents/linked/include.ts';
import { together, type Reached } from '../documents/linked/include.ts';
import { relatedList } from '../documents/linked/related-list.ts';
import { readListed, toldOf } from '../documents/listed.ts';
import { listPageOf, metaOfList, pageLinks, textOfExtent } from '../documents/paging.ts';
import { presentDocument, presentDocuments, presentRelationship } from '../documents/resource.ts';
import type { Answer, AnswerDocument, Exchange, Handler } from '../endpoint.ts';
import { strictly, warningsOfLeftOut, withWarnings } from '../documents/warnings/warnings.ts';
import { runAggregate, stampsOf, type AggregateRun } from './run.ts';
import type { OutputSelection } from '../../collection/rpc/aggregates.ts';
import { CORE, isAggregateType } from '../../domain/types.ts';

export const listAggregate: Handler = async (exchange) => {
  const { query } = exchange;
  const listed = readListed(query);
  if (!listed.ok) return listed;
  const { condition, sort } = listed.value;
  const asked = { condition, sort };
  const page = await listPageOf(exchange, asked);
  if (!page.ok) return page;
  const { type } = exchange.parameters;
  const doubts = doubtsAsked(exchange, type, condition);
  const ran = await run(exchange, { ...asked, page: page.value, doubts });
  if (!ran.ok) return ran;
  const { documents, plan } = ran.value;
  const reached = await reach(exchange, documents);
  if (!reached.ok) return reached;
  const extent = textOfExtent(ran.value);
  const told = toldOf(exchange, type, asked);
  const warnings = ran.value.doubts && (await warningsOfDoubts(exchange, type, ran.value.doubts));
  const findings = { extent, warnings: warnings ?? null, judged: type };
  return answer(exchange, ran.value, reached.value, findings, async () => ({
    ...metaOfList(ran.value, exchange.explain ? presentPlan(plan, documents.length) : null),
    data: await presentDocuments(documents, exchange, told),
    links: await pageLinks(exchange, asked, ran.value),
    ...(await presentIncluded(exchange, reached.value)),
  }));
};

export const readAggregate: Handler = async (exchange) => {
  const found = await readOne(exchange);
  if (!found.ok) return found;
  const { document } = found.value;
  const reached = await reach(exchange, [document]);
  if (!reached.ok) return reached;
  const warnings = await warningsOfOne(exchange, document);
  const findings = { extent: null, warnings, judged: document.type };
  const { plan } = found.value.ran;
  return answer(exchange, found.value.ran, reached.value, findings, async () => ({
    ...(exchange.explain && { meta: { plan: presentPlan(plan, 1) } }),
    data: await presentDocument(document, exchange),
    ...(await presentIncluded(exchange, reached.value)),
  }));
};

export const readAggregateRelationship: Handler = async (exchange) => {
  const found = await readLinkage(exchange);
  if (!found.ok) return found;
  const { linkage, ran } = found.value;
  return answer(exchange, ran, null, NOTHING_JUDGED, () =>
    Promise.resolve(presentRelationship(exchange, linkage)),
  );
};

export const readAggregateRelated: Handler = async (exchange) => {
  const found = await readLinkage(exchange);
  if (!found.ok) return found;
  const { linkage, ran } = found.value;
  return relatedList(
    exchange,
    linksOf(linkage),
    async ({ found: first, about, pages, set, told, warnings }) => {
      const further = await reach(exchange, first.documents);
      if (!further.ok) return further;
      return answer(
        exchange,
        ran,
        { ...together(first, further.value), documents: first.documents },
        { extent: set, warnings, judged: null },
        async () => ({
          ...about,
          data: await presentDocuments(first.documents, exchange, told),
          ...(pages !== null && { links: pages }),
          ...(await presentIncluded(exchange, further.value)),
        }),
      );
    },
  );
};

function run(exchange: Exchange, select: OutputSelection): Promise<Outcome<AggregateRun>> {
  const { parameters, access, query } = exchange;
  return runAggregate(exchange, parameters.type, access, select, Object.fromEntries(query.parameters));
}

async function readOne(
  exchange: Exchange,
): Promise<Outcome<{ readonly document: Output; readonly ran: AggregateRun }>> {
  const { type, id } = exchange.parameters;
  const ran = await run(exchange, { ids: [id] });
  if (!ran.ok) return ran;
  const [document] = ran.value.documents;
  if (document === undefined)
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  return ok({ document, ran: ran.value });
}

async function readLinkage(
  exchange: Exchange,
): Promise<Outcome<{ readonly linkage: Linkage; readonly ran: AggregateRun }>> {
  const found = await readOne(exchange);
  if (!found.ok) return found;
  const { name } = exchange.parameters;
  const { relationships } = found.value.document;
  if (!Object.hasOwn(relationships, name)) {
    return fail('relationship-not-found', `The document has no relationship ${name}.`);
  }
  return ok({ linkage: relationships[name] ?? null, ran: found.value.ran });
}

/** What an answer says beside its documents; warnings and judged as of findings (documents/answers.ts). */
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
  exchange: Exchange,
  ran: AggregateRun,
  reached: Reached | null,
  { extent, warnings: told, judged }: Judged,
  body: () => Promise<AnswerDocument>,
): Promise<Outcome<Answer>> {
  const { type } = exchange.parameters;
  const further = await warningsOfReached(exchange, reached, judged);
  const warnings = [...(told ?? []), ...further, ...warningsOfLeftOut(exchange)];
  const heeded = strictly(exchange, warnings);
  if (!heeded.ok) return heeded;
  const view = digest64(`${exchange.access.view} ${ran.variant ?? ''}`);
  // A rule may hide what is reached as time goes by, and no counter says so.
  const shown = exchange.access.hasRules && reached !== null ? reached.documents.map(({ id }) => id) : null;
  const set = digest64(
    `${extent ?? ''} ${contentOfOutputs([...ran.documents, ...(reached?.documents ?? [])])}${shown?.join(' ') ?? ''}${textOfWarnings(told)}`,
  );
  const stamps = reached?.stamps ?? [];
  const definitions = stamps.filter((stamp) => stamp.type === CORE.aggregate).map(({ version }) => version);
  const counters = new Map([
    ...(reached?.counters ?? []),
    [type, ran.input],
    // All definitions share one counter: a later change has a larger number than all of them.
    [CORE.aggregate, Math.max(ran.definition, ...definitions)],
  ]);
  const caching = cachingOf(exchange, counters, { view, set });
  const byStamps =
    extent === null &&
    ran.repeatable &&
    shown === null &&
    told === null &&
    (reached === null || !ran.documents.some(leadsToOutputs));
  const unchanged =
    isCurrent(exchange, { stamps: stamps.filter((stamp) => !isOutput(stamp)), view, set }) ||
    (byStamps && isCurrent(exchange, { stamps: [...stamps, ...stampsOf(type, ran)], view, set: null }));
  if (unchanged) return ok({ status: 304, ...caching });
  return ok({ status: 200, document: withWarnings(exchange, await body(), warnings), ...caching });
}

/** Included outputs are compared by their content, as primary ones are. */
function isOutput({ type }: { readonly type: string }): boolean {
  return isAggregateType(type);
}

function leadsToOutputs({ relationships }: Document): boolean {
  return Object.values(relationships).some((linkage) => linksOf(linkage).some(isOutput));
}
