/**
 * The size of the engine's program for a tree, without making it: the engine copies counted repetitions out, so a short
 * pattern can ask for a very large program.
 */
import type { Node } from '../tree.ts';

export interface Measure {
  /** Instructions, never fewer than the engine will make but for a handful. */
  readonly size: number;
  /** The largest product of nested counts. */
  readonly copies: number;
}

const RANGES_PER_UNIT = 16;
const ONE: Measure = { size: 1, copies: 1 };

export function measure(node: Node): Measure {
  switch (node.kind) {
    case 'literal':
    case 'anchor':
      return ONE;
    case 'set': {
      // One instruction, but the ranges of a set take memory, and time to be written out.
      const ranges = node.parts.reduce(
        (count, part) => count + (part.kind === 'ranges' ? part.ranges.length : 1),
        0,
      );
      return { size: 1 + Math.floor(ranges / RANGES_PER_UNIT), copies: 1 };
    }
    case 'linebreak':
      return { size: 4, copies: 1 };
    case 'sequence':
      return sum(node.items, 1);
    case 'choice':
      return sum(node.branches, node.branches.length);
    case 'group': {
      const body = measure(node.body);
      return { size: body.size + 2, copies: body.copies };
    }
    case 'repeat': {
      const body = measure(node.body);
      const count = Math.max(1, node.max ?? node.min);
      const optional = node.max === null ? 2 : node.max - node.min;
      return { size: body.size * count + optional, copies: body.copies * count };
    }
    default:
      return { size: Infinity, copies: 1 };
  }
}

function sum(nodes: readonly Node[], extra: number): Measure {
  const all = nodes.map(measure);
  return {
    size: all.reduce((total, one) => total + one.size, extra),
    copies: all.reduce((most, one) => Math.max(most, one.copies), 1),
  };
}
