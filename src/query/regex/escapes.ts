/** What may follow a backslash, outside and inside of a bracket class. */
import type { Cursor } from './cursor.ts';
import { readProperty } from './properties.ts';
import { letterSet, MAX_CODE, NEWLINE, complement } from './sets.ts';
import type { Anchor, Part } from './tree.ts';
import { ucpLetter } from './ucp.ts';

export type Escape =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'part'; readonly part: Part }
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  | { readonly kind: 'linebreak' };

/** Characters that have a letter. `\b` is one only in a class. */
const CONTROLS: Readonly<Record<string, number>> = { a: 0x07, e: 0x1b, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 };

const ANCHORS: Readonly<Record<string, Anchor>> = {
  A: 'start',
  B: 'not-boundary',
  b: 'boundary',
  Z: 'soft-end',
  z: 'end',
};

/** What PCRE knows and cannot be run in linear time, or means nothing to a search. */
const REFUSED: Readonly<Record<string, string>> = {
  C: 'a single code unit \\C is not supported',
  G: 'the start-of-search anchor \\G is not supported',
  g: 'a backreference or subroutine call \\g is not supported',
  K: 'resetting the start of the match with \\K is not supported',
  k: 'a named backreference \\k is not supported',
  u: '\\u is not known: write \\x{…} for a code point',
  X: 'an extended grapheme cluster \\X is not supported',
};

/** Only in classes, where everything of `ANCHORS` and `REFUSED`, and these, are errors in PCRE too. */
const NOT_IN_CLASS = 'ABCGKNRXZgkz';

/**
 * Reads an escape; the cursor stands after the backslash, `groups` capturing groups were opened so far (they
 * decide whether `\12` is a backreference); `ucp` says that sets are those of Unicode.
 */
export function readEscape(cursor: Cursor, inClass: boolean, groups: number, ucp: boolean): Escape {
  const start = cursor.position - 1;
  if (cursor.done) cursor.refuse('a backslash ends the pattern', start);
  const letter = cursor.take();
  if (inClass && NOT_IN_CLASS.includes(letter))
    cursor.refuse(`\\${letter} is not valid in a bracket class`, start);
  if (inClass && letter === 'b') return char(0x08);
  if (/[0-9]/.test(letter)) return char(readDigits(cursor, inClass, groups, start));

  const reader = READERS[letter];
  if (reader) return reader(cursor, start);
  const control = CONTROLS[letter];
  if (control !== undefined) return char(control);
  const unicode = ucp ? ucpLetter(letter) : undefined;
  if (unicode) return { kind: 'part', part: unicode };
  if (ucp && (letter === 'b' || letter === 'B'))
    cursor.refuse(`the boundary \\${letter} is not supported under (*UCP)`, start);
  const set = letterSet(letter);
  if (set) return { kind: 'part', part: { kind: 'ranges', ranges: set } };
  const anchor = ANCHORS[letter];
  if (anchor) return { kind: 'anchor', anchor };
  const refused = REFUSED[letter];
  if (refused !== undefined) return cursor.refuse(refused, start);
  if (/[a-zA-Z]/.test(letter)) cursor.refuse(`the escape \\${letter} is not known`, start);
  return char(letter.codePointAt(0) ?? 0);
}

/** The escapes that read on. Each gets the position of its backslash. */
const READERS: Readonly<Record<string, (cursor: Cursor, start: number) => Escape>> = {
  c: (cursor, start) => {
    const found = cursor.scan(/[ -~]/y);
    if (!found) return cursor.refuse('\\c must be followed by a printable ASCII character', start);
    return char(found[0].toUpperCase().charCodeAt(0) ^ 0x40);
  },
  N: (cursor, start) => {
    // A brace after \N begins a quantifier or a code point; characters have no names here.
    if (!cursor.peek(/\{(?!\d+(?:,\d*)?\})/y)) {
      return { kind: 'part', part: { kind: 'ranges', ranges: complement(NEWLINE) } };
    }
    const found = cursor.scan(/\{U\+([0-9a-fA-F]+)\}/y);
    return found
      ? char(codePoint(cursor, found[1], 16, start))
      : cursor.refuse('after \\N{ only U+ and hexadecimal digits are supported', start);
  },
  o: (cursor, start) => {
    const found = cursor.scan(/\{([0-7]+)\}/y);
    return found
      ? char(codePoint(cursor, found[1], 8, start))
      : cursor.refuse('\\o{…} needs octal digits', start);
  },
  p: (cursor, start) => ({ kind: 'part', part: readProperty(cursor, false, start) }),
  P: (cursor, start) => ({ kind: 'part', part: readProperty(cursor, true, start) }),
  R: () => ({ kind: 'linebreak' }),
  x: (cursor, start) => {
    if (!cursor.looksAt('{')) return char(Number.parseInt(cursor.scan(/[0-9a-fA-F]{1,2}/y)?.[0] ?? '0', 16));
    const found = cursor.scan(/\{([0-9a-fA-F]+)\}/y);
    return found
      ? char(codePoint(cursor, found[1], 16, start))
      : cursor.refuse('\\x{…} needs hexadecimal digits', start);
  },
};

/**
 * A digit is a backreference or an octal number by PCRE's rule: outside of a class it refers to a group when it
 * is a single digit, starts with 8 or 9, or when so many groups were opened; the rest is octal.
 */
function readDigits(cursor: Cursor, inClass: boolean, groups: number, start: number): number {
  cursor.position = start + 1;
  const digits = cursor.peek(/[0-9]+/y)?.[0] ?? '';
  if (!inClass && !digits.startsWith('0')) {
    const number = Number(digits);
    if (number < 10 || /^[89]/.test(digits) || number <= groups) {
      cursor.refuse(`a backreference \\${digits} is not supported`, start);
    }
  }
  const octal = cursor.scan(/[0-7]{1,3}/y);
  return octal ? Number.parseInt(octal[0], 8) : (cursor.take().codePointAt(0) ?? 0);
}

function codePoint(cursor: Cursor, digits: string | undefined, radix: number, start: number): number {
  const code = Number.parseInt(digits ?? '', radix);
  if (!(code <= MAX_CODE)) cursor.refuse('the code point is beyond Unicode', start);
  if (code >= 0xd800 && code <= 0xdfff) cursor.refuse('a surrogate is no character', start);
  return code;
}

function char(code: number): Escape {
  return { kind: 'char', code };
}
