/**
 * Exponentials and logarithms of decimals to 34 digits, which no library here has: series over integers scaled by a
 * power of ten, with spare digits so that the last one rounds right in all but contrived cases.
 */
import { bigOf, leadingPlace, type BigDecimal, type DecimalNumber } from './decimals.ts';
import { Big, RoundingMode } from 'bigdecimal.js';

/**
 * Digits after the point while computing. The logarithm of a number next to 1 begins 34 places below the point; a power
 * multiplies it, and what it lacks, by up to 10^38.
 */
const SCALE = 80;
const ONE = 10n ** BigInt(SCALE);

const LN_10 = logarithmNear(10n * ONE);

/** `e^x`. Beyond the range of decimals it is infinite, or zero. */
export function exponential(x: DecimalNumber): DecimalNumber {
  if (typeof x === 'number') return Number.isNaN(x) ? x : x > 0 ? x : bigOf('0');
  if (x.signum() === 0) return bigOf('1');
  if (leadingPlace(x) > 5) return x.signum() > 0 ? Infinity : bigOf('0');
  const scaled = x.setScale(SCALE, RoundingMode.HALF_EVEN).unscaledValue();
  // e^x = 10^k × e^r, with r below ln 10.
  const tens = floorDivide(scaled, LN_10);
  const rest = scaled - tens * LN_10;
  return Big(exponentialSmall(rest), SCALE - Number(tens));
}

/** `e^r` for a small scaled r: halved until the series is short, then squared back. */
function exponentialSmall(rest: bigint): bigint {
  const halvings = 8n;
  const small = rest >> halvings;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (term * small) / (ONE * n);
    sum += term;
  }
  for (let step = 0n; step < halvings; step += 1n) sum = (sum * sum) / ONE;
  return sum;
}

export function logarithm(x: DecimalNumber): DecimalNumber {
  if (typeof x === 'number') return x;
  // x = m × 10^k with m near 1.
  const tens = leadingPlace(x);
  const mantissa = x.scaleByPowerOfTen(-tens).setScale(SCALE, RoundingMode.HALF_EVEN).unscaledValue();
  return Big(logarithmNear(mantissa) + BigInt(tens) * LN_10, SCALE);
}

export function logarithm10(x: DecimalNumber): DecimalNumber {
  if (typeof x === 'number') return x;
  const tens = leadingPlace(x);
  const mantissa = x.scaleByPowerOfTen(-tens).setScale(SCALE, RoundingMode.HALF_EVEN).unscaledValue();
  const part = (logarithmNear(mantissa) * ONE) / LN_10;
  return Big(part + BigInt(tens) * ONE, SCALE);
}

/** ln m for a scaled m from 1 to 10: roots bring it near 1, where ln m = 2 artanh((m - 1) / (m + 1)). */
function logarithmNear(mantissa: bigint): bigint {
  let reduced = mantissa;
  let doublings = 0n;
  while (reduced > ONE + ONE / 16n) {
    reduced = squareRoot(reduced * ONE);
    doublings += 1n;
  }
  const quotient = ((reduced - ONE) * ONE) / (reduced + ONE);
  const square = (quotient * quotient) / ONE;
  let term = quotient;
  let sum = 0n;
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term / n;
    term = (term * square) / ONE;
  }
  return (2n * sum) << doublings;
}

/** The integer square root of a number that a double holds nearly, by Newton from above. */
function squareRoot(value: bigint): bigint {
  let guess = BigInt(Math.sqrt(Number(value)) * (1 + 1e-15));
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** `x^y` for a positive x; integral powers are the caller's where they must be exact. */
export function power(x: BigDecimal, y: DecimalNumber): DecimalNumber {
  const log = logarithm(x);
  if (typeof log === 'number' || typeof y === 'number') return Math.pow(Number(x.toString()), Number(y));
  return exponential(log.multiply(y));
}
