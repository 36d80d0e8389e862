// `npm run test:oldest`: the core of the suite on the oldest runtime that the project promises.
import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

/** What writes, reads, finds, groups, moves and watches documents: nearly every statement of SQL is in it. */
const CORE = [
  'aggregates-cases',
  'aggregates-indexes',
  'aggregates-reads',
  'bulk',
  'client-ids',
  'documents',
  'etags',
  'feed',
  'geo-indexes',
  'groups',
  'idempotency',
  'include',
  'inverses',
  'cached-pages',
  'live',
  'operations',
  'audit-fields',
  'audit-fields-search',
  'related-filter',
  'relationships',
  'rights-matrix',
  'schemas',
  'search-cases',
  'search-indexes',
  'search-text',
  'transfer/round-trip',
  'type-expires',
  'unique-fields',
  'update-operators',
  'users',
  'values',
];

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: CORE.map((name) => `test/http/${name}.test.ts`),
    globalSetup: ['test/support/oldest-setup.ts'],
  },
});
