/**
 * Which patterns run in linear time: those where the outcome at a place of the program and of the subject depends on
 * nothing else, so that no place need be tried twice.
 */
import type { Node } from '../tree.ts';

/** Steps of a program. 1,000 characters without counted repetitions stay well below. */
const MOST_STEPS = 4000;
/** The largest count, and product of nested ones. */
const MOST_COPIES = 1000;

interface Measure {
  /** Steps that one place of the subject may take at the worst. */
  readonly size: number;
  /** The largest product of nested counts. */
  readonly copies: number;
}

const ONE: Measure = { size: 1, copies: 1 };
const NEVER: Measure = { size: Infinity, copies: 1 };

/** The size of the program for a tree, without making it; undefined where it cannot note what it has tried. */
export function memoSize(tree: Node): number | undefined {
  const { size, copies } = measure(tree);
  return copies <= MOST_COPIES && size <= MOST_STEPS ? size : undefined;
}

/** Counted repetitions are written out, so a short pattern can ask for a very large program. */
function measure(node: Node): Measure {
  switch (node.kind) {
    case 'literal':
    case 'set':
    case 'anchor':
    case 'keep':
      return ONE;
    case 'linebreak':
      return { size: 2, copies: 1 };
    case 'sequence':
      return sum(node.items, 0);
    case 'choice':
      return sum(node.branches, node.branches.length);
    case 'group': {
      const body = measure(node.body);
      return { size: body.size + (node.number === null ? 0 : 2), copies: body.copies };
    }
    case 'repeat': {
      const body = measure(node.body);
      const count = Math.max(1, node.max ?? node.min);
      const optional = node.max === null ? 2 : node.max - node.min;
      return { size: body.size * count + optional, copies: body.copies * count };
    }
    case 'atomic':
      // Others forget ways that a second visit to a place would miss.
      return isOneWay(node.body) ? measure(node.body) : NEVER;
    default:
      return NEVER;
  }
}

/** Whether it matches in one way only once its quantifier gives nothing back. */
function isOneWay(node: Node): boolean {
  if (node.kind === 'repeat') return !node.lazy && isOneWay(node.body) && node.body.kind !== 'repeat';
  return node.kind === 'literal' || node.kind === 'set';
}

function sum(nodes: readonly Node[], extra: number): Measure {
  const all = nodes.map(measure);
  return {
    size: all.reduce((total, one) => total + one.size, extra),
    copies: all.reduce((most, one) => Math.max(most, one.copies), 1),
  };
}
