/**
 * Conditions as SQL over the bodies of documents, for paths without an index: each becomes two, between which the
 * matcher decides.
 */
import type { Condition, Leaf } from '../operators/filter/conditions.ts';
import { operatorOf } from '../operators/query/table.ts';
import { kind, UNKNOWN, type BodyTest } from '../query/sql/body-test.ts';
import { inverse, joined, NEVER, sql, type SqlCondition } from '../query/sql/condition.ts';
import { jsonPath } from '../query/sql/json-paths.ts';
import { isProvenance } from '../domain/provenance.ts';
import { isId, isOwn } from '../query/index/paths.ts';
import { testProvenance } from './provenance.ts';
import { indexExpression, WORDS_TABLE } from '../query/text/search.ts';

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
    case 'nor':
      return negated(together('OR', condition.conditions, level));
    case 'not':
      return negated(translate(condition.condition, level + 1));
    case 'text':
      return condition.unindexed === true ? UNKNOWN : ofText(condition.search);
    default:
      if (isId(condition.path)) return ofId(condition);
      return isProvenance(condition.path[0]) ? testProvenance(condition) : ofLeaf(condition);
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

function ofText(search: string): BodyTest {
  const expression = indexExpression(search);
  if (expression === null) return { may: NEVER, must: NEVER };
  const condition = sql(
    (row) => `${row}.seq IN (SELECT rowid FROM ${WORDS_TABLE} WHERE ${WORDS_TABLE} MATCH ?)`,
    expression,
  );
  return { may: condition, must: condition };
}

function ofId(leaf: Leaf): BodyTest {
  const decided = operatorOf(leaf).ofId?.(leaf) ?? null;
  return decided === null ? UNKNOWN : { may: decided.condition, must: decided.condition };
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
