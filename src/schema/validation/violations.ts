/** Violations of a document as they are found: each once, in the order of the schema, and few of them. */
import { SCHEMA_LIMITS } from '../limits.ts';
import { recall } from '../../domain/caching/recall.ts';

export interface Violation {
  /** A JSON pointer into the request document. */
  readonly pointer: string;
  readonly keyword: string;
  /** A sentence. */
  readonly detail: string;
}

export const NONE: readonly Violation[] = [];
/** Violations that are not reported. */
export const SOME: readonly Violation[] = [{ pointer: '', keyword: '', detail: '' }];

/** The violations of one schema by one value, by the ranks of its keywords. */
export class Violations {
  readonly #lists = new Map<number, Violation[]>();

  add(rank: number, violations: readonly Violation[]): void {
    const list = recall(this.#lists, rank, (): Violation[] => []);
    for (const violation of violations) {
      if (list.length < SCHEMA_LIMITS.reported && !isIn(list, violation)) list.push(violation);
    }
  }

  /** Whether no more violations of that rank will be reported. */
  isFull(rank: number): boolean {
    return (this.#lists.get(rank)?.length ?? 0) >= SCHEMA_LIMITS.reported;
  }

  inOrder(): readonly Violation[] {
    const whole = new Violations();
    const ranks = [...this.#lists.keys()].sort((a, b) => a - b);
    if (ranks.length === 1) return this.#lists.get(ranks[0] ?? 0) ?? NONE;
    for (const rank of ranks) whole.add(0, this.#lists.get(rank) ?? NONE);
    return whole.#lists.get(0) ?? NONE;
  }
}

/** Schemas that share a part find the same fault twice; it is one. */
function isIn(list: readonly Violation[], { pointer, keyword, detail }: Violation): boolean {
  return list.some(
    (other) => other.pointer === pointer && other.keyword === keyword && other.detail === detail,
  );
}
