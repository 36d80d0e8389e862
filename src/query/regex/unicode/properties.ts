/** Unicode properties (`\p{…}`): general categories, scripts and binary properties, by the names that PCRE2 takes. */
import type { Cursor } from '../syntax/cursor.ts';
import { looseName, LOOSE_BINARY, LOOSE_CATEGORIES, LOOSE_SCRIPTS } from './names.ts';
import { MAX_CODE, complement, type Range } from '../syntax/ranges.ts';
import { unicodeRanges } from './unicode.ts';

/** Names of plain ranges. `Xuc` is what C++ may name: see pcre2pattern, special properties. */
const RANGES: Readonly<Record<string, readonly Range[]>> = {
  any: [[0, MAX_CODE]],
  ascii: [[0, 0x7f]],
  xuc: [
    [0x24, 0x24],
    [0x40, 0x40],
    [0x60, 0x60],
    [0xa0, 0xd7ff],
    [0xe000, MAX_CODE],
  ],
};

/** Separators, and what PCRE counts as space beside them. */
export const SPACES = '\\p{Z}\\t-\\r\\x85\\u180e';

/** PCRE's own properties, as classes of JavaScript's. */
const SPECIAL: Readonly<Record<string, string>> = {
  xan: '\\p{L}\\p{N}',
  xwd: '\\p{L}\\p{N}_',
  xsp: SPACES,
  xps: SPACES,
};

/** A script is asked for with its extensions, as PCRE2 has it since 10.40, unless `sc` says that they do not count. */
const SCRIPT_KINDS: Readonly<Record<string, string>> = {
  sc: 'sc',
  script: 'sc',
  scx: 'scx',
  scriptextensions: 'scx',
};

/** Reads what follows `\p` or `\P`; `start` is the position of the backslash. */
export function readProperty(cursor: Cursor, capital: boolean, start: number): readonly Range[] {
  const found = cursor.scan(/\{\s*(\^?)([^{}]*)\}|[A-Za-z]/y);
  if (!found) return cursor.refuse('\\p must be followed by a letter or a name in braces', start);
  const [whole, caret, written = whole] = found;
  const ranges = propertyOf(written, capital !== (caret === '^'));
  return ranges ?? cursor.refuse(`the Unicode property \\p${whole} is not known`, start);
}

/** The set of a name, or its complement; undefined for an unknown name. */
export function propertyOf(written: string, negated: boolean): readonly Range[] | undefined {
  const [kind, name] = splitKind(written);
  const ranges = kind === null ? (plainRanges(name) ?? scriptRanges('scx', name)) : scriptRanges(kind, name);
  return ranges && negated ? complement(ranges) : ranges;
}

/** `sc=Greek` or `script:Greek` in two, both in their loose form; null for no kind. */
function splitKind(written: string): readonly [kind: string | null, name: string] {
  const at = written.search(/[:=]/);
  return at < 0
    ? [null, looseName(written)]
    : [looseName(written.slice(0, at)), looseName(written.slice(at + 1))];
}

function plainRanges(name: string): readonly Range[] | undefined {
  if (Object.hasOwn(RANGES, name)) return RANGES[name];
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return unicodeRanges(special);
  // `L&` is every letter that has a case.
  const property = name === 'l&' ? 'LC' : (LOOSE_CATEGORIES.get(name) ?? LOOSE_BINARY.get(name));
  return property === undefined ? undefined : unicodeRanges(`\\p{${property}}`);
}

function scriptRanges(kind: string, name: string): readonly Range[] | undefined {
  const property = Object.hasOwn(SCRIPT_KINDS, kind) ? SCRIPT_KINDS[kind] : undefined;
  const script = LOOSE_SCRIPTS.get(name);
  return property === undefined || script === undefined
    ? undefined
    : unicodeRanges(`\\p{${property}=${script}}`);
}
