/** The one place where filters meet the regex module. */
import { compilePattern } from '../../query/regex/pattern.ts';
import type { Pattern } from '../filter/conditions.ts';

/**
 * How much work the patterns of a filter may still take, shared over many documents. A matcher that has run out
 * answers false and sets `exceeded`: whoever runs it must look there, and refuse the request instead of answering.
 * The units are the regex module's, about 10 ns each.
 */
export interface WorkBudget {
  remaining: number;
  exceeded: boolean;
}

/** A budget of so many units. */
export function workBudget(units: number): WorkBudget {
  return { remaining: units, exceeded: false };
}

/** Why a pattern cannot be used, as a sentence, or undefined when it can. */
export function faultOfPattern({ pattern, options }: Pattern): string | undefined {
  const compiled = compilePattern(pattern, options);
  return compiled.ok ? undefined : `The pattern cannot be used: ${compiled.reason}.`;
}

/** The test of a subject by a pattern that is known to compile. */
export function patternTest({ pattern, options }: Pattern, budget: WorkBudget): (subject: string) => boolean {
  const compiled = compilePattern(pattern, options);
  if (!compiled.ok) return () => false;
  const search = compiled.pattern;
  return (subject) => {
    // One subject alone may be too much for the pattern.
    if (budget.exceeded || !search.fits(subject)) {
      budget.exceeded = true;
      return false;
    }
    const before = search.work;
    const found = search.test(subject);
    budget.remaining -= search.work - before;
    if (budget.remaining < 0) budget.exceeded = true;
    return found && !budget.exceeded;
  };
}
