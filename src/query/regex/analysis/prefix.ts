/** The literal text with which every match of a pattern begins: for ranges over an index and for fast paths. */
import type { Node } from '../tree.ts';

/** A text with which every subject that matches begins. */
export interface Prefix {
  readonly prefix: string;
  /** Every subject that begins with the text matches, too. */
  readonly exact: boolean;
}

/** Facts about the text that a node matches. */
interface Known {
  /** The node asserts the start of the subject before it takes anything. */
  readonly anchored: boolean;
  readonly text: string;
  /** The node matches the text and nothing else, so that what follows it follows the text. */
  readonly whole: boolean;
  /** The node asserts nothing beyond the start. */
  readonly plain: boolean;
}

const NOTHING: Known = { anchored: false, text: '', whole: false, plain: false };
const EMPTY: Known = { anchored: false, text: '', whole: true, plain: true };

/** `undefined` when the matches need not begin at the start of the subject, or with nothing in particular. */
export function prefixOf(tree: Node): Prefix | undefined {
  const known = know(tree);
  if (!known.anchored || known.text === '') return undefined;
  return { prefix: known.text, exact: known.whole && known.plain };
}

/** Whether a match can only begin where the subject does. */
export function isAnchored(tree: Node): boolean {
  return know(tree).anchored;
}

/** The text with which a subject begins that a tree matches as a whole. It may be shorter than it could be, never wrong. */
export function beginningOf(tree: Node): string {
  return know(tree).text;
}

/** The text of a tree that is nothing but literal characters. */
export function literalOf(tree: Node): string | undefined {
  const known = know(tree);
  return known.whole && known.plain && !known.anchored ? known.text : undefined;
}

function know(node: Node): Known {
  switch (node.kind) {
    case 'literal':
      return node.fold ? NOTHING : { ...EMPTY, text: String.fromCodePoint(node.code) };
    case 'set':
    case 'linebreak':
    case 'grapheme':
    case 'backreference':
    case 'call':
    case 'conditional':
    case 'verb':
      // A verb may end the match before what follows it.
      return NOTHING;
    case 'look':
    case 'keep':
      // They take nothing, and may assert something of what follows.
      return { ...EMPTY, plain: false };
    case 'anchor':
      return { ...EMPTY, anchored: node.anchor === 'start', plain: node.anchor === 'start' };
    case 'sequence':
      return knowSequence(node.items);
    case 'choice':
      return knowChoice(node.branches.map(know));
    case 'group':
    case 'atomic':
      return know(node.body);
    case 'repeat':
      // One round is certain; the next part may be another round.
      return node.min > 0 ? { ...know(node.body), whole: false, plain: false } : NOTHING;
  }
}

function knowSequence(items: readonly Node[]): Known {
  let known = EMPTY;
  for (const [index, item] of items.entries()) {
    const next = know(item);
    known = {
      anchored: index === 0 ? next.anchored : known.anchored,
      text: known.text + next.text,
      whole: next.whole,
      // An anchor that is not first, a second `^` say, asserts something.
      plain: known.plain && next.plain && (index === 0 || !next.anchored),
    };
    if (!next.whole) break;
  }
  return known;
}

function knowChoice(branches: readonly Known[]): Known {
  const texts = branches.map((branch) => branch.text);
  return {
    anchored: branches.every((branch) => branch.anchored),
    text: texts.reduce(commonPrefix),
    whole: false,
    plain: false,
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
