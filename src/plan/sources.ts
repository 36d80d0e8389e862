/**
 * Conditions as SQL over the indexes there are. Each result says whether it is exact; where it is not, it still holds
 * for every document that matches, and the matcher decides. A condition that no index serves becomes null.
 */
import type { Condition, Leaf } from '../operators/filter/conditions.ts';
import { operatorOf } from '../operators/query/table.ts';
import { indexSearch, WORDS_TABLE } from '../query/text/search.ts';
import { isId } from '../query/index/paths.ts';
import { joined, NEVER } from '../query/sql/condition.ts';
import type { FindIndex } from '../query/index/path-index.ts';
import { among, where, withinRange, type KeyRange, type Translation } from '../query/sql/positions.ts';

/** Levels of alternatives and conjunctions for which indexes are used: SQLite limits the depth of expressions. */
const MOST_LEVELS = 16;

/** The SQL of a condition, or null when nothing narrower than everything can be said. */
export function translate(condition: Condition, find: FindIndex, level = 0): Translation | null {
  if (level > MOST_LEVELS) return null;
  switch (condition.op) {
    case 'and':
      return conjunction(translateAll(condition.conditions, find, level + 1).map(({ sql }) => sql));
    case 'or':
      return disjunction(condition.conditions.map((each) => translate(each, find, level + 1)));
    case 'text':
      return condition.unindexed === true ? null : translateText(condition.search);
    case 'not':
      return null;
    default:
      return translateLeaf(condition, find);
  }
}

function translateLeaf(leaf: Leaf, find: FindIndex): Translation | null {
  const { index, ofId } = operatorOf(leaf);
  const range = rangeOf(leaf, find);
  if (range !== null) return withinRange(range);
  return (isId(leaf.path) ? ofId?.(leaf) : index?.(leaf, find)) ?? null;
}

export function translateText(search: string): Translation {
  const found = indexSearch(search);
  return found === null
    ? where(NEVER, true)
    : among(
        `SELECT rowid AS seq FROM ${WORDS_TABLE} WHERE ${WORDS_TABLE} MATCH ?`,
        [found.expression],
        found.exact,
        true,
      );
}

function rangeOf(leaf: Leaf, find: FindIndex): KeyRange | null {
  return operatorOf(leaf).range?.(leaf, find) ?? null;
}

/**
 * Conditions that all hold, each as SQL. Bounds of one path become one range where no document has several values
 * there; elsewhere one value may meet one bound and another the other.
 */
export function translateAll(
  conditions: readonly Condition[],
  find: FindIndex,
  level = 0,
): readonly Served[] {
  const ranges = new Map<number | 'id', { served: Condition[]; range: KeyRange }>();
  const others: Served[] = [];
  for (const condition of conditions) {
    const range = 'path' in condition ? rangeOf(condition, find) : null;
    const former = range === null ? undefined : ranges.get(numberOf(range.index));
    if (range === null) others.push({ served: [condition], sql: translate(condition, find, level) });
    else if (former === undefined) ranges.set(numberOf(range.index), { served: [condition], range });
    else if (isSingle(range.index)) {
      former.served.push(condition);
      former.range = overlap(former.range, range);
    } else others.push({ served: [condition], sql: withinRange(range) });
  }
  return [
    ...[...ranges.values()].map(({ served, range }) => ({ served, sql: withinRange(range) })),
    ...others,
  ];
}

/** The range of an index's keys, or of ids, in which all bounds of its path put what matches; null without any. */
export function rangeOn(
  index: KeyRange['index'],
  conditions: readonly Condition[],
  find: FindIndex,
): KeyRange | null {
  const ranges = conditions.flatMap((condition) => {
    const range = 'path' in condition ? rangeOf(condition, find) : null;
    return range !== null && numberOf(range.index) === numberOf(index) ? [range] : [];
  });
  // Where documents have several values, one may meet one bound and another the other.
  return isSingle(index) && ranges.length > 0 ? ranges.reduce(overlap) : null;
}

function numberOf(index: KeyRange['index']): number | 'id' {
  return index === 'id' ? index : index.id;
}

function isSingle(index: KeyRange['index']): boolean {
  return index === 'id' || index.single;
}

/** What indexes say of some of the conditions together. */
export interface Served {
  readonly served: readonly Condition[];
  readonly sql: Translation | null;
}

function overlap(one: KeyRange, other: KeyRange): KeyRange {
  return {
    index: one.index,
    from: one.from > other.from ? one.from : other.from,
    to: one.to < other.to ? one.to : other.to,
    exact: one.exact && other.exact,
  };
}

/** Whatever part is there narrows; it is exact when all parts are there and exact. */
function conjunction(parts: readonly (Translation | null)[]): Translation | null {
  const known = parts.filter((part) => part !== null);
  const [only, second] = known;
  if (only === undefined) return null;
  const exact = known.length === parts.length && known.every((part) => part.exact);
  return second === undefined ? { ...only, exact } : allTogether('AND', known, exact);
}

function disjunction(parts: readonly (Translation | null)[]): Translation | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length || known.length === 0) return null;
  return allTogether(
    'OR',
    known,
    known.every(({ exact }) => exact),
  );
}

function allTogether(operator: 'AND' | 'OR', parts: readonly Translation[], exact: boolean): Translation {
  return where(
    joined(
      operator,
      parts.map(({ condition }) => condition),
    ),
    exact,
  );
}
