/** Text that a pattern is likely to match: random subjects hardly ever reach the end of a pattern. */
import { childrenOf, type Tree } from './tree.ts';

const MOST_CALLS = 3;
const MOST_WRITTEN = 40;

/** Characters written by following the tree. `picks` decide which branches and how many turns, in turn. */
export function sampleOf(tree: Tree, picks: readonly number[]): string[] {
  const bodies = new Map<number, Tree>([[0, tree]]);
  collect(tree, bodies);
  return new Sampler(bodies, picks).follow(tree, 0);
}

function collect(tree: Tree, bodies: Map<number, Tree>): void {
  if (tree.kind === 'capture' && !bodies.has(tree.number)) bodies.set(tree.number, tree);
  for (const child of childrenOf(tree)) collect(child, bodies);
}

class Sampler {
  readonly #bodies: ReadonlyMap<number, Tree>;
  readonly #picks: readonly number[];
  readonly #told = new Map<number, string[]>();
  #next = 0;
  #written = 0;

  constructor(bodies: ReadonlyMap<number, Tree>, picks: readonly number[]) {
    this.#bodies = bodies;
    this.#picks = picks;
  }

  follow(tree: Tree, calls: number): string[] {
    switch (tree.kind) {
      case 'char':
        return this.#write(tree.char);
      case 'set': {
        const chars = ['a', 'b', 'c'].filter((char) => tree.chars.includes(char) !== tree.negated);
        return this.#write((tree.negated ? chars[this.#pick(chars.length)] : tree.chars[0]) ?? 'a');
      }
      case 'dot':
        return this.#write(this.#pick(2) === 0 ? 'a' : 'b');
      case 'linebreak':
        return this.#write(this.#pick(2) === 0 ? '\n' : '\r');
      case 'sequence':
        return tree.items.flatMap((item) => this.follow(item, calls));
      case 'choice':
      case 'reset': {
        const branch = tree.branches[this.#pick(tree.branches.length)];
        return branch ? this.follow(branch, calls) : [];
      }
      case 'capture': {
        const text = this.follow(tree.body, calls);
        this.#told.set(tree.number, text);
        return text;
      }
      case 'fold':
      case 'atomic':
        return this.follow(tree.body, calls);
      case 'repeat': {
        const turns = tree.min + this.#pick(Math.min(3, (tree.max ?? 99) - tree.min + 1));
        return Array.from({ length: turns }).flatMap(() => this.follow(tree.body, calls));
      }
      case 'backreference':
        return (this.#told.get(tree.group) ?? []).flatMap((char) => this.#write(char));
      case 'call': {
        const body = calls < MOST_CALLS ? this.#bodies.get(tree.group) : undefined;
        return body ? this.follow(body, calls + 1) : [];
      }
      case 'condition':
        return this.#pick(2) === 0 || !tree.no ? this.follow(tree.yes, calls) : this.follow(tree.no, calls);
      case 'anchor':
      case 'look':
      case 'define':
        return [];
    }
  }

  #write(char: string): string[] {
    this.#written += 1;
    return this.#written > MOST_WRITTEN ? [] : [char];
  }

  #pick(count: number): number {
    const pick = this.#picks[this.#next % this.#picks.length] ?? 0;
    this.#next += 1;
    return count === 0 ? 0 : pick % count;
  }
}
