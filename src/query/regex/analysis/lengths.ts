/** How many characters a part of a pattern takes: where a lookbehind may begin. */
import { childrenOf, FAIL, someNode, type Node } from '../tree.ts';

export interface Length {
  readonly min: number;
  /** Infinite where there is no bound. */
  readonly max: number;
}

const NONE: Length = { min: 0, max: 0 };
const ONE: Length = { min: 1, max: 1 };
const ANY: Length = { min: 0, max: Infinity };

/** The groups of a tree by their numbers; of those that share one, the first. */
export function bodiesOf(tree: Node): ReadonlyMap<number, Node> {
  const bodies = new Map<number, Node>([[0, tree]]);
  const visit = (node: Node): void => {
    if (node.kind === 'group' && node.number !== null && !bodies.has(node.number))
      bodies.set(node.number, node);
    childrenOf(node).forEach(visit);
  };
  visit(tree);
  return bodies;
}

export class Lengths {
  readonly #bodies: ReadonlyMap<number, Node>;
  /** Of groups; one that is being measured contains itself, and has no bound. */
  readonly #known = new Map<number, Length>();

  constructor(tree: Node) {
    this.#bodies = bodiesOf(tree);
  }

  of(node: Node): Length {
    switch (node.kind) {
      case 'literal':
      case 'set':
        return ONE;
      case 'linebreak':
        return { min: 1, max: 2 };
      case 'grapheme':
        return { min: 1, max: Infinity };
      case 'anchor':
      case 'look':
      case 'keep':
        return NONE;
      case 'verb':
        return NONE;
      case 'sequence':
        return taken(node.items)
          .map((item) => this.of(item))
          .reduce(add, NONE);
      case 'choice':
        return node.branches.map((branch) => this.of(branch)).reduce(either);
      case 'group':
      case 'atomic':
        return this.of(node.body);
      case 'repeat': {
        const body = this.of(node.body);
        const max = node.max ?? Infinity;
        return { min: body.min * node.min, max: body.max === 0 || max === 0 ? 0 : body.max * max };
      }
      case 'backreference':
        // A group that is not set matches nothing, or, in ECMAScript, the empty text.
        return { min: 0, max: Math.max(...node.groups.map((group) => this.#group(group).max)) };
      case 'call':
        return this.#called(node.groups[0] ?? 0);
      case 'conditional':
        return node.condition.kind === 'known'
          ? this.of(node.condition.holds ? node.yes : node.no)
          : either(this.of(node.yes), this.of(node.no));
    }
  }

  /** An `(*ACCEPT)` anywhere in a group ends a call of it: what follows need not be there. */
  #called(number: number): Length {
    const body = this.#bodies.get(number);
    const length = this.#group(number);
    return body && someNode(body, isAccept) ? { ...length, min: 0 } : length;
  }

  #group(number: number): Length {
    const known = this.#known.get(number);
    if (known) return known;
    this.#known.set(number, ANY);
    const body = this.#bodies.get(number);
    const length = body ? this.of(body) : ANY;
    this.#known.set(number, length);
    return length;
  }
}

/** The items up to an `(*ACCEPT)` or a `(*FAIL)`: what follows one takes nothing. */
function taken(items: readonly Node[]): readonly Node[] {
  const end = items.findIndex((item) => item === FAIL || isAccept(item));
  return end < 0 ? items : items.slice(0, end);
}

export function isAccept(node: Node): boolean {
  return node.kind === 'verb' && node.verb === 'accept';
}

function add(one: Length, other: Length): Length {
  return { min: one.min + other.min, max: one.max + other.max };
}

function either(one: Length, other: Length): Length {
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}
