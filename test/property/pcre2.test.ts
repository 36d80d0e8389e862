/**
 * Random patterns against PCRE2 itself: the naive matcher, with which the engine is compared everywhere, says what PCRE2
 * says. Skipped where its program is not installed.
 */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { patternsAndSubjects } from '../support/patterns/arbitraries.ts';
import { naiveMatch } from '../support/patterns/naive.ts';
import { askPcre2, isAnswer, isGivenUp, pcre2Version } from '../support/patterns/pcre2.ts';
import { printed } from '../support/patterns/print.ts';

const RUNS = 3000;

describe.skipIf(pcre2Version() === undefined)(
  'PCRE2 (skipped without pcre2test, of Debian’s pcre2-utils)',
  () => {
    it('finds what the naive matcher finds', () => {
      const cases = fc.sample(patternsAndSubjects('pcre'), { seed: 20, numRuns: RUNS });
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
  },
);
