/** The work that the patterns of one filter may take: it is counted over all documents, and grows with how many there are. */
import { expect, test } from 'vitest';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { prepare } from '../../src/plan/prepare.ts';
import { Random } from '../faults/random.ts';

/** How many documents a dear pattern is tried on before its work is used up, in a collection of so many; at most `most`. */
function triedBefore(documents: number, most: number): number {
  const parsed = parseFilter([{ field: 'a', text: '{"$regex":"[ab]*a[ab]{300}x$"}' }]);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { matches, budget } = prepare({ condition: parsed.value, sort: [] }, () => undefined, {
    type: 'places',
    documents: documents,
    idsAscend: true,
  });
  // Letters in no order: what repeats itself costs the engine little.
  const random = new Random(1);
  let tried = 0;
  while (!budget.exceeded && tried < most) {
    matches({ a: `${Array.from({ length: 2_000 }, () => random.pick(['a', 'b'])).join('')}xb` });
    tried += 1;
  }
  return tried;
}

test('the work of a pattern ends, and later in a large collection', () => {
  const small = triedBefore(0, 1_000);
  expect(small).toBeLessThan(1_000);
  expect(triedBefore(40_000, 1_000)).toBeGreaterThan(small);
});
