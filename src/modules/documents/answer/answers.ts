/** Answers made of documents. For all of them it decides the conditional read, the tag and what caches may keep. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { notAs } from '../../../collection/rpc/refusals.ts';
import { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import { digest64 } from '../../../domain/digest.ts';
import { keyOf, type Document, type Link } from '../../../domain/documents.ts';
import { ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { CORE, isAggregateType, storedType } from '../../../domain/types.ts';
import type { Answer, AnswerDocument, RequestContext } from '../../endpoint.ts';
import { unchangedSince, type Composition } from '../tags/conditions.ts';
import { subjectOf, tagOf, typeKey, type Digests, type EntityTag, type TagList } from '../tags/etag.ts';
import { keepOlder, reach, together, type Reached } from '../linked/include.ts';
import { inverseLinksOf } from '../linked/inverse-links.ts';
import { presentDocuments } from './resource.ts';
import { warningsOfReached } from '../warnings/diagnostics.ts';
import { strictly, withWarnings, warningsNoted } from '../warnings/warnings.ts';

/** What a read found. */
export interface Findings {
  /** The documents in `data`, or the document whose part is there. */
  readonly primary: readonly Document[];
  /** The included documents, if the request asks for any. */
  readonly reached: Reached | null;
  /** The counters of the types of the primary documents, at the moment of the read. */
  readonly counters: ReadonlyMap<string, number>;
  /** For a list, what distinguishes it from others: the ids in order, the total. */
  readonly set: string | null;
  /**
   * What is to be told in `meta.warnings`, beside what is left out; null where nothing was looked at. They may change
   * while all else stays.
   */
  readonly warnings?: readonly Problem[] | null;
  /** The type whose fields, and relationships to include, these warnings are about; null for none. */
  readonly judged?: string | null;
  readonly outputs?: OfOutputs;
}

/** What else tells documents that a pipeline makes from others. */
interface OfOutputs {
  /** Who looks, with which parameters. */
  readonly view: string;
  /** The version of the definition. All of them share one counter: a later change has a larger number. */
  readonly definition: number;
  /** What tells that nothing has changed, too, if nothing is reached; null for nothing. */
  readonly alike: Tagged | null;
}

/** What a tag is compared with. */
type Tagged = Pick<Composition, 'stamps' | 'view' | 'set'> & Partial<Pick<Composition, 'counted'>>;

/** 412 or 304 if the conditions of the request say so (RFC 9110, 13.2.2), else 200 with the result of `body`. */
export async function answerRead(
  context: RequestContext,
  findings: Findings,
  body: () => AnswerDocument | Promise<AnswerDocument>,
): Promise<Outcome<Answer>> {
  const { reached, judged = null } = findings;
  const warnings = [...(findings.warnings ?? []), ...(await warningsOfReached(context, reached, judged))];
  const { caching, ...tagged } = cachingOfFindings(context, findings);
  const stamps = stampsIn(findings);
  const alike = reached === null ? (findings.outputs?.alike ?? []) : [];
  const compositions = [{ stamps, ...tagged }, alike].flat();
  return answerTagged(context, compositions, caching, body, warnings);
}

/** The same with what the query includes, from the primary documents or from related ones that were found before. */
export async function answerIncluding(
  context: RequestContext,
  findings: Omit<Findings, 'reached'>,
  body: () => Promise<AnswerDocument>,
  found: Reached | null = null,
): Promise<Outcome<Answer>> {
  const further = await reach(context, found?.documents ?? findings.primary);
  if (!further.ok) return further;
  const reached = found === null ? further.value : together(found, further.value);
  return answerRead(context, { ...findings, reached }, async () => ({
    ...(await body()),
    ...(await presentIncluded(context, further.value)),
  }));
}

