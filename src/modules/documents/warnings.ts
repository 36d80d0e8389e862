/**
 * Warnings: what a read leaves out, or finds in vain, that its sender may not have meant. They stand in `meta.warnings`,
 * in the form of errors; with `Prefer: handling=strict` they are errors.
 */
import type { Doubt, ValueClass } from '../../collection/rpc/results.ts';
import { LIMITS } from '../../domain/limits.ts';
import { offerOf, oneOf, shownName } from '../../domain/names.ts';
import {
  warningObject,
  failed,
  gravest,
  ok,
  problem,
  type Outcome,
  type Problem,
} from '../../domain/problems.ts';
import type { Presentable } from '../../domain/values/present.ts';
import type { AnswerDocument, Exchange } from '../endpoint.ts';
import { inverseOf } from './linked/inverses.ts';
import { leftOutOf } from './linked/left-out.ts';

/** What the collection is to be told of a list, so that it says what may be the matter with one that finds nothing. */
export function doubtsAsked({ query, parameters, preferences }: Exchange) {
  const shown = [...(query.fields.get(parameters.type) ?? [])];
  const followed = (query.include ?? []).flatMap(([name]) => name ?? []);
  const names = [...new Set([...shown, ...followed])].filter((name) => name !== '' && name !== 'id');
  return { names: names.slice(0, LIMITS.doubtsTold), always: preferences.handling === 'strict' };
}

/** The doubts of a collection in words, each with the parameter that it is about. */
export async function warningsOfDoubts(
  exchange: Exchange,
  doubts: readonly Doubt[],
): Promise<readonly Problem[]> {
  const { type } = exchange.parameters;
  const warnings: Problem[] = [];
  for (const doubt of doubts) {
    if (doubt.kind === 'no-documents') {
      warnings.push(problem('no-documents', `There are no documents of type ${type} to be shown.`));
    } else if (doubt.kind === 'other-kind') {
      warnings.push(
        problem('other-kind', detailOfKinds(doubt), { parameter: parameterOf(exchange, doubt.path) }),
      );
    } else if (!(await isInverse(exchange, doubt.path))) {
      const none = `None of the documents of type ${type} to be shown has the field ${shownName(doubt.path)}.`;
      const which = `${none}${offerOf(doubt.path, doubt.names)}`;
      warnings.push(problem('no-such-field', which, { parameter: parameterOf(exchange, doubt.path) }));
    }
  }
  return warnings;
}

/** The type's settings may declare what no document has. */
async function isInverse(exchange: Exchange, path: string): Promise<boolean> {
  const { query, parameters } = exchange;
  if (query.include?.some(([name]) => name === path) !== true) return false;
  return (await inverseOf(exchange, parameters.type, path)) !== null;
}

/** The parameter of the request that names a path. */
function parameterOf({ query, parameters }: Exchange, path: string): string {
  const { filters, sort, fields, include } = query;
  if (filters.some(({ field }) => field === path)) return `filter[${path}]`;
  const written = JSON.stringify(path.split('.')[0]).slice(1, -1);
  if (filters.some(({ field, text }) => field === null && text.includes(written))) return 'filter[*]';
  const outer = filters.find(({ field }) => field !== null && path.startsWith(`${field}.`))?.field;
  if (outer !== undefined && outer !== null) return `filter[${outer}]`;
  if (sort?.split(',').some((each) => each.replace(/^-/, '') === path) === true) return 'sort';
  if (fields.get(parameters.type)?.has(path) === true) return `fields[${parameters.type}]`;
  return include?.some(([name]) => name === path) === true ? 'include' : 'filter';
}

/** How each class of values is written in a filter. */
const WRITTEN: Readonly<Record<ValueClass, string>> = {
  string: 'a string',
  number: 'a number without quotes',
  date: '{"$date": "2026-01-31T12:00:00Z"}',
  'object id': '{"$oid": "…"}',
  boolean: 'true or false',
};

function detailOfKinds({ path, compared, held }: Extract<Doubt, { readonly kind: 'other-kind' }>): string {
  const kinds = held.map((each) => `${each}s`);
  const what = kinds.length === 0 ? 'no values that can be compared so' : oneOf(kinds, 'and');
  const asked = compared.map((each) => `a ${each}`.replace('a object', 'an object'));
  const cure =
    held.length === 0
      ? ''
      : ` Write ${oneOf(
          held.map((each) => WRITTEN[each]),
          'or',
        )}.`;
  return `The field ${shownName(path)} holds ${what}, and is compared with ${oneOf(asked, 'or')}.${cure}`;
}

/** What was left out because the key may not GET it. */
export function warningsOfLeftOut(exchange: Exchange): readonly Problem[] {
  return Array.from(leftOutOf(exchange), ([type, parameter]) => {
    const detail = `Linked documents of type ${type} are left out: the API key does not permit get at their addresses.`;
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
