/**
 * Conditions as SQL over the indexes there are. Each result says whether it is exact; where it is not, it still holds
 * for every document that matches, and the matcher decides. A condition that no index serves becomes null.
 */
import { ObjectId, isFields, isList, type Value } from '../../domain/values.ts';
import type { Comparison, Condition } from '../filter/conditions.ts';
import { literalPrefix } from '../regex/pattern.ts';
import { indexExpression } from '../text/search.ts';
import { translateGeo } from './geo-sql.ts';
import { bracketRange, keyOfValue, prefixRange } from './keys.ts';
import { nameOfPath } from './paths.ts';

/** A condition on a row of `documents`, with the parameters of its question marks. */
export interface SqlCondition {
  readonly text: string;
  readonly parameters: readonly (string | number)[];
}

/** What SQL says of a condition. */
export interface Translation extends SqlCondition {
  /** True when it holds for no document but those that match. */
  readonly exact: boolean;
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

/** The SQL of a condition, or null when nothing narrower than everything can be said. */
export function translate(condition: Condition, find: FindIndex): Translation | null {
  switch (condition.op) {
    case 'and':
      return conjunction(condition.conditions.map((each) => translate(each, find)));
    case 'or':
      return disjunction(condition.conditions.map((each) => translate(each, find)));
    case 'nor':
      return negation(disjunction(condition.conditions.map((each) => translate(each, find))));
    case 'not':
      return negation(translate(condition.condition, find));
    case 'text':
      return translateText(condition.search);
    case 'eq':
      return isId(condition.path) ? idAmong([condition.value]) : translateEquality(condition, find);
    case 'in':
      if (condition.patterns.length > 0) return null;
      return isId(condition.path) ? idAmong(condition.values) : translateMembership(condition, find);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isId(condition.path) ? null : translateRange(condition, find);
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
  if (expression === null) return { text: 'FALSE', parameters: [], exact: true };
  return {
    text: 'documents.seq IN (SELECT rowid FROM words WHERE words MATCH ?)',
    parameters: [expression],
    exact: true,
  };
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
  const text =
    'documents.seq IN (SELECT seq FROM entries WHERE path = ? AND key IN (SELECT unhex(value) FROM json_each(?)))';
  return {
    text,
    parameters: [index.id, JSON.stringify(keys.map(({ hex }) => hex))],
    exact: index.exact && keys.every(({ exact }) => exact),
  };
}

function translateRange({ op, path, value }: Compared, find: FindIndex): Translation | null {
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
  return { ...keyRange(index, from, to), exact };
}

function translatePattern({ path, pattern, options }: Leaf<'regex'>, find: FindIndex): Translation | null {
  const literal = literalPrefix(pattern, options);
  if (literal === undefined) return null;
  const index = find(nameOfPath(path));
  if (index === undefined) return null;
  const { from, to } = prefixRange(literal.prefix);
  return { ...keyRange(index, from, to), exact: false };
}

function keyRange({ id }: PathIndex, from: string, to: string): SqlCondition {
  return {
    text: 'documents.seq IN (SELECT seq FROM entries WHERE path = ? AND key >= unhex(?) AND key < unhex(?))',
    parameters: [id, from, to],
  };
}

/** The least key above this one: keys of the same length are compared byte by byte, and strings have no byte 00 ahead. */
function afterKey(hex: string): string {
  return `${hex}00`;
}

function isScalar(value: Value): boolean {
  return !isList(value) && !isFields(value);
}

function isId(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === 'id';
}

/** A document's id is an object id and equals no value of another kind. */
function idAmong(values: readonly Value[]): Translation {
  const ids = values.flatMap((value) => (value instanceof ObjectId ? value.hex : []));
  return {
    text: 'documents.id IN (SELECT unhex(value) FROM json_each(?))',
    parameters: [JSON.stringify(ids)],
    exact: true,
  };
}

/** Whatever part is there narrows; it is exact when all parts are there and exact. */
function conjunction(parts: readonly (Translation | null)[]): Translation | null {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0) return null;
  return {
    text: known.map(({ text }) => `(${text})`).join(' AND '),
    parameters: known.flatMap(({ parameters }) => parameters),
    exact: known.length === parts.length && known.every(({ exact }) => exact),
  };
}

function disjunction(parts: readonly (Translation | null)[]): Translation | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length || known.length === 0) return null;
  return {
    text: known.map(({ text }) => `(${text})`).join(' OR '),
    parameters: known.flatMap(({ parameters }) => parameters),
    exact: known.every(({ exact }) => exact),
  };
}

/** Only what is exact can be turned over. */
function negation(part: Translation | null): Translation | null {
  return part?.exact === true ? { ...part, text: `NOT (${part.text})` } : null;
}
