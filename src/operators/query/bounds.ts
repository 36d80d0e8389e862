/** Bounds (`$gt`, `$gte`, `$lt`, `$lte`) as SQL: ranges of the keys of an index, and conditions on bodies. */
import { ObjectId, type Value } from '../../domain/values/values.ts';
import { isPlain, kind, plainNumber, type BodyTest } from '../../query/sql/body-test.ts';
import { NEVER, sql } from '../../query/sql/condition.ts';
import { bracketRange, indexKeyOf } from '../../query/index/keys.ts';
import { isId, nameOfPath } from '../../query/index/paths.ts';
import type { FindIndex } from '../../query/index/path-index.ts';
import { afterKey, ANY_ID, isScalar, SYMBOLS, type KeyRange } from '../../query/sql/positions.ts';
import type { Comparison, Leaf } from '../filter/conditions.ts';

export type Bound = Exclude<Comparison, 'eq'>;

/** The keys of all values within the bound; null where no index serves. */
export function rangeOf({ op, path, value }: Leaf<Bound>, find: FindIndex): KeyRange | null {
  if (isId(path)) return value instanceof ObjectId ? rangeOfIds(op, value.hex) : null;
  if (value === null || !isScalar(value)) return null;
  const index = find(nameOfPath(path));
  if (index === undefined) return null;
  const key = indexKeyOf(value);
  const exact = index.exact && key.exact;
  const bracket = bracketRange(value);
  // Where keys are not exact, values beyond the bound may share its key: it stays inside.
  const above = op === 'gt' || op === 'gte';
  const from = above ? (op === 'gt' && exact ? afterKey(key.hex) : key.hex) : bracket.from;
  const to = above ? bracket.to : op === 'lt' && exact ? key.hex : afterKey(key.hex);
  return { index, from, to, exact };
}

function rangeOfIds(op: Bound, hex: string): KeyRange {
  const bound = op === 'gt' || op === 'lte' ? afterKey(hex) : hex;
  const side = op === 'gt' || op === 'gte' ? { from: bound } : { to: bound };
  return { index: 'id', ...ANY_ID, ...side, exact: true };
}

/** The test of a body in SQL. */
export function testBound(op: Bound, value: Value, path: string): BodyTest | undefined {
  const number = plainNumber(value);
  if (number !== undefined) return numberRange(op, number, path);
  if (typeof value === 'string') return isPlain(value) ? stringRange(op, value, path) : undefined;
  return value instanceof Date ? dateRange(op, value.getTime(), path) : undefined;
}

/** Fractions are read by SQLite and by JavaScript with a last digit of difference: near the bound nothing is sure. */
function numberRange(op: Bound, bound: number, path: string): BodyTest {
  const slack = Math.abs(bound) * 1e-13;
  const above = op === 'gt' || op === 'gte';
  const [near, far] = above ? ['>=', '>'] : ['<=', '<'];
  const [inner, outer] = above ? [bound + slack, bound - slack] : [bound - slack, bound + slack];
  const whole = Number.isInteger(bound) && Math.abs(bound) < 1e12;
  const cases = (slack: string, others: string) => (row: string) => {
    const value = `${row}.body ->> ${path}`;
    const ofInteger = `WHEN 'integer' THEN ${value} ${whole ? SYMBOLS[op] : slack} ?`;
    return `CASE ${kind(row, path)} ${ofInteger} WHEN 'real' THEN ${value} ${slack} ? ${others}ELSE FALSE END`;
  };
  return {
    may: sql(cases(near, `WHEN 'object' THEN TRUE WHEN 'array' THEN TRUE `), whole ? bound : outer, outer),
    must: sql(cases(far, ''), whole ? bound : inner, inner),
  };
}

/** What may hold of a string within a bound, and what must. */
const STRING_SYMBOLS: Readonly<Record<Bound, readonly [may: string, must: string]>> = {
  gt: ['>=', '>'],
  gte: ['>=', '>='],
  lt: ['<', '<'],
  lte: ['<=', '<'],
};

/** SQLite may see a string end at its first character 0: what it then says is still on the safe side. */
function stringRange(op: Bound, bound: string, path: string): BodyTest {
  const [may, must] = STRING_SYMBOLS[op];
  const cases = (symbol: string, others: string) => (row: string) =>
    `CASE ${kind(row, path)} WHEN 'text' THEN ${row}.body ->> ${path} ${symbol} ? ${others}ELSE FALSE END`;
  return { may: sql(cases(may, `WHEN 'array' THEN TRUE `), bound), must: sql(cases(must, ''), bound) };
}

function dateRange(op: Bound, bound: number, path: string): BodyTest {
  const date = `${path.slice(0, -1)}."$date"'`;
  const found = (row: string) =>
    `(${kind(row, date)} IS 'integer' AND ${row}.body ->> ${date} ${SYMBOLS[op]} ?)`;
  const may = (row: string) => `${found(row)} OR ${kind(row, path)} IS 'array'`;
  return { may: sql(may, bound), must: sql(found, bound) };
}

/** Of strings with a prefix; undefined for one of which SQL can tell nothing. */
export function testPrefix(prefix: string, path: string): BodyTest | undefined {
  return isPlain(prefix) ? { may: stringRange('gte', prefix, path).may, must: NEVER } : undefined;
}
