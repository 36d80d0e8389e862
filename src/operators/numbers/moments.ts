/** Sums for deviations and covariances, by Welford's method, and by Chan's for merging parts. */

export type MomentsOf = 'population' | 'sample';

/** Of pairs of numbers; of single ones, each is its own pair. */
export class Moments {
  #count = 0;
  #meanX = 0;
  #meanY = 0;
  #products = 0;
  /** Infinities and NaN of pairs, which count only in what they make of the result. */
  #special = 0;

  add(x: number, y = x): void {
    this.#count += 1;
    const delta = x - this.#meanX;
    this.#meanX += delta / this.#count;
    this.#meanY += (y - this.#meanY) / this.#count;
    this.#products += delta * (y - this.#meanY);
  }

  addPair(x: number, y: number): void {
    if (Number.isFinite(x) && Number.isFinite(y)) this.add(x, y);
    else this.#special += specialOf(x) + specialOf(y);
  }

  merge(other: Moments): void {
    this.#special += other.#special;
    if (other.#count === 0) return;
    const count = this.#count + other.#count;
    const x = other.#meanX - this.#meanX;
    const y = other.#meanY - this.#meanY;
    this.#products += other.#products + ((x * y * this.#count) / count) * other.#count;
    this.#meanX += (x * other.#count) / count;
    this.#meanY += (y * other.#count) / count;
    this.#count = count;
  }

  /** The covariance of pairs, which is the variance of single numbers. */
  covariance(kind: MomentsOf): number | null {
    if (this.#count === 1 && kind === 'population' && this.#special !== 0) return 0;
    const divisor = kind === 'population' ? this.#count : this.#count - 1;
    return divisor <= 0 ? null : (this.#products + this.#special) / divisor;
  }
}

function specialOf(value: number): number {
  return Number.isFinite(value) ? 0 : value;
}
