/**
 * Conditions as SQL over the bodies of documents, for paths without an index. Each becomes two: one that may hold
 * for more documents than match, and one that holds for none but those that do. Between them the matcher decides.
 * SQL sees plain JSON well; arrays, and numbers it does not know, are what it leaves to the matcher.
 */
import { Double, Long, ObjectId, type Value } from '../../domain/values.ts';
import { encodeText } from '../../domain/codec.ts';
import type { Comparison, Condition } from '../../operators/filter/conditions.ts';
import type { Path } from '../walk.ts';
import { isId, isOwn } from '../own.ts';
import { literalPrefix } from '../regex/pattern.ts';
import { indexExpression, WORDS_TABLE } from '../text/search.ts';
import { jsonPath } from './json-paths.ts';
import { SYMBOLS, translateId, type SqlCondition } from './sql.ts';

export interface BodyTest {
  /** True of every document that matches. */
  readonly may: SqlCondition;
  /** True of no document but those that match. */
  readonly must: SqlCondition;
}

export const TRUE: SqlCondition = { text: 'TRUE', parameters: [] };
export const FALSE: SqlCondition = { text: 'FALSE', parameters: [] };

/** What SQL can not tell anything of. */
const UNKNOWN: BodyTest = { may: TRUE, must: FALSE };

/** What every document meets. */
export const ALWAYS: BodyTest = { may: TRUE, must: TRUE };

/** SQLite takes 100 parameters and expressions of depth 100, of which others need some. */
const MOST_PARAMETERS = 24;
const MOST_LEAVES = 30;
const MOST_STEPS = 8;
/** Levels of logical operators; what is below them is left to the matcher. */
const MOST_LEVELS = 16;

/** The two conditions of a condition. What is too much for SQLite is left to the matcher. */
export function testBody(condition: Condition): BodyTest {
  if (leavesOf(condition) > MOST_LEAVES) return UNKNOWN;
  const test = translate(condition);
  const parameters = Math.max(test.may.parameters.length, test.must.parameters.length);
  return parameters > MOST_PARAMETERS ? UNKNOWN : test;
}

function translate(condition: Condition, level = 0): BodyTest {
  if (level > MOST_LEVELS) return UNKNOWN;
  switch (condition.op) {
    case 'and':
      return together('AND', condition.conditions, level);
    case 'or':
      return together('OR', condition.conditions, level);
    case 'nor':
      return negated(together('OR', condition.conditions, level));
    case 'not':
      return negated(translate(condition.condition, level + 1));
    case 'text':
      return ofText(condition.search);
    default:
      return isId(condition.path) ? ofId(condition) : ofLeaf(condition);
  }
}

type Leaf = Extract<Condition, { readonly path: Path }>;

/** Each part is translated once, for both sides: twice at each level would be a million times at the twentieth. */
function together(operator: 'AND' | 'OR', conditions: readonly Condition[], level: number): BodyTest {
  const parts = conditions.map((each) => translate(each, level + 1));
  return {
    may: joined(
      operator,
      parts.map(({ may }) => may),
    ),
    must: joined(
      operator,
      parts.map(({ must }) => must),
    ),
  };
}

/** Every condition here is true or false, never NULL: it can be turned over. */
function negated({ may, must }: BodyTest): BodyTest {
  return { may: inverse(must), must: inverse(may) };
}

function inverse(condition: SqlCondition): SqlCondition {
  if (condition.text === 'TRUE') return FALSE;
  if (condition.text === 'FALSE') return TRUE;
  return { ...condition, text: `NOT (${condition.text})` };
}

function joined(operator: 'AND' | 'OR', conditions: readonly SqlCondition[]): SqlCondition {
  const [neutral, decisive] = operator === 'AND' ? [TRUE, FALSE] : [FALSE, TRUE];
  if (conditions.some(({ text }) => text === decisive.text)) return decisive;
  const telling = conditions.filter(({ text }) => text !== neutral.text);
  if (telling.length === 0) return neutral;
  return {
    text: telling.map(({ text }) => `(${text})`).join(` ${operator} `),
    parameters: telling.flatMap(({ parameters }) => parameters),
  };
}