/** The same by what tells that nothing has changed: any of some compositions of the tag. `*` names what is there. */
export async function answerTagged(
  context: RequestContext,
  compositions: readonly Tagged[],
  caching: ReturnType<typeof cachingOf>,
  body: () => AnswerDocument | Promise<AnswerDocument>,
  warnings: readonly Problem[] = [],
  isThere = true,
): Promise<Outcome<Answer>> {
  const told = [...warnings, ...warningsNoted(context)];
  const heeded = strictly(context, told);
  if (!heeded.ok) return heeded;
  const { ifMatch, ifNoneMatch, preferences } = context;
  const holds = (list: TagList) => (list === 'any' ? isThere : isCurrent(context, list ?? [], compositions));
  if (ifMatch !== null && !(await holds(ifMatch))) return notAs('If-Match');
  // What explains itself has more to say than its tag tells.
  const isKnown = preferences.explain === null && (await holds(ifNoneMatch));
  if (isKnown) return ok({ status: 304, ...caching });
  return ok({ status: 200, document: withWarnings(context, await body(), told), ...caching });
}

/** The last changes of all that is shown. Outputs have none: their content is in the digest. */
function stampsIn({ primary, reached }: Pick<Findings, 'primary' | 'reached'>): Composition['stamps'] {
  const versioned = primary.filter(({ type }) => !isAggregateType(type));
  return [...versioned.map(({ type, version }) => ({ type, version })), ...(reached?.stamps ?? [])];
}

/**
 * The numbers of a tag: the last change that is shown of each type. The counter would tell that something hidden has
 * changed. It holds where it is older: of what has changed since, not all may be shown.
 */
function lastShown(counters: ReadonlyMap<string, number>, stamps: Composition['stamps']) {
  const latest = new Map<string, number>();
  for (const { type, version } of stamps) latest.set(type, Math.max(version, latest.get(type) ?? 0));
  const hasOutputs = [...counters.keys()].some(isAggregateType);
  return Array.from(counters, ([type, counter]) => {
    const isOfOutputs = hasOutputs && (type === CORE.aggregate || isAggregateType(type));
    return [type, isOfOutputs ? counter : Math.min(counter, latest.get(type) ?? 0)] as const;
  });
}

/** The headers for caches of an answer with these documents, and the digests that its tag holds. */
export function cachingOfFindings(context: RequestContext, findings: Findings) {
  const { primary, reached, set, warnings = null, outputs } = findings;
  // Rights affect included and listed documents. A single document looks the same to all viewers, except for secrets.
  const { hasRules } = context.access;
  const alike =
    reached === null &&
    set === null &&
    !hasRules &&
    !primary.some(({ type }) => typeInfo(type).secret !== undefined);
  const view = alike ? null : (outputs?.view ?? context.access.view);
  // What is reached may come and go though no document shown has changed.
  const shown =
    reached && `${reached.documents.map(keyOf).join(' ')}\n${contentOfOutputs(reached.documents)}`;
  const text = warnings && warnings.map(({ code, detail }) => `${code} ${detail}`).join(' ');
  const counts = [countsIn(primary), countsIn(reached?.documents ?? [])];
  const counted = counts.some((each) => each !== null);
  // Whose inverses an include follows, the settings of its type say: these may change while documents stay.
  const inverses = reached && inversesIn(context, [...primary, ...reached.documents]);
  const parts = [set, shown, text, inverses, ...counts];
  const digest = parts.every((part) => part === null)
    ? null
    : digest64(parts.filter((part) => part !== null).join(' '));
  const only = set === null ? primary[0] : undefined;
  const subject = only === undefined ? null : subjectOf(context.application, only);
  const older = new Map(findings.counters);
  for (const [type, counter] of reached?.counters ?? []) keepOlder(older, type, counter);
  const counters = new Map(lastShown(older, stampsIn(findings)));
  if (outputs !== undefined)
    counters.set(CORE.aggregate, Math.max(outputs.definition, counters.get(CORE.aggregate) ?? 0));
  const shared = (reached?.documents ?? []).length > 0;
  const caching = cachingOf(context, counters, { view, set: digest, subject, counted, shared });
  return { view, set: digest, counted, caching };
}

/** What is counted of documents: it changes though no document does. */
function countsIn(documents: readonly Document[]): string | null {
  const counts = documents.flatMap(({ counts: each }) => each ?? []);
  return counts.length === 0 ? null : counts.join(' ');
}

/** The links of inverses that documents show; null for none. */
function inversesIn(context: RequestContext, documents: readonly Document[]): string | null {
  const links = documents.flatMap((document) => inverseLinksOf(context, document) ?? []);
  return links.length === 0 ? null : JSON.stringify(links);
}

