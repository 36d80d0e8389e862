/**
 * What is known of a search before anything is read: what indexes find of the filter, what SQL can tell of a document,
 * the exact matcher for what SQL can not decide, and the order. Pure: made from the tree and the list of indexes.
 */
import { WORK } from '../domain/limits.ts';
import { isAuditField } from '../domain/audit-fields.ts';
import type { Viewer } from '../domain/rights.ts';
import type { Fields } from '../domain/values/values.ts';
import { WorkBudget } from '../domain/work/work.ts';
import { EVERYTHING, type Condition } from '../operators/filter/conditions.ts';
import { countTests, fieldsOfCondition, someField, partsOf } from '../operators/filter/map.ts';
import { compileMatcher } from '../operators/filter/matcher.ts';
import { isUnbounded, type Near } from '../operators/query/geometries.ts';
import { compileDistance, nearOf } from '../operators/query/near.ts';
import { CERTAIN, type BodyTest } from '../query/sql/body-test.ts';
import { nameOfCells } from '../query/index/cells.ts';
import { isId, nameOfPath } from '../query/index/paths.ts';
import type { FindIndex, PathIndex } from '../query/index/path-index.ts';
import type { SqlParameters } from '../query/sql/condition.ts';
import { anyGeometry, type KeyRange, type Translation } from '../query/sql/positions.ts';
import { byDistance, bySortFields, type Ordering } from '../query/order/ordering.ts';
import type { Numbers, SortField } from '../query/order/sort.ts';
import { textMatcher } from '../query/text/search.ts';
import { testBody } from './bodies.ts';
import { derivationsOf, fieldsOfSort, isDerived, withDerived } from '../operators/filter/derived.ts';
import { isEverything, isNothing, settle, settleSort } from './settle.ts';
import { rangeOn, translateAll } from './sources.ts';

/** A part of a filter that an index serves: every document that matches is among its positions. */
export interface CandidateSource {
  /** A SELECT of positions, each once. */
  readonly positions: string;
  readonly parameters: SqlParameters;
  readonly ascending: boolean;
  /** The same as entries of indexes, which can be counted; null where the positions are found otherwise. */
  readonly entries: Translation['entries'];
  /** What SQL can tell of a document that was found by this source. */
  readonly test: () => BodyTest;
}

/** An index whose keys have the order that is asked for, and its direction. `id` is the primary key. */
export interface SortedBy {
  readonly index: PathIndex | 'id';
  readonly descending: boolean;
  /** The only keys that matches have, where the filter says so. */
  readonly within: Pick<KeyRange, 'from' | 'to'> | null;
}

/** A search that is ready to be planned. */
export interface Prepared {
  /** True when every document matches, and when none does. */
  readonly everything: boolean;
  readonly nothing: boolean;
  /** Parts of the filter that indexes serve; all of them hold of what matches. */
  readonly sources: readonly CandidateSource[];
  /** Whether they decide together: what is found by all of them matches. */
  readonly decided: boolean;
  /** Whether the filter holds a full-text search. */
  readonly words: boolean;
  /** What SQL can tell of any document. */
  readonly test: () => BodyTest;
  /** Decides exactly. */
  readonly matches: (document: Fields) => boolean;
  /** How many tests of a document that takes. */
  readonly tests: number;
  /** Whether some look at geometries, which takes longer. */
  readonly shapes: boolean;
  /** What the patterns of `matches` may still cost. */
  readonly budget: WorkBudget;
  /** Null for the order of ids. */
  readonly ordering: Ordering | null;
  /** An index whose keys have the order of the answer. */
  readonly sortedBy: SortedBy | null;
  /** The only ids that matches have, where the filter says so: in the order of creation they stand together. */
  readonly ids: Pick<KeyRange, 'from' | 'to'> | null;
  /** How to search nearest first; null where another order or more is asked for, or without an index of cells. */
  readonly nearest: Nearest | null;
  /** The fields that the filter and the order look at; null for all. */
  readonly fields: readonly string[] | null;
  /** Whether they look at what the service knows of a document (domain/audit-fields.ts). */
  readonly auditFields: boolean;
  /** Paths on which an index serves, and paths on which one would. */
  readonly used: readonly string[];
  readonly wanted: readonly string[];
}

