/**
 * Rules that ask linked documents (`channel.closed`): those of each type that a relationship leads to are asked which
 * meet the condition, and their ids stand in its place. It is the operator's rule: the viewer's rights on linked
 * documents do not count. What cannot be told fails the rule.
 */
import { Lru } from '../../domain/caching/lru.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome, type Problem } from '../../domain/problems.ts';
import { TRUSTED, type Rule, type Seen } from '../../domain/rules.ts';
import { secretFields } from '../../domain/secrets.ts';
import { isAggregateType, storedType, type TypeName } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import type { Condition, Leaf } from '../../operators/filter/conditions.ts';
import { decodeCondition } from '../../operators/filter/encoded.ts';
import { leavesOf } from '../../operators/filter/map.ts';
import {
  answered,
  askedThrough,
  conditionsByType,
  failClosed,
  linkOf,
  isFollowable,
  type ConditionsOfType,
} from '../../operators/filter/through.ts';
import type { Remote } from './contract.ts';
import type { Met } from './feed/mark.ts';
import { SEEN_CHANGED } from './refusals.ts';
import type { LinkedTypes } from './related.ts';

/** A collection, as far as it is asked. */
type Followed = Pick<Remote, 'linkTypes' | 'matchingSince'>;

/** A rule without what it asks of linked documents. */
interface FollowedRule {
  readonly rule: Rule;
  /** Whether it looks at any. */
  readonly links: boolean;
  /** Whose documents were asked. */
  readonly seen: readonly Seen[];
  /** The documents linked to that meet what it says of them; null where something cannot be told. */
  readonly met: readonly Met[] | null;
}

export class Following {
  readonly #collection: (type: TypeName) => Followed;
  /** Types that may be asked still, on all ways together. */
  readonly #left: { types: number } = { types: LIMITS.linkedTypes };
  /** The counters before what was asked first. */
  readonly #seen = new Map<TypeName, number>();

  constructor(collection: (type: TypeName) => Followed) {
    this.#collection = collection;
  }

  /** `further`: what a write links to, which may be the first that does. */
  async follow(
    { follows, ...rule }: Rule,
    type: TypeName,
    further: readonly LinkedTypes[],
  ): Promise<FollowedRule> {
    if (follows !== true) return { rule, links: false, seen: [], met: [] };
    const { where, check } = rule;
    const texts = [...(where === null ? [] : [where]), ...(check ?? []).map(({ condition }) => condition)];
    const { conditions, links, met } = await this.#closed(texts.map(decodeCondition), type, further);
    const encoded = conditions.map(encodeText);
    const [first = null] = encoded;
    const others = where === null ? encoded : encoded.slice(1);
    const checked = check?.map((each, at) => ({ ...each, condition: others[at] ?? each.condition }));
    const seen = Array.from(this.#seen, ([of, counter]) => ({ type: of, counter }));
    const made = { ...rule, where: where && first, check: checked ?? null };
    return { rule: made, links, seen, met };
  }

  /** The conditions, where what cannot be told holds for nothing. */
  async #closed(conditions: readonly Condition[], type: TypeName, further: readonly LinkedTypes[]) {
    const types = await this.#typesOf(conditions, type, further);
    const typesOf = (leaf: Leaf) => (isAnswerable(leaf, types) ? types.get(linkOf(leaf) ?? '') : undefined);
    const met = await this.#met(conditions, typesOf, LIMITS.linksInARow);
    const made = conditions.map((each) => {
      const closed = failClosed(each, false, (leaf) => met !== null && typesOf(leaf) !== undefined);
      return met === null ? closed : answered(closed, typesOf, idsIn(met));
    });
    return { conditions: made, links: types.size > 0, met };
  }

  /** The same of linked documents; null where something cannot be told. */
  async #metBy(conditions: readonly Condition[], type: TypeName, levels: number) {
    const types = await this.#typesOf(conditions, type, []);
    if (types.size === 0) return conditions;
    const typesOf = (leaf: Leaf) => types.get(linkOf(leaf) ?? '');
    const isStuck = conditions
      .flatMap(leavesOf)
      .some((leaf) => typesOf(leaf) !== undefined && !isAnswerable(leaf, types));
    const met = isStuck ? null : await this.#met(conditions, typesOf, levels);
    return met && conditions.map((each) => answered(each, typesOf, idsIn(met)));
  }

  /** The types that the names which conditions may ask through lead to, where these are relationships. */
  async #typesOf(conditions: readonly Condition[], type: TypeName, further: readonly LinkedTypes[]) {
    const names = new Set(conditions.flatMap(leavesOf).flatMap((leaf) => linkOf(leaf) ?? []));
    const linked = names.size === 0 ? [] : await this.#collection(type).linkTypes([...names]);
    const types = new Map<string, readonly string[]>();
    for (const { name, types: each } of [...linked, ...further.filter((one) => names.has(one.name))]) {
      types.set(name, [...new Set([...(types.get(name) ?? []), ...each])]);
    }
    return types;
  }

  /** The linked documents that meet conditions; null where they are too many, or cannot be asked. */
  async #met(
    conditions: readonly Condition[],
    typesOf: (leaf: Leaf) => readonly string[] | undefined,
    levels: number,
  ) {
    const paths = conditions.flatMap((each) => askedThrough(each, typesOf));
    if (paths.length > 0 && levels === 0) return null;
    const met = await askLinked(paths, this.#left, (type, texts) => this.#idsOf(type, texts, levels - 1));
    return met.ok ? met.value : null;
  }

  async #idsOf(type: TypeName, texts: readonly string[], levels: number): Promise<Outcome<IdsMet>> {
    const conditions = await this.#metBy(texts.map(decodeCondition), type, levels);
    if (conditions === null) return tooMany();
    const { counter, found } = await this.#collection(type).matchingSince({
      conditions: conditions.map(encodeText),
      ...TRUSTED,
      hidden: secretFields(type),
      limit: LIMITS.relatedDocuments,
    });
    this.#seen.set(type, Math.min(counter, this.#seen.get(type) ?? counter));
    const { value } = found.ok ? found : { value: null };
    return value === null ? tooMany() : ok(new Map(texts.map((text, at) => [text, value[at] ?? []])));
  }
}

