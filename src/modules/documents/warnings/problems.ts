/** What strict handling may refuse: the codes of warnings. */
import type { ProblemCode } from '../../../domain/problems.ts';

export const PROBLEMS_OF_WARNINGS = [
  'left-out',
  'no-documents',
  'no-such-field',
  'other-kind',
] as const satisfies readonly ProblemCode[];
