/** Answers made of documents: the conditional read and the tag are decided here, for every kind of read alike. */
import { digest64 } from '../../domain/digest.ts';
import type { Document } from '../../domain/documents.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Presentable } from '../../domain/present.ts';
import type { Answer, Exchange } from '../endpoint.ts';
import { isUnchanged } from './conditions.ts';
import { tagOf } from './etag.ts';
import type { Reached } from './include.ts';
import { presentDocuments } from './resource.ts';

/** What a read found. */
export interface Findings {
  /** The documents under `data`, or whose part is there. */
  readonly primary: readonly Document[];
  /** Documents reached from those, when any were asked for. */
  readonly reached: Reached | null;
  /** The counters of the types of the primary documents, at the moment of the read. */
  readonly counters: ReadonlyMap<string, number>;
  /** For a list, what tells it from another with other members: their ids in order, the total. */
  readonly set: string | null;
}

/** 304 if a tag of `If-None-Match` says that nothing changed, else 200 with what `body` makes. */
export async function answerRead(
  exchange: Exchange,
  findings: Findings,
  body: () => Promise<Presentable>,
): Promise<Outcome<Answer>> {
  const { primary, reached, set } = findings;
  // Who may see what decides only over what is reached through links or listed: one document shows alike to all.
  const view = reached === null && set === null ? null : exchange.access.view;
  const digest = set === null ? null : digest64(set);
  const tag = tagOf(mergeCounters(findings.counters, reached?.counters), view, digest);
  const stamps = [...primary, ...(reached?.stamps ?? [])];
  if (isUnchanged(exchange.ifNoneMatch, { stamps, view, set: digest })) return ok({ status: 304, tag });
  return ok({ status: 200, document: await body(), tag });
}

/** The `included` member, when it was asked for (decisions, section 3). */
export async function presentIncluded(
  exchange: Exchange,
  reached: Reached | null,
): Promise<{ readonly included?: readonly Presentable[] }> {
  if (reached === null) return {};
  return {
    included: await presentDocuments(reached.documents, exchange),
  };
}

/** Counters of two reads together; a type that both asked keeps the older counter. */
function mergeCounters(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number> | undefined,
): ReadonlyMap<string, number> {
  if (other === undefined) return one;
  const merged = new Map(one);
  for (const [type, counter] of other) merged.set(type, Math.min(counter, merged.get(type) ?? counter));
  return merged;
}
