/**
 * How a collection answers a filter: a condition for SQL that holds for every document of the answer and perhaps
 * for more, the exact matcher for what SQL could not decide, and the order. Pure: made from the tree and from what
 * indexes there are.
 */
import type { Fields } from '../domain/values.ts';
import type { Condition } from './filter/conditions.ts';
import { compileMatcher } from './filter/match.ts';
import { compileDistance, nearOf } from './filter/near.ts';
import { workBudget, type WorkBudget } from './filter/patterns.ts';
import { nameOfPath } from './index/paths.ts';
import {
  translate,
  type FindIndex,
  type PathIndex,
  type SqlCondition,
  type Translation,
} from './index/sql.ts';
import { byDistance, bySortFields, type Ordering } from './order/ordering.ts';
import type { SortField } from './order/sort.ts';
import { textMatcher } from './text/search.ts';

export interface Plan {
  /** True of every document that matches. */
  readonly where: SqlCondition;
  /** Decides on what `where` leaves; null when `where` is exact. */
  readonly matches: ((document: Fields) => boolean) | null;
  /** What the patterns of `matches` may still cost. */
  readonly budget: WorkBudget;
  /** Null for the order of ids. */
  readonly ordering: Ordering | null;
  /** An index whose keys have the order of the answer, and its direction. */
  readonly sortedBy: { readonly index: PathIndex; readonly descending: boolean } | null;
  /** Paths on which an index served the plan, and paths on which one would have. */
  readonly used: readonly string[];
  readonly wanted: readonly string[];
}

/** Work that the patterns of one filter may take over all documents: about half a second. */
export const PATTERN_WORK = 50_000_000;

/** SQLite takes 100 parameters, and expressions of depth 100. */
const MOST_PARAMETERS = 60;

const EVERYWHERE: SqlCondition = { text: 'TRUE', parameters: [] };

export function plan(condition: Condition, sort: readonly SortField[], find: FindIndex): Plan {
  const used = new Set<string>();
  const wanted = new Set<string>();
  const noting: FindIndex = (path) => {
    const index = find(path);
    (index === undefined ? wanted : used).add(path);
    return index;
  };
  const where = narrow(condition, noting);
  const budget = workBudget(PATTERN_WORK);
  const exact = isEverything(condition) || where?.exact === true;
  return {
    where: where ?? EVERYWHERE,
    matches: exact ? null : compileMatcher(condition, { text: textMatcher, budget }),
    budget,
    ordering: orderingOf(condition, sort),
    sortedBy: sortIndex(sort, noting),
    used: [...used],
    wanted: [...wanted],
  };
}

/** A condition that holds where both do; null holds everywhere. */
export function both(one: SqlCondition, other: SqlCondition | null): SqlCondition {
  if (other === null) return one;
  if (one.text === 'TRUE') return other;
  return { text: `(${one.text}) AND ${other.text}`, parameters: [...one.parameters, ...other.parameters] };
}

/** True when a condition holds a full-text search: then the index of words must be there. */
export function needsWords(condition: Condition): boolean {
  switch (condition.op) {
    case 'text':
      return true;
    case 'and':
    case 'or':
    case 'nor':
      return condition.conditions.some(needsWords);
    case 'not':
      return needsWords(condition.condition);
    default:
      return false;
  }
}

/** SQL for the whole condition; where that is too much for SQLite, for as many of its parts as it takes. */
function narrow(condition: Condition, find: FindIndex): Translation | null {
  const whole = translate(condition, find);
  if (whole === null || whole.parameters.length <= MOST_PARAMETERS) return whole;
  if (condition.op !== 'and') return null;
  let known: Translation | null = null;
  for (const part of condition.conditions) {
    const next = translate(part, find);
    if (next === null || (known?.parameters.length ?? 0) + next.parameters.length > MOST_PARAMETERS) continue;
    known = { ...(known === null ? next : both(known, { ...next, text: `(${next.text})` })), exact: false };
  }
  return known;
}

/** True for a condition that every document meets because it asks for nothing. */
export function isEverything(condition: Condition): boolean {
  return condition.op === 'and' && condition.conditions.every(isEverything);
}

/** `sort` decides; without it `$near` orders by distance (spec, Geospatial forms, rule 3). */
function orderingOf(condition: Condition, sort: readonly SortField[]): Ordering | null {
  if (sort.length > 0) return bySortFields(sort);
  const near = nearOf(condition);
  return near === undefined ? null : byDistance(compileDistance(near));
}

function sortIndex(sort: readonly SortField[], find: FindIndex): Plan['sortedBy'] {
  const [field] = sort;
  if (field === undefined || sort.length > 1) return null;
  const index = find(nameOfPath(field.path));
  return index?.exact === true && index.single
    ? { index, descending: field.direction === 'descending' }
    : null;
}
