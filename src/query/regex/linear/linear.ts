/** Which trees the linear engine runs exactly as PCRE does. */
import { firstOf, mayBegin, type First } from '../analysis/first.ts';
import { Lengths } from '../analysis/lengths.ts';
import { someNode, type Node } from '../tree.ts';

/** Instructions of the engine. 1,000 characters without counted repetitions stay well below. */
const MAX_PROGRAM = 4000;
/** The engine's own bound for a count, and for the product of nested ones. */
const MAX_COPIES = 1000;

const NEWLINE = 0x0a;

/** Whether something that may follow is such. */
type Follow = (test: (first: First) => boolean) => boolean;

const NOTHING_FOLLOWS: Follow = () => false;
const mayBeNewline = (first: First): boolean => mayBegin(first, NEWLINE);

/** Whether a test by the engine gives PCRE's answer. */
export function isLinear(tree: Node): boolean {
  const { size, copies } = measure(tree);
  return copies <= MAX_COPIES && size <= MAX_PROGRAM && isExact(tree, NOTHING_FOLLOWS, true);
}

/**
 * Whether the groups of a match are PCRE's, too: in a loop whose turns may take nothing they end in other ways in the
 * engine, and it numbers groups in their order.
 */
export function findsExactly(tree: Node): boolean {
  if (numbersIn(tree).some((number, index) => number !== index + 1)) return false;
  const lengths = new Lengths(tree);
  const loops = (node: Node): boolean =>
    node.kind === 'repeat' && node.max !== 0 && lengths.of(node.body).min === 0 && numbersIn(node).length > 0;
  return !someNode(tree, loops);
}

function numbersIn(tree: Node): readonly number[] {
  const numbers: number[] = [];
  someNode(tree, (node) => {
    if (node.kind === 'group' && node.number !== null) numbers.push(node.number);
    return false;
  });
  return numbers;
}

/** `first`: nothing is taken before the node. */
function isExact(node: Node, follow: Follow, first: boolean): boolean {
  switch (node.kind) {
    case 'literal':
    case 'set':
      return true;
    case 'anchor':
      if (node.anchor === 'search-start') return false;
      // The engine knows only the very end, and takes the end after a last newline for the start of a line.
      if (node.anchor === 'soft-end') return !follow(mayBeNewline);
      return node.anchor !== 'line-start' || first;
    case 'linebreak':
      // The engine may take CR alone.
      return !follow(mayBeNewline);
    case 'sequence':
      return isExactSequence(node.items, follow, first);
    case 'choice':
      return node.branches.every((branch) => isExact(branch, follow, first));
    case 'group':
      return isExact(node.body, follow, first);
    case 'repeat': {
      const { body, max } = node;
      if (max !== null && max <= 1) return isExact(body, follow, first);
      const again: Follow = (test) => test(firstOf(body)) || follow(test);
      return isExact(body, again, false);
    }
    default:
      return false;
  }
}

function isExactSequence(items: readonly Node[], follow: Follow, first: boolean): boolean {
  return items.every((item, index) => {
    const rest: Follow = (test) => {
      for (const next of items.slice(index + 1)) {
        const known = firstOf(next);
        if (test(known)) return true;
        if (!known.nullable) return false;
      }
      return follow(test);
    };
    const before = items.slice(0, index).every((each) => each.kind === 'anchor');
    return isExact(item, rest, first && before);
  });
}

interface Measure {
  /** Instructions, never fewer than the engine will make but for a handful. */
  readonly size: number;
  /** The largest product of nested counts. */
  readonly copies: number;
}

const RANGES_PER_UNIT = 16;
const ONE: Measure = { size: 1, copies: 1 };

/**
 * The size of the engine's program for a tree, without making it: the engine copies counted repetitions out, so a short
 * pattern can ask for a very large program.
 */
function measure(node: Node): Measure {
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
