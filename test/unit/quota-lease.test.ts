/** What a collection may hold of its application's quotas, when answers of the registry overtake one another. */
import { expect, test } from 'vitest';
import { QuotaLease } from '../../src/collection/quotas/quota-lease.ts';

const lease = (documents: number, number: number) => ({ documents, bytes: 0, admitted: true, number });

test('what was given back is not taken again from an answer that was under way', () => {
  const quotaLease = new QuotaLease();
  quotaLease.take(lease(10, 1));
  quotaLease.giveBack({ documents: 3, bytes: 0 }, 3);
  quotaLease.take(lease(20, 2));
  expect(quotaLease.lease.documents).toBe(3);
  quotaLease.take(lease(5, 4));
  expect(quotaLease.lease.documents).toBe(5);
});

test('a type that gives all back is no longer admitted', () => {
  const quotaLease = new QuotaLease();
  quotaLease.take(lease(10, 1));
  quotaLease.giveBack({ documents: 0, bytes: 0 }, 2);
  expect(quotaLease.lease.admitted).toBe(false);
});
