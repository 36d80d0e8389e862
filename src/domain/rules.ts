/**
 * Rules of a permission as a collection gets them: with the viewer's identity and the time filled in. For RPC.
 */
import type { Link } from './documents.ts';
import type { DocumentId } from './ids.ts';
import type { Viewer } from './rights.ts';
import type { TypeName } from './types.ts';

/** One of the conditions that all must hold. */
export interface RuleCheck {
  /** The pointer to it in the attributes of the key. */
  readonly at: string;
  /** In the stored encoding. */
  readonly condition: string;
}

/** An expression (`$expr`) that a write must make true. */
interface Expressed {
  /** The pointer to the filter that it stands in, in the attributes of the key. */
  readonly at: string;
  /** Its JSON. */
  readonly text: string;
}

/** The rule of the permission that admits a request, with the viewer's identity and the time filled in. */
export interface Rule {
  /** The stored encoding of a condition (domain/values/codec.ts): what does not meet it is as what may not be read. */
  readonly where: string | null;
  /** What a write leaves must meet all of these. */
  readonly check: readonly RuleCheck[] | null;
  readonly expressed?: readonly Expressed[];
  /** The fields that are seen, and those that may be written; null for all. */
  readonly read: readonly string[] | null;
  readonly write: readonly string[] | null;
  /** True when `where` names the time: then what it shows changes while no document does. */
  readonly timed?: true;
  /**
   * True when conditions may ask linked documents: until these have been asked (rpc/following.ts), they hold for no
   * document that has links there.
   */
  readonly follows?: true;
  /** What was asked: a write is done if nothing has changed there since. */
  readonly seen?: readonly Seen[];
}

/** A collection whose documents were looked at, and its counter then. */
export interface Seen {
  readonly type: TypeName;
  readonly counter: number;
}

/** On whose behalf a collection is asked: whose rights count, and by which rule. */
export interface Principal {
  readonly viewer: Viewer;
  readonly rule: Rule | null;
}

/** The service itself, and all that it trusts. */
export const TRUSTED: Principal = { viewer: null, rule: null };

/** The principal of something that says more. */
export function principalOf({ viewer, rule }: Principal): Principal {
  return { viewer, rule };
}

/** True when a principal must not learn whether a document exists. */
export function isRestricted({ viewer, rule }: Principal): boolean {
  return viewer !== null || (rule !== null && rule.where !== null);
}

/** Whether a rule shows a field. `id` and `type` are no fields. */
export function shows(rule: Pick<Rule, 'read'> | null, name: string): boolean {
  return rule === null || rule.read === null || rule.read.includes(name);
}

/** Which fields a search or a pipeline takes for missing: those it must not look at. */
export interface Unseen {
  /** These, and where `only` is not null all others than those. */
  readonly hidden: readonly string[];
  readonly only: readonly string[] | null;
}

/** Whether a field is taken for missing. `id` and `type` never are. */
export function isUnseen({ hidden, only }: Unseen, name: string): boolean {
  if (hidden.includes(name)) return true;
  return only !== null && name !== 'id' && name !== 'type' && !only.includes(name);
}

/** Whether nothing is taken for missing. */
export function isAllSeen({ hidden, only }: Unseen): boolean {
  return hidden.length === 0 && only === null;
}

/** The rule that holds where two do: what both show, and let write. `both` puts two conditions into one. */
export function meet(one: Rule | null, other: Rule | null, both: (one: string, other: string) => string) {
  if (one === null || other === null) return one ?? other;
  const names = (a: readonly string[] | null, b: readonly string[] | null) =>
    a === null || b === null ? (a ?? b) : a.filter((name) => b.includes(name));
  return {
    where:
      one.where === null || other.where === null ? (one.where ?? other.where) : both(one.where, other.where),
    check: one.check === null ? other.check : [...one.check, ...(other.check ?? [])],
    ...((one.expressed ?? other.expressed) !== undefined && {
      expressed: [...(one.expressed ?? []), ...(other.expressed ?? [])],
    }),
    read: names(one.read, other.read),
    write: names(one.write, other.write),
    ...((one.timed === true || other.timed === true) && { timed: true as const }),
    ...((one.follows === true || other.follows === true) && { follows: true as const }),
  } satisfies Rule;
}

/** Numbers for the rules of one request. Rules are compared by identity, not by content. */
export class RuleNumbers {
  readonly #known = new Map<Rule | null, number>();

  of(rule: Rule | null): number {
    const known = this.#known.get(rule) ?? this.#known.size;
    this.#known.set(rule, known);
    return known;
  }
}

/** Who writes, as checks of a type see it. */
export interface Requester {
  /** The API key; null for the operator. */
  readonly key: DocumentId | null;
  /** The user, if the key asks who that is. */
  readonly named: Named | null;
}

/** Whose identity a rule may name. */
export interface Named {
  readonly user: Link;
  /** Ids of groups. */
  readonly groups: readonly string[];
}
