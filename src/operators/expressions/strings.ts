/** Operators that put strings together, change them and take them apart. */
import type { Value } from '../../domain/values/values.ts';
import { isNumber, truncated } from '../../query/order/numbers.ts';
import { compareStrings } from '../../query/order/strings.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { stop, type Operand, type Meter } from '../core/meter.ts';
import {
  binary,
  inTurn,
  named,
  REQUIRED,
  stringOf,
  positional,
  unary,
  describeOperand,
  type Apply,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { byBytes, byCodePoints, convertedText, type Counted } from '../core/text.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { integerOf } from './arrays.ts';

/** A string, or a number or date as its text; null and missing are empty. */
function coerceText(value: Operand, name: string): string {
  if (isNullish(value)) return '';
  const text =
    typeof value === 'string' || isNumber(value) || value instanceof Date ? convertedText(value) : undefined;
  return text ?? stop(`${name} takes strings, numbers and dates, not ${describeOperand(value)}.`);
}

function split(text: Value, separator: Value, frame: Frame, name: string): Operand {
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
  const apply: Apply = ([input, chars], _frame, name) => {
    if (isNullish(input)) return null;
    const text = stringOf(input, name, 'a string as input');
    if (isNullish(chars)) return null;
    const cut = new Set(charsOf(chars, name));
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
  };
  return named({ input: REQUIRED, chars: BLANK }, apply, { checks: { chars: charsOf } });
}

function charsOf(chars: Operand, name: string): string {
  return stringOf(chars, name, 'a string as chars');
}

function replace(all: boolean): Operator {
  const apply: Apply = (operands, frame, name) => {
    const [input, find, replacement] = operands.map((each) => (isNullish(each) ? null : oneOf(each, name)));
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
  };
  return named({ input: REQUIRED, find: REQUIRED, replacement: REQUIRED }, apply, {
    checks: { input: oneOf, find: oneOf, replacement: oneOf },
  });
}

/** One of several strings. */
function oneOf(value: Value, name: string): string {
  return stringOf(value, name, 'strings');
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
  $concat: inTurn(0, Infinity, oneOf, (texts, { meter }) => {
    meter.expect(texts.reduce((sum, { length }) => sum + length, 0));
    return texts.join('');
  }),
  $toLower: unary((value, _frame, name) => lowerAscii(coerceText(value, name))),
  $toUpper: unary((value, _frame, name) => upperAscii(coerceText(value, name))),
  $strcasecmp: positional(2, 2, ([a, b], _frame, name) =>
    Math.sign(compareStrings(upperAscii(coerceText(a, name)), upperAscii(coerceText(b, name)))),
  ),
  $split: binary(split),
  $trim: trim(true, true),
  $ltrim: trim(true, false),
  $rtrim: trim(false, true),
  $replaceOne: replace(false),
  $replaceAll: replace(true),
  $strLenCP: unary((value, frame, name) => byCodePoints(stringOf(value, name), frame.meter).length),
  $strLenBytes: unary((value, frame, name) => byBytes(stringOf(value, name), frame.meter).length),
};

/** `$substr…` and `$indexOf…` of strings, by bytes of UTF-8 and by code points. */
type Count = (text: string, meter: Meter) => Counted;

/** By bytes, a negative length takes the rest and fractions are cut off; by code points, both are refused. */
function substring(count: Count, lenient: boolean): Operator {
  const integerIn = lenient ? truncatedIn : exactIn;
  return positional(3, 3, ([text, start, length], frame, name) => {
    const counted = count(coerceText(text, name), frame.meter);
    const from = integerIn(start, name);
    const wanted = integerIn(length, name);
    if (from < 0) return stop(`${name} takes a start that is not negative.`);
    if (wanted < 0 && !lenient) return stop(`${name} takes a length that is not negative.`);
    if (from >= counted.length) return '';
    const to = wanted < 0 ? counted.length : Math.min(counted.length, from + wanted);
    return counted.slice(from, to) ?? stop(`${name} would cut a character of more than one byte.`);
  });
}

/** A number, its fraction cut off. */
function truncatedIn(value: Operand, name: string): number {
  const integer = isNumber(value) ? truncated(value) : undefined;
  return integer === undefined ? stop(`${name} takes numbers for start and length.`) : Number(integer);
}

function exactIn(value: Operand, name: string): number {
  return integerOf(value, name, 'start and as length');
}

function indexOf(count: Count): Operator {
  return positional(2, 4, (operands, frame, name) => {
    const [text, part] = operands;
    if (isNullish(text)) return null;
    const subject = stringOf(text, name, 'strings');
    const sought = stringOf(part, name, 'strings');
    const counted = count(subject, frame.meter);
    const from = bound(operands, 2, 0, name);
    const to = Math.min(bound(operands, 3, counted.length, name), counted.length);
    if (from > to) return -1;
    return find(subject, sought, counted, from, to, frame);
  });
}

function find(text: string, part: string, counted: Counted, from: number, to: number, frame: Frame): number {
  frame.meter.spend(text.length / 16);
  const at = text.indexOf(part, counted.positionOf(from));
  if (at < 0 || at + part.length > counted.positionOf(to)) return -1;
  return counted.unitAt(at);
}

/** An optional bound, which must not be negative. */
function bound(operands: readonly Operand[], index: number, fallback: number, name: string): number {
  if (operands.length <= index) return fallback;
  const integer = smallInteger(operands[index]);
  return integer !== undefined && integer >= 0
    ? integer
    : stop(`${name} takes bounds that are integers and not negative.`);
}

export const SUBSTRINGS: Operators = {
  $substr: substring(byBytes, true),
  $substrBytes: substring(byBytes, true),
  $substrCP: substring(byCodePoints, false),
  $indexOfBytes: indexOf(byBytes),
  $indexOfCP: indexOf(byCodePoints),
};
