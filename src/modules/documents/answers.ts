/**
 * Answers made of documents. This file decides the conditional read, the tag and what caches may keep, for all kinds of
 * answers.
 */
import { Output } from '../../collection/rpc/packing/documents.ts';
import { digest64 } from '../../domain/digest.ts';
import type { Document, Link } from '../../domain/documents.ts';
import { ok, type Outcome, type Problem } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/values/present.ts';
import { factsOf, type TypeFacts } from '../../domain/types.ts';
import type { Answer, AnswerDocument, Exchange } from '../endpoint.ts';
import { isUnchanged, type Composition } from './tags/conditions.ts';
import { tagOf, type Digests } from './tags/etag.ts';
import type { Reached } from './linked/include.ts';
import { presentDocuments } from './resource.ts';
import { isStrict, warningsOfReached } from './warnings/doubts.ts';
import { strictly, warningsOfLeftOut, withWarnings } from './warnings/warnings.ts';
import type { ApplicationId } from '../../domain/ids.ts';

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
}

/**
 * 304 if a tag of `If-None-Match` says that nothing has changed, else 200 with the result of `body`. Most answers have
 * all that they need at once, and wait for nothing.
 */
export function answerRead(
  exchange: Exchange,
  findings: Findings,
  body: () => AnswerDocument | Promise<AnswerDocument>,
): Outcome<Answer> | Promise<Outcome<Answer>> {
  if (!isStrict(exchange)) return answerWarned(exchange, findings, [], body);
  const { reached, judged = null } = findings;
  return warningsOfReached(exchange, reached, judged).then((further) =>
    answerWarned(exchange, findings, further, body),
  );
}

/** `further`: what is to be told of linked documents. */
function answerWarned(
  exchange: Exchange,
  findings: Findings,
  further: readonly Problem[],
  body: () => AnswerDocument | Promise<AnswerDocument>,
): Outcome<Answer> | Promise<Outcome<Answer>> {
  const { primary, reached } = findings;
  const warnings = [...(findings.warnings ?? []), ...further, ...warningsOfLeftOut(exchange)];
  const heeded = strictly(exchange, warnings);
  if (!heeded.ok) return heeded;
  const { view, set, caching } = cachingOfFindings(exchange, findings);
  if (exchange.ifNoneMatch !== null) {
    const stamps = [...primary, ...(reached?.stamps ?? [])];
    if (isCurrent(exchange, { stamps, view, set })) return ok({ status: 304, ...caching });
  }
  const answer = (document: AnswerDocument) =>
    ok({ status: 200, document: withWarnings(exchange, document, warnings), ...caching } as const);
  const made = body();
  return made instanceof Promise ? made.then(answer) : answer(made);
}

/** The headers for caches of an answer with these documents, and the digests that its tag holds. */
export function cachingOfFindings(exchange: Exchange, findings: Findings) {
  const { primary, reached, set, warnings = null } = findings;
  // Rights affect included and listed documents. A single document looks the same to all viewers, except for secrets.
  const { hasRules } = exchange.access;
  const alike =
    reached === null && set === null && !hasRules && !primary.some(({ type }) => hasSecrets(factsOf(type)));
  const view = alike ? null : exchange.access.view;
  // A rule may hide what is reached as time goes by, and no counter says so.
  const isUnstamped = hasRules || reached?.unstamped === true;
  const shown =
    isUnstamped && reached !== null
      ? `${reached.documents.map(({ id }) => id).join(' ')}\n${contentOfOutputs(reached.documents)}`
      : null;
  const told = warnings === null ? null : textOfWarnings(warnings);
  const digest = set === null && shown === null && told === null ? null : digestOf([set, shown, told]);
  const only = set === null ? primary[0] : undefined;
  const subject = only === undefined ? null : subjectOf(exchange.application, only);
  const counters = mergeCounters(findings.counters, reached?.counters);
  return { view, set: digest, caching: cachingOf(exchange, counters, { view, set: digest, subject }) };
}

function digestOf(parts: readonly (string | null)[]): string {
  return digest64(parts.filter((part) => part !== null).join(' '));
}

