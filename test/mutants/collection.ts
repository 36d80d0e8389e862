/** Breakages of what is kept: writes, what is stored, and the modules that send it there. */
import { GROUPS } from './collection-groups.ts';
import { MODULES } from './collection-modules.ts';
import { RULES } from './collection-rules.ts';
import { STORAGE } from './collection-storage.ts';
import { TRANSFER } from './collection-transfer.ts';
import { WRITES } from './collection-writes.ts';
import type { Mutant } from './mutant.ts';

export const COLLECTION: readonly Mutant[] = [
  ...WRITES,
  ...STORAGE,
  ...GROUPS,
  ...MODULES,
  ...RULES,
  ...TRANSFER,
];
