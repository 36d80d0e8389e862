/** What a collection may hold of its application's quotas, when answers of the registry overtake one another. */
import { expect, test } from 'vitest';
import { Allowance } from '../../src/collection/quotas/allowance.ts';

const share = (documents: number, number: number) => ({ documents, bytes: 0, admitted: true, number });

test('what was given back is not taken again from an answer that was under way', () => {
  const allowance = new Allowance();
  allowance.take(share(10, 1));
  allowance.giveBack({ documents: 3, bytes: 0 }, 3);
  allowance.take(share(20, 2));
  expect(allowance.share.documents).toBe(3);
  allowance.take(share(5, 4));
  expect(allowance.share.documents).toBe(5);
});

test('a type that gives all back is no longer admitted', () => {
  const allowance = new Allowance();
  allowance.take(share(10, 1));
  allowance.giveBack({ documents: 0, bytes: 0 }, 2);
  expect(allowance.share.admitted).toBe(false);
});
