/**
 * Searches by numbers of linking documents, which no document holds (counters.ts). The collection of those groups them, as an
 * aggregate does: ids stand in the place of a condition on a number, and an order is told the numbers.
 */
import type { DocumentId } from '../domain/ids.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Outcome } from '../domain/problems.ts';
import { AGGREGATE_PREFIX, storedType } from '../domain/types.ts';
import { decodeFields, encodeText } from '../domain/values/codec.ts';
import type { Condition, Leaf } from '../operators/filter/conditions.ts';
import { leavesOf, mapLeaves } from '../operators/filter/map.ts';
import { compileMatcher } from '../operators/filter/match.ts';
import { negate } from '../operators/filter/scope.ts';
import { idAmong } from '../operators/filter/through.ts';
import type { Counter } from '../operators/settings/count.ts';
import type { Numbers } from '../query/order/sort.ts';
import type { CountRequest } from './rpc/related.ts';
import type { AggregateRequest, OutputPage, OutputSelection } from './rpc/results.ts';

/** What a number has in the outputs of the pipeline. */
const NUMBER = 'number';

/**
 * The numbers that some select, of the documents of a type that are linked at all; null where these are too many, or it takes
 * too much work.
 */
export async function numbersOf(
  aggregate: (request: AggregateRequest) => Promise<Outcome<OutputPage>>,
  { by, type, where }: Omit<CountRequest, 'ids'>,
  select: OutputSelection,
): Promise<Numbers | null> {
  const link = `$${by}`;
  const pipeline = [
    { unwind: link },
    { filter: { [`${by}.type`]: type, [`${by}.id`]: { $type: 'objectId' } } },
    { group: { id: `${link}.id`, [NUMBER]: { $sum: 1 } } },
    { output: { attributes: [NUMBER], relationships: [] } },
  ];
  const found = await aggregate({
    ...{ outputType: storedType(`${AGGREGATE_PREFIX}${NUMBER}`), pipeline: JSON.stringify(pipeline) },
    ...{ parameters: null, overrides: {}, viewer: null, select },
    rule: where === null ? null : { where, check: null, read: null, write: null },
  });
  if (!found.ok || found.value.more) return null;
  const { ids, bodies } = found.value.documents;
  return Object.fromEntries(ids.map((id, at) => [id, Number(decodeFields(bodies[at] ?? '{}')[NUMBER])]));
}

export function meeting(condition: Condition): OutputSelection {
  const page = { offset: 0, limit: LIMITS.relatedDocuments };
  return { condition: encodeText(condition), sort: [], page };
}

/** A condition with ids in the place of what it asks of numbers; null where these cannot be told. */
export async function settleNumbers(
  condition: Condition,
  counterOf: (name: string) => Counter | undefined,
  numbersOfCounter: (counter: Counter, condition: Condition) => Promise<Numbers | null>,
): Promise<Condition | null> {
  const wanted = new Map<Leaf, Counter>();
  for (const leaf of leavesOf(condition)) {
    const counter = counterOf(leaf.path[0] ?? '');
    if (counter !== undefined) wanted.set(leaf, counter);
  }
  if (wanted.size > LIMITS.relatedConditions) return null;
  const found = new Map<Leaf, Condition>();
  let left: number = LIMITS.relatedDocuments;
  // One after the other: each is a pass over the counted documents, and others get their turn.
  for (const [leaf, counter] of wanted) {
    const own: Leaf = { ...leaf, path: [NUMBER, ...leaf.path.slice(1)] };
    // Only what is linked has a group: where none meets a condition, all do but those that do not.
    const isMetByNone = compileMatcher(own)({ [NUMBER]: 0 });
    const numbers = await numbersOfCounter(counter, isMetByNone ? negate(own) : own);
    if (numbers === null) return null;
    const ids = Object.keys(numbers) as DocumentId[];
    left -= ids.length;
    if (left < 0) return null;
    const among = idAmong(['id'], ids);
    found.set(leaf, isMetByNone ? negate(among) : among);
  }
  return mapLeaves(condition, (leaf) => found.get(leaf) ?? leaf);
}
