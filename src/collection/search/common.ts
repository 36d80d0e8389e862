/** The positions that several sources have in common. */
import type { Source } from '../../query/plan/prepare.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import type { SearchReader } from './reader.ts';

/** Ascending; null where one of the sources has more than `most`: its list would be in memory. */
export function commonPositions(
  records: SearchReader,
  sources: readonly Pick<Source, 'positions' | 'parameters'>[],
  most: number,
): readonly number[] | null {
  const last = records.lastSeq();
  let common: Marks | null = null;
  for (const source of sources) {
    const seqs = records.listed(source, ALWAYS, most + 1);
    if (seqs.length > most) return null;
    const marks = new Marks(last);
    for (const seq of seqs) if (common === null || common.has(seq)) marks.add(seq);
    common = marks;
  }
  return common?.list() ?? [];
}

/** Positions up to the last one, a bit each. */
class Marks {
  readonly #words: Uint32Array;

  constructor(last: number) {
    this.#words = new Uint32Array((last >>> 5) + 1);
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
