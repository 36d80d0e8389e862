/** What the engine of src/query/regex says of a pattern and a subject, in the words of the oracles. */
import { WorkBudget } from '../../../src/domain/work/work.ts';
import { compilePattern } from '../../../src/query/regex/pattern.ts';
import type { PatternMatch } from './match.ts';

export type EngineAnswer =
  | { readonly kind: 'match'; readonly match: PatternMatch }
  | { readonly kind: 'none' }
  /** The search needs more work than it may take. */
  | { readonly kind: 'long' }
  | { readonly kind: 'refused'; readonly reason: string };

/** A small part of what the API allows: enough for short texts, and tests stay quick. */
const UNITS = 1_000_000;

/** The first match at or after `from`, as `$regexFind` finds it. Positions count UTF-16 units. */
export function engineMatch(pattern: string, options: string, subject: string, from = 0): EngineAnswer {
  const result = compilePattern(pattern, options);
  if (!result.ok) return { kind: 'refused', reason: result.reason };
  const budget = new WorkBudget(UNITS);
  const found = result.pattern.find(subject, from, budget);
  if (budget.exceeded) return { kind: 'long' };
  if (!found) return { kind: 'none' };
  const { index, end, captures } = found;
  return { kind: 'match', match: { index, end, captures } };
}

/** Whether the subject matches, as filters ask; undefined where it needs more work than it may take. */
export function engineTest(pattern: string, subject: string): boolean | undefined {
  const result = compilePattern(pattern, '');
  const budget = new WorkBudget(UNITS);
  const matches = result.ok && result.pattern.test(subject, budget);
  return budget.exceeded ? undefined : matches;
}
