/** ECMA-262's syntax (with the flag u), read into a tree. It reads only what JavaScript itself takes for a pattern. */
import { readPattern, type Cursor, type PatternReading } from '../syntax/cursor.ts';
import { Front, type ParsedPattern } from '../syntax/front.ts';
import { complement, type Range } from '../syntax/ranges.ts';
import { References } from '../syntax/references.ts';
import { lookAt, setOfRanges, type Node, type CharSet } from '../tree.ts';
import { DOT, setOf } from './sets.ts';
import { CATEGORY_NAMES } from '../unicode/names.ts';
import { propertyOf } from '../unicode/properties.ts';

export function parseEcma(pattern: string): PatternReading<ParsedPattern> {
  return readPattern(pattern, (cursor) => {
    const fault = faultOfSyntax(pattern);
    return fault === undefined ? new Parser(cursor).parse() : cursor.refuseAll(fault);
  });
}

/** JavaScript's fault of the pattern, or undefined. Without the flag u more is allowed, such as `\-`. */
function faultOfSyntax(pattern: string): string | undefined {
  const faults = ['u', ''].map((flags) => {
    try {
      new RegExp(pattern, flags);
      return undefined;
    } catch (error) {
      return error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : 'it is not valid';
    }
  });
  return faults.includes(undefined) ? undefined : `it is no regular expression: ${faults[1] ?? ''}`;
}

const NAMED = /\?<([^=!>][^>]*)>/y;
const LOOK = /\?<?[=!]/y;

class Parser extends Front {
  readonly #references = new References(this.cursor);

  parse(): ParsedPattern {
    const tree = this.whole();
    this.#references.finish();
    const groups = this.#references.highest;
    return { tree, groups, dialect: 'ecma', mayBeEmpty: 'always', skipsCrLf: false };
  }

  protected override skip(): void {
    // Every character means something.
  }

  protected override items(): readonly Node[] {
    return [this.#quantified(this.#item())];
  }

  #item(): Node {
    const { cursor } = this;
    const start = cursor.position;
    const char = cursor.take();
    switch (char) {
      case '^':
        return { kind: 'anchor', anchor: 'start' };
      case '$':
        return { kind: 'anchor', anchor: 'end' };
      case '.':
        return setOfRanges(DOT);
      case '(':
        return this.nested(start, () => this.#group(start));
      case '[':
        return readClass(cursor);
      case '\\':
        return this.#backreference(start) ?? readEscape(cursor);
      default:
        return { kind: 'literal', code: char.codePointAt(0) ?? 0 };
    }
  }

  #group(start: number): Node {
    const { cursor } = this;
    const look = cursor.scan(LOOK)?.[0];
    if (look !== undefined)
      return lookAt(this.choice(), { behind: look.includes('<'), negated: look.endsWith('!') });
    if (cursor.eat('?:')) return { kind: 'group', number: null, body: this.choice() };
    const name = cursor.scan(NAMED)?.[1];
    if (name === undefined && cursor.looksAt('?'))
      cursor.refuse('inline flags (?i:…) are not supported', start);
    const number = this.#references.open(name, true, start);
    return { kind: 'group', number, body: this.choice() };
  }

  /** A reference may come before its group. */
  #backreference(start: number): Node | undefined {
    const { cursor } = this;
    const found = cursor.scan(/([1-9][0-9]*)|k<([^>]*)>/y);
    if (!found) return undefined;
    const [, number, name = ''] = found;
    const groups =
      number === undefined ? this.#references.named(name, start) : this.#references.numbered(number, start);
    return { kind: 'backreference', groups, fold: false };
  }

  #quantified(item: Node): Node {
    const found = this.quantifier();
    if (!found) return item;
    const { min, max } = found;
    return { kind: 'repeat', body: item, min, max, lazy: this.cursor.eat('?') };
  }
}

/** Reads a class; the cursor is after its opening bracket. */
function readClass(cursor: Cursor): CharSet {
  const negated = cursor.eat('^');
  const ranges: Range[] = [];
  while (!cursor.eat(']')) {
    if (cursor.done) cursor.refuse('the closing ] of a bracket class is missing');
    const first = readMember(cursor);
    const hyphen = cursor.position;
    if (typeof first === 'number' && cursor.eat('-') && !cursor.looksAt(']')) {
      const last = readMember(cursor);
      if (typeof last === 'number') {
        ranges.push([first, last]);
        continue;
      }
    }
    cursor.position = hyphen;
    if (typeof first === 'number') ranges.push([first, first]);
    else ranges.push(...first);
  }
  return setOfRanges(negated ? complement(ranges) : ranges);
}

function readMember(cursor: Cursor): number | readonly Range[] {
  return cursor.eat('\\') ? readClassEscape(cursor) : (cursor.take().codePointAt(0) ?? 0);
}

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
function readEscape(cursor: Cursor): Node {
  if (cursor.eat('b')) return { kind: 'anchor', anchor: 'boundary' };
  if (cursor.eat('B')) return { kind: 'anchor', anchor: 'not-boundary' };
  const escape = readCharacters(cursor);
  return typeof escape === 'number' ? { kind: 'literal', code: escape } : setOfRanges(escape);
}

/** Reads an escape in a class: a code point, or a set. */
function readClassEscape(cursor: Cursor): number | readonly Range[] {
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