/** The ids that meet each condition. */
export type IdsMet = ReadonlyMap<string, readonly DocumentId[]>;

/**
 * Asks what conditions want of linked documents, each type's collection at once. `left`: the types that may be asked
 * still, on all ways together.
 */
export async function askLinked(
  paths: readonly ConditionsOfType[],
  left: { types: number },
  ask: (type: TypeName, conditions: readonly string[]) => Promise<Outcome<IdsMet>>,
): Promise<Outcome<readonly Met[]>> {
  const conditionsOf = conditionsByType(paths);
  const leaves = new Set(paths.map((each) => each.conditions[0]));
  left.types -= conditionsOf.size;
  if (left.types < 0 || leaves.size > LIMITS.relatedConditions) return tooMany();
  const answers = await Promise.all(
    Array.from(conditionsOf, async ([type, each]) => [type, await ask(storedType(type), [...each])] as const),
  );
  const met: Met[] = [];
  for (const [type, found] of answers) {
    if (!found.ok) return found;
    for (const [condition, ids] of found.value) met.push({ type, condition, ids });
  }
  return met.reduce((sum, { ids }) => sum + ids.length, 0) > LIMITS.relatedDocuments ? tooMany() : ok(met);
}

export function tooMany() {
  const detail =
    'Too many linked documents meet the conditions: ' +
    `ask for at most ${LIMITS.relatedDocuments} documents by at most ${LIMITS.relatedConditions} conditions ` +
    `of at most ${LIMITS.linkedTypes} types.`;
  return fail('invalid-filter', detail, { parameter: 'filter' });
}

/** How often a write begins anew, because linked documents that its rule looks at have changed meanwhile. */
const TRIES = 20;

/** What a write comes to. */
export type Settleable =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly failure: { readonly problems: readonly Problem[] } };

/** Milliseconds between two looks whether it is one's turn; and of a turn whose request has ended without a word. */
const LOOK_AGAIN = 5;
const LONGEST_TURN = 1_000;

/**
 * Who has met a change waits here for a turn, by the written collections: else each would be in the way of all. Until
 * when one is taken, in milliseconds since 1970. Requests look for themselves: one that others would have to wake is
 * ended by the runtime, which sees nothing that it waits for.
 */
const turns = new Lru<string, { readonly until: number }>(200);

/** What a write of a collection comes to that asks linked documents anew as long as these change. */
export async function settled<T extends Settleable>(collection: string, write: () => Promise<T>): Promise<T> {
  const written = await write();
  if (!hasChanged(written)) return written;
  while (Date.now() < (turns.get(collection)?.until ?? 0)) await scheduler.wait(LOOK_AGAIN);
  const turn = { until: Date.now() + LONGEST_TURN };
  turns.set(collection, turn);
  try {
    for (let left = TRIES; ; left -= 1) {
      const again = await write();
      if (left === 0 || !hasChanged(again)) return again;
    }
  } finally {
    if (turns.get(collection) === turn) turns.set(collection, { until: 0 });
  }
}

function hasChanged(written: Settleable): boolean {
  if (written.ok) return false;
  const { problems } = 'failure' in written ? written.failure : written;
  return problems.some(({ detail }) => detail === SEEN_CHANGED);
}

export function idsIn(met: readonly Met[]) {
  const found = new Map(met.map(({ type, condition, ids }) => [`${type} ${condition}`, ids]));
  return (type: string, condition: string) => found.get(`${type} ${condition}`) ?? [];
}

/** Documents of aggregates are not asked. */
function isAnswerable(leaf: Leaf, types: ReadonlyMap<string, readonly string[]>): boolean {
  return isFollowable(leaf) && types.get(linkOf(leaf) ?? '')?.some(isAggregateType) === false;
}
