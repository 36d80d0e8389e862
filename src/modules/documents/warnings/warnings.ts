/**
 * Warnings: what a read leaves out, or finds in vain (doubts.ts), that its sender may not have meant. They stand in
 * `meta.warnings`, in the form of errors; with `Prefer: handling=strict` they are errors.
 */
import { warningObject, failed, gravest, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import type { AnswerDocument, RequestContext } from '../../endpoint.ts';

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
  const told = warnings.map((each): Presentable => warningObject(each, base));
  return { ...document, meta: { ...document.meta, warnings: told } };
}
