/**
 * Conditions as SQL over the indexes there are. Each result says whether it is exact; where it is not, it still holds
 * for every document that matches, and the matcher decides. A condition that no index serves becomes null.
 */
import { ObjectId, isFields, isList, type Value } from '../../domain/values.ts';
import type { Comparison, Condition } from '../../operators/filter/conditions.ts';
import { literalPrefix } from '../regex/pattern.ts';
import { indexExpression, WORDS_TABLE } from '../text/search.ts';
import { translateGeo } from './geo-sql.ts';
import { bracketRange, keyOfValue, prefixRange } from './keys.ts';
import { isId } from '../own.ts';
import { nameOfPath } from './paths.ts';

/** A condition on a row of `documents`, with the parameters of its question marks. */
export interface SqlCondition {
  readonly text: string;
  readonly parameters: readonly (string | number)[];
}

/** What the indexes say of a condition. */
export interface Translation extends SqlCondition {
  /** A SELECT of the positions for which it holds, each once, with the same parameters. */
  readonly positions: string;
  /** True when it holds for no document but those that match. */
  readonly exact: boolean;
  /** True when the SELECT gives them in their order without having to sort them. */
  readonly ascending: boolean;
}

/** An index that covers every document. */
export interface PathIndex {
  readonly id: number;
  /** True when each of its keys stands for one value alone. */
  readonly exact: boolean;
  /** True when every document has one plain value at the path, or none. */
  readonly single: boolean;
}

/** Gives the index of a name (`nameOfPath`, `nameOfCells`), and is told of every one that would have served. */
export type FindIndex = (path: string) => PathIndex | undefined;

/** Levels of alternatives and conjunctions that indexes are asked for: SQLite's expressions do not nest for ever. */
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
      return translateText(condition.search);
    case 'eq':
      return translateId(condition) ?? translateEquality(condition, find);
    case 'in':
      if (condition.patterns.length > 0) return null;
      return translateId(condition) ?? translateMembership(condition, find);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return translateRange(condition, find);
    case 'regex':
      return translatePattern(condition, find);
    case 'geoIntersects':
    case 'geoWithin':
    case 'near':
      return translateGeo(condition, find);
    default:
      return null;
  }
}

type Leaf<Op extends Condition['op']> = Extract<Condition, { readonly op: Op }>;
type Compared = Leaf<Comparison>;

function translateText(search: string): Translation {
  const expression = indexExpression(search);
  return expression === null
    ? among('SELECT 0 AS seq WHERE FALSE', [], true)
    : among(`SELECT rowid AS seq FROM ${WORDS_TABLE} WHERE ${WORDS_TABLE} MATCH ?`, [expression], true, true);
}

function translateEquality({ path, value }: Compared, find: FindIndex): Translation | null {
  return isScalar(value) ? translateKeys(path, [value], find) : null;
}

function translateMembership({ path, values }: Leaf<'in'>, find: FindIndex): Translation | null {
  return values.every(isScalar) ? translateKeys(path, values, find) : null;
}

function translateKeys(
  path: readonly string[],
  values: readonly Value[],
  find: FindIndex,
): Translation | null {
  const index = find(nameOfPath(path));
  if (index === undefined) return null;
  const keys = values.map(keyOfValue);
  const exact = index.exact && keys.every(({ exact: alone }) => alone);
  const [only, second] = keys;
  if (only !== undefined && second === undefined) {
    const positions = 'SELECT seq FROM entries WHERE path = ? AND key = unhex(?)';
    return among(positions, [index.id, only.hex], exact, true);
  }
  return among(
    `SELECT ${distinct(index)}seq FROM entries WHERE path = ? AND key IN (SELECT unhex(value) FROM json_each(?))`,
    [index.id, JSON.stringify(keys.map(({ hex }) => hex))],
    exact,
  );
}

/** A document may be found under several keys. */
function distinct({ single }: PathIndex): string {
  return single ? '' : 'DISTINCT ';
}

function translateRange(condition: Compared, find: FindIndex): Translation | null {
  const ofId = translateId(condition);
  if (ofId !== null) return ofId;
  const range = rangeOf(condition, find);
  return range && keyRange(range);
}

/** A range of the keys of an index. */
interface KeyRange {
  readonly index: PathIndex;
  readonly from: string;
  readonly to: string;
  readonly exact: boolean;
}

