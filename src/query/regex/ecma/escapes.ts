/** What may follow a backslash in a pattern of ECMA-262, outside and inside of a bracket class. */
import type { Cursor } from '../syntax/cursor.ts';
import type { Range } from '../syntax/ranges.ts';
import { setOfRanges, type Node } from '../tree.ts';
import { setOf } from './sets.ts';
import { CATEGORY_NAMES } from '../unicode/names.ts';
import { propertyOf } from '../unicode/properties.ts';

/** Reads what follows `\p` or `\P`, by the names of ECMA-262; `start` is the position of the backslash. */
function readEcmaProperty(cursor: Cursor, negated: boolean, start: number): readonly Range[] {
  const found = cursor.scan(
    /\{(?:(General_Category|gc|Script|sc|Script_Extensions|scx)=)?([A-Za-z0-9_]+)\}/y,
  );
  const written = found?.[2];
  if (written === undefined) return cursor.refuse('the Unicode property is not supported', start);
  const name = CATEGORY_NAMES.get(written) ?? written;
  const kind = found?.[1];
  const isScript = kind !== undefined && /^(?:Script|sc)/.test(kind);
  const ranges = propertyOf(isScript ? `${kind}=${name}` : name, negated);
  return ranges ?? cursor.refuse(`the Unicode property ${written} is not supported`, start);
}

const CONTROLS: Readonly<Record<string, number>> = { f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09, v: 0x0b };

/** A code point by its digits; the surrogates of a pair are one. */
const PAIR = /u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
const HEXADECIMAL = /u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})/y;
const CONTROL = /c([A-Za-z])/y;

/** Reads an escape outside of classes; the cursor is after the backslash, and no number of a group is next. */
export function readEscape(cursor: Cursor): Node {
  if (cursor.eat('b')) return { kind: 'anchor', anchor: 'boundary' };
  if (cursor.eat('B')) return { kind: 'anchor', anchor: 'not-boundary' };
  const escape = readCharacters(cursor);
  return typeof escape === 'number' ? { kind: 'literal', code: escape } : setOfRanges(escape);
}

/** Reads an escape in a class: a code point, or a set. */
export function readClassEscape(cursor: Cursor): number | readonly Range[] {
  return cursor.eat('b') ? 0x08 : readCharacters(cursor);
}

function readCharacters(cursor: Cursor): number | readonly Range[] {
  const start = cursor.position - 1;
  const code = readCode(cursor, start);
  if (code !== undefined) return code;
  const letter = cursor.take();
  if (letter === 'p' || letter === 'P') return readEcmaProperty(cursor, letter === 'P', start);
  const ranges = setOf(letter);
  if (ranges) return ranges;
  if (letter === '0' && !cursor.peek(/[0-9]/y)) return 0;
  // Without the flag u, ECMA-262 reads such a letter as itself. Nobody who writes it means that.
  if (letter === '' || /[A-Za-z0-9]/.test(letter))
    cursor.refuse(`the escape \\${letter} is not known`, start);
  return letter.codePointAt(0) ?? 0;
}

function readCode(cursor: Cursor, start: number): number | undefined {
  const pair = cursor.scan(PAIR);
  if (pair) return String.fromCharCode(hex(pair[1]), hex(pair[2])).codePointAt(0);
  const digits = cursor.scan(HEXADECIMAL);
  if (digits) {
    const code = hex(digits[1] ?? digits[2] ?? digits[3]);
    if (code > 0x10ffff) cursor.refuse('the code point is beyond Unicode', start);
    return code >= 0xd800 && code <= 0xdfff ? cursor.refuse('a surrogate is no character', start) : code;
  }
  const control = cursor.scan(CONTROL);
  if (control) return (control[1] ?? '').toUpperCase().charCodeAt(0) ^ 0x40;
  const letter = cursor.next;
  if (!Object.hasOwn(CONTROLS, letter)) return undefined;
  cursor.take();
  return CONTROLS[letter];
}

function hex(digits: string | undefined): number {
  return Number.parseInt(digits ?? '', 16);
}