function ofText(search: string): BodyTest {
  const expression = indexExpression(search);
  if (expression === null) return { may: FALSE, must: FALSE };
  const condition = {
    text: `documents.seq IN (SELECT rowid FROM ${WORDS_TABLE} WHERE ${WORDS_TABLE} MATCH ?)`,
    parameters: [expression],
  };
  return { may: condition, must: condition };
}

function ofId(condition: Leaf): BodyTest {
  switch (condition.op) {
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'in': {
      const decided = translateId(condition);
      return decided === null ? UNKNOWN : { may: decided, must: decided };
    }
    default:
      return UNKNOWN;
  }
}

/** A test of one value, where the path leads to it through objects alone. */
interface ValueTest {
  readonly may: SqlCondition;
  readonly must: SqlCondition;
}

function ofLeaf(condition: Leaf): BodyTest {
  const path = jsonPath(condition.path);
  const steps = condition.path.length;
  if (path === undefined || steps === 0 || steps > MOST_STEPS || isOwn(condition.path)) return UNKNOWN;
  const test = testOf(condition, path);
  if (test === undefined) return UNKNOWN;
  // Through an array a path leads to many values.
  const arrays = condition.path.slice(0, -1).flatMap((_name, index) => {
    const prefix = jsonPath(condition.path.slice(0, index + 1));
    return prefix === undefined ? [] : [sql(`json_type(documents.body, ${prefix}) IS 'array'`)];
  });
  return { may: joined('OR', [test.may, ...arrays]), must: test.must };
}

function testOf(condition: Leaf, path: string): ValueTest | undefined {
  switch (condition.op) {
    case 'eq':
      return equality([condition.value], path);
    case 'in':
      return condition.patterns.length === 0 ? equality(condition.values, path) : undefined;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return range(condition.op, condition.value, path);
    case 'regex':
      return pattern(literalPrefix(condition.pattern, condition.options)?.prefix, path);
    case 'exists':
      return existence(condition.exists, path, condition.path.length === 1);
    case 'size':
    case 'elemMatch':
      return { may: sql(`${kind(path)} IS 'array'`), must: FALSE };
    case 'mod':
      return { may: sql(`${kind(path)} IN ('integer', 'real', 'object', 'array') IS TRUE`), must: FALSE };
    case 'geoWithin':
    case 'geoIntersects':
    case 'near':
      return { may: sql(`${kind(path)} IN ('object', 'array') IS TRUE`), must: FALSE };
    case 'type':
      return undefined;
  }
}

/**
 * Equal values have equal stored text, but for numbers of different kinds. What SQL does not find at the path is
 * null, as it is to a filter, unless the path leads through an array.
 */
function equality(values: readonly Value[], path: string): ValueTest | undefined {
  const texts: string[] = [];
  let numbers = false;
  for (const value of values) {
    const plain = plainNumber(value);
    if (plain !== undefined) texts.push(JSON.stringify(plain));
    else if (isPlain(value)) texts.push(encodeText(value));
    else return undefined;
    numbers ||= plain !== undefined;
  }
  const text = `documents.body -> ${path}`;
  const found =
    texts.length === 1
      ? sql(`(${text}) IS ?`, texts[0] ?? '')
      : sql(`(${text}) IN (SELECT value FROM json_each(?)) IS TRUE`, JSON.stringify(texts));
  const nothing = values.includes(null) ? [sql(`(${text}) IS NULL`)] : [];
  const array = sql(`${kind(path)} IS 'array'`);
  const unsure = numbers ? sql(`${kind(path)} IN ('array', 'object') IS TRUE`) : array;
  // Of a path that ends within an array nothing is found, and yet no null need be there.
  const certain = path.includes('"."') ? [found] : [found, ...nothing];
  return { may: joined('OR', [found, ...nothing, unsure]), must: joined('OR', certain) };
}

function range(op: Exclude<Comparison, 'eq'>, value: Value, path: string): ValueTest | undefined {
  const number = plainNumber(value);
  if (number !== undefined) return numberRange(op, number, path);
  if (typeof value === 'string') return isPlain(value) ? stringRange(op, value, path) : undefined;
  return value instanceof Date ? dateRange(op, value.getTime(), path) : undefined;
}

