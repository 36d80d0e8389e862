/** Keywords about a value itself: its type, what it equals, numbers, strings and counts. */
import { isList } from '../../domain/values/tree.ts';
import { choicesOf, keyOfDocument } from '../keys.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { compareNums, isIntegral, isMultiple, textOfNum, type Num } from '../num.ts';
import { isNum, isObject, keyOfPlain, type Plain } from '../plain.ts';
import type { Work } from '../work.ts';
import { FORMATS, LONGEST } from './formats.ts';
import { assertion, type Keyword, type Keywords } from './rule.ts';

const numIn = (argument: Plain): Num | undefined => (isNum(argument) ? argument : undefined);

/** A bound of numbers. */
function bound(holds: (difference: number) => boolean, words: string): Keyword {
  return assertion(
    numIn,
    (value, argument) => !isNum(value) || holds(compareNums(value, argument)),
    (argument) => `The number must be ${words} ${textOfNum(argument)}.`,
  );
}

/** `minimum` and `maximum`, which a flag beside them makes exclusive in draft-04. */
function edge(flag: string, sign: 1 | -1, words: string): Keyword {
  const inclusive = bound((difference) => difference * sign >= 0, words);
  const exclusive = bound((difference) => difference * sign > 0, words.replace('or', 'and not'));
  return (argument, own) => (own.beside(flag) === true ? exclusive : inclusive)(argument, own);
}

/** A bound of what is counted in a value; null for a value in which that is not counted. */
function counted(count: (value: Plain, work: Work) => number | null, what: string, parts: string) {
  const by = (sign: 1 | -1, words: string): Keyword =>
    assertion(
      numIn,
      (value, argument, work) => {
        const number = count(value, work);
        return number === null || compareNums(number, argument) * sign >= 0;
      },
      (argument) => `The ${what} must have ${words} ${textOfNum(argument)} ${parts}.`,
    );
  return { least: by(1, 'at least'), most: by(-1, 'at most') };
}

/** Code points, not UTF-16 units. Half a pair is one, too. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

const CHARACTERS = counted(
  (value, work) => {
    if (typeof value !== 'string') return null;
    work.spend(value.length / 16);
    return charactersOf(value);
  },
  'string',
  'characters',
);
const ITEMS = counted((value) => (isList(value) ? value.length : null), 'array', 'items');
const MEMBERS = counted((value) => (isObject(value) ? Object.keys(value).length : null), 'object', 'members');

function isOfType(value: Plain, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isList(value);
    case 'object':
      return isObject(value);
    case 'number':
      return isNum(value);
    case 'integer':
      return isNum(value) && isIntegral(value);
    default:
      return typeof value === type;
  }
}

const typesIn = (argument: Plain): readonly string[] =>
  (isList(argument) ? argument : [argument]).filter((each) => typeof each === 'string');

const isInside = (value: Plain): boolean => isList(value) || isObject(value);

/** Values are compared by their keys. What is no array and no object equals none, whose keys are never made for that. */
const isAmong = (value: Plain, choices: readonly Plain[], keys: () => ReadonlySet<string>, work: Work) =>
  (!isInside(value) || choices.some(isInside)) && keys().has(keyOfDocument(value, work));

const shown = (argument: Plain): string => keyOfPlain(argument).slice(0, SCHEMA_LIMITS.shown);
const textIn = (argument: Plain): string | undefined => (typeof argument === 'string' ? argument : undefined);

const pattern: Keyword = (argument, { name }) => {
  const source = textIn(argument);
  if (source === undefined) return undefined;
  return ({ value, place }, run) => {
    const matches = typeof value !== 'string' || run.matches(source, value);
    if (matches === undefined) return run.fail(place, name, () => 'The string is too long for the pattern.');
    return (
      matches ||
      run.fail(
        place,
        name,
        () => `The string must match the pattern ${source.slice(0, SCHEMA_LIMITS.shown)}.`,
      )
    );
  };
};

export const OF_VALUES: Keywords = {
  type: assertion(
    typesIn,
    (value, types) => types.some((type) => isOfType(value, type)),
    (types) => `The value must be of type ${types.join(' or ')}.`,
  ),
  enum: assertion(
    (argument) => (isList(argument) ? argument : undefined),
    (value, choices, work) => isAmong(value, choices, () => choicesOf(choices), work),
    (choices) => `The value must be one of ${shown(choices)}.`,
  ),
  const: assertion(
    (argument) => [argument],
    (value, choices, work) => isAmong(value, choices, () => choicesOf(choices), work),
    ([argument = null]) => `The value must be ${shown(argument)}.`,
  ),

  minimum: edge('exclusiveMinimum', 1, 'at or above'),
  maximum: edge('exclusiveMaximum', -1, 'at or below'),
  // In draft-04 these are flags beside the bounds, and no numbers.
  exclusiveMinimum: bound((difference) => difference > 0, 'above'),
  exclusiveMaximum: bound((difference) => difference < 0, 'below'),
  multipleOf: assertion(
    numIn,
    (value, argument) => !isNum(value) || isMultiple(value, argument),
    (argument) => `The number must be a multiple of ${textOfNum(argument)}.`,
  ),

  minLength: CHARACTERS.least,
  maxLength: CHARACTERS.most,
  pattern,
  format: assertion(
    (argument) => (FORMATS.has(textIn(argument) ?? '') ? textIn(argument) : undefined),
    (value, name, work) => {
      if (typeof value !== 'string') return true;
      work.spend(1 + Math.min(value.length, LONGEST) / 16);
      return FORMATS.get(name)?.(value, work) !== false;
    },
    (name) => `The string must be of format ${shown(name)}.`,
  ),

  minItems: ITEMS.least,
  maxItems: ITEMS.most,
  uniqueItems: assertion(
    (argument) => argument === true || undefined,
    (value, _argument, work) =>
      !isList(value) || new Set(value.map((item) => keyOfDocument(item, work))).size === value.length,
    () => 'The items of the array must all be different.',
  ),
  minProperties: MEMBERS.least,
  maxProperties: MEMBERS.most,
};
