/** Literal texts in every match of a pattern: for ranges over an index, and to refuse texts without a search. */
import { someNode, type Node } from '../tree.ts';
import { isAccept } from './lengths.ts';

/** Facts about the text that a node matches. */
export interface Texts {
  /** It asserts the start of the subject before it takes anything. */
  readonly anchored: boolean;
  /** One behind the other: each match begins with the first and ends with the last. Some could be longer. */
  readonly texts: readonly string[];
  /** It matches the one text and nothing else, so that what follows it follows the text. */
  readonly whole: boolean;
  /** It asserts nothing beyond the start. */
  readonly plain: boolean;
}

const NOTHING: Texts = { anchored: false, texts: ['', ''], whole: false, plain: false };
const EMPTY: Texts = { anchored: false, texts: [''], whole: true, plain: true };

/**
 * The longest text that is left to the string's own search: V8 prepares for the last 250 units of a text, and compares
 * the others anew at every place.
 */
export const MOST_SEARCHED = 200;

/** Texts to look for in a subject, in their order, at or after where a match begins. */
export function neededTexts(tree: Node): readonly string[] {
  // What follows an (*ACCEPT) need not be there.
  if (someNode(tree, isAccept)) return [];
  return textsOf(tree)
    .texts.filter((text) => text !== '')
    .map((text) => text.slice(0, MOST_SEARCHED));
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

/** `undefined` when the matches need not begin at the start of the subject, or with nothing in particular. */
export function prefixOf({ anchored, texts: [prefix = ''] }: Texts): string | undefined {
  return anchored && prefix !== '' ? prefix : undefined;
}

export function textsOf(node: Node): Texts {
  switch (node.kind) {
    case 'literal':
      return { ...EMPTY, texts: [String.fromCodePoint(node.code)] };
    case 'look':
    case 'keep':
      // They take nothing, and may assert something of what follows.
      return { ...EMPTY, plain: false };
    case 'verb':
      // One may end the match before what follows it.
      return isAccept(node) ? NOTHING : { ...EMPTY, plain: false };
    case 'anchor':
      return { ...EMPTY, anchored: node.anchor === 'start', plain: node.anchor === 'start' };
    case 'sequence':
      return joined(node.items.map(textsOf));
    case 'choice':
      return eitherOf(node.branches.map(textsOf));
    case 'group':
    case 'atomic':
      return textsOf(node.body);
    case 'repeat': {
      if (node.min === 0) return NOTHING;
      const { anchored, texts, whole } = textsOf(node.body);
      // One round is certain; the next part may be another round.
      return { anchored, texts: whole ? [...texts, ''] : texts, whole: false, plain: false };
    }
    default:
      return NOTHING;
  }
}

function joined(items: readonly Texts[]): Texts {
  const texts = [''];
  for (const item of items) {
    const [first = '', ...rest] = item.texts;
    texts.push((texts.pop() ?? '') + first, ...rest);
  }
  return {
    anchored: items[0]?.anchored ?? false,
    texts,
    whole: items.every(({ whole }) => whole),
    // An anchor that is not first, a second `^` say, asserts something.
    plain: items.every(({ plain, anchored }, index) => plain && (index === 0 || !anchored)),
  };
}

function eitherOf(branches: readonly Texts[]): Texts {
  return {
    ...NOTHING,
    anchored: branches.every(({ anchored }) => anchored),
    texts: [branches.map(({ texts: [first = ''] }) => first).reduce(commonPrefix), ''],
  };
}

/** The longest text with which both begin, in whole code points. */
function commonPrefix(a: string, b: string): string {
  let common = '';
  for (const char of a) {
    if (!b.startsWith(common + char)) break;
    common += char;
  }
  return common;
}
