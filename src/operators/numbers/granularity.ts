/**
 * Preferred numbers, where `bucketAuto` puts its boundaries: MongoDB's `granularity`. Rounding up gives the next
 * number of a series above, rounding down the next below, at any power of ten; zero stays.
 */
import { Decimal, type Value, doubleOf } from '../../domain/values/values.ts';
import { compareNumbers, isNotANumber, isNumber, type NumberValue } from '../../query/order/numbers.ts';
import type { Meter } from '../core/meter.ts';
import { divide, multiply } from './arithmetic.ts';
import { integerResult, isTrue, numberKind, toBigInt, toDouble } from './kinds.ts';

export interface Granularity {
  readonly up: (value: NumberValue, meter: Meter) => NumberValue;
  readonly down: (value: NumberValue, meter: Meter) => NumberValue;
}

/** IEC 60063: a number of values per decade, of three digits. One of the 192 is not where the power would put it. */
const E192 = Array.from({ length: 192 }, (_, step) =>
  step === 185 ? 920 : Math.round(100 * 10 ** (step / 192)),
);
const E24 = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91];
/** ISO 3, as MongoDB has it: its R40 goes without 335, and its R80 without the numbers of R40. */
const R40 = [
  100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250, 265, 280, 300, 315,
  355, 375, 400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900, 950,
];
const R80 = [
  103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258, 272, 290, 307, 325,
  345, 365, 387, 412, 437, 462, 487, 515, 545, 575, 615, 650, 690, 730, 775, 825, 875, 925, 975,
];
const R20 = [
  100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800, 900,
];

function every(step: number, series: readonly number[]): readonly number[] {
  return series.filter((_, index) => index % step === 0);
}

export const GRANULARITIES: Readonly<Record<string, Granularity>> = {
  R5: ofSeries([10, 16, 25, 40, 63]),
  R10: ofSeries(every(2, R20)),
  R20: ofSeries(R20),
  R40: ofSeries(R40),
  R80: ofSeries(R80),
  '1-2-5': ofSeries([10, 20, 50]),
  E6: ofSeries(every(4, E24)),
  E12: ofSeries(every(2, E24)),
  E24: ofSeries(E24),
  E48: ofSeries(every(4, E192)),
  E96: ofSeries(every(2, E192)),
  E192: ofSeries(E192),
  POWERSOF2: { up: (value) => powerOfTwo(value, 'above'), down: (value) => powerOfTwo(value, 'below') },
};

/** A number that can be rounded so: finite, and not below zero. */
export function isRoundable(value: Value | undefined): value is NumberValue {
  if (!isNumber(value) || isNotANumber(value)) return false;
  return compareNumbers(value, 0) >= 0 && compareNumbers(value, Infinity) < 0;
}

/** Units of each step to another power of ten; of a decimal there are thousands. */
const STEP_UNITS = 2;
const DECIMAL_STEP_UNITS = 60;

function ofSeries(series: readonly number[]): Granularity {
  const first = series[0] ?? 1;
  const last = series.at(-1) ?? 1;
  const scaled = (value: NumberValue, meter: Meter): Scaled => new Scaled(value, meter);
  return {
    up: (value, meter) => {
      if (!isTrue(value)) return value;
      const scale = scaled(value, meter);
      while (scale.compare(last) >= 0) scale.grow();
      while (scale.compare(first) < 0) {
        const before = scale.of(first);
        if (!scale.shrink() || scale.compare(last) >= 0) return before;
      }
      return scale.of(series.find((each) => scale.compare(each) < 0) ?? last);
    },
    down: (value, meter) => {
      if (!isTrue(value)) return value;
      const scale = scaled(value, meter);
      while (scale.compare(first) <= 0) if (!scale.shrink()) return 0;
      while (scale.compare(last) > 0) {
        const before = scale.of(last);
        scale.grow();
        if (scale.compare(first) <= 0) return before;
      }
      return scale.of(series.findLast((each) => scale.compare(each) > 0) ?? first);
    },
  };
}

/** A number beside a series at a power of ten, in doubles, or in decimals where it is one. */
class Scaled {
  readonly #value: NumberValue;
  readonly #meter: Meter;
  readonly #units: number;
  #power: NumberValue;

  constructor(value: NumberValue, meter: Meter) {
    const decimal = value instanceof Decimal;
    this.#value = value;
    this.#meter = meter;
    this.#units = decimal ? DECIMAL_STEP_UNITS : STEP_UNITS;
    this.#power = decimal ? new Decimal('1') : doubleOf(1);
  }

  /** A number of the series at this power. */
  of(number: number): NumberValue {
    return multiply(number, this.#power);
  }

  /** Below, equal or above zero as the value is below, equal to or above that number. */
  compare(number: number): number {
    return compareNumbers(this.#value, this.of(number));
  }

  grow(): void {
    this.#meter.spend(this.#units);
    this.#power = multiply(this.#power, 10);
  }

  /** False where there is no smaller power. */
  shrink(): boolean {
    this.#meter.spend(this.#units);
    const power = divide(this.#power, 10);
    if (!isNumber(power) || !isTrue(power)) return false;
    this.#power = power;
    return true;
  }
}

function powerOfTwo(value: NumberValue, side: 'above' | 'below'): NumberValue {
  if (!isTrue(value)) return value;
  const kind = numberKind(value);
  const near =
    kind === 'int' || kind === 'long' ? toBigInt(value).toString(2).length - 1 : Math.log2(toDouble(value));
  let exponent = Math.floor(near);
  // The logarithm is rounded.
  while (compareNumbers(twoTo(exponent), value) > 0) exponent -= 1;
  while (compareNumbers(twoTo(exponent + 1), value) <= 0) exponent += 1;
  if (side === 'above') exponent += 1;
  else if (compareNumbers(twoTo(exponent), value) === 0) exponent -= 1;
  const power = twoTo(exponent);
  return kind === 'decimal' ? multiply(power, new Decimal('1')) : power;
}

function twoTo(exponent: number): NumberValue {
  return exponent >= 0 && exponent < 63
    ? integerResult(2n ** BigInt(exponent), 'int')
    : doubleOf(2 ** exponent);
}