/** What distinguishes the warnings of an answer from others. */
export function textOfWarnings(warnings: readonly Problem[] | null): string {
  return (warnings ?? []).map(({ code, detail }) => `${code} ${detail}`).join(' ');
}

/** Everything that distinguishes outputs of aggregates, a line each: neither JSON nor the name of a type contains a line break. */
export function contentOfOutputs(documents: readonly Document[]): string {
  return documents
    .filter((document) => document instanceof Output)
    .map(
      ({ type, id, body, relationshipNames }) =>
        `${type} ${JSON.stringify([id, ...relationshipNames])} ${body}`,
    )
    .join('\n');
}

/** True when documents of the type show more to some viewers: then a tag is valid only for the one who got it. */
function hasSecrets({ secret }: TypeFacts): boolean {
  return secret !== undefined;
}

/** The headers for caches of an answer with documents of these types: its tag, and whether they may keep it. */
export function cachingOf(
  exchange: Exchange,
  counters: ReadonlyMap<string, number>,
  digests: Partial<Digests> = {},
): Required<Pick<Answer, 'tag' | 'confidential'>> {
  let isBound = exchange.access.hasRules;
  let isSigned = false;
  let confidential = exchange.explain;
  for (const type of counters.keys()) {
    const facts = factsOf(type);
    isBound ||= hasSecrets(facts);
    isSigned ||= facts.signed === true;
    confidential ||= facts.confidential === true;
  }
  const { view = null, set = null, subject = null } = digests;
  const stamped = isSigned
    ? new Map(Array.from(counters, ([type, counter]) => [tagType(exchange, type), counter]))
    : counters;
  return {
    tag: tagOf(exchange.application, stamped, {
      view: view ?? (isBound ? exchange.access.view : null),
      set,
      subject,
      wrapped: exchange.wrapped,
    }),
    confidential,
  };
}

/**
 * The same for an answer about one document; `counter` is that of its collection, or the version of a document just
 * written.
 */
export function cachingOfOne(exchange: Exchange, document: Link, counter: number) {
  const subject = subjectOf(exchange.application, document);
  return cachingOf(exchange, new Map([[document.type, counter]]), { subject });
}

/** The digest of a document that `me` may stand for; null for others. */
function subjectOf(application: ApplicationId, { type, id }: Link): string | null {
  return factsOf(type).confidential === true ? digest64(`${application}/${type}/${id}`) : null;
}

/**
 * The document that a tag must be about at the address of the request: at `me`, the document that `me` stands for. When
 * another user takes over a browser, it still sends the tag of the former user.
 */
export function subjectAsked({ application, parameters, me }: Exchange): string | null {
  return me ? subjectOf(application, parameters) : null;
}

/** A type as tags have it. Documents with signed values change with the signing secret, and no counter shows that. */
export function tagType({ signature }: Exchange, type: string): string {
  return factsOf(type).signed === true ? `${type} ${signature}` : type;
}

/** True when `If-None-Match` says that the client has this answer. */
export function isCurrent(
  exchange: Exchange,
  composition: Omit<Composition, 'application' | 'subject' | 'wrapped'>,
): boolean {
  const { application, ifNoneMatch, wrapped } = exchange;
  if (ifNoneMatch === null) return false;
  const subject = subjectAsked(exchange);
  const stamps = composition.stamps.map(({ type, version }) => ({ type: tagType(exchange, type), version }));
  return isUnchanged(ifNoneMatch, { ...composition, stamps, application, subject, wrapped });
}

/** The `included` member, if the request asks for it (decisions, section 3). */
export async function presentIncluded(
  exchange: Exchange,
  reached: Reached | null,
): Promise<{ readonly included?: readonly Presentable[] }> {
  if (reached === null) return {};
  return {
    included: await presentDocuments(reached.documents, exchange),
  };
}

/** The counters of two reads; for a type of both, the older counter. */
function mergeCounters(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number> | undefined,
): ReadonlyMap<string, number> {
  if (other === undefined) return one;
  const merged = new Map(one);
  for (const [type, counter] of other) merged.set(type, Math.min(counter, merged.get(type) ?? counter));
  return merged;
}
