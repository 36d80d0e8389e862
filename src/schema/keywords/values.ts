/** Keywords about a value itself: its type, what it equals, numbers and strings. */
import { compareNums, isIntegral, isMultiple, textOfNum, type Num } from '../exact.ts';
import { compileEcma, isCompiled } from '../ecma/pattern.ts';
import type { Check, KeywordCheck, KeywordChecks } from '../evaluate.ts';
import { FORMATS, LONGEST } from '../formats.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { choicesOf, keyOfArgument, keyOfDocument } from '../keys.ts';
import { isArray, isNum, typeOf, type Plain } from '../plain.ts';

function isOfType(value: Plain, type: Plain): boolean {
  return type === 'integer' ? isNum(value) && isIntegral(value) : typeOf(value) === type;
}

/** A bound on numbers; what is no number passes. */
function bound(holds: (difference: number) => boolean, words: string): KeywordCheck {
  return (argument, { value, fail }) => {
    if (isNum(value) && isNum(argument) && !holds(compareNums(value, argument))) {
      fail(`The number must be ${words} ${textOfNum(argument)}.`);
    }
  };
}

/** `minimum` and `maximum`, which a flag beside them makes exclusive in draft-04. */
function edge(exclusive: string, sign: number, words: string): KeywordCheck {
  return (argument, check) => {
    const { value, fail } = check;
    if (!isNum(value) || !isNum(argument)) return;
    const difference = compareNums(value, argument) * sign;
    const strictly = check.beside(exclusive) === true;
    if (difference < 0 || (strictly && difference === 0)) {
      fail(`The number must be ${strictly ? words.replace('or', 'and not') : words} ${textOfNum(argument)}.`);
    }
  };
}

/** A bound on the characters of a string: code points, not UTF-16 units. */
function length(holds: (length: Num, bound: Num) => boolean, words: string): KeywordCheck {
  return (argument, { value, fail, evaluation }) => {
    if (typeof value !== 'string' || !isNum(argument)) return;
    evaluation.work.spend(value.length / 16);
    if (!holds(charactersOf(value), argument))
      fail(`The string must have ${words} ${textOfNum(argument)} characters.`);
  };
}

/** How many code points a string has, without taking it apart. Half a pair is one, too. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

/** Whether a string matches a pattern, within the work that there is. Undefined when that can not be found out. */
export function matchesPattern(pattern: string, text: string, { evaluation }: Check): boolean | undefined {
  const isNew = !isCompiled(pattern);
  const compiled = compileEcma(pattern);
  // A schema of many patterns drives them out of those that are kept, again and again.
  if (isNew && compiled.ok) evaluation.work.spend(compiled.pattern.size * SCHEMA_LIMITS.compiling);
  if (!compiled.ok || compiled.pattern.cost(text) > SCHEMA_LIMITS.patternWork) {
    evaluation.giveUpIfSilent('A string of the document is too long for a pattern of a schema.');
    return undefined;
  }
  const { matches, work } = compiled.pattern.test(text);
  evaluation.work.spend(work / 4 + 10);
  return matches;
}

function shown(value: Plain): string {
  return keyOfArgument(value).slice(0, SCHEMA_LIMITS.shown);
}

export const VALUE_KEYWORDS: KeywordChecks = {
  type: (argument, { value, fail }) => {
    const types = (isArray(argument) ? argument : [argument]).filter((type) => typeof type === 'string');
    if (!types.some((type) => isOfType(value, type)))
      fail(`The value must be of type ${types.join(' or ')}.`);
  },
  enum: (argument, { value, fail, evaluation }) => {
    if (!choicesOf(argument).has(keyOfDocument(value, evaluation.work)))
      fail(`The value must be one of ${shown(argument)}.`);
  },
  const: (argument, { value, fail, evaluation }) => {
    if (keyOfDocument(value, evaluation.work) !== keyOfArgument(argument))
      fail(`The value must be ${shown(argument)}.`);
  },

  multipleOf: (argument, { value, fail }) => {
    if (isNum(value) && isNum(argument) && !isMultiple(value, argument)) {
      fail(`The number must be a multiple of ${textOfNum(argument)}.`);
    }
  },
  minimum: edge('exclusiveMinimum', 1, 'at or above'),
  maximum: edge('exclusiveMaximum', -1, 'at or below'),
  // In draft-04 these are flags beside the bounds, and no numbers.
  exclusiveMinimum: bound((difference) => difference > 0, 'above'),
  exclusiveMaximum: bound((difference) => difference < 0, 'below'),

  minLength: length((characters, least) => compareNums(characters, least) >= 0, 'at least'),
  maxLength: length((characters, most) => compareNums(characters, most) <= 0, 'at most'),
  pattern: (argument, check) => {
    const { value, fail } = check;
    if (typeof value !== 'string' || typeof argument !== 'string') return;
    const matches = matchesPattern(argument, value, check);
    if (matches === undefined) fail('The string is too long for the pattern.');
    else if (!matches) fail(`The string must match the pattern ${argument.slice(0, SCHEMA_LIMITS.shown)}.`);
  },
  format: (argument, { value, fail, evaluation }) => {
    const format = typeof argument === 'string' ? FORMATS.get(argument) : undefined;
    if (typeof value !== 'string' || format === undefined) return;
    evaluation.work.spend(Math.min(value.length, LONGEST) + 10);
    if (!format(value)) fail(`The string must be of format ${shown(argument)}.`);
  },
};
