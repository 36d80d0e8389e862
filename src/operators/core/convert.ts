/** The conversions of `$convert`: which kind can become which, and what is lost on the way, by MongoDB's table. */
import { dateOf } from '../../domain/values/dates.ts';
import { parseDecimal } from '../../domain/values/decimal.ts';
import { exactOfText } from '../../domain/values/exact.ts';
import {
  Decimal,
  INT_MAX,
  INT_MIN,
  longOf,
  ObjectId,
  type Value,
  doubleOf,
} from '../../domain/values/values.ts';
import { readObjectId } from '../../domain/values/wrappers.ts';
import { isNumber, truncated, type NumberValue } from '../../query/order/numbers.ts';
import { parseDateText } from '../dates/parse.ts';
import { stop, type Operand } from './meter.ts';
import { bigOfExact, decimalResult, toDecimalNumber } from '../numbers/decimals.ts';
import { aliasOf, isTrue, numberKind, smallInteger, toDouble } from '../numbers/kinds.ts';
import { KINDS } from './kinds.ts';
import { convertedText } from './text.ts';

export type ConversionType = 'double' | 'string' | 'objectId' | 'bool' | 'date' | 'int' | 'long' | 'decimal';

/** Of names and numbers of kinds, the names. */
const ALIASES: ReadonlyMap<Value | undefined, string> = new Map(
  [[0, 'missing'] as const, ...KINDS].flatMap(([number, alias]): [Value, string][] => [
    [number, alias],
    [alias, alias],
  ]),
);

/** The kind for one of MongoDB's names or numbers; undefined for one that nothing can be converted to. */
export function targetOf(kind: Value, name: string): ConversionType | undefined {
  const alias = ALIASES.get(isNumber(kind) ? smallInteger(kind) : kind);
  if (alias === undefined) return stop(`${name} does not know the kind to convert to.`);
  return isTarget(alias) ? alias : undefined;
}

function isTarget(alias: string): alias is ConversionType {
  return Object.hasOwn(CONVERSIONS, alias);
}

/** A value that is not null in another kind, or a stop with the reason. */
export function convert(value: Value, target: ConversionType, name: string): Operand {
  const converted = CONVERSIONS[target](value);
  if (converted instanceof Refused) {
    return stop(
      `${name} cannot make a value of kind ${target} of one of kind ${aliasOf(value)}${converted.refused}.`,
    );
  }
  return converted;
}

/** Why not, as the end of a sentence. */
class Refused {
  readonly refused: string;
  constructor(refused: string) {
    this.refused = refused;
  }
}

const NEVER = new Refused('');
const OUT_OF_RANGE = new Refused(': it is out of range');
const NOT_READ = new Refused(': the text is none');

const CONVERSIONS: Readonly<Record<ConversionType, (value: Value) => Value | Refused>> = {
  bool: (value) => isTrue(value),
  string: (value) => convertedText(value) ?? NEVER,
  int: (value) =>
    // The range of a double is asked before its fraction is cut off.
    isNumber(value) && numberKind(value) === 'double' && !isInt(toDouble(value))
      ? OUT_OF_RANGE
      : toInteger(value, (integer) => (isInt(integer) ? Number(integer) : undefined)),
  long: (value) => toInteger(value, longOf),
  double: toDoubleValue,
  decimal: toDecimal,
  date: toDate,
  objectId: (value) => {
    if (value instanceof ObjectId) return value;
    return typeof value === 'string' ? (readObjectId(value) ?? NOT_READ) : NEVER;
  },
};

function isInt(number: number | bigint): boolean {
  return number >= INT_MIN && number <= INT_MAX;
}

function toInteger(value: Value, fit: (integer: bigint) => Value | undefined): Value | Refused {
  if (typeof value === 'string') {
    if (!/^[+-]?[0-9]{1,40}$/.test(value)) return NOT_READ;
    return fit(BigInt(value.replace('+', ''))) ?? OUT_OF_RANGE;
  }
  if (typeof value === 'boolean') return fit(value ? 1n : 0n) ?? OUT_OF_RANGE;
  if (value instanceof Date)
    return fit === longOf ? (longOf(BigInt(value.getTime())) ?? OUT_OF_RANGE) : NEVER;
  if (!isNumber(value)) return NEVER;
  const integer = truncated(value);
  return integer === undefined ? OUT_OF_RANGE : (fit(integer) ?? OUT_OF_RANGE);
}

