/**
 * What is known of the two fields that documents have beside their bodies: `id`, an object id that ascends with
 * creation, and `type`, which is the same of all documents of a collection. No index is learned for them: conditions
 * on them are decided, or asked of the primary key, before anything is read.
 */
import { ObjectId, type Value } from '../domain/values/values.ts';
import { EVERYTHING, NOTHING, type Condition, type Leaf } from '../operators/filter/conditions.ts';
import { compileMatcher } from '../operators/filter/matcher.ts';
import { isId, isOwn } from '../query/index/paths.ts';
import type { SortField } from '../query/order/sort.ts';

/** True when every document matches. */
export function isEverything(condition: Condition): boolean {
  return condition.op === 'and' && condition.conditions.every(isEverything);
}

/** True when no document matches. */
export function isNothing(condition: Condition): boolean {
  return condition.op === 'or' && condition.conditions.every(isNothing);
}

/** A condition that the same documents of a type meet, without those parts that all of them meet, or none. */
export function settle(condition: Condition, type: string): Condition {
  switch (condition.op) {
    case 'and': {
      const settled = all(condition.conditions.map((each) => settle(each, type)));
      if (condition.guard !== true || isEverything(settled) || isNothing(settled)) return settled;
      return { op: 'and', conditions: [settled], guard: true };
    }
    case 'or':
      return any(condition.conditions.map((each) => settle(each, type)));
    case 'not':
      return negation(settle(condition.condition, type));
    case 'text':
      return condition;
    default:
      return isOwn(condition.path) ? settleLeaf(condition, type) : condition;
  }
}

/** Only comparisons of the id with object ids tell one document from another. */
function settleLeaf(condition: Leaf, type: string): Condition {
  if (isId(condition.path)) {
    if ('value' in condition && condition.value instanceof ObjectId) return condition;
    if (condition.op === 'in' && condition.values.some(isObjectId)) {
      return { ...condition, values: condition.values.filter(isObjectId), patterns: [] };
    }
  }
  return compileMatcher(condition)({ id: ANY_ID, type }) ? EVERYTHING : NOTHING;
}

const ANY_ID = new ObjectId('0'.repeat(24));

function isObjectId(value: Value): boolean {
  return value instanceof ObjectId;
}

function all(conditions: readonly Condition[]): Condition {
  const deciding = conditions.filter((each) => !isEverything(each));
  return deciding.some(isNothing) ? NOTHING : (only(deciding) ?? { op: 'and', conditions: deciding });
}

function any(conditions: readonly Condition[]): Condition {
  const deciding = conditions.filter((each) => !isNothing(each));
  return deciding.some(isEverything) ? EVERYTHING : (only(deciding) ?? { op: 'or', conditions: deciding });
}

function only([first, second]: readonly Condition[]): Condition | undefined {
  return second === undefined ? first : undefined;
}

function negation(condition: Condition): Condition {
  if (isEverything(condition)) return NOTHING;
  return isNothing(condition) ? EVERYTHING : { op: 'not', condition };
}

/**
 * A sort that gives the same order, ties being broken by id: without fields in which all documents are equal, and
 * without what comes behind the id. Where ids do not ascend with creation, they are an order of their own.
 */
export function settleSort(sort: readonly SortField[], idsAscend: boolean): readonly SortField[] {
  const deciding = sort.filter(({ path }) => !isOwn(path) || isId(path));
  const end = deciding.findIndex(({ path }) => isId(path));
  if (end === -1) return deciding;
  return deciding.slice(0, idsAscend && deciding[end]?.direction === 'ascending' ? end : end + 1);
}
