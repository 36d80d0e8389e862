/** What the patterns of an API key may cost a request, in counted work: no clock tells it (facts of the platform). */
import { describe, expect, test } from 'vitest';
import { admit, effortOfRequest, readPermissions } from '../../src/auth/permissions.ts';
import { BoundRules } from '../../src/auth/rules.ts';

/** They would stall a backtracking engine on a path that they nearly match. */
const STALLING_PATTERNS: readonly string[] = [
  '/resources/(a+)+c',
  '/resources/(a|a)*c',
  '/resources/(a|ab|b)*d',
  '/resources/([ab]*)*d',
  '/resources/(.*)(.*)(.*)(.*)(.*)(.*)d',
  '/resources/(a?){100}a{100}',
  '/(.+)+/(.+)+/(.+)+',
  '/resources/(([ab]?){30}){30}d',
  '/resources/(?:a|b|ab|ba|aba|bab){1,100}d',
  '(?:/?[^/]*)*d',
];

/** The path of a GET, with so many pairs of letters. */
function stallingPath(pairs: number): string {
  return `/resources/${'ab'.repeat(pairs)}c`;
}

/** The work of asking keys with these patterns for a path, and what came of it. */
function ask(patterns: readonly string[], path: string) {
  const { permissions, problems } = readPermissions(
    patterns.map((each) => ({ path: each, methods: ['get'] })),
    null,
  );
  expect(problems).toEqual([]);
  const effort = effortOfRequest();
  const { left } = effort;
  return {
    admission: admit(permissions, ['get'], path, null, new BoundRules(null), effort),
    units: left - effort.left,
  };
}

describe('a pattern that would stall a backtracking engine', () => {
  test.each(STALLING_PATTERNS)('costs a path twice as long twice as much: %s', (pattern) => {
    const [once, twice] = [ask([pattern], stallingPath(450)), ask([pattern], stallingPath(900))];
    expect(twice.admission).toEqual({ admitted: false, missing: 'permission' });
    expect(twice.units).toBeGreaterThan(0);
    expect(twice.units).toBeLessThanOrEqual(2.2 * once.units);
  });
});

describe('patterns that take too much work together', () => {
  const path = stallingPath(950);
  const dear = Array.from({ length: 190 }, (_, n) => `/resources/[ab]*a[ab]{${400 + (n >> 1)}}`);

  test('end the search for a permission, and the request is not permitted', () => {
    const { admission, units } = ask([...dear, '/resources/.*'], path);
    expect(admission).toEqual({ admitted: false, missing: 'effort' });
    const [dearest] = dear.map((each) => ask([each], path).units).toSorted((one, other) => other - one);
    expect(units).toBeLessThanOrEqual(15_000_000 + (dearest ?? NaN));
  });

  test('permit what one of those before permits', () => {
    expect(ask(['/resources/.*', ...dear], path).admission).toMatchObject({ admitted: true });
  });
});
