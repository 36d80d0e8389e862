// Generated texts as patterns: nothing may throw. What patterns find is compared in regex-constructs.test.ts.
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { compileFullMatch, compilePattern, literalPrefix } from '../../src/query/regex/pattern.ts';
import { scaled } from '../support/long.ts';

describe('any text', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...Array.from('()[]{}*+?|^$.\\-,:<>#&')),
      fc.constantFrom(...'(? (?: (?i (?<n> [[: :]] \\Q \\E \\p{ \\x{ {2} {1, [^ \\d (?# \\N{'.split(' ')),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 12 },
  );

  it('never makes the compiler or a search throw', () => {
    fc.assert(
      fc.property(
        pieces,
        fc.constantFrom('', 'i', 'm', 'sx', 'imsx'),
        fc.string({ unit: 'binary' }),
        (parts, options, text) => {
          const source = parts.join('');
          const compiled = compilePattern(source, options);
          if (compiled.ok) {
            expect(compiled.pattern.find(`${text}\n`) !== undefined).toBe(compiled.pattern.test(`${text}\n`));
          }
          compileFullMatch(source);
          literalPrefix(source, options);
        },
      ),
      { numRuns: scaled(3000) },
    );
  });

  it('is no valid option, unless it is made of i, m, s and x', () => {
    fc.assert(
      fc.property(fc.string(), (options) => {
        expect(compilePattern('a', options).ok).toBe(/^[imsx]*$/.test(options));
      }),
    );
  });
});
