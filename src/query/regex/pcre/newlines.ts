/** Line ends by a pattern's leading `(*CRLF)` or its kin, and the meaning of `.`, `^` and `$` under them. */
import { complement, type Range } from '../syntax/ranges.ts';
import { choiceOf, lookAt, sequenceOf, setOfRanges, type Node } from '../tree.ts';
import { VERTICAL } from './sets.ts';

export const NEWLINES = ['LF', 'CR', 'CRLF', 'ANYCRLF', 'ANY', 'NUL'] as const;
export type Newlines = (typeof NEWLINES)[number];

const CRLF = sequenceOf([literal(0x0d), literal(0x0a)]);

const SINGLE: Readonly<Record<Newlines, readonly Range[]>> = {
  LF: [[0x0a, 0x0a]],
  CR: [[0x0d, 0x0d]],
  CRLF: [],
  ANYCRLF: [
    [0x0a, 0x0a],
    [0x0d, 0x0d],
  ],
  ANY: VERTICAL,
  NUL: [[0, 0]],
};

/** `\N`, and `.` without option s: a character at which no newline begins. */
export function notNewline(newlines: Newlines): Node {
  const outside = setOfRanges(complement(SINGLE[newlines]));
  return newlines === 'CRLF' ? sequenceOf([lookAt(CRLF, { negated: true }), outside]) : outside;
}

/** `^` under option m. */
export function lineStart(newlines: Newlines): Node {
  if (newlines === 'LF') return { kind: 'anchor', anchor: 'line-start' };
  const after = sequenceOf([
    lookAt(newlineOf(newlines), { behind: true }),
    lookAt({ kind: 'anchor', anchor: 'end' }, { negated: true }),
  ]);
  return choiceOf([{ kind: 'anchor', anchor: 'start' }, after]);
}

/** `$`, and under option m (`lines`) at every line. */
export function lineEnd(newlines: Newlines, lines: boolean): Node {
  if (newlines === 'LF') return { kind: 'anchor', anchor: lines ? 'line-end' : 'soft-end' };
  const end: Node = { kind: 'anchor', anchor: 'end' };
  const before = lines ? newlineOf(newlines) : sequenceOf([newlineOf(newlines), end]);
  return choiceOf([end, lookAt(before)]);
}

/** The end of a comment of option x, as the source of a class or of alternatives. */
export function endOfComment(newlines: Newlines): RegExp {
  return COMMENT_ENDS[newlines];
}

const COMMENT_ENDS: Readonly<Record<Newlines, RegExp>> = {
  LF: /\n|$/g,
  CR: /\r|$/g,
  CRLF: /\r\n|$/g,
  ANYCRLF: /\r\n?|\n|$/g,
  ANY: /\r\n?|[\n\v\f\x85\u2028\u2029]|$/g,
  NUL: /\0|$/g,
};

function newlineOf(newlines: Newlines): Node {
  const single = setOfRanges(SINGLE[newlines]);
  return ['CRLF', 'ANYCRLF', 'ANY'].includes(newlines) ? choiceOf([CRLF, single]) : single;
}

function literal(code: number): Node {
  return { kind: 'literal', code };
}
