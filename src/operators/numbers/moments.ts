/** Sums for deviations and covariances, by Welford's method, and by Chan's for merging parts. */

export type MomentsOf = 'population' | 'sample';

export class Moments {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(number: number): void {
    this.#count += 1;
    const delta = number - this.#mean;
    this.#mean += delta / this.#count;
    this.#squares += delta * (number - this.#mean);
  }

  merge(other: Moments): void {
    if (other.#count === 0) return;
    const count = this.#count + other.#count;
    const delta = other.#mean - this.#mean;
    this.#squares += other.#squares + ((delta * delta * this.#count) / count) * other.#count;
    this.#mean += (delta * other.#count) / count;
    this.#count = count;
  }

  variance(kind: MomentsOf): number | null {
    const divisor = kind === 'population' ? this.#count : this.#count - 1;
    return divisor <= 0 ? null : this.#squares / divisor;
  }
}

/** The same of pairs. */
export class JointMoments {
  #count = 0;
  #meanX = 0;
  #meanY = 0;
  #products = 0;
  /** Infinities and NaN, which count only in what they make of the result. */
  #special = 0;

  add(x: number, y: number): void {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      this.#special += specialOf(x) + specialOf(y);
      return;
    }
    this.#count += 1;
    const delta = x - this.#meanX;
    this.#meanX += delta / this.#count;
    this.#meanY += (y - this.#meanY) / this.#count;
    this.#products += delta * (y - this.#meanY);
  }

  merge(other: JointMoments): void {
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

  covariance(kind: MomentsOf): number | null {
    if (this.#count === 1 && kind === 'population') return 0;
    const divisor = kind === 'population' ? this.#count : this.#count - 1;
    return divisor <= 0 ? null : (this.#products + this.#special) / divisor;
  }
}

function specialOf(value: number): number {
  return Number.isFinite(value) ? 0 : value;
}
