/**
 * Warnings: what an answer leaves out, or finds in vain (diagnostics.ts), that its sender may not have meant. They are
 * noted where they are met, and stand in `meta.warnings`, as errors; with `Prefer: handling=strict` they are errors.
 * What a user may not read is never noted.
 */
import {
  warningObject,
  failed,
  gravest,
  ok,
  type Outcome,
  type Problem,
  type ProblemCode,
  problem,
} from '../../../domain/problems.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import type { AnswerDocument, RequestContext, Reader } from '../../endpoint.ts';
import { recall } from '../../../domain/caching/recall.ts';
import { LIMITS } from '../../../domain/limits.ts';

/** The codes of warnings. */
export const PROBLEMS_OF_WARNINGS = [
  'left-out',
  'no-documents',
  'no-such-field',
  'other-kind',
] as const satisfies readonly ProblemCode[];

/** The warnings as errors, where the request wants to be handled strictly. */
export function strictly({ preferences }: RequestContext, warnings: readonly Problem[]): Outcome<null> {
  return preferences.handling === 'strict' && warnings.length > 0 ? failed(...gravest(warnings)) : ok(null);
}

/** A document with the warnings in its `meta`. */
export function withWarnings(
  { base }: RequestContext,
  document: AnswerDocument,
  warnings: readonly Problem[],
): AnswerDocument {
  if (warnings.length === 0) return document;
  const objects = warnings.map((each): Presentable => warningObject(each, base));
  return { ...document, meta: { ...document.meta, warnings: objects } };
}

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
