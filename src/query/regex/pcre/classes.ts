/** Bracket classes: `[a-z]`, `[^\d_]`, `[[:alpha:]]`. */
import type { Cursor } from '../syntax/cursor.ts';
import { readClassEscape, type Escape } from './escapes.ts';
import type { Flags } from './flags.ts';
import { foldRanges } from '../unicode/fold.ts';
import { posixSet } from './sets.ts';
import { complement, type Range } from '../syntax/ranges.ts';
import { setOfRanges, type CharSet } from '../tree.ts';
import { ucpPosix } from './ucp.ts';

/** `[:name:]`, and the collating forms with `.` and `=` that PCRE knows only to refuse. */
const POSIX = /\[([:.=])((?:(?!\[\1)[^\]])*?)\1\]/y;
const EMPTY_QUOTES = /(?:\\E|\\Q\\E)+/y;

/** Reads a class; the cursor is on its opening bracket. */
export function readClass(cursor: Cursor, flags: Flags): CharSet {
  const start = cursor.position;
  if (cursor.peek(POSIX)) cursor.refuse('POSIX classes are valid only inside of a bracket class');
  cursor.eat('[');
  const negated = cursor.eat('^');
  const reader = new MemberReader(cursor, flags, start);
  const spelled: Range[] = [];
  const sets: Range[] = [];

  // A closing bracket that comes first is a member.
  for (let first = true; first || !reader.atEnd(); first = false) {
    const at = cursor.position;
    const member = reader.read();
    const ranged = reader.eatHyphen();
    if (typeof member !== 'number') {
      if (ranged) cursor.refuse('a set cannot begin a range', at);
      sets.push(...member);
      continue;
    }
    const last = ranged ? reader.read() : member;
    if (typeof last !== 'number') return cursor.refuse('a set cannot end a range', at);
    if (last < member) cursor.refuse('the range is out of order', at);
    spelled.push([member, last]);
  }
  cursor.eat(']');
  // Option i concerns what is spelled out, not the sets that have a name.
  const ranges = [...sets, ...(flags.i && spelled.length > 0 ? foldRanges(spelled) : spelled)];
  return setOfRanges(negated ? complement(ranges) : ranges);
}

/**
 * Reads member after member, through quotations and the blanks that option xx ignores: a character, which may begin or
 * end a range, or a set, which may not.
 */
class MemberReader {
  readonly #cursor: Cursor;
  readonly #flags: Flags;
  readonly #start: number;
  #quoted = false;

  constructor(cursor: Cursor, flags: Flags, start: number) {
    this.#cursor = cursor;
    this.#flags = flags;
    this.#start = start;
  }

  atEnd(): boolean {
    this.#skip();
    return !this.#quoted && this.#cursor.looksAt(']');
  }

  read(): Escape {
    this.#skip();
    const cursor = this.#cursor;
    if (cursor.done) cursor.refuse('the closing ] of a bracket class is missing', this.#start);
    if (!this.#quoted) {
      const posix = cursor.scan(POSIX);
      if (posix) return this.#posix(posix);
      if (cursor.eat('\\')) return readClassEscape(cursor, this.#flags.ucp);
    }
    return cursor.take().codePointAt(0) ?? 0;
  }

  /** Steps over a hyphen that makes a range; one before the closing bracket is a member. */
  eatHyphen(): boolean {
    this.#skip();
    const cursor = this.#cursor;
    const before = cursor.position;
    if (this.#quoted || !cursor.eat('-')) return false;
    if (!this.atEnd()) return true;
    cursor.position = before;
    return false;
  }

  #posix([whole, delimiter, content = '']: RegExpExecArray): readonly Range[] {
    const cursor = this.#cursor;
    if (delimiter !== ':') cursor.refuse('POSIX collating elements are not supported');
    const negated = content.startsWith('^');
    const setOf = this.#flags.ucp ? ucpPosix : posixSet;
    const ranges = setOf(negated ? content.slice(1) : content, negated, this.#flags.i);
    return ranges ?? cursor.refuse(`the POSIX class ${whole} is not known`);
  }

  #skip(): void {
    const cursor = this.#cursor;
    if (this.#quoted && cursor.eat('\\E')) this.#quoted = false;
    if (this.#quoted) return;
    const blanks = this.#flags.xx ? /[ \t]+/y : /(?!)/y;
    while (cursor.scan(EMPTY_QUOTES) ?? cursor.scan(blanks));
    if (cursor.eat('\\Q')) this.#quoted = true;
  }
}
