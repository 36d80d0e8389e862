// Generated patterns of schemas: each must say of a text what JavaScript's own engine says with the flag u.
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { compileEcma } from '../../src/query/regex/pattern.ts';
import { indexOfRegExp, matchesRegExp } from '../support/regexp-oracle.ts';
import { scaled } from '../support/long.ts';

const literal = fc.constantFrom('a', 'b', '1', '-', 'é', '😀', '\\n', ' ', ',', '\\/', '\\.', '\\$');
const escape = fc.constantFrom(
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\p{L}',
  '\\P{Ll}',
  '\\p{Script=Latin}',
);
/** The last is in brackets: before a digit it would be no escape. */
const code = fc.constantFrom(
  '\\u0061',
  '\\u{1f600}',
  '\\ud83d\\ude00',
  '\\x61',
  '\\cJ',
  '\\t',
  '\\v',
  '[\\0]',
);
const member = fc.constantFrom(
  ...[
    'a',
    'b-é',
    '1',
    '\\-',
    '\\]',
    '\\^',
    '[',
    '😀',
    '\\u0061-\\u0063',
    '\\n',
    '\\s',
    '\\D',
    '\\p{Lu}',
    '\\b',
    '.',
    '$',
  ],
);
const bracket = fc
  .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 4 }))
  .map(([negation, members]) => `[${negation}${members.join('')}]`);

const REPETITIONS = ['', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,2}', '{0}', '{1,}', '*?', '+?', '??'];

/**
 * Groups, references to them and lookarounds anywhere. Short, and of little depth, for JavaScript's sake: its engine
 * can take minutes for others. Not \B, which it finds between the halves of a surrogate pair.
 */
const pattern = fc
  .letrec<{ pattern: string; branch: string; item: string; atom: string }>((tie) => ({
    pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
    branch: fc.array(tie('item'), { maxLength: 3 }).map((items) => items.join('')),
    item: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(tie('atom'), fc.constantFrom(...REPETITIONS)).map((both) => both.join('')),
      },
      { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b') },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
          .map(([opening, inner]) => `${opening}${inner})`),
      },
    ),
    atom: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.constantFrom('a', 'b', '😀', '.', '[ab]', '\\w', '[^a]'),
      fc.oneof(literal, escape, code, bracket),
      fc.constantFrom('(?:\\1)', '(?:\\2)', '(?:\\k<n>)'),
      tie('pattern').map((inner) => `(${inner})`),
      tie('pattern').map((inner) => `(?:${inner})`),
    ),
  }))
  .pattern.map((source) => `${source}|(x)(x)(?<n>x)`)
  .filter((source) => source.length <= 75);

const subject = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      '1',
      '-',
      'é',
      '😀',
      '\n',
      ' ',
      '\u00a0',
      '\u2028',
      '\r',
      '.',
      '$',
      '\0',
    ),
    {
      maxLength: 6,
    },
  )
  .map((characters) => characters.join(''));

describe('patterns of schemas', () => {
  it('match what RegExp matches with the flag u', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const compiled = compileEcma(source);
        if (!compiled.ok) throw new Error(`${source}: ${compiled.reason}`);
        const budget = new WorkBudget(100_000_000);
        const matches = compiled.pattern.test(text, budget);
        fc.pre(!budget.exceeded);
        expect(matches).toBe(matchesRegExp(source, text));
        const ours = compiled.pattern.find(text);
        const at = indexOfRegExp(source, 'u', text);
        expect(ours?.index).toBe(at);
        // Others keep captures that a turn of a repetition should forget. Schemas ask for none.
        if (at === undefined || !/\\[1-9k]|\(\?<?[=!]/.test(source)) return;
        const sticky = new RegExp(source, 'uy');
        sticky.lastIndex = at;
        expect(ours?.captures).toEqual(sticky.exec(text)?.slice(1));
      }),
      { numRuns: scaled(6000) },
    );
  });

  it('are refused or taken, whatever they are, and never run as something else', () => {
    const wild = fc.array(fc.oneof(pattern, fc.string({ maxLength: 4 })), { maxLength: 4 });
    fc.assert(
      fc.property(wild, (parts) => {
        const source = parts.join('');
        const compiled = compileEcma(source);
        if (compiled.ok) expect(() => new RegExp(source)).not.toThrow();
        else expect(compiled.reason).not.toBe('');
      }),
      { numRuns: scaled(2000) },
    );
  });
});