/** All that distinguishes outputs of aggregates, a line each: neither JSON nor a type's name contains a line break. */
export function contentOfOutputs(documents: readonly Document[]): string {
  return documents
    .filter((document) => document instanceof LazyDocument)
    .filter(({ type }) => isAggregateType(type))
    .map(({ type, id, stored: { body, relationships } }) => {
      const names = JSON.parse(relationships ?? '[]') as string[];
      return `${type} ${JSON.stringify([id, ...names])} ${body}`;
    })
    .join('\n');
}

/** The headers for caches of an answer with documents of these types: its tag, and whether they may keep it. */
export function cachingOf(
  context: RequestContext,
  counters: ReadonlyMap<string, number>,
  digests: Partial<Digests> = {},
): Required<Pick<Answer, 'tag' | 'confidential'>> {
  let isBound = context.access.hasRules;
  let isSigned = false;
  let confidential = context.explain;
  for (const type of counters.keys()) {
    const facts = typeInfo(type);
    // They show more to some viewers: then a tag is valid only for the one who got it.
    isBound ||= facts.secret !== undefined;
    isSigned ||= facts.signed === true;
    confidential ||= facts.confidential === true;
  }
  const { view = null, set = null, subject = null, counted = false, shared = false } = digests;
  const stamped = isSigned
    ? new Map(Array.from(counters, ([type, counter]) => [tagType(context, type), counter]))
    : counters;
  return {
    tag: tagOf(context.tagSeal, context.application, stamped, {
      view: view ?? (isBound ? context.access.view : null),
      set,
      subject,
      wrapped: context.wrapped,
      csv: context.csv,
      counted,
      shared,
    }),
    confidential,
  };
}

/** The same for an answer about one document, by its last change. */
export function cachingOfOne(context: RequestContext, document: Link & Pick<Document, 'version'>) {
  const subject = subjectOf(context.application, document);
  return cachingOf(context, new Map([[document.type, document.version]]), { subject });
}

/** A type as tags have it. Documents with signed values change with the signing secret, and no counter shows that. */
export function tagType({ signature }: RequestContext, type: string): string {
  return typeInfo(type).signed === true ? `${type} ${signature}` : type;
}

/** Whether a tag of a header is that of the answer, by any of some compositions. */
async function isCurrent(
  context: RequestContext,
  list: readonly EntityTag[],
  compositions: readonly Tagged[],
): Promise<boolean> {
  for (const each of compositions) {
    if (await names(context, list, each)) return true;
  }
  return false;
}

/** Only what another process gave has to be asked about. */
async function names(
  context: RequestContext,
  list: readonly EntityTag[],
  composition: Tagged,
): Promise<boolean> {
  const { application, parameters, me, wrapped, csv } = context;
  const stamps = composition.stamps.map((stamp) => ({ ...stamp, type: tagType(context, stamp.type) }));
  const since = unchangedSince(list, {
    counted: false,
    ...composition,
    stamps,
    application,
    subject: parameters.isDocument ? { type: parameters.type, id: parameters.id, me } : null,
    wrapped,
    csv,
  });
  if (since.length === 0 || since.some(({ own }) => own)) return since.length > 0;
  return isOfThisPast(context, since, composition.stamps);
}

/** Whether the collections have given out the numbers of one of some tags: data may have been put back from a copy. */
async function isOfThisPast(
  context: RequestContext,
  tags: readonly EntityTag[],
  stamps: Composition['stamps'],
): Promise<boolean> {
  const types = new Map(stamps.map(({ type, of = storedType(type) }) => [type, of]));
  const states = Array.from(types, ([type, of]) => {
    const key = typeKey(context.application, tagType(context, type));
    return collectionOf(context, of).calls.knows(tags.map(({ counters }) => counters.get(key) ?? -1));
  });
  const known = await Promise.all(states);
  return tags.some((_, at) => known.every((each) => each[at] === true));
}

/** The `included` member, if the request asks for it (decisions, section 3). */
export async function presentIncluded(context: RequestContext, reached: Reached | null) {
  if (reached === null) return {};
  return {
    included: await presentDocuments(reached.documents, context),
  };
}
