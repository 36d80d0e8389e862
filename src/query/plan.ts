/**
 * How a collection answers a filter: what its indexes find, what SQL can tell of a document, the exact matcher for
 * what SQL can not decide, and the order. Pure: made from the tree and from what indexes there are.
 */
import type { Fields } from '../domain/values.ts';
import { EVERYTHING, type Condition, type Path } from './filter/conditions.ts';
import { compileMatcher } from './filter/match.ts';
import type { Near } from './filter/geometries.ts';
import { compileDistance, nearOf } from './filter/near.ts';
import { workBudget, type WorkBudget } from './filter/patterns.ts';
import { ALWAYS, testBody, type BodyTest } from './index/body.ts';
import { nameOfCells } from './index/cells.ts';
import { nameOfPath } from './index/paths.ts';
import {
  translateAll,
  type FindIndex,
  type PathIndex,
  type SqlCondition,
  type Translation,
} from './index/sql.ts';
import { byDistance, bySortFields, type Ordering } from './order/ordering.ts';
import type { SortField } from './order/sort.ts';
import { textMatcher } from './text/search.ts';

/** A part of a filter that an index serves: every document that matches is among its positions. */
export interface Source {
  /** A SELECT of positions, each once. */
  readonly positions: string;
  readonly parameters: Translation['parameters'];
  /** What SQL can tell of a document that was found by this source. */
  readonly test: () => BodyTest;
}

export interface Plan {
  /** True when every document matches. */
  readonly everything: boolean;
  /** Parts of the filter that indexes serve; all of them hold of what matches. */
  readonly sources: readonly Source[];
  /** What SQL can tell of any document. */
  readonly test: () => BodyTest;
  /** Decides exactly. */
  readonly matches: (document: Fields) => boolean;
  /** What the patterns of `matches` may still cost. */
  readonly budget: WorkBudget;
  /** Null for the order of ids. */
  readonly ordering: Ordering | null;
  /** An index whose keys have the order of the answer, and its direction. */
  readonly sortedBy: { readonly index: PathIndex; readonly descending: boolean } | null;
  /** How to search nearest first; null where another order or more is asked for, or without an index of cells. */
  readonly nearest: NearestPlan | null;
  /** The fields that the filter and the order look at; null for all. */
  readonly fields: readonly string[] | null;
  /** Paths on which an index served the plan, and paths on which one would have. */
  readonly used: readonly string[];
  readonly wanted: readonly string[];
}

export interface NearestPlan {
  readonly near: Near;
  /** The index of cells on its path. */
  readonly index: PathIndex;
  /** Where all that has a geometry is found. */
  readonly source: Source;
}

/** Work that the patterns of one filter may take over all documents: about half a second. */
export const PATTERN_WORK = 50_000_000;

/** SQLite takes 100 parameters, of which others need some. */
const MOST_PARAMETERS = 60;

export function plan(condition: Condition, sort: readonly SortField[], find: FindIndex): Plan {
  const used = new Set<string>();
  const wanted = new Set<string>();
  const noting: FindIndex = (path) => {
    const index = find(path);
    (index === undefined ? wanted : used).add(path);
    return index;
  };
  const sources = sourcesOf(conjuncts(condition), noting);
  const budget = workBudget(PATTERN_WORK);
  const everything = conjuncts(condition).length === 0;
  return {
    everything,
    sources,
    test: once(() => testBody(condition)),
    matches: everything ? () => true : lazily(() => compileMatcher(condition, { text: textMatcher, budget })),
    budget,
    ordering: orderingOf(condition, sort),
    sortedBy: sortIndex(sort, noting),
    nearest: sort.length > 0 ? null : nearestPlan(conjuncts(condition), sources, noting),
    fields: fieldsOf(condition, sort),
    used: [...used],
    wanted: [...wanted],
  };
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

/** The conditions that must all hold, those of nested conjunctions among them. */
function conjuncts(condition: Condition): readonly Condition[] {
  return condition.op === 'and' ? condition.conditions.flatMap(conjuncts) : [condition];
}

function sourcesOf(conditions: readonly Condition[], find: FindIndex): readonly Source[] {
  return translateAll(conditions, find).flatMap(({ served, sql }): Source[] => {
    if (sql === null || sql.parameters.length > MOST_PARAMETERS) return [];
    const others = conditions.filter((each) => !served.includes(each));
    const rest = sql.exact ? { ...EVERYTHING, conditions: others } : { op: 'and' as const, conditions };
    const { positions, parameters } = sql;
    return [
      {
        positions,
        parameters,
        test: once(() => (sql.exact && others.length === 0 ? ALWAYS : testBody(rest))),
      },
    ];
  });
}

/** `sort` decides; without it `$near` orders by distance (spec, Geospatial forms, rule 3). */
function orderingOf(condition: Condition, sort: readonly SortField[]): Ordering | null {
  if (sort.length > 0) return bySortFields(sort);
  const near = nearOf(condition);
  return near === undefined ? null : byDistance(compileDistance(near));
}

function nearestPlan(
  [near, other]: readonly Condition[],
  [source]: readonly Source[],
  find: FindIndex,
): NearestPlan | null {
  if (near?.op !== 'near' || other !== undefined || source === undefined) return null;
  const index = find(nameOfCells(near.path));
  return index === undefined ? null : { near, index, source };
}

function sortIndex(sort: readonly SortField[], find: FindIndex): Plan['sortedBy'] {
  const [field] = sort;
  if (field === undefined || sort.length > 1) return null;
  const index = find(nameOfPath(field.path));
  return index?.exact === true && index.single
    ? { index, descending: field.direction === 'descending' }
    : null;
}

/** The first steps of all paths; a full-text search looks everywhere. */
function fieldsOf(condition: Condition, sort: readonly SortField[]): readonly string[] | null {
  const paths = pathsOf(condition);
  if (paths === null) return null;
  return [...new Set([...paths, ...sort.map(({ path }) => path)].flatMap(([first]) => first ?? []))];
}

function pathsOf(condition: Condition): readonly Path[] | null {
  switch (condition.op) {
    case 'text':
      return null;
    case 'and':
    case 'or':
    case 'nor': {
      const all = condition.conditions.map(pathsOf);
      return all.some((paths) => paths === null) ? null : all.flatMap((paths) => paths ?? []);
    }
    case 'not':
      return pathsOf(condition.condition);
    default:
      return [condition.path];
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A function that is compiled when it is first called: many plans never ask their matcher. */
function lazily(compile: () => (document: Fields) => boolean): (document: Fields) => boolean {
  const compiled = once(compile);
  return (document) => compiled()(document);
}

/** A condition that holds where both do. */
export function both(one: SqlCondition, other: SqlCondition): SqlCondition {
  if (one.text === 'TRUE') return other;
  if (other.text === 'TRUE') return one;
  return { text: `(${one.text}) AND (${other.text})`, parameters: [...one.parameters, ...other.parameters] };
}
