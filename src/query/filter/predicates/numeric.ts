/** The test of `$mod`: remainders of what is left of a number when its fraction is cut off. */
import type { Value } from '../../../domain/values.ts';
import { isNumber, truncated } from '../../order/numbers.ts';
import type { Predicate } from '../walk.ts';

/** Divisor and remainder are integers of 64 bits; the remainder of a negative number is negative, as MongoDB's. */
export function modTest(divisor: Value, remainder: Value): Predicate {
  const by = isNumber(divisor) ? truncated(divisor) : undefined;
  const rest = isNumber(remainder) ? truncated(remainder) : undefined;
  if (by === undefined || by === 0n || rest === undefined) return () => false;
  const plainBy = Number(by);
  const plainRest = Number(rest);
  const plain = Number.isSafeInteger(plainBy) && Number.isSafeInteger(plainRest);
  return (value) => {
    if (plain && typeof value === 'number' && Number.isSafeInteger(Math.trunc(value))) {
      return Math.trunc(value) % plainBy === plainRest;
    }
    const dividend = isNumber(value) ? truncated(value) : undefined;
    return dividend !== undefined && dividend % by === rest;
  };
}
