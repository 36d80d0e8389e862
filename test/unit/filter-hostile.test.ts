/**
 * Hostile filters on the parser and the matcher: refused or answered, and never an exception. One without a bound would
 * take hours: the time that a test has ends it.
 */
import { describe, expect, it } from 'vitest';
import type { Fields } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { HOSTILE_FILTERS } from '../support/filter-hostile.ts';

/** Documents that make the work of a filter large: long arrays, deep nesting, long strings. */
const DOCUMENTS: readonly Fields[] = [
  { a: Array.from({ length: 50_000 }, (_, index) => index) },
  { a: Array.from({ length: 10_000 }, (_, index) => ({ x: index })) },
  { a: deep(60), s: `${'a'.repeat(20_000)}!` },
  { s: Array.from({ length: 100 }, () => `${'a'.repeat(200)}!`) },
  {},
];

function deep(levels: number): Fields {
  return levels === 0 ? { x: 1 } : { a: deep(levels - 1), 0: [deep(0)] };
}

describe('a hostile filter', () => {
  it.each(HOSTILE_FILTERS.map((each) => [each.name, each] as const))(
    '%s',
    (_name, { parameters, outcome }) => {
      const parsed = parseFilter(parameters);
      if (parsed.ok) {
        expect(outcome).not.toBe('refused');
        const budget = new WorkBudget(10_000_000);
        const matches = compileMatcher(parsed.value, { budget, text: () => () => false });
        for (const document of DOCUMENTS) matches(document);
      } else {
        expect(outcome).not.toBe('answered');
        expect(parsed.problems.length).toBeGreaterThan(0);
        expect(parsed.problems.length).toBeLessThanOrEqual(20);
        for (const { code, detail, source, meta } of parsed.problems) {
          expect(code).toBe('invalid-filter');
          expect(detail.length).toBeLessThan(1_000);
          expect(source).toHaveProperty('parameter');
          expect(meta).toHaveProperty('pointer');
        }
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    },
  );

  it('comes in at least sixty forms', () => {
    expect(HOSTILE_FILTERS.length).toBeGreaterThanOrEqual(60);
  });
});
