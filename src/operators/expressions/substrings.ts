/** `$substr…` and `$indexOf…` of strings, by bytes of UTF-8 and by code points. */
import { isNumber, truncated } from '../../query/order/numbers.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { stop, type Meter, type Operand } from '../core/meter.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { positional, stringOf, type Operator, type Operators } from '../core/operator.ts';
import { byBytes, byCodePoints, type Counted } from '../core/text.ts';
import { integerOf } from './arrays.ts';
import { coerceText } from './strings.ts';

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
