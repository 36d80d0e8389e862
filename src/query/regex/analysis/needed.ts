/** Texts that every match of a pattern has in it: a subject without them is refused before any matching. */
import { someNode, type Node } from '../tree.ts';
import { isAccept } from './lengths.ts';

/** Such texts, in the order in which a match has them, one behind the other, at or after where it begins. */
export function neededTexts(tree: Node): readonly string[] {
  // What follows an (*ACCEPT) need not be there.
  if (someNode(tree, isAccept)) return [];
  return needsOf(tree).texts.filter((text) => text !== '');
}

export function hasAll(subject: string, from: number, texts: readonly string[]): boolean {
  let at = from;
  for (const text of texts) {
    const found = subject.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return true;
}

interface Needs {
  /** Each match begins with the first and ends with the last. */
  readonly texts: readonly string[];
  /** It matches the one text, and nothing else. */
  readonly whole: boolean;
}

const NOTHING: Needs = { texts: ['', ''], whole: false };
const EMPTY: Needs = { texts: [''], whole: true };

function needsOf(node: Node): Needs {
  switch (node.kind) {
    case 'literal':
      return node.fold ? NOTHING : { texts: [String.fromCodePoint(node.code)], whole: true };
    case 'anchor':
    case 'look':
    case 'keep':
    case 'verb':
      return EMPTY;
    case 'sequence':
      return node.items.map(needsOf).reduce(join, EMPTY);
    case 'group':
    case 'atomic':
      return needsOf(node.body);
    case 'repeat': {
      const { texts, whole } = node.min > 0 ? needsOf(node.body) : NOTHING;
      // The first turn may be the last: its text is there once.
      return { texts: whole ? [...texts, ''] : texts, whole: false };
    }
    default:
      return NOTHING;
  }
}

function join(one: Needs, other: Needs): Needs {
  const [first = '', ...rest] = other.texts;
  return {
    texts: [...one.texts.slice(0, -1), (one.texts.at(-1) ?? '') + first, ...rest],
    whole: one.whole && other.whole,
  };
}
