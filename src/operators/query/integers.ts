/** Integers as operands: any kind of number will do when its value is integral. */
import type { Parsed } from '../../domain/values/json.ts';
import type { Place } from '../../domain/pointer.ts';
import { isNumber, numberKey } from '../../query/order/numbers.ts';
import { valueOf, type Scope } from '../filter/scope.ts';

/** The integer of an operand; undefined unless a plain number holds it exactly. */
export function integerOf(json: Parsed, place: Place, scope: Scope): number | undefined {
  const value = valueOf(json, place, scope);
  if (!isNumber(value)) return undefined;
  const key = numberKey(value);
  return typeof key === 'number' && Number.isSafeInteger(key) ? key : undefined;
}