/** Numbers as texts: no blanks around them, and no hexadecimal ones, which JavaScript would take. */
const NUMBER_TEXT = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?$/;
const SPECIAL_TEXT = /^([+-]?)(nan|inf|infinity)$/i;

function toDoubleValue(value: Value): Value | Refused {
  if (typeof value === 'boolean') return doubleOf(value ? 1 : 0);
  if (value instanceof Date) return doubleOf(value.getTime());
  if (typeof value === 'string') {
    const special = specialOf(value);
    if (special !== undefined) return special;
    if (!isNumberText(value)) return NOT_READ;
    return within(Number(value), value);
  }
  if (!isNumber(value)) return NEVER;
  // A decimal may be beyond the doubles.
  return value instanceof Decimal && Number.isFinite(Number(value.text.replace(/[eE].*$/, '')))
    ? within(toDouble(value), value.text)
    : doubleOf(toDouble(value));
}

function isNumberText(text: string): boolean {
  return text.length <= 1_000 && NUMBER_TEXT.test(text);
}

/** The double of a text, unless the text is beyond the doubles: above all of them, or nearer to 0 than any. */
function within(value: number, text: string): Value | Refused {
  return Number.isFinite(value) && (value !== 0 || isZeroText(text)) ? doubleOf(value) : OUT_OF_RANGE;
}

function isZeroText(text: string): boolean {
  return !/[1-9]/.test(text.replace(/[eE].*$/, ''));
}

function specialOf(text: string): number | undefined {
  const match = SPECIAL_TEXT.exec(text);
  if (match === null) return undefined;
  if (match[2]?.toLowerCase() === 'nan') return NaN;
  return match[1] === '-' ? -Infinity : Infinity;
}

function toDecimal(value: Value): Value | Refused {
  if (value instanceof Decimal) return value;
  if (typeof value === 'boolean') return new Decimal(value ? '1' : '0');
  if (value instanceof Date) return new Decimal(String(value.getTime()));
  if (typeof value === 'string') {
    const special = specialOf(value);
    return special === undefined ? decimalOfText(value) : decimalResult(special);
  }
  return isNumber(value) ? decimalResult(toDecimalNumber(value, 15)) : NEVER;
}

/** Unlike in a document, more than 34 digits of a text are rounded, as MongoDB does. */
function decimalOfText(text: string): Value | Refused {
  const exact = parseDecimal(text);
  if (exact !== undefined) return exact;
  const digits = isNumberText(text) ? exactOfText(text) : undefined;
  if (digits === undefined) return NOT_READ;
  const rounded = decimalResult(bigOfExact(digits));
  const isBeyond = rounded.text.endsWith('Infinity') || isZeroText(rounded.text) !== isZeroText(text);
  return isBeyond ? OUT_OF_RANGE : rounded;
}

function toDate(value: Value): Value | Refused {
  if (value instanceof Date) return value;
  if (typeof value === 'string') {
    const parsed = parseDateText(value, undefined);
    return parsed instanceof Date ? parsed : new Refused(`: ${parsed.reason}`);
  }
  // An object id begins with the seconds since 1970 at which it was made.
  if (value instanceof ObjectId)
    return dateOf(Number.parseInt(value.hex.slice(0, 8), 16) * 1000) ?? OUT_OF_RANGE;
  // A date is no int's to make: ints are too small for milliseconds since 1970.
  if (!isNumber(value) || aliasOf(value) === 'int') return NEVER;
  return fromMilliseconds(value);
}

function fromMilliseconds(value: NumberValue): Value | Refused {
  const milliseconds = truncated(value);
  return (milliseconds === undefined ? undefined : dateOf(Number(milliseconds))) ?? OUT_OF_RANGE;
}
