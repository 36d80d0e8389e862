/**
 * Checks documents against schemas, in a thread of its own: a pattern of a schema may take very long, and whoever types
 * must not wait. Whoever asks ends the thread that does not answer.
 */
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';
import type { Fault } from '../values/faults.ts';

export interface Question {
  readonly turn: number;
  readonly schemas: readonly unknown[];
  /** The document as its schemas see it. */
  readonly shown: unknown;
}

export interface Verdict {
  readonly turn: number;
  readonly faults: readonly Fault[];
}

/** Keywords that only say that something inside of them is wrong. */
const AROUND = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'dependentSchemas',
  'allOf',
  'if',
  'then',
  'else',
  '$ref',
  '$recursiveRef',
]);

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const { turn, schemas, shown } = data;
  const verdict: Verdict = { turn, faults: schemas.flatMap((schema) => faultsOf(schema, shown)) };
  postMessage(verdict);
});

/** A schema that this library does not read is left to the service. */
function faultsOf(schema: unknown, shown: unknown): readonly Fault[] {
  if (typeof schema !== 'object' || schema === null) return [];
  try {
    const { errors } = new Validator(schema, draftOf(schema), false).validate(shown);
    const choices = errors.filter(({ keyword }) => /^(oneOf|anyOf|not|contains)$/.test(keyword));
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .filter(
        ({ keywordLocation }) =>
          !choices.some((choice) => keywordLocation.startsWith(`${choice.keywordLocation}/`)),
      )
      .map(faultOf);
  } catch {
    return [];
  }
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit): Fault {
  const [, missing] = /required property "(.*)"\.$/s.exec(error) ?? [];
  return {
    pointer: decodeURIComponent(instanceLocation.replace(/^#/, '')),
    message:
      keyword === 'false'
        ? 'Nothing may be here.'
        : missing === undefined
          ? error
          : `The member ${missing} is required.`,
  };
}

function draftOf(schema: object): SchemaDraft {
  const named = '$schema' in schema ? String(schema.$schema) : '';
  if (named.includes('2019-09')) return '2019-09';
  if (named.includes('2020-12')) return '2020-12';
  return named.includes('draft-04') ? '4' : '7';
}
