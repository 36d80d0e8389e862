/** The one place where filters meet the regex module. */
import { fail, type Outcome } from '../../domain/problems.ts';
import type { WorkBudget } from '../../domain/work/work.ts';
import { compilePattern } from '../../query/regex/pattern.ts';
import type { Pattern } from '../filter/conditions.ts';
import { excessOfItems } from './items.ts';

/** A pattern compiled, or the reason why it cannot be. NUL is written \0 in it, as MongoDB has it. */
export function compileOf({ pattern, options }: Pattern): ReturnType<typeof compilePattern> {
  return pattern.includes('\0')
    ? { ok: false, reason: 'it holds a NUL character, which is written \\0' }
    : compilePattern(pattern, options);
}

/** Why a pattern cannot be used, as a sentence, or undefined when it can. */
export function faultOfPattern(pattern: Pattern): string | undefined {
  const compiled = compileOf(pattern);
  return compiled.ok ? undefined : `The pattern cannot be used: ${compiled.reason}.`;
}

/**
 * The test of a subject by a pattern that is known to compile. `budget` is shared over many documents. Once it is
 * exceeded, the test answers false: whoever runs it must look there, and refuse the request instead of answering.
 */
export function patternTest({ pattern, options }: Pattern, budget: WorkBudget): (subject: string) => boolean {
  const compiled = compilePattern(pattern, options);
  if (!compiled.ok) return () => false;
  const search = compiled.pattern;
  return (subject) => {
    const found = search.test(subject, budget);
    if (budget.exceeded && !exceeding.has(budget)) exceeding.set(budget, pattern);
    return found;
  };
}

const exceeding = new WeakMap<WorkBudget, string>();

/** The message for an exceeded budget: the pattern, and the text `over` which it took too much work. */
export function excessOf(budget: WorkBudget, over: string): string {
  const items = excessOfItems(budget);
  if (items !== null) return items;
  const pattern = exceeding.get(budget);
  return pattern === undefined
    ? `The patterns of the filter take too much work over ${over}.`
    : `The pattern ${JSON.stringify(pattern)} takes too much work over ${over}.`;
}

/** The refusal of a filter by that message. */
export function excessive(budget: WorkBudget, over: string): Extract<Outcome<never>, { readonly ok: false }> {
  return fail('invalid-filter', excessOf(budget, over), { parameter: 'filter' });
}
