/** ECMA-262's syntax (with the flag u), read into a tree. It reads only what JavaScript itself takes for a pattern. */
import { LIMITS } from '../../../domain/limits.ts';
import { Cursor, Refusal } from '../syntax/cursor.ts';
import { Front } from '../syntax/front.ts';
import { complement } from '../syntax/ranges.ts';
import { lookAt, setOfRanges, type Node, type CharSet, type Range } from '../tree.ts';
import { readEscape, readClassEscape } from './escapes.ts';
import { DOT } from './sets.ts';

/** `reason` goes into the middle of a sentence. */
export type EcmaResult =
  | { readonly ok: true; readonly tree: Node; readonly groups: number }
  | { readonly ok: false; readonly reason: string };

export function parseEcma(pattern: string): EcmaResult {
  if (pattern.length > LIMITS.regexPattern && Array.from(pattern).length > LIMITS.regexPattern) {
    return { ok: false, reason: `it has more than ${LIMITS.regexPattern} characters` };
  }
  if (!pattern.isWellFormed()) return { ok: false, reason: 'it is not valid Unicode' };
  const wrong = faultOfSyntax(pattern);
  if (wrong !== undefined) return { ok: false, reason: wrong };
  try {
    return new Parser(new Cursor(pattern)).parse();
  } catch (error) {
    if (error instanceof Refusal) {
      return { ok: false, reason: `${error.message} (at position ${error.position})` };
    }
    throw error;
  }
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
  #groups = 0;
  readonly #names = new Map<string, number[]>();
  /** Work for the end, when all groups are known. */
  readonly #pending: (() => void)[] = [];

  parse(): EcmaResult {
    const tree = this.whole();
    for (const fill of this.#pending) fill();
    return { ok: true, tree, groups: this.#groups };
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
        return { kind: 'literal', code: char.codePointAt(0) ?? 0, fold: false };
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
    this.#groups += 1;
    const number = this.#groups;
    if (name !== undefined) this.#names.set(name, [...(this.#names.get(name) ?? []), number]);
    return { kind: 'group', number, body: this.choice() };
  }

  /** A reference may come before its group. */
  #backreference(start: number): Node | undefined {
    const { cursor } = this;
    const found = cursor.scan(/([1-9][0-9]*)|k<([^>]*)>/y);
    if (!found) return undefined;
    const [written, number, name = ''] = found;
    const groups: number[] = [];
    this.#pending.push(() => {
      const known = number === undefined ? this.#names.get(name) : [Number(number)];
      groups.push(...(known ?? []).filter((group) => group <= this.#groups));
      if (groups.length === 0) cursor.refuse(`there is no group for \\${written}`, start);
    });
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
