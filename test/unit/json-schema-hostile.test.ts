/** Hostile schemas and documents: refused or answered, in bounded work, and never an exception. */
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../src/schema/check.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { plainOf } from '../../src/schema/plain.ts';
import type { HostileSchema } from '../support/json-schema-hostile-case.ts';
import { some } from '../support/long.ts';
import { HOSTILE_SCHEMAS } from '../support/json-schema-hostile.ts';

function outcomeOf({ schema, root, value }: HostileSchema): HostileSchema['outcome'] {
  const content = { ...root, properties: { attributes: { properties: { v: schema() } } } };
  const faults = checkSchema(content);
  expect(faults.length).toBeLessThanOrEqual(50);
  for (const { detail } of faults) expect(detail.length).toBeLessThan(1_000);
  if (faults.length > 0) return 'schema refused';
  const v = plainOf(value?.(), 64, (_place, detail) => {
    throw new Error(detail);
  });
  const violations = compileSchema(content).validate({ attributes: { v } });
  expect(violations.length).toBeLessThanOrEqual(50);
  for (const { detail } of violations) expect(detail.length).toBeLessThan(1_000);
  if (violations.length === 0) return 'valid';
  return violations[0]?.keyword === '$schema' ? 'too much work' : 'violations';
}

describe('a hostile schema', () => {
  it.each(some(HOSTILE_SCHEMAS, 4).map((each) => [each.name, each] as const))('%s', (_name, each) => {
    expect(outcomeOf(each)).toBe(each.outcome);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('type');
  });

  it('comes in at least sixty forms', () => {
    expect(HOSTILE_SCHEMAS.length).toBeGreaterThanOrEqual(60);
  });
});
