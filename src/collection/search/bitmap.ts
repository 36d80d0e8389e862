/** Positions up to a last one, a bit each. */
export class Bitmap {
  readonly #words: Uint32Array;

  constructor(last: number, seqs: readonly number[] = []) {
    this.#words = new Uint32Array((last >>> 5) + 1);
    for (const seq of seqs) this.add(seq);
  }

  has(seq: number): boolean {
    return (this.#word(seq >>> 5) & (1 << (seq & 31))) !== 0;
  }

  add(seq: number): void {
    this.#words[seq >>> 5] = this.#word(seq >>> 5) | (1 << (seq & 31));
  }

  /** Ascending. */
  list(): readonly number[] {
    const seqs: number[] = [];
    for (const [at, word] of this.#words.entries()) {
      // The lowest bit first, until none is left.
      for (let left = word; left !== 0; left &= left - 1) seqs.push(at * 32 + 31 - Math.clz32(left & -left));
    }
    return seqs;
  }

  #word(at: number): number {
    return this.#words[at] ?? 0;
  }
}
