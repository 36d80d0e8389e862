/** What a schema says of a document, in the words of its errors. It may take long: it is for threads of their own. */
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';
import type { Fault } from '../values/faults.ts';
import { sentenceOf } from './sentences.ts';

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

/** What a schema says of a document; undefined where this library does not read the schema: that is left to the service. */
export function validate(schema: unknown, shown: unknown): readonly Fault[] | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  try {
    const { errors } = new Validator(schema, draftOf(schema), false).validate(shown);
    const choices = errors.filter(({ keyword }) => /^(oneOf|anyOf|not|contains)$/.test(keyword));
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .filter(
        ({ keywordLocation }) =>
          !choices.some((choice) => keywordLocation.startsWith(`${choice.keywordLocation}/`)),
      )
      .map((unit) => faultOf(schema, unit));
  } catch {
    return undefined;
  }
}

function faultOf(schema: unknown, unit: OutputUnit): Fault {
  return {
    pointer: decodeURIComponent(unit.instanceLocation.replace(/^#/, '')),
    message: sentenceOf(schema, unit),
  };
}

function draftOf(schema: object): SchemaDraft {
  const named = '$schema' in schema ? String(schema.$schema) : '';
  if (named.includes('2019-09')) return '2019-09';
  if (named.includes('2020-12')) return '2020-12';
  return named.includes('draft-04') ? '4' : '7';
}
