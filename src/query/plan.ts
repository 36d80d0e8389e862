/**
 * How a collection answers a filter: a condition for SQL that holds for every document of the answer and perhaps
 * for more, the exact matcher for what SQL could not decide, and the order. Pure: made from the tree alone.
 */
import { ObjectId, type Fields } from '../domain/values.ts';
import { compileMatcher } from './filter/match.ts';
import type { Condition } from './filter/conditions.ts';
import { compileDistance, nearOf } from './filter/near.ts';
import { workBudget, type WorkBudget } from './filter/patterns.ts';
import { byDistance, bySortFields, type Ordering } from './order/ordering.ts';
import type { SortField } from './order/sort.ts';
import { indexExpression, textMatcher } from './text/search.ts';

/** A condition on a row of `documents`, with the parameters of its question marks. */
export interface SqlCondition {
  readonly text: string;
  readonly parameters: readonly (string | number)[];
}

export interface Plan {
  /** True of every document that matches. */
  readonly where: SqlCondition;
  /** True when the index of words must be there before `where` may be asked. */
  readonly needsWords: boolean;
  /** Decides on what `where` leaves; null when `where` is exact. */
  readonly matches: ((document: Fields) => boolean) | null;
  /** What the patterns of `matches` may still cost. */
  readonly budget: WorkBudget;
  /** Null for the order of ids. */
  readonly ordering: Ordering | null;
}

/** A condition that holds where both do; null holds everywhere. */
export function both(one: SqlCondition, other: SqlCondition | null): SqlCondition {
  if (other === null) return one;
  if (one.text === 'TRUE') return other;
  return { text: `${one.text} AND ${other.text}`, parameters: [...one.parameters, ...other.parameters] };
}

/** Work that the patterns of one filter may take over all documents: about half a second. */
const PATTERN_WORK = 50_000_000;

/** A part of the filter that SQL decides exactly. */
interface Decided extends SqlCondition {
  readonly needsWords?: boolean;
}

export function plan(condition: Condition, sort: readonly SortField[]): Plan {
  const parts = condition.op === 'and' ? condition.conditions : [condition];
  const decided: Decided[] = [];
  const rest: Condition[] = [];
  for (const part of parts) {
    const sql = decideInSql(part);
    if (sql === undefined) rest.push(part);
    else decided.push(sql);
  }
  const budget = workBudget(PATTERN_WORK);
  const exact = rest.length === 0;
  return {
    where: {
      text: decided.length === 0 ? 'TRUE' : decided.map(({ text }) => text).join(' AND '),
      parameters: decided.flatMap(({ parameters }) => parameters),
    },
    needsWords: decided.some(({ needsWords }) => needsWords === true),
    matches: exact ? null : compileMatcher(allOf(rest), { text: textMatcher, budget }),
    budget,
    ordering: orderingOf(condition, sort),
  };
}

function allOf(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { op: 'and', conditions };
}

/** SQL for what SQL decides exactly, or undefined. */
function decideInSql(condition: Condition): Decided | undefined {
  switch (condition.op) {
    case 'text': {
      const expression = indexExpression(condition.search);
      if (expression === null) return { text: 'FALSE', parameters: [] };
      const text = 'seq IN (SELECT rowid FROM words WHERE words MATCH ?)';
      return { text, parameters: [expression], needsWords: true };
    }
    case 'eq':
      return isId(condition.path) ? idAmong([condition.value]) : undefined;
    case 'in':
      return isId(condition.path) && condition.patterns.length === 0 ? idAmong(condition.values) : undefined;
    default:
      return undefined;
  }
}

function isId(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === 'id';
}

/** A document's id is an object id and equals no value of another kind. */
function idAmong(values: readonly unknown[]): Decided {
  const ids = values.flatMap((value) => (value instanceof ObjectId ? value.hex : []));
  return { text: 'id IN (SELECT unhex(value) FROM json_each(?))', parameters: [JSON.stringify(ids)] };
}

/** `sort` decides; without it `$near` orders by distance (spec, Geospatial forms, rule 3). */
function orderingOf(condition: Condition, sort: readonly SortField[]): Ordering | null {
  if (sort.length > 0) return bySortFields(sort);
  const near = nearOf(condition);
  return near === undefined ? null : byDistance(compileDistance(near));
}
