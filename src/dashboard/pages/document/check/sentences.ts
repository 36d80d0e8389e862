/** What is wrong, in the words of the service, for keywords whose argument can be told. */
import type { OutputUnit } from '@cfworker/json-schema';

/** The sentence of a keyword with its argument. */
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

/** How much of an argument is shown. */
const LONGEST = 200;

/** The sentence for an error of the library. Where its schema is reached by a reference, the library's own words. */
export function sentenceOf(schema: unknown, { keyword, keywordLocation, error }: OutputUnit): string {
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
  return location
    .replace(/^#\/?/, '')
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (place, step) =>
        typeof place === 'object' && place !== null && Object.hasOwn(place, step)
          ? Reflect.get(place, step)
          : undefined,
      schema,
    );
}
