/** The meaning of a backslash and the text after it, where that is a character or a set. */
import type { Cursor } from '../syntax/cursor.ts';
import { MAX_CODE, type Range } from '../syntax/ranges.ts';
import { readProperty } from '../unicode/properties.ts';
import { letterSet } from './sets.ts';
import { ucpLetter } from './ucp.ts';

/** A code point, or the ranges of a set. */
export type Escape = number | readonly Range[];

/** Characters that have a letter. `\b` is one only in a class. */
const CONTROLS: Readonly<Record<string, number>> = { a: 0x07, e: 0x1b, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 };

/** What PCRE knows outside of classes alone. */
const NOT_IN_CLASS = 'ABCGKNRXZgkz';

/** Reads an escape in a bracket class; the cursor is after the backslash. */
export function readClassEscape(cursor: Cursor, ucp: boolean): Escape {
  const start = cursor.position - 1;
  if (cursor.done) cursor.refuse('a backslash ends the pattern', start);
  const letter = cursor.next;
  if (NOT_IN_CLASS.includes(letter)) cursor.refuse(`\\${letter} is not valid in a bracket class`, start);
  if (cursor.eat('b')) return 0x08;
  return readEscape(cursor, ucp, start);
}

/**
 * Reads an escape that means the same inside and outside of a class; the cursor is after the backslash, which is
 * at `start`. `ucp`: sets are those of Unicode.
 */
export function readEscape(cursor: Cursor, ucp: boolean, start: number): Escape {
  if (cursor.peek(/[0-9]/y)) return readOctal(cursor);
  const letter = cursor.take();
  const reader = Object.hasOwn(READERS, letter) ? READERS[letter] : undefined;
  if (reader) return reader(cursor, start);
  const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined;
  if (control !== undefined) return control;
  const unicode = ucp ? ucpLetter(letter) : undefined;
  if (unicode) return unicode;
  const set = letterSet(letter);
  if (set) return set;
  if (letter === 'u') cursor.refuse('\\u is not known: write \\x{…} for a code point', start);
  if (/[a-zA-Z]/.test(letter)) cursor.refuse(`the escape \\${letter} is not known`, start);
  return letter.codePointAt(0) ?? 0;
}

/** The escapes that read on. Each gets the position of its backslash. */
const READERS: Readonly<Record<string, (cursor: Cursor, start: number) => Escape>> = {
  c: (cursor, start) => {
    const found = cursor.scan(/[ -~]/y);
    if (!found) return cursor.refuse('\\c must be followed by a printable ASCII character', start);
    return found[0].toUpperCase().charCodeAt(0) ^ 0x40;
  },
  o: (cursor, start) => {
    const found = cursor.scan(/\{([0-7]+)\}/y);
    return found ? codePoint(cursor, found[1], 8, start) : cursor.refuse('\\o{…} needs octal digits', start);
  },
  p: (cursor, start) => readProperty(cursor, false, start),
  P: (cursor, start) => readProperty(cursor, true, start),
  x: (cursor, start) => {
    if (!cursor.looksAt('{')) return Number.parseInt(cursor.scan(/[0-9a-fA-F]{1,2}/y)?.[0] ?? '0', 16);
    const found = cursor.scan(/\{([0-9a-fA-F]+)\}/y);
    return found
      ? codePoint(cursor, found[1], 16, start)
      : cursor.refuse('\\x{…} needs hexadecimal digits', start);
  },
};

/** Up to three octal digits; 8 and 9 are themselves. */
function readOctal(cursor: Cursor): number {
  const octal = cursor.scan(/[0-7]{1,3}/y);
  return octal ? Number.parseInt(octal[0], 8) : (cursor.take().codePointAt(0) ?? 0);
}

export function codePoint(cursor: Cursor, digits: string | undefined, radix: number, start: number): number {
  const code = Number.parseInt(digits ?? '', radix);
  if (!(code <= MAX_CODE)) cursor.refuse('the code point is beyond Unicode', start);
  if (code >= 0xd800 && code <= 0xdfff) cursor.refuse('a surrogate is no character', start);
  return code;
}
