/** Breakages of what is kept: writes, what is stored, and the modules that send it there. */
import { FILES } from './files.ts';
import { GROUPS } from './collection-groups.ts';
import { HISTORY } from './collection-history.ts';
import { MODULES } from './collection-modules.ts';
import { RULES } from './collection-rules.ts';
import { STORAGE } from './collection-storage.ts';
import { TRANSACTIONS } from './collection-transactions.ts';
import { TRANSFER } from './collection-transfer.ts';
import { WRITES } from './collection-writes.ts';
import type { Mutant } from './mutant.ts';

export const COLLECTION: readonly Mutant[] = [
  ...FILES,
  ...WRITES,
  ...STORAGE,
  ...GROUPS,
  ...HISTORY,
  ...MODULES,
  ...RULES,
  ...TRANSACTIONS,
  ...TRANSFER,
  {
    breaks: 'Those whose documents have rights through links are not told of changes',
    file: 'src/collection/initialization.ts',
    find: 'inheritors.notified(), ',
    put: '',
    tests: ['http/rights-through-links'],
  },
  {
    breaks: 'Another right on the linked document is enough',
    file: 'src/collection/write/rules/given-rights.ts',
    find: 'holdersOf(link, through.right)',
    put: "holdersOf(link, 'read')",
    tests: ['http/rights-through-links', 'http/rights-matrix-links'],
  },
  {
    breaks: 'A document is moved to where its user may create none',
    file: 'src/collection/write/constraints.ts',
    find: 'if (withCreate.length === 0 || (before !== null &&',
    put: 'if (withCreate.length === 0 || before !== null || (before !== null &&',
    tests: ['http/rights-through-links'],
  },
  {
    breaks: 'Streams are told on by rights through links that were lost',
    file: 'src/collection/rpc/feed/mark.ts',
    find: 'before.held === now?.held',
    put: 'before.held.length === now?.held?.length',
    tests: ['http/rights-through-links'],
  },
];
