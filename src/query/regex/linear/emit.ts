/**
 * Writes the tree in the engine's syntax, without the engine's options: each construct is spelled so that it means the
 * same everywhere.
 */
import type { Anchor, CharSet, Node, Part, Range } from '../tree.ts';

/** Anchors with an unusual spelling. */
export type Anchors = Partial<Readonly<Record<Anchor, string>>>;

/** Match any one character, and nothing. */
const ALWAYS = '[\\x{0}-\\x{10ffff}]';
export const NEVER = '[^\\x{0}-\\x{10ffff}]';

/**
 * `soft-end` and `line-start` are written as their nearest kin: the engine has no exact ones. They differ only in
 * a subject that ends in a newline, and `Pattern` makes up for that.
 */
const ANCHORS: Readonly<Partial<Record<Anchor, string>>> = {
  start: '\\A',
  'line-start': '(?m:^)',
  end: '\\z',
  'soft-end': '\\z',
  'line-end': '(?m:$)',
  boundary: '\\b',
  'not-boundary': '\\B',
};

const ASCII_LINEBREAK = '(?:\\r\\n|[\\n\\r])';
const LINEBREAK = '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])';

/** Throws for a tree that `isLinear` does not take. */
export function emit(node: Node, anchors: Anchors): string {
  switch (node.kind) {
    case 'literal':
      return node.fold ? `(?i:${character(node.code)})` : character(node.code);
    case 'set':
      return emitSet(node);
    case 'anchor':
      return anchors[node.anchor] ?? ANCHORS[node.anchor] ?? unknown(node.anchor);
    case 'linebreak':
      return node.ascii ? ASCII_LINEBREAK : LINEBREAK;
    case 'sequence':
      return node.items.map((item) => emitIn(item, anchors)).join('');
    case 'choice':
      return node.branches.map((branch) => emit(branch, anchors)).join('|');
    case 'group':
      return `(${node.number === null ? '?:' : ''}${emit(node.body, anchors)})`;
    case 'repeat':
      return `(?:${emit(node.body, anchors)})${quantifier(node.min, node.max)}${node.lazy ? '?' : ''}`;
    default:
      return unknown(node.kind);
  }
}

function unknown(what: string): never {
  throw new Error(`The engine has no ${what}.`);
}

/** An item of a sequence. The parser puts choices into groups only; this keeps any tree right. */
function emitIn(node: Node, anchors: Anchors): string {
  const text = emit(node, anchors);
  return node.kind === 'choice' ? `(?:${text})` : text;
}

function quantifier(min: number, max: number | null): string {
  if (max === null) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`;
}

/** A set of nothing must never be written `[]`: the engine would read on for a bracket that closes it. */
function emitSet({ negated, parts }: CharSet): string {
  const members = parts.map(emitPart).join('');
  if (members === '') return negated ? ALWAYS : NEVER;
  return `[${negated ? '^' : ''}${members}]`;
}

function emitPart(part: Part): string {
  if (part.kind === 'property') return `\\${part.negated ? 'P' : 'p'}{${part.name}}`;
  return emitRanges(part.ranges);
}

function emitRanges(ranges: readonly Range[]): string {
  return ranges.map(([low, high]) => (low === high ? hex(low) : `${hex(low)}-${hex(high)}`)).join('');
}

function hex(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function character(code: number): string {
  const char = String.fromCodePoint(code);
  return /[A-Za-z0-9]/.test(char) ? char : hex(code);
}
