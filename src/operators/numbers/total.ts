/**
 * A sum of numbers of any kinds, for `$sum`, `$add` and `$avg`. It is exact and rounded once, at its end: the order of
 * its parts matters only for doubles and decimals of extreme sizes.
 */
import { type Value, doubleOf } from '../../domain/values/values.ts';
import { isList } from '../../domain/values/tree.ts';
import { isNumber, type NumberValue } from '../../query/order/numbers.ts';
import {
  bigOf,
  compute,
  decimalResult,
  leadingPlace,
  toDecimalNumber,
  type DecimalNumber,
} from './decimals.ts';
import { Expansion } from './expansion.ts';
import { integerResult, isKind, numberKind, toBigInt, toDouble, widest, type NumberKind } from './kinds.ts';

/** No sum of as many doubles below this as there can be overflows on its way. */
const MOST_DOUBLE = 1e288;

/** Places between the first digit of the largest decimal and the last one of any, up to which sums are exact. */
const MOST_PLACES = 200;

export class Total {
  #kind: NumberKind = 'int';
  /** The integers as long as they are exact, and those before. */
  #small = 0;
  #large = 0n;
  readonly #doubles = new Expansion();
  /** The plain sum of the doubles, which alone is right once an infinity or NaN is in it. */
  #plain = 0;
  #decimal: DecimalNumber | null = null;
  /**
   * Of all decimals: the place of the first digit of the largest, and that of the last digit of any. The 0 that they
   * are added to has a last digit too.
   */
  #first = -Infinity;
  #last = 0;
  #exact = true;
  count = 0;

  add(value: NumberValue): void {
    this.count += 1;
    const kind = numberKind(value);
    this.#kind = widest(this.#kind, kind);
    if (kind === 'decimal') {
      const decimal = toDecimalNumber(value, 34);
      if (typeof decimal === 'number') this.#exact = false;
      else this.#reach(leadingPlace(decimal), -decimal.scale());
      this.#addDecimal(decimal);
    } else if (kind === 'double') {
      const double = toDouble(value);
      if (!(Math.abs(double) < MOST_DOUBLE)) this.#exact = false;
      this.#plain += double;
      this.#doubles.add(double);
    } else if (typeof value === 'number') {
      const sum = this.#small + value;
      if (Number.isSafeInteger(sum)) this.#small = sum;
      else this.#large += BigInt(value);
    } else {
      this.#large += toBigInt(value);
    }
  }

  merge(other: Total): void {
    this.count += other.count;
    this.#kind = widest(this.#kind, other.#kind);
    this.#exact &&= other.#exact;
    this.#reach(other.#first, other.#last);
    if (other.#decimal !== null) this.#addDecimal(other.#decimal);
    this.#plain += other.#plain;
    this.#doubles.addAll(other.#doubles);
    this.#large += other.#large;
    const small = this.#small + other.#small;
    if (Number.isSafeInteger(small)) this.#small = small;
    else this.#large += BigInt(other.#small);
  }

  /** All that it is, as a value; undefined where it is not exact. */
  get packed(): Value | undefined {
    if (!this.#exact || typeof this.#decimal === 'number') return undefined;
    const doubles = [this.#plain, ...this.#doubles.parts].map(doubleOf);
    const decimal = this.#decimal && [this.#decimal.toString(), this.#first, this.#last];
    return [this.#kind, this.count, this.#integer.toString(), doubles, decimal];
  }

  /** The total that was packed; undefined for what is none. */
  static unpacked(packed: Value): Total | undefined {
    if (!isList(packed)) return undefined;
    const [kind, count, integer, doubles, decimal] = packed;
    const isTotal = isKind(kind) && typeof count === 'number' && typeof integer === 'string';
    if (!isTotal || doubles === undefined || !isList(doubles) || decimal === undefined) return undefined;
    const total = new Total();
    total.#kind = kind;
    total.count = count;
    total.#large = BigInt(integer);
    const [plain = 0, ...parts] = doubles.filter(isNumber).map(toDouble);
    total.#plain = plain;
    for (const part of parts) total.#doubles.add(part);
    if (decimal === null) return total;
    const [text, first, last] = isList(decimal) ? decimal : [];
    if (typeof text !== 'string' || typeof first !== 'number' || typeof last !== 'number') return undefined;
    total.#decimal = bigOf(text);
    total.#reach(first, last);
    return total;
  }

  /** True where the same numbers in any order, merged in any way, have exactly this sum and this mean. */
  get isExact(): boolean {
    return this.#exact;
  }

  #reach(first: number, last: number): void {
    this.#first = Math.max(this.#first, first);
    this.#last = Math.min(this.#last, last);
    if (this.#first - this.#last > MOST_PLACES) this.#exact = false;
  }

  #addDecimal(value: DecimalNumber): void {
    const sum = this.#decimal ?? bigOf('0');
    const isExact = this.#exact && typeof sum !== 'number' && typeof value !== 'number';
    this.#decimal = isExact ? sum.add(value) : compute('add', sum, value);
  }

  get #integer(): bigint {
    return this.#large + BigInt(this.#small);
  }

  get #double(): number {
    const sum = new Expansion();
    sum.addAll(this.#doubles);
    if (!Number.isFinite(this.#plain) || !Number.isFinite(sum.nearest)) return this.#plain;
    // Beyond 2^53 an integer is several doubles, the first of them the nearest: none of it is lost.
    for (let left = this.#integer; left !== 0n;) {
      const nearest = Number(left);
      sum.add(nearest);
      if (!Number.isFinite(nearest)) break;
      left -= BigInt(nearest);
    }
    return sum.nearest;
  }

  get #asDecimal(): DecimalNumber {
    const sum = compute('add', this.#decimal ?? bigOf('0'), bigOf(this.#integer));
    const { nearest, rest } = this.#doubles;
    if (this.#plain === 0 && nearest === 0) return sum;
    if (!Number.isFinite(this.#plain) || !Number.isFinite(nearest)) {
      return compute('add', sum, toDecimalNumber(doubleOf(this.#plain), 34));
    }
    return [nearest, rest].reduce<DecimalNumber>(
      (total, part) => compute('add', total, toDecimalNumber(doubleOf(part), 34)),
      sum,
    );
  }

  /** The sum in the widest kind of its parts; 0 of none. Integers beyond 64 bits sum to a double, as MongoDB's. */
  get value(): Value {
    if (this.#kind === 'decimal') return decimalResult(this.#asDecimal);
    return this.#kind === 'double' ? doubleOf(this.#double) : integerResult(this.#integer, this.#kind);
  }

  /** The mean: a double, or a decimal when there is one among the parts; null of none. */
  get mean(): Value {
    if (this.count === 0) return null;
    if (this.#kind === 'decimal')
      return decimalResult(compute('divide', this.#asDecimal, bigOf(BigInt(this.count))));
    return doubleOf(this.#double / this.count);
  }
}
