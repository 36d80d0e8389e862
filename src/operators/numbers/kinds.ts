/** Numbers by their four kinds, and conversions between kinds in arithmetic. */
import {
  Decimal,
  Double,
  doubleOf,
  INT_MAX,
  INT_MIN,
  integerOf,
  kindOf,
  Long,
  longOf,
} from '../../domain/values/values.ts';
import {
  compareNumbers,
  isNumber,
  nearestDouble as toDouble,
  numberKey,
  truncated,
  type NumberValue,
} from '../../query/order/numbers.ts';
import type { Operand } from '../core/meter.ts';

export { nearestDouble as toDouble } from '../../query/order/numbers.ts';

export type NumberKind = 'int' | 'long' | 'double' | 'decimal';

const RANK: Readonly<Record<NumberKind, number>> = { int: 0, long: 1, double: 2, decimal: 3 };

export function isKind(name: Operand): name is NumberKind {
  return typeof name === 'string' && Object.hasOwn(RANK, name);
}

export function numberKind(value: NumberValue): NumberKind {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return 'double';
    return value >= INT_MIN && value <= INT_MAX ? 'int' : 'long';
  }
  if (value instanceof Long) return 'long';
  return value instanceof Double ? 'double' : 'decimal';
}

/** The kind that holds both, as MongoDB widens. */
export function widest(a: NumberKind, b: NumberKind): NumberKind {
  return RANK[a] >= RANK[b] ? a : b;
}

export function toBigInt(value: NumberValue): bigint {
  return value instanceof Long ? value.value : BigInt(toDouble(value));
}

/** An integer of the kind of its operands: an int that outgrows its kind is a long, a long that does is a double. */
export function integerResult(value: bigint, kind: 'int' | 'long'): NumberValue {
  const integer = kind === 'int' ? integerOf(value) : longOf(value);
  return isNumber(integer) ? integer : doubleOf(Number(value));
}

/** The integer of a number that is one and that a plain number holds exactly, or undefined. */
export function smallInteger(value: Operand): number | undefined {
  const key = isNumber(value) ? numberKey(value) : undefined;
  return typeof key === 'number' && Number.isSafeInteger(key) ? key : undefined;
}

/** The integer of a number that is one and that a long holds, for counts and positions; rounded beyond 53 bits. */
export function longInteger(value: Operand): number | undefined {
  if (!isNumber(value)) return undefined;
  const integer = truncated(value);
  return integer !== undefined && compareNumbers(value, new Long(integer)) === 0
    ? Number(integer)
    : undefined;
}

/** MongoDB's truth: all but false, null, missing and the zeros. */
export function isTrue(value: Operand): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return false;
  if (!isNumber(value)) return true;
  return value instanceof Long ? value.value !== 0n : toDouble(value) !== 0 || isTinyDecimal(value);
}

/** A decimal too small for a double is no zero. */
function isTinyDecimal(value: NumberValue): boolean {
  return value instanceof Decimal && /^[^eE]*[1-9]/.test(value.text);
}

/** The kind of an operand, with a word for a missing one. */
export function aliasOf(value: Operand): string {
  return value === undefined ? 'missing' : kindOf(value);
}
