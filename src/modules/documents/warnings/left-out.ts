/**
 * What a request's answer is to warn of: types of linked documents that it leaves out because its key may not GET them,
 * names in a rule that no schema lists. They are noted where they are met and told where the answer is made (warnings.ts). What a user may not read is never noted.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import type { Reader } from '../../endpoint.ts';

/** Of each request, for as long as it lasts. */
const noted = new WeakMap<Reader, Map<string, Problem>>();

export function noteLeftOut(context: Reader, type: string, parameter: string | null): void {
  const what = parameter?.startsWith('filter') === true ? 'not looked at' : 'left out';
  const detail = `Linked documents of type ${type} are ${what}: the API key does not permit get at their addresses.`;
  noteWarning(context, problem('left-out', detail, parameter === null ? undefined : { parameter }));
}

export function noteWarning(context: Reader, warning: Problem): void {
  const warnings = recall(noted, context, () => new Map<string, Problem>());
  const key = JSON.stringify(warning);
  if (warnings.size < LIMITS.diagnosticsTold) warnings.set(key, warning);
}

export function warningsNoted(context: Reader): readonly Problem[] {
  return [...(noted.get(context)?.values() ?? [])];
}
