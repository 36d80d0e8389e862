/**
 * Random patterns against PCRE2 itself: the naive matcher, with which the engine is compared everywhere, says what PCRE2
 * says. Skipped where its program is not installed.
 */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { patternsAndSubjects } from '../support/patterns/arbitraries.ts';
import { engineMatch, engineTest } from '../support/patterns/engine.ts';
import { naiveMatch } from '../support/patterns/naive.ts';
import { askPcre2, isAnswer, isGivenUp, pcre2Version } from '../support/patterns/pcre2.ts';
import { printed } from '../support/patterns/print.ts';

const RUNS = 3000;
const SEED = 20;

const leading = fc
  .subarray(
    ['(*NOTEMPTY)', '(*NOTEMPTY_ATSTART)', '(*CRLF)', '(*CR)', '(*ANYCRLF)', '(*ANY)', '(*BSR_ANYCRLF)'],
    {
      maxLength: 2,
    },
  )
  .map((items) => items.join(''));

/** Patterns that know newlines of two characters, `\\K` and `(*ACCEPT)`; `(?1)` calls a group around the first part. */
const { texts: patternTexts } = fc.letrec<{ texts: string; item: string }>((tie) => ({
  texts: fc
    .array(
      fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((items) => items.join('')),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((branches) => branches.join('|')),
  item: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom(
      ...['a', 'b', 'b', '[^a]', '[^b]', '[\\x01-\\x0c]', '\\s', '.', '\\N', '\\R', '^', '$', '(?m:^)'],
      ...['(?m:$)', '\\K', '\\b', '(*ACCEPT)', '(?1)', '\\n'],
    ),
    fc
      .tuple(tie('texts'), fc.constantFrom('', '', '*', '+', '?', '+?', '{2}', '*+'))
      .map(([text, count]) => `(?:${text})${count}`),
    tie('texts').map((text) => `(?>${text})`),
    tie('texts').map((text) => `(?=${text.replaceAll('\\K', '')})`),
    tie('texts').map((text) => `(${text})`),
  ),
}));

const withLeading = fc.tuple(
  fc.tuple(leading, patternTexts, patternTexts).map(([items, one, other]) => `${items}(${one})|${other}`),
  fc.array(fc.constantFrom('a', 'b', '\r\n', '\r\n', '\r', '\n', '\u0085'), { maxLength: 6 }),
);

describe.skipIf(pcre2Version() === undefined)(
  'PCRE2 (skipped without pcre2test, of Debian’s pcre2-utils)',
  () => {
    it('finds what the naive matcher finds', () => {
      const cases = fc.sample(patternsAndSubjects('pcre'), { seed: SEED, numRuns: RUNS });
      const texts = cases.map(([tree]) => printed(tree, 'pcre'));
      const replies = askPcre2(
        cases.map(([, subject], index) => ({
          pattern: texts[index] ?? '',
          options: '',
          subjects: [subject],
        })),
      );
      let compared = 0;
      for (const [index, [tree, subject]] of cases.entries()) {
        const reply = replies[index];
        if (reply?.ok !== true) throw new Error(`PCRE2 refuses ${texts[index]}: ${reply?.message}`);
        const [theirs = []] = reply.answers;
        const ours = naiveMatch(tree, subject, 'pcre');
        if (ours.kind === 'long' || ours.kind === 'endless' || isGivenUp(theirs)) continue;
        compared += 1;
        const match = ours.kind === 'match' ? ours.match : undefined;
        if (!isAnswer(theirs, match))
          expect([texts[index], subject, theirs]).toEqual([texts[index], subject, ours]);
      }
      expect(compared).toBeGreaterThan(RUNS * 0.85);
    });

    it('finds what the engine finds, where newlines are of two characters, or a match may not be empty', () => {
      const cases = fc.sample(withLeading, { seed: SEED, numRuns: RUNS });
      const asked = cases.map(([pattern, subject]) => ({
        pattern,
        options: '',
        subjects: [subject.join('')],
      }));
      const counts = { matches: 0, none: 0 };
      for (const [index, reply] of askPcre2(asked).entries()) {
        const { pattern = '', subjects: [subject = ''] = [] } = asked[index] ?? {};
        const ours = engineMatch('pcre', pattern, '', subject);
        if (!reply.ok || ours.kind === 'refused' || ours.kind === 'long') continue;
        const [theirs = []] = reply.answers;
        if (isGivenUp(theirs)) continue;
        counts[ours.kind === 'match' ? 'matches' : 'none'] += 1;
        if (!isAnswer(theirs, ours.kind === 'match' ? ours.match : undefined))
          expect([pattern, subject, theirs]).toEqual([pattern, subject, ours]);
        expect(engineTest('pcre', pattern, subject), pattern).toBe(ours.kind === 'match');
      }
      expect(counts.matches).toBeGreaterThan(RUNS / 4);
      expect(counts.none).toBeGreaterThan(RUNS / 20);
    });
  },
);
