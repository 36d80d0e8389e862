/** The meaning of a backslash and the text after it outside of a class: characters, sets, assertions and references. */
import type { Cursor } from '../syntax/cursor.ts';
import {
  choiceOf,
  lookAt,
  sequenceOf,
  setOfRanges,
  type Anchor,
  type CharSet,
  type Groups,
  type Node,
} from '../tree.ts';
import { CodeSet } from '../unicode/code-set.ts';
import { caselessSet } from '../unicode/fold.ts';
import { propertyOf } from '../unicode/properties.ts';
import { codePoint, readEscape } from './escapes.ts';
import type { Flags } from './flags.ts';
import { validName } from './groups.ts';
import type { Leading } from './leading.ts';
import { lineEnd, notNewline } from './newlines.ts';
import type { References } from '../syntax/references.ts';
import { letterSet, VERTICAL } from './sets.ts';

export interface Context {
  readonly flags: Flags;
  readonly leading: Leading;
  readonly references: References;
}

const ANCHORS: Readonly<Record<string, Anchor>> = {
  A: 'start',
  B: 'not-boundary',
  b: 'boundary',
  G: 'search-start',
  Z: 'soft-end',
  z: 'end',
};

/** Reads what follows a backslash, which is at `start`. `undefined` for what is a plain character or a set. */
export function readAtom(cursor: Cursor, context: Context, start: number): Node | undefined {
  const { flags, leading, references } = context;
  const number = cursor.peek(/[1-9][0-9]*/y)?.[0];
  if (number !== undefined && isReference(number, references)) {
    cursor.scan(/[0-9]+/y);
    return backreference(references.numbered(number, start), flags);
  }
  const letter = cursor.next;
  const anchor = Object.hasOwn(ANCHORS, letter) ? ANCHORS[letter] : undefined;
  if (anchor !== undefined) {
    cursor.take();
    const worded = flags.ucp && (anchor === 'boundary' || anchor === 'not-boundary');
    if (worded) return boundaryOf(anchor === 'not-boundary');
    if (anchor === 'soft-end') return lineEnd(leading.newlines, false);
    return { kind: 'anchor', anchor };
  }
  const read = Object.hasOwn(READERS, letter) ? READERS[letter] : undefined;
  if (!read) return undefined;
  cursor.take();
  return read(cursor, context, start);
}

/** A number is a group's if it has one digit, begins with 8 or 9, or so many were opened; else it is octal. */
function isReference(number: string, { opened }: References): boolean {
  return Number(number) < 10 || /^[89]/.test(number) || Number(number) <= opened;
}

const BREAKS = new CodeSet(VERTICAL);
const ASCII_BREAKS = new CodeSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
]);

const READERS: Readonly<Record<string, (cursor: Cursor, context: Context, start: number) => Node>> = {
  C: (cursor, _, start) => cursor.refuse('a single code unit \\C is not supported', start),
  K: () => ({ kind: 'keep' }),
  N: (cursor, { leading, flags }, start) => {
    // A brace after \N begins a quantifier or a code point; characters have no names here.
    if (!cursor.peek(/\{(?!\d+(?:,\d*)?\})/y)) return notNewline(leading.newlines);
    const found = cursor.scan(/\{U\+([0-9a-fA-F]+)\}/y);
    return found
      ? literal(codePoint(cursor, found[1], 16, start), flags)
      : cursor.refuse('after \\N{ only U+ and hexadecimal digits are supported', start);
  },
  R: (_, { leading }) => ({ kind: 'linebreak', set: leading.asciiBreaks ? ASCII_BREAKS : BREAKS }),
  X: () => ({ kind: 'grapheme' }),
  g: readG,
  k: (cursor, { references, flags }, start) => {
    const found = cursor.scan(/\{([^}]*)\}|<([^>]*)>|'([^']*)'/y);
    if (!found) return cursor.refuse('\\k must be followed by a name', start);
    const name = validName(cursor, found[1] ?? found[2] ?? found[3], start);
    return backreference(references.named(name, start), flags);
  },
};

/** `\g{…}` refers back, `\g<…>` calls. */
function readG(cursor: Cursor, { references, flags }: Context, start: number): Node {
  const call = cursor.scan(/<([^>]*)>|'([^']*)'/y);
  if (call) {
    const written = call[1] ?? call[2] ?? '';
    if (written === '0') return { kind: 'call', groups: [0] };
    return { kind: 'call', groups: refer(cursor, references, written, start) };
  }
  const back = cursor.scan(/\{([^}]*)\}|([+-]?\d+)/y);
  if (!back) return cursor.refuse('\\g must be followed by a number or a name', start);
  return backreference(refer(cursor, references, back[1] ?? back[2] ?? '', start), flags);
}

function refer(cursor: Cursor, references: References, written: string, start: number): Groups {
  return /^[+-]?\d+$/.test(written)
    ? references.numbered(written, start)
    : references.named(validName(cursor, written, start), start);
}

function backreference(groups: Groups, { i }: Flags): Node {
  return { kind: 'backreference', groups, fold: i };
}

/** `[[:<:]]` and `[[:>:]]`: the start and the end of a word. */
export function edgeOfWord(start: boolean, { ucp }: Flags): readonly Node[] {
  const boundary: Node = ucp ? boundaryOf(false) : { kind: 'anchor', anchor: 'boundary' };
  return [boundary, lookAt(ucp ? unicodeWord() : setOfRanges(letterSet('w') ?? []), { behind: !start })];
}

/** `\b` and `\B` where words are Unicode's. */
function boundaryOf(negated: boolean): Node {
  const word = unicodeWord();
  const side = (before: boolean, after: boolean): Node =>
    sequenceOf([lookAt(word, { behind: true, negated: !before }), lookAt(word, { negated: !after })]);
  return negated
    ? choiceOf([side(true, true), side(false, false)])
    : choiceOf([side(true, false), side(false, true)]);
}

function unicodeWord(): CharSet {
  return setOfRanges(propertyOf('Xwd', false) ?? []);
}

/** A character, with option i in all its cases. */
export function literal(code: number, { i }: Flags): Node {
  const set = i ? caselessSet(code) : undefined;
  return set ? { kind: 'set', set } : { kind: 'literal', code };
}

/** A character or a set. */
export function readPlainEscape(cursor: Cursor, { flags }: Context, start: number): Node | number {
  const escape = readEscape(cursor, flags.ucp, start);
  return typeof escape === 'number' ? escape : setOfRanges(escape);
}
