/**
 * Warnings: what a read leaves out, or finds in vain (doubts.ts), that its sender may not have meant. They stand in
 * `meta.warnings`, in the form of errors; with `Prefer: handling=strict` they are errors.
 */
import {
  warningObject,
  failed,
  gravest,
  ok,
  problem,
  type Outcome,
  type Problem,
} from '../../../domain/problems.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import type { AnswerDocument, Exchange } from '../../endpoint.ts';
import { leftOutOf } from './left-out.ts';

/** What was left out because the key may not GET it. */
export function warningsOfLeftOut(exchange: Exchange): readonly Problem[] {
  return leftOutOf(exchange).map(({ type, parameter }) => {
    const what = parameter?.startsWith('filter') === true ? 'not looked at' : 'left out';
    const detail = `Linked documents of type ${type} are ${what}: the API key does not permit get at their addresses.`;
    return problem('left-out', detail, parameter === null ? undefined : { parameter });
  });
}

/** The warnings as errors, where the request wants to be handled strictly. */
export function strictly({ preferences }: Exchange, warnings: readonly Problem[]): Outcome<null> {
  return preferences.handling === 'strict' && warnings.length > 0 ? failed(...gravest(warnings)) : ok(null);
}

/** A document with the warnings in its `meta`. */
export function withWarnings(
  { base }: Exchange,
  document: AnswerDocument,
  warnings: readonly Problem[],
): AnswerDocument {
  if (warnings.length === 0) return document;
  const told = warnings.map((each): Presentable => warningObject(each, base));
  return { ...document, meta: { ...document.meta, warnings: told } };
}
