/**
 * Two SQL conditions on the bodies of documents: one holds for every match, one only for matches. Between them the
 * matcher decides. SQL sees plain JSON well; it leaves arrays, and numbers that it does not know, to the matcher.
 */
import { Double, Long, ObjectId, type Value } from '../../domain/values/values.ts';
import { ALWAYS, NEVER, type SqlCondition } from './condition.ts';

export interface BodyTest {
  /** True of every document that matches. */
  readonly may: SqlCondition;
  /** True of no document but those that match. */
  readonly must: SqlCondition;
}

/** For conditions that SQL cannot decide. */
export const UNKNOWN: BodyTest = { may: ALWAYS, must: NEVER };

/** For conditions that every document meets. */
export const CERTAIN: BodyTest = { may: ALWAYS, must: ALWAYS };

/** True of a test that every document meets, so that none need be looked at. */
export function isCertain({ may, must }: BodyTest): boolean {
  return may.kind === 'always' && must.kind === 'always';
}

/** The type of what is at a path of a row's body, in SQLite's words; NULL for nothing. */
export function kind(row: string, path: string): string {
  return `json_type(${row}.body, ${path})`;
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
