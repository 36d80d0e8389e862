/** Operators that put strings together, change them and take them apart. */
import { isNumber } from '../../query/order/numbers.ts';
import { compareStrings } from '../../query/order/strings.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import {
  named,
  REQUIRED,
  strict,
  stringOf,
  positional,
  unary,
  describeOperand,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { byBytes, byCodePoints, convertedText } from '../core/text.ts';

/** A string, or a number or date as its text; null and missing are empty. */
export function coerceText(value: Operand, name: string): string {
  if (isNullish(value)) return '';
  const text =
    typeof value === 'string' || isNumber(value) || value instanceof Date ? convertedText(value) : undefined;
  return text ?? stop(`${name} takes strings, numbers and dates, not ${describeOperand(value)}.`);
}

function concat(operands: readonly Operand[], frame: Frame, name: string): Operand {
  const texts: string[] = [];
  let length = 0;
  let missing = false;
  for (const operand of operands) {
    if (isNullish(operand)) missing = true;
    else {
      const text = stringOf(operand, name, 'strings');
      length += text.length;
      texts.push(text);
    }
  }
  if (missing) return null;
  frame.meter.expect(length);
  return texts.join('');
}

function split([text, separator]: readonly Operand[], frame: Frame, name: string): Operand {
  const subject = stringOf(text, name, 'two strings');
  const by = stringOf(separator, name, 'two strings');
  if (by === '') return stop(`${name} takes a separator that is not empty.`);
  frame.meter.expect(32 * (countOf(subject, by) + 1));
  return subject.split(by);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The white space of `$trim`. */
const BLANK = ' \t\n\v\f\r\0\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';

function trim(start: boolean, end: boolean): Operator {
  return named({ input: REQUIRED, chars: BLANK }, ([input, chars], _frame, name) => {
    if (isNullish(input) || isNullish(chars)) return null;
    const text = stringOf(input, name, 'a string as input');
    const cut = new Set(stringOf(chars, name, 'a string as chars'));
    let from = 0;
    let to = text.length;
    while (start && from < to) {
      const character = String.fromCodePoint(text.codePointAt(from) ?? 0);
      if (!cut.has(character)) break;
      from += character.length;
    }
    while (end && to > from) {
      const low = text.charCodeAt(to - 1);
      const pair = low >= 0xdc00 && low <= 0xdfff && to - 2 >= from;
      const character = text.slice(to - (pair ? 2 : 1), to);
      if (!cut.has(character)) break;
      to -= character.length;
    }
    return text.slice(from, to);
  });
}

function replace(all: boolean): Operator {
  return named({ input: REQUIRED, find: REQUIRED, replacement: REQUIRED }, (operands, frame, name) => {
    const [input, find, replacement] = operands.map((each) =>
      isNullish(each) ? null : stringOf(each, name, 'strings'),
    );
    if (typeof input !== 'string' || typeof find !== 'string' || typeof replacement !== 'string') return null;
    if (!all) {
      frame.meter.expect(input.length + replacement.length);
      // A function, since a replacement text may hold signs that mean something to `replace`.
      return input.replace(find, () => replacement);
    }
    if (find === '') return betweenCharacters(input, replacement, frame);
    const count = countOf(input, find);
    frame.meter.expect(input.length + count * replacement.length + 32 * count);
    return input.split(find).join(replacement);
  });
}

/** Nothing is found before, between and after all characters. */
function betweenCharacters(input: string, replacement: string, frame: Frame): string {
  frame.meter.expect((input.length + 1) * (replacement.length + 16));
  return `${replacement}${Array.from(input, (character) => character + replacement).join('')}`;
}

/** Only letters of ASCII have cases here, as MongoDB documents of these operators. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export const STRINGS: Operators = {
  $concat: positional(0, Infinity, concat),
  $toLower: unary((value, _frame, name) => lowerAscii(coerceText(value, name))),
  $toUpper: unary((value, _frame, name) => upperAscii(coerceText(value, name))),
  $strcasecmp: positional(2, 2, ([a, b], _frame, name) =>
    Math.sign(compareStrings(upperAscii(coerceText(a, name)), upperAscii(coerceText(b, name)))),
  ),
  $split: strict(2, 2, split),
  $trim: trim(true, true),
  $ltrim: trim(true, false),
  $rtrim: trim(false, true),
  $replaceOne: replace(false),
  $replaceAll: replace(true),
  $strLenCP: unary((value, frame, name) => byCodePoints(stringOf(value, name), frame.meter).length),
  $strLenBytes: unary((value, frame, name) => byBytes(stringOf(value, name), frame.meter).length),
};
