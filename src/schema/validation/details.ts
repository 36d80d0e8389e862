/** A sentence for each keyword that the library has found violated. */
import { keyOfArgument } from '../keys.ts';
import { textOfNum } from '../num.ts';
import type { Level } from './level.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { nameShown } from './names.ts';
import { isNum, type Plain } from '../plain.ts';
import { isList } from '../../domain/values/tree.ts';

/** Makes a sentence of the keyword's argument and the library's error. */
type Sentence = (argument: Plain | undefined, level: Level, error: string) => string;

const num = (argument: Plain | undefined): string => (isNum(argument) ? textOfNum(argument) : '');
const shown = (argument: Plain | undefined): string =>
  keyOfArgument(argument ?? null).slice(0, SCHEMA_LIMITS.shown);
const textsOf = (argument: Plain | undefined): readonly string[] =>
  (isList(argument) ? argument : [argument]).filter((each) => typeof each === 'string');
const counted =
  (what: string, words: string, parts: string): Sentence =>
  (argument) =>
    `The ${what} must have ${words} ${num(argument)} ${parts}.`;

/** `minimum` and `maximum`, which a flag beside them makes exclusive in draft-04. */
const edge =
  (flag: string, words: string): Sentence =>
  (argument, level) =>
    `The number must be ${level.argument(flag) === true ? words.replace('or', 'and not') : words} ${num(argument)}.`;

/** The last name in quotes of the library's sentence. */
const missing: Sentence = (_argument, _level, error) => {
  const [, name = ''] = /(?:does not have|required property) "(.*)"\.$/s.exec(error) ?? [];
  return `The member ${nameShown(name).slice(0, SCHEMA_LIMITS.shown)} is required.`;
};

const contains: Sentence = (_argument, level, error) => {
  const most = level.argument('maxContains');
  const least = level.argument('minContains');
  const some = level.contains?.schema['minContains'] === undefined ? '1' : num(least);
  const bound = error.startsWith('Array may contain at most') ? `at most ${num(most)}` : `at least ${some}`;
  return `The array must contain ${bound} items that satisfy contains.`;
};

const SENTENCES: Readonly<Record<string, Sentence>> = {
  type: (argument) => `The value must be of type ${textsOf(argument).join(' or ')}.`,
  enum: (argument) => `The value must be one of ${shown(argument)}.`,
  const: (argument) => `The value must be ${shown(argument)}.`,
  anyOf: () => 'The value must satisfy at least one of the schemas of anyOf.',
  oneOf: (_argument, _level, error) =>
    `The value must satisfy one schema of oneOf, not ${/\(([0-9]+) matches\)/.exec(error)?.[1] ?? '0'}.`,
  not: () => 'The value must not satisfy the schema of not.',
  minimum: edge('exclusiveMinimum', 'at or above'),
  maximum: edge('exclusiveMaximum', 'at or below'),
  exclusiveMinimum: (argument) => `The number must be above ${num(argument)}.`,
  exclusiveMaximum: (argument) => `The number must be below ${num(argument)}.`,
  multipleOf: (argument) => `The number must be a multiple of ${num(argument)}.`,
  minLength: counted('string', 'at least', 'characters'),
  maxLength: counted('string', 'at most', 'characters'),
  pattern: (argument) =>
    `The string must match the pattern ${textsOf(argument).join('').slice(0, SCHEMA_LIMITS.shown)}.`,
  format: (argument) => `The string must be of format ${shown(argument)}.`,
  minItems: counted('array', 'at least', 'items'),
  maxItems: counted('array', 'at most', 'items'),
  uniqueItems: () => 'The items of the array must all be different.',
  contains,
  minProperties: counted('object', 'at least', 'members'),
  maxProperties: counted('object', 'at most', 'members'),
  required: missing,
  dependentRequired: missing,
  dependencies: missing,
};

/** The sentence for a keyword, or undefined when what is inside of it tells its own. */
export function detailOf(keyword: string, level: Level, error: string): string | undefined {
  return SENTENCES[keyword]?.(level.argument(keyword), level, error);
}
