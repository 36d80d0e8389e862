/**
 * A sum of numbers of any kinds, as `$sum`, `$add` and `$avg` need it: integers and decimals exact, doubles with the
 * error of each addition carried along, so that the order of a thousand tenths does not show.
 */
import { type Value, doubleOf } from '../../domain/values/values.ts';
import type { NumberValue } from '../../query/order/numbers.ts';
import { bigOf, compute, decimalResult, toDecimalNumber, type DecimalNumber } from './decimals.ts';
import { integerResult, numberKind, toBigInt, toDouble, widest, type NumberKind } from './kinds.ts';

export class Total {
  #kind: NumberKind = 'int';
  /** The integers as long as they are exact, and those before. */
  #small = 0;
  #large = 0n;
  /** The doubles: their sum, and what rounding took from it. */
  #sum = 0;
  #error = 0;
  /** The plain sum, which alone is right once an infinity or NaN is in it. */
  #plain = 0;
  #decimal: DecimalNumber | null = null;
  count = 0;

  add(value: NumberValue): void {
    this.count += 1;
    const kind = numberKind(value);
    this.#kind = widest(this.#kind, kind);
    if (kind === 'decimal') {
      this.#decimal = compute('add', this.#decimal ?? bigOf('0'), toDecimalNumber(value, 34));
    } else if (kind === 'double') {
      this.#addDouble(toDouble(value));
    } else if (typeof value === 'number') {
      const sum = this.#small + value;
      if (Number.isSafeInteger(sum)) this.#small = sum;
      else this.#large += BigInt(value);
    } else {
      this.#large += toBigInt(value);
    }
  }

  /** Adds what another total is the sum of. */
  merge(other: Total): void {
    this.count += other.count;
    this.#kind = widest(this.#kind, other.#kind);
    if (other.#decimal !== null) this.#decimal = compute('add', this.#decimal ?? bigOf('0'), other.#decimal);
    const plain = this.#plain + other.#plain;
    this.#addDouble(other.#sum);
    this.#error += other.#error;
    this.#plain = plain;
    this.#large += other.#large;
    const small = this.#small + other.#small;
    if (Number.isSafeInteger(small)) this.#small = small;
    else this.#large += BigInt(other.#small);
  }

  #addDouble(value: number): void {
    this.#plain += value;
    // Knuth's exact sum of two doubles: `error` is what the rounded sum lacks.
    const sum = this.#sum + value;
    const part = sum - this.#sum;
    this.#error += this.#sum - (sum - part) + (value - part);
    this.#sum = sum;
  }

  get #integer(): bigint {
    return this.#large + BigInt(this.#small);
  }

  /** The sum as a double. */
  get #double(): number {
    if (!Number.isFinite(this.#plain) || !Number.isFinite(this.#sum)) return this.#plain;
    const rest = new Total();
    rest.#sum = this.#sum;
    rest.#error = this.#error;
    // Beyond 2^53 an integer is several doubles, the first of them the nearest: none of it is lost.
    for (let left = this.#integer; left !== 0n;) {
      const nearest = Number(left);
      rest.#addDouble(nearest);
      if (!Number.isFinite(nearest)) break;
      left -= BigInt(nearest);
    }
    return rest.#sum + rest.#error;
  }

  get #exact(): DecimalNumber {
    let sum = compute('add', this.#decimal ?? bigOf('0'), bigOf(this.#integer));
    if (this.#plain === 0 && this.#sum === 0) return sum;
    const special = !Number.isFinite(this.#plain);
    sum = compute('add', sum, toDecimalNumber(doubleOf(special ? this.#plain : this.#sum), 34));
    return special ? sum : compute('add', sum, toDecimalNumber(doubleOf(this.#error), 34));
  }

  /** The sum in the widest kind of its parts; 0 of none. Integers beyond 64 bits sum to a double, as MongoDB's. */
  get value(): Value {
    if (this.#kind === 'decimal') return decimalResult(this.#exact);
    return this.#kind === 'double' ? doubleOf(this.#double) : integerResult(this.#integer, this.#kind);
  }

  /** The mean: a double, or a decimal when there is one among the parts; null of none. */
  get mean(): Value {
    if (this.count === 0) return null;
    if (this.#kind === 'decimal')
      return decimalResult(compute('divide', this.#exact, bigOf(BigInt(this.count))));
    return doubleOf(this.#double / this.count);
  }
}
