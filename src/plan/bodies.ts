/**
 * Conditions as SQL over the bodies of documents, for paths without an index: each becomes two; between them the
 * matcher decides.
 */
import type { Condition, Leaf } from '../operators/filter/conditions.ts';
import { partsOf } from '../operators/filter/map.ts';
import { operatorOf } from '../operators/query/table.ts';
import { kind, UNKNOWN, type BodyTest } from '../query/sql/body-test.ts';
import { inverse, joined, NEVER, sql, type SqlCondition } from '../query/sql/condition.ts';
import { jsonPath } from '../query/sql/json-paths.ts';
import { isAuditField } from '../domain/audit-fields.ts';
import { isId, isOwn, nameOfPath } from '../query/index/paths.ts';
import { ObjectId, type Value } from '../domain/values/values.ts';
import { SYMBOLS, type Translation } from '../query/sql/positions.ts';
import { translateText } from './sources.ts';

/** SQLite takes 100 parameters and expressions of depth 100, of which others need some. */
const MOST_PARAMETERS = 24;
const MOST_LEAVES = 30;
const MOST_STEPS = 8;
/** Levels of logical operators; what is below them is left to the matcher. */
const MOST_LEVELS = 16;

/** The two conditions of a condition. What is too much for SQLite is left to the matcher. */
export function testBody(condition: Condition): BodyTest {
  if (partsOf(condition).length > MOST_LEAVES) return UNKNOWN;
  const test = translate(condition);
  const parameters = Math.max(parametersOf(test.may), parametersOf(test.must));
  return parameters > MOST_PARAMETERS ? UNKNOWN : test;
}

function parametersOf(condition: SqlCondition): number {
  return condition.kind === 'sql' ? condition.parameters.length : 0;
}

function translate(condition: Condition, level = 0): BodyTest {
  if (level > MOST_LEVELS) return UNKNOWN;
  switch (condition.op) {
    case 'and':
      return together('AND', condition.conditions, level);
    case 'or':
      return together('OR', condition.conditions, level);
    case 'not':
      return negated(translate(condition.condition, level + 1));
    case 'text':
      return ofIndex(condition.unindexed === true ? null : translateText(condition.search));
    default:
      if (isId(condition.path)) return ofIndex(operatorOf(condition).ofId?.(condition) ?? null);
      return isAuditField(condition.path[0]) ? testAuditField(condition) : ofLeaf(condition);
  }
}

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

/** What an index says of a body, without being asked for positions. */
function ofIndex(translation: Translation | null): BodyTest {
  if (translation === null) return UNKNOWN;
  const { condition, exact } = translation;
  return { may: condition, must: exact ? condition : NEVER };
}

function ofLeaf(condition: Leaf): BodyTest {
  const path = jsonPath(condition.path);
  const steps = condition.path.length;
  if (path === undefined || steps === 0 || steps > MOST_STEPS || isOwn(condition.path)) return UNKNOWN;
  const test = operatorOf(condition).body?.(condition, path);
  if (test === undefined) return UNKNOWN;
  // Through an array a path leads to many values.
  const arrays = condition.path.slice(0, -1).flatMap((_name, index) => {
    const prefix = jsonPath(condition.path.slice(0, index + 1));
    return prefix === undefined ? [] : [sql((row) => `${kind(row, prefix)} IS 'array'`)];
  });
  return { may: joined('OR', [test.may, ...arrays]), must: test.must };
}

/** A column as SQL, and the values of the conditions that its values are compared with. */
interface Column {
  readonly textOf: (row: string) => string;
  /** Undefined for a value of another kind, which equals none of the column's. */
  readonly parameterOf: (value: Value) => string | number | undefined;
}

const time = (name: string): Column => ({
  textOf: (row) => `${row}.${name}`,
  parameterOf: (value) => (value instanceof Date ? value.getTime() : undefined),
});

const COLUMNS: Readonly<Record<string, Column>> = {
  $created: time('created'),
  $updated: time('updated'),
  // Behind the type and a blank.
  '$creator.id': {
    textOf: (row) => `substr(${row}.creator, -24)`,
    parameterOf: (value) => (value instanceof ObjectId ? value.hex : undefined),
  },
};

/** What the service knows of a document has columns. What is not said here is left to the matcher. */
function testAuditField(leaf: Leaf): BodyTest {
  const column = COLUMNS[nameOfPath(leaf.path)];
  const condition = column && conditionOn(leaf, column);
  return condition === undefined ? UNKNOWN : { may: condition, must: condition };
}

function conditionOn(leaf: Leaf, column: Column): SqlCondition | undefined {
  switch (leaf.op) {
    case 'eq':
      return equalsSome([leaf.value], column);
    case 'in':
      return equalsSome(leaf.values, column);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (leaf.value === null) return undefined;
      const bound = column.parameterOf(leaf.value);
      if (bound === undefined) return NEVER;
      return sql((row) => `(${column.textOf(row)} ${SYMBOLS[leaf.op]} ?) IS TRUE`, bound);
    }
    default:
      return undefined;
  }
}

/** Every condition here is true or false, never NULL. */
function equalsSome(values: readonly Value[], { textOf, parameterOf }: Column): SqlCondition {
  const parameters = values.flatMap((value) => parameterOf(value) ?? []);
  const found =
    parameters.length === 0
      ? NEVER
      : sql(
          (row) => `(${textOf(row)} IN (SELECT value FROM json_each(?))) IS TRUE`,
          JSON.stringify(parameters),
        );
  const nothing = values.includes(null) ? sql((row) => `${textOf(row)} IS NULL`) : NEVER;
  return joined('OR', [found, nothing]);
}
