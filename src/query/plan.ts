/**
 * How a collection answers a filter: a condition for SQL that holds for every document of the answer and perhaps
 * for more, the exact matcher for what SQL could not decide, and the order. Pure: made from the tree and from what
 * indexes there are.
 */
import type { Fields } from '../domain/values.ts';
import type { Condition } from './filter/conditions.ts';
import { compileMatcher } from './filter/match.ts';
import { isUnbounded, type Near } from './filter/geometries.ts';
import { compileDistance, nearOf, withoutNear } from './filter/near.ts';
import { workBudget, type WorkBudget } from './filter/patterns.ts';
import { nameOfCells } from './index/cells.ts';
import { anyGeometry } from './index/geo-sql.ts';
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
  /** How to search nearest first; null where the order is another, or where more than bounds of distance are left to `matches`. */
  readonly nearest: NearestPlan | null;
  /** Paths on which an index served the plan, and paths on which one would have. */
  readonly used: readonly string[];
  readonly wanted: readonly string[];
}

export interface NearestPlan {
  readonly near: Near;
  /** The index of cells on its path. */
  readonly index: PathIndex;
  /** True when nothing else is asked. */
  readonly alone: boolean;
  /** What else is asked, as far as SQL says it. */
  readonly rest: SqlCondition | null;
}

/** Work that the patterns of one filter may take over all documents: about half a second. */
export const PATTERN_WORK = 50_000_000;

/** SQLite takes 100 parameters, and expressions of depth 100. */
const MOST_PARAMETERS = 60;

export const EVERYWHERE: SqlCondition = { text: 'TRUE', parameters: [] };

/** `sort` is empty for the order that the condition has of its own, and null where no order is asked for. */
export function plan(condition: Condition, sort: readonly SortField[] | null, find: FindIndex): Plan {
  const used = new Set<string>();
  const wanted = new Set<string>();
  const noting: FindIndex = (path) => {
    const index = find(path);
    (index === undefined ? wanted : used).add(path);
    return index;
  };
  const near = sort?.length === 0 ? nearPlan(condition, noting) : null;
  const where = near?.alone === true ? translateAlone(near) : narrow(condition, noting);
  const budget = workBudget(PATTERN_WORK);
  const exact = isEverything(condition) || where?.exact === true;
  return {
    where: where ?? EVERYWHERE,
    matches: exact ? null : compileMatcher(condition, { text: textMatcher, budget }),
    budget,
    ordering: sort === null ? null : orderingOf(condition, sort),
    sortedBy: sort === null ? null : sortIndex(sort, noting),
    nearest: near?.alone === true || exact ? near : null,
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

function isEverything(condition: Condition): boolean {
  return condition.op === 'and' && condition.conditions.every(isEverything);
}

/** `sort` decides; without it `$near` orders by distance (spec, Geospatial forms, rule 3). */
function orderingOf(condition: Condition, sort: readonly SortField[]): Ordering | null {
  if (sort.length > 0) return bySortFields(sort);
  const near = nearOf(condition);
  return near === undefined ? null : byDistance(compileDistance(near));
}

function nearPlan(condition: Condition, find: FindIndex): NearestPlan | null {
  const near = nearOf(condition);
  const index = near && find(nameOfCells(near.path));
  if (near === undefined || index === undefined) return null;
  const others = withoutNear(condition);
  return { near, index, alone: isEverything(others), rest: narrow(others, find) };
}

/** A search outward needs no covering of what is within bounds, which takes longer than the rest of a small search. */
function translateAlone({ near, index }: NearestPlan): Translation {
  return { ...anyGeometry(index), exact: isUnbounded(near) };
}

function sortIndex(sort: readonly SortField[], find: FindIndex): Plan['sortedBy'] {
  const [field] = sort;
  if (field === undefined || sort.length > 1) return null;
  const index = find(nameOfPath(field.path));
  return index?.exact === true && index.single
    ? { index, descending: field.direction === 'descending' }
    : null;
}