/** Fractions are read by SQLite and by JavaScript with a last digit of difference: near the bound nothing is sure. */
function numberRange(op: Exclude<Comparison, 'eq'>, bound: number, path: string): ValueTest {
  const slack = Math.abs(bound) * 1e-13;
  const above = op === 'gt' || op === 'gte';
  const value = `documents.body ->> ${path}`;
  const near = above ? `${value} >= ?` : `${value} <= ?`;
  const far = above ? `${value} > ?` : `${value} < ?`;
  const [inner, outer] = above ? [bound + slack, bound - slack] : [bound - slack, bound + slack];
  const whole = Number.isInteger(bound) && Math.abs(bound) < 1e12;
  const exact = `${value} ${SYMBOLS[op]} ?`;
  const cases = (integer: string, real: string, others: string) =>
    `CASE ${kind(path)} WHEN 'integer' THEN ${integer} WHEN 'real' THEN ${real} ${others}ELSE FALSE END`;
  return {
    may: sql(
      cases(whole ? exact : near, near, `WHEN 'object' THEN TRUE WHEN 'array' THEN TRUE `),
      whole ? bound : outer,
      outer,
    ),
    must: sql(cases(whole ? exact : far, far, ''), whole ? bound : inner, inner),
  };
}

/** SQLite may see a string end at its first character 0: what it then says is still on the safe side. */
function stringRange(op: Exclude<Comparison, 'eq'>, bound: string, path: string): ValueTest {
  const value = `documents.body ->> ${path}`;
  const [may, must] = { gt: ['>=', '>'], gte: ['>=', '>='], lt: ['<', '<'], lte: ['<=', '<'] }[op];
  return {
    may: sql(
      `CASE ${kind(path)} WHEN 'text' THEN ${value} ${may ?? ''} ? WHEN 'array' THEN TRUE ELSE FALSE END`,
      bound,
    ),
    must: sql(`CASE ${kind(path)} WHEN 'text' THEN ${value} ${must ?? ''} ? ELSE FALSE END`, bound),
  };
}

function dateRange(op: Exclude<Comparison, 'eq'>, bound: number, path: string): ValueTest {
  const date = `${path.slice(0, -1)}."$date"'`;
  const found = `(json_type(documents.body, ${date}) IS 'integer' AND documents.body ->> ${date} ${SYMBOLS[op]} ?)`;
  return { may: sql(`${found} OR ${kind(path)} IS 'array'`, bound), must: sql(found, bound) };
}

function pattern(prefix: string | undefined, path: string): ValueTest {
  const strings = { may: sql(`${kind(path)} IN ('text', 'array') IS TRUE`), must: FALSE };
  if (prefix === undefined || !isPlain(prefix)) return strings;
  return { may: stringRange('gte', prefix, path).may, must: FALSE };
}

/** Absence is certain only of a field of the document itself: elsewhere it may be in an array's elements. */
function existence(exists: boolean, path: string, own: boolean): ValueTest {
  const found = sql(`${kind(path)} IS NOT NULL`);
  const test = { may: found, must: found };
  if (exists) return test;
  const absent = inverse(found);
  return { may: absent, must: own ? absent : FALSE };
}

function kind(path: string): string {
  return `json_type(documents.body, ${path})`;
}

/** A number that is stored as plain JSON. */
function plainNumber(value: Value): number | undefined {
  const number =
    typeof value === 'number'
      ? value
      : value instanceof Double
        ? value.value
        : value instanceof Long
          ? Number(value.value)
          : NaN;
  if (!Number.isFinite(number)) return undefined;
  return value instanceof Long && !Number.isSafeInteger(number) ? undefined : number + 0;
}

/** Whether a value that is no number has one stored text. Characters that SQLite may cut at or replace are left out. */
function isPlain(value: Value): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return value === null || typeof value === 'boolean' || value instanceof Date || value instanceof ObjectId;
}

function sql(text: string, ...parameters: readonly (string | number)[]): SqlCondition {
  return { text, parameters };
}

function leavesOf(condition: Condition): number {
  switch (condition.op) {
    case 'and':
    case 'or':
    case 'nor':
      return condition.conditions.reduce((sum, each) => sum + leavesOf(each), 1);
    case 'not':
      return leavesOf(condition.condition) + 1;
    default:
      return 1;
  }
}
