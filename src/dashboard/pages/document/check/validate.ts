/** What a schema says of a document, in the words of its errors. It may take long: it is for threads of their own. */
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';
import { stepsOf, type Fault } from '../../../parts/fields/json.ts';

/** Keywords that only say that something inside of them is wrong. */
const AROUND: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'dependentSchemas'],
  ...['allOf', 'if', 'then', 'else', '$ref', '$recursiveRef'],
]);

/** What a schema says of a document; undefined where the library does not read it: the service does. */
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

const SENTENCES: Readonly<Record<string, (argument: string) => string>> = {
  type: (argument) => `The value must be of type ${argument}.`,
  enum: (argument) => `The value must be one of ${argument}.`,
  const: (argument) => `The value must be ${argument}.`,
  minimum: (argument) => `The number must be at or above ${argument}.`,
  maximum: (argument) => `The number must be at or below ${argument}.`,
  exclusiveMinimum: (argument) => `The number must be above ${argument}.`,
  exclusiveMaximum: (argument) => `The number must be below ${argument}.`,
  multipleOf: (argument) => `The number must be a multiple of ${argument}.`,
  minLength: (argument) => `The string must have at least ${argument} characters.`,
  maxLength: (argument) => `The string must have at most ${argument} characters.`,
  pattern: (argument) => `The string must match the pattern ${argument}.`,
  format: (argument) => `The string must be of format ${argument}.`,
  minItems: (argument) => `The array must have at least ${argument} items.`,
  maxItems: (argument) => `The array must have at most ${argument} items.`,
  minProperties: (argument) => `The object must have at least ${argument} members.`,
  maxProperties: (argument) => `The object must have at most ${argument} members.`,
};

const LONGEST = 200;

/** The sentence for an error of the library. Where its schema is reached by a reference, the library's own words. */
function sentenceOf(schema: unknown, { keyword, keywordLocation, error }: OutputUnit): string {
  if (keyword === 'false') return 'Nothing may be here.';
  if (keyword === 'uniqueItems') return 'The items of the array must all be different.';
  const [, missing] = /required property "(.*)"\.$/s.exec(error) ?? [];
  if (missing !== undefined) return `The member ${missing} is required.`;
  const argument = argumentAt(schema, keywordLocation);
  const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword] : undefined;
  if (sentence === undefined || argument === undefined) return error;
  return sentence(shown(keyword, argument).slice(0, LONGEST));
}

function shown(keyword: string, argument: unknown): string {
  if (typeof argument === 'string') return argument;
  return keyword === 'type' && Array.isArray(argument) ? argument.join(' or ') : JSON.stringify(argument);
}

function argumentAt(schema: unknown, location: string): unknown {
  return stepsOf(decodeURIComponent(location)).reduce<unknown>(
    (place, step) =>
      typeof place === 'object' && place !== null && Object.hasOwn(place, step)
        ? Reflect.get(place, step)
        : undefined,
    schema,
  );
}
