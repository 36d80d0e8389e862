/** The work that the patterns of one filter may take: counted over all documents, it grows with how many there are. */
import { expect, test, vi } from 'vitest';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { prepare } from '../../src/plan/prepare.ts';
import { compilePattern } from '../../src/query/regex/pattern.ts';
import { complement } from '../../src/query/regex/syntax/ranges.ts';
import { setOfRanges } from '../../src/query/regex/tree.ts';
import { propertyOf } from '../../src/query/regex/unicode/properties.ts';
import { conditionOf } from '../support/conditions.ts';

const TEXT = 'a'.repeat(200_000);

/** How many documents a dear pattern is tried on before its work is used up, of so many; at most `most`. */
function triedBefore(documents: number, most: number): number {
  const condition = conditionOf({ a: { $regex: `b${'a'.repeat(999)}` } });
  const { matches, budget } = prepare({ condition, sort: [] }, () => undefined, {
    type: 'places',
    documents: documents,
    idsAscend: true,
  });
  let tried = 0;
  while (!budget.exceeded && tried < most) {
    matches({ a: TEXT });
    tried += 1;
  }
  return tried;
}

test('the work of a pattern ends, and later in a large collection', () => {
  const small = triedBefore(0, 1_000);
  expect(small).toBeLessThan(1_000);
  expect(triedBefore(40_000, 1_000)).toBeGreaterThan(small);
});

/** Letters that have a case, none of them ASCII. */
const LETTERS = Array.from({ length: 900 }, (_, index) => String.fromCodePoint(0xc0 + index)).filter(
  (char) => char.toLowerCase() !== char.toUpperCase(),
);

test('a letter in either case is looked up, however many there are', () => {
  compilePattern('é', 'i');
  const asked = vi.spyOn(RegExp.prototype, 'test');
  const compiled = compilePattern(`.${LETTERS.join('')}[${LETTERS.join('')}]`, 'i');
  expect(compiled.ok && compiled.pattern.test('ab'.repeat(300))).toBe(false);
  expect(asked.mock.calls.length).toBeLessThan(LETTERS.length);
  asked.mockRestore();
});

test('a set that has a name is made once, and so is the set of all others', () => {
  const letters = propertyOf('L', false) ?? [];
  expect(setOfRanges(propertyOf('L', true) ?? [])).toBe(setOfRanges(complement(letters)));
});

test('a long text that is looked for costs more than a short one', () => {
  const workOf = (length: number): number => {
    const compiled = compilePattern(`b${'a'.repeat(length)}`, '');
    const budget = new WorkBudget(1e9);
    if (compiled.ok) compiled.pattern.test('a'.repeat(100_000), budget);
    return 1e9 - budget.left;
  };
  expect(workOf(999)).toBeGreaterThan(50 * workOf(100));
});
