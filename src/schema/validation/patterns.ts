/** Runs regular expressions of a schema on texts of a document, within the budget. */
import { compileEcma, isCompiledEcma } from '../../query/regex/pattern.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import type { Work } from '../work.ts';

/** Whether a text matches a pattern; undefined when the text is too long to find out. */
export function matchesPattern(pattern: string, text: string, work: Work): boolean | undefined {
  const isNew = !isCompiledEcma(pattern);
  const compiled = compileEcma(pattern);
  // A schema of many patterns drives them out of those that are kept, again and again.
  if (isNew && compiled.ok) work.spend(compiled.pattern.size * SCHEMA_LIMITS.compiling);
  if (!compiled.ok) return undefined;
  const budget = new WorkBudget(SCHEMA_LIMITS.patternWork);
  const matches = compiled.pattern.test(text, budget);
  const { exceeded, left } = budget;
  work.spendUnits(exceeded ? SCHEMA_LIMITS.patternWork : SCHEMA_LIMITS.patternWork - left);
  work.spend(10);
  return exceeded ? undefined : matches;
}
