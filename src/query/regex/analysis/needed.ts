/** Text that every match of a pattern has in it: a subject without it is refused before any matching. */
import { someNode, type Node } from '../tree.ts';
import { isAccept } from './lengths.ts';

/** The longest such text that is found, or empty. A match has it at or after where it begins, lookarounds aside. */
export function neededText(tree: Node): string {
  // What follows an (*ACCEPT) need not be there.
  if (someNode(tree, isAccept)) return '';
  return needsOf(tree).longest;
}

interface Needs {
  /** Text that each match begins and ends with, and the longest known inside of it. */
  readonly start: string;
  readonly end: string;
  readonly longest: string;
  /** It matches that text, and nothing else. */
  readonly whole: boolean;
}

const NOTHING: Needs = { start: '', end: '', longest: '', whole: false };
const EMPTY: Needs = { ...NOTHING, whole: true };

function needsOf(node: Node): Needs {
  switch (node.kind) {
    case 'literal': {
      if (node.fold) return NOTHING;
      const text = String.fromCodePoint(node.code);
      return { start: text, end: text, longest: text, whole: true };
    }
    case 'anchor':
    case 'look':
    case 'keep':
      return EMPTY;
    case 'sequence':
      return node.items.map(needsOf).reduce(join, EMPTY);
    case 'group':
    case 'atomic':
      return needsOf(node.body);
    case 'repeat':
      return node.min > 0 ? { ...needsOf(node.body), whole: false } : NOTHING;
    case 'verb':
      return EMPTY;
    default:
      return NOTHING;
  }
}

function join(one: Needs, other: Needs): Needs {
  const between = one.end + other.start;
  return {
    start: one.whole ? one.start + other.start : one.start,
    end: other.whole ? one.end + other.end : other.end,
    longest: [one.longest, between, other.longest].reduce(longer),
    whole: one.whole && other.whole,
  };
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one;
}