/** A search outward from a point. */
export interface Nearest {
  readonly near: Near;
  /** Whether other conditions must hold: then the matcher looks at each document that is met. */
  readonly filtered: boolean;
  /** The index of cells on its path. */
  readonly index: PathIndex;
  /** Where all that has a geometry is found. */
  readonly source: CandidateSource;
}

/** SQLite takes 100 parameters, of which others need some. */
const MOST_PARAMETERS = 60;

/** What is searched for, and by whom. A rule on what the viewer may see has joined the condition before. */
export interface PlanRequest {
  readonly condition: Condition;
  /** Whose right to read is asked of each document. */
  readonly viewer: Viewer;
  /** Empty for the order that the condition has of its own; null where no order is asked for. */
  readonly sort: readonly SortField[] | null;
  /** What distance and relevance are about: the condition without that of a rule, where there is one. */
  readonly ranked?: Condition;
  /** What the order takes for fields. */
  readonly numbers?: Readonly<Record<string, Numbers>>;
}

/** Prepares a search over a number of documents of a type. */
export function prepare(
  { condition: filter, sort: order, ranked = filter, numbers = {} }: Omit<PlanRequest, 'viewer'>,
  find: FindIndex,
  {
    type,
    documents,
    idsAscend,
  }: { readonly type: string; readonly documents: number; readonly idsAscend: boolean },
): Prepared {
  const condition = settle(filter, type);
  // Nearest first is the order of `$near` itself.
  const sort = order !== null && isNearestFirst(order) && nearOf(ranked) !== undefined ? [] : order;
  const used = new Set<string>();
  const wanted = new Set<string>();
  const noting: FindIndex = (path) => {
    const index = find(path);
    (index === undefined ? wanted : used).add(path);
    return index;
  };
  const conditions = conjuncts(condition);
  const nearest = sort?.length === 0 ? nearestOf(conditions, noting) : null;
  // A search outward needs no covering of what is within bounds, which takes longer than the rest of a small search.
  const { sources, decided } =
    nearest === null || nearest.filtered
      ? sourcesOf(conditions, noting)
      : { sources: [nearest.source], decided: isUnbounded(nearest.near) };
  const budget = new WorkBudget(WORK.patterns + documents * WORK.patternsPerDocument);
  const everything = isEverything(condition);
  return {
    everything,
    nothing: isNothing(condition),
    sources,
    decided,
    words: needsWords(condition),
    test: once(() => testBody(condition)),
    matches:
      everything || isNothing(condition)
        ? () => everything
        : lazily(() => compileMatcher(condition, { text: textMatcher, budget, bounded: true })),
    tests: countTests(condition),
    shapes: asksShapes(condition),
    budget,
    ordering: sort === null ? null : orderingOf(ranked, sort, idsAscend, numbers),
    sortedBy:
      sort === null
        ? null
        : sortIndex(settleSort(sort, idsAscend), find, conditions, { used, wanted, numbers }),
    ids: idsAscend ? rangeOn('id', conditions, find) : null,
    nearest,
    fields: fieldsOf(condition, fieldsOfSort(sort ?? [], ranked, numbers)),
    auditFields:
      someField(condition, isAuditField) || (sort ?? []).some(({ path: [name] }) => isAuditField(name)),
    used: [...used],
    wanted: [...wanted],
  };
}

/** True when a condition holds a full-text search: then the index of words must be there. */
export function needsWords(condition: Condition): boolean {
  return partsOf(condition).some(({ op }) => op === 'text');
}

/** Whether some of its tests look at geometries. */
export function asksShapes(condition: Condition): boolean {
  return partsOf(condition).some(({ op }) => op === 'geoWithin' || op === 'geoIntersects' || op === 'near');
}

