/**
 * What SQL can tell of the bodies of documents: two conditions, one that may hold for more documents than match, and one
 * that holds for none but those that do. Between them the matcher decides. SQL sees plain JSON well; arrays, and numbers
 * it does not know, are what it leaves to the matcher.
 */
import { Double, Long, ObjectId, type Value } from '../../domain/values.ts';
import type { SqlCondition } from './sql.ts';

export interface BodyTest {
  /** True of every document that matches. */
  readonly may: SqlCondition;
  /** True of no document but those that match. */
  readonly must: SqlCondition;
}

export const TRUE: SqlCondition = { text: 'TRUE', parameters: [] };
export const FALSE: SqlCondition = { text: 'FALSE', parameters: [] };

/** What SQL can not tell anything of. */
export const UNKNOWN: BodyTest = { may: TRUE, must: FALSE };

/** What every document meets. */
export const ALWAYS: BodyTest = { may: TRUE, must: TRUE };

export function inverse(condition: SqlCondition): SqlCondition {
  if (condition.text === 'TRUE') return FALSE;
  if (condition.text === 'FALSE') return TRUE;
  return { ...condition, text: `NOT (${condition.text})` };
}

export function joined(operator: 'AND' | 'OR', conditions: readonly SqlCondition[]): SqlCondition {
  const [neutral, decisive] = operator === 'AND' ? [TRUE, FALSE] : [FALSE, TRUE];
  if (conditions.some(({ text }) => text === decisive.text)) return decisive;
  const telling = conditions.filter(({ text }) => text !== neutral.text);
  if (telling.length === 0) return neutral;
  return {
    text: telling.map(({ text }) => `(${text})`).join(` ${operator} `),
    parameters: telling.flatMap(({ parameters }) => parameters),
  };
}

/** The type of what is at a path of a body, in SQLite's words; NULL for nothing. */
export function kind(path: string): string {
  return `json_type(documents.body, ${path})`;
}

/** A number that is stored as plain JSON. */
export function plainNumber(value: Value): number | undefined {
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
export function isPlain(value: Value): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return value === null || typeof value === 'boolean' || value instanceof Date || value instanceof ObjectId;
}

export function sql(text: string, ...parameters: readonly (string | number)[]): SqlCondition {
  return { text, parameters };
}