function rangeOf({ op, path, value }: Compared, find: FindIndex): KeyRange | null {
  if (value === null || !isScalar(value)) return null;
  const index = find(nameOfPath(path));
  if (index === undefined) return null;
  const key = keyOfValue(value);
  const exact = index.exact && key.exact;
  const bracket = bracketRange(value);
  // Where keys are not exact, values beyond the bound may share its key: it stays inside.
  const above = op === 'gt' || op === 'gte';
  const from = above ? (op === 'gt' && exact ? afterKey(key.hex) : key.hex) : bracket.from;
  const to = above ? bracket.to : op === 'lt' && exact ? key.hex : afterKey(key.hex);
  return { index, from, to, exact };
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
  const ranges = new Map<number, { served: Condition[]; range: KeyRange }>();
  const others: Served[] = [];
  for (const condition of conditions) {
    const range = isRange(condition) && !isId(condition.path) ? rangeOf(condition, find) : null;
    const former = range === null ? undefined : ranges.get(range.index.id);
    if (range === null) others.push({ served: [condition], sql: translate(condition, find, level) });
    else if (former === undefined) ranges.set(range.index.id, { served: [condition], range });
    else if (range.index.single) {
      former.served.push(condition);
      former.range = overlap(former.range, range);
    } else others.push({ served: [condition], sql: keyRange(range) });
  }
  return [...[...ranges.values()].map(({ served, range }) => ({ served, sql: keyRange(range) })), ...others];
}

/** What indexes say of some of the conditions together. */
export interface Served {
  readonly served: readonly Condition[];
  readonly sql: Translation | null;
}

function isRange(condition: Condition): condition is Compared {
  return ['gt', 'gte', 'lt', 'lte'].includes(condition.op);
}

function overlap(one: KeyRange, other: KeyRange): KeyRange {
  return {
    index: one.index,
    from: one.from > other.from ? one.from : other.from,
    to: one.to < other.to ? one.to : other.to,
    exact: one.exact && other.exact,
  };
}

function translatePattern({ path, pattern, options }: Leaf<'regex'>, find: FindIndex): Translation | null {
  const literal = literalPrefix(pattern, options);
  if (literal === undefined) return null;
  const index = find(nameOfPath(path));
  if (index === undefined) return null;
  const { from, to } = prefixRange(literal.prefix);
  return keyRange({ index, from, to, exact: false });
}

function keyRange({ index, from, to, exact }: KeyRange): Translation {
  return among(
    `SELECT ${distinct(index)}seq FROM entries WHERE path = ? AND key >= unhex(?) AND key < unhex(?)`,
    [index.id, from, to],
    exact,
  );
}

/** The condition that a document is among the positions of a SELECT. */
export function among(
  positions: string,
  parameters: Translation['parameters'],
  exact: boolean,
  ascending = false,
): Translation {
  return { text: `documents.seq IN (${positions})`, positions, parameters, exact, ascending };
}

/** The least key above this one: keys of the same length are compared byte by byte, and strings have no byte 00 ahead. */
function afterKey(hex: string): string {
  return `${hex}00`;
}

function isScalar(value: Value): boolean {
  return !isList(value) && !isFields(value);
}

/** A comparison of the id, which the primary key decides; null for any other condition. */
export function translateId(condition: Compared | Leaf<'in'>): Translation | null {
  if (!isId(condition.path)) return null;
  if (condition.op === 'in') return condition.patterns.length === 0 ? idAmong(condition.values) : null;
  const { op, value } = condition;
  if (op === 'eq') return idAmong([value]);
  // An id is an object id, and compares with no value of another kind.
  return value instanceof ObjectId
    ? where(`documents.id ${SYMBOLS[op]} unhex(?)`, [value.hex], true)
    : where('FALSE', [], true);
}

export const SYMBOLS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function idAmong(values: readonly Value[]): Translation {
  const ids = values.flatMap((value) => (value instanceof ObjectId ? value.hex : []));
  return where('documents.id IN (SELECT unhex(value) FROM json_each(?))', [JSON.stringify(ids)], true);
}

/** The documents for which a condition holds. */
function where(text: string, parameters: Translation['parameters'], exact: boolean): Translation {
  return { text, positions: `SELECT seq FROM documents WHERE ${text}`, parameters, exact, ascending: false };
}

/** Whatever part is there narrows; it is exact when all parts are there and exact. */
function conjunction(parts: readonly (Translation | null)[]): Translation | null {
  const known = parts.filter((part) => part !== null);
  const [only, second] = known;
  if (only === undefined) return null;
  const exact = known.length === parts.length && known.every((part) => part.exact);
  return second === undefined ? { ...only, exact } : joined(known, ' AND ', exact);
}

function disjunction(parts: readonly (Translation | null)[]): Translation | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length || known.length === 0) return null;
  return joined(
    known,
    ' OR ',
    known.every(({ exact }) => exact),
  );
}

function joined(parts: readonly Translation[], operator: string, exact: boolean): Translation {
  return where(
    parts.map(({ text }) => `(${text})`).join(operator),
    parts.flatMap(({ parameters }) => parameters),
    exact,
  );
}