/** The conditions that must all hold, those of nested conjunctions among them. */
function conjuncts(condition: Condition): readonly Condition[] {
  return condition.op === 'and' ? condition.conditions.flatMap(conjuncts) : [condition];
}

function sourcesOf(conditions: readonly Condition[], find: FindIndex): Pick<Prepared, 'sources' | 'decided'> {
  const translated = translateAll(conditions, find);
  const sources = translated.flatMap(({ served, sql }): CandidateSource[] => {
    if (sql === null || sql.parameters.length > MOST_PARAMETERS) return [];
    const others = conditions.filter((each) => !served.includes(each));
    const rest = sql.exact ? { ...EVERYTHING, conditions: others } : { op: 'and' as const, conditions };
    const { positions, parameters, ascending, entries } = sql;
    return [
      {
        positions,
        parameters,
        ascending,
        entries,
        test: once(() => (sql.exact && others.length === 0 ? CERTAIN : testBody(rest))),
      },
    ];
  });
  const decided = sources.length === translated.length && translated.every(({ sql }) => sql?.exact === true);
  return { sources, decided };
}

/** `sort` decides; without it `$near` orders by distance (spec, Geospatial forms, rule 3). */
export function orderingOf(
  condition: Condition,
  sort: readonly SortField[],
  idsAscend: boolean,
  numbers: PlanRequest['numbers'] = {},
): Ordering | null {
  const settled = settleSort(sort, idsAscend);
  if (sort.length > 0) {
    const ordering = settled.length === 0 ? null : bySortFields(settled);
    const derive = withDerived(derivationsOf(condition), settled, numbers);
    if (ordering === null || derive === null) return ordering;
    return { ...ordering, keyOf: (document) => ordering.keyOf(derive(document)) };
  }
  const near = nearOf(condition);
  return near === undefined ? null : byDistance(near.path, compileDistance(near));
}

function nearestOf(conditions: readonly Condition[], find: FindIndex): Nearest | null {
  const near = conditions.find((each) => each.op === 'near');
  const filtered = conditions.length > 1;
  if (near === undefined || (filtered && !isUnbounded(near))) return null;
  const index = find(nameOfCells(near.path));
  if (index === undefined) return null;
  const test = once(() => (isUnbounded(near) ? CERTAIN : testBody(near)));
  return { near, filtered, index, source: { ...anyGeometry(index, false), test } };
}

/** An index that can not serve the order, for documents with several values, is neither used nor wanted. */
function sortIndex(
  sort: readonly SortField[],
  find: FindIndex,
  conditions: readonly Condition[],
  {
    used,
    wanted,
    numbers,
  }: Readonly<Record<'used' | 'wanted', Set<string>>> & Required<Pick<PlanRequest, 'numbers'>>,
): SortedBy | null {
  const [field] = sort;
  if (field === undefined || sort.length > 1) return null;
  const descending = field.direction === 'descending';
  if (isId(field.path)) return { index: 'id', descending, within: rangeOn('id', conditions, find) };
  if (isDerived(field.path[0]) || Object.hasOwn(numbers, field.path[0] ?? '')) return null;
  const name = nameOfPath(field.path);
  const index = find(name);
  if (index === undefined) wanted.add(name);
  if (index?.exact !== true || !index.single) return null;
  used.add(name);
  return { index, descending, within: rangeOn(index, conditions, find) };
}

/** The fields at the beginning of all paths; null where the filter or the order looks everywhere. */
function fieldsOf(condition: Condition, sorted: readonly string[] | null): readonly string[] | null {
  const fields = fieldsOfCondition(condition);
  return fields && sorted && [...new Set([...fields, ...sorted])];
}

function isNearestFirst([field, other]: readonly SortField[]): boolean {
  return other === undefined && field?.path[0] === '$distance' && field.direction === 'ascending';
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
