// Generated patterns: those that mean the same in JavaScript must give the same answers, and nothing may throw.
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { compileFullMatch, compilePattern, literalPrefix } from '../../src/query/regex/pattern.ts';
import { indexOfRegExp, isTrusted, matchesRegExp } from '../support/regexp-oracle.ts';
import { scaled } from '../support/long.ts';

const ALPHABET = ['a', 'b', 'c', 'A', '1', '-', 'é', '😀', '\n', ' '];
const literal = fc.constantFrom('a', 'b', 'c', '1', '-', 'é', '😀', '\\n', ' ');
const bracket = fc.constantFrom('[ab]', '[^a]', '[a-c1]', '[^a-cé]', '[😀b]', '[^\\n]', '[\\d_]', '[^\\w]');
const escape = fc.constantFrom('\\d', '\\D', '\\w', '\\W');
// With option s the dots agree: JavaScript's dot excludes more than a newline.
const dot = fc.constant('.');

/**
 * Patterns in what both syntaxes share. Anchors take no quantifier, as PCRE wants it. Patterns are short and nest
 * little, for JavaScript's sake: its engine can take minutes for others on even these subjects.
 */
const generated = fc.letrec<{ pattern: string; branch: string; item: string; atom: string }>((tie) => ({
  pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
  branch: fc.array(tie('item'), { maxLength: 3 }).map((items) => items.join('')),
  item: fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?', '??'))
        .map((both) => both.join('')),
    },
    // Not \B, which JavaScript finds between the halves of a surrogate pair.
    { weight: 1, arbitrary: fc.constantFrom('^', '\\b') },
  ),
  atom: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    literal,
    bracket,
    escape,
    dot,
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
}));
const pattern = generated.pattern.filter((source) => source.length <= 60 && isTrusted(source));
const subject = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 6 }).map((chars) => chars.join(''));

describe('patterns that JavaScript shares', () => {
  it('test equals RegExp with the flags s and u', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const compiled = compilePattern(source, 's');
        if (!compiled.ok) throw new Error(`${source}: ${compiled.reason}`);
        expect(compiled.pattern.test(text)).toBe(matchesRegExp(source, text, 'su'));
      }),
      { numRuns: scaled(2000) },
    );
  });

  it('find begins where RegExp begins', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const compiled = compilePattern(source, 's');
        if (!compiled.ok) throw new Error(`${source}: ${compiled.reason}`);
        expect(compiled.pattern.find(text)?.index).toBe(indexOfRegExp(source, 'su', text));
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('a dollar at the end is the end, or the place before a last newline', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const compiled = compilePattern(`(?:${source})$`, 's');
        if (!compiled.ok) throw new Error(`${source}: ${compiled.reason}`);
        expect(compiled.pattern.test(text)).toBe(matchesRegExp(`(?:${source})(?=\\n?$)`, text, 'su'));
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('a full match equals RegExp between anchors', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const full = compileFullMatch(`(?s)${source}`);
        if (!full.ok) throw new Error(`${source}: ${full.reason}`);
        expect(full.pattern.test(text)).toBe(matchesRegExp(`^(?:${source})$`, text, 'su'));
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('option i equals the flag i', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        // JavaScript folds \w and \W too, which PCRE does not.
        fc.pre(!/\\[wWbB]/.test(source));
        const compiled = compilePattern(source, 'is');
        if (!compiled.ok) throw new Error(`${source}: ${compiled.reason}`);
        expect(compiled.pattern.test(text)).toBe(matchesRegExp(source, text, 'isu'));
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('every subject that matches begins with the literal prefix, and an exact one is enough', () => {
    const anchored = fc
      .tuple(fc.constantFrom('^', '\\A'), pattern)
      .map(([anchor, rest]) => `${anchor}a${rest}`);
    fc.assert(
      fc.property(anchored, subject, (source, text) => {
        const prefix = literalPrefix(source, '');
        const compiled = compilePattern(source, '');
        if (!prefix || !compiled.ok) return;
        if (compiled.pattern.test(text)) expect(text.startsWith(prefix.prefix)).toBe(true);
        if (prefix.exact) expect(compiled.pattern.test(prefix.prefix + text)).toBe(true);
      }),
      { numRuns: scaled(1000) },
    );
  });
});

describe('any text', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '(',
          ')',
          '[',
          ']',
          '{',
          '}',
          '*',
          '+',
          '?',
          '|',
          '^',
          '$',
          '.',
          '\\',
          '-',
          ',',
          ':',
          '<',
          '>',
          '#',
          '&',
        ],
        ...[
          '(?',
          '(?:',
          '(?i',
          '(?<n>',
          '[[:',
          ':]]',
          '\\Q',
          '\\E',
          '\\p{',
          '\\x{',
          '{2}',
          '{1,',
          '[^',
          '\\d',
          '(?#',
          '\\N{',
        ],
      ),
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
