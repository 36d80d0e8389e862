/** ECMA-262's syntax (with the flag u), read into a tree. It reads only what JavaScript itself takes for a pattern. */
import { readPattern, type Cursor, type Reading } from '../syntax/cursor.ts';
import { Front, type ParsedPattern } from '../syntax/front.ts';
import { complement, type Range } from '../syntax/ranges.ts';
import { References } from '../syntax/references.ts';
import { lookAt, setOfRanges, type Node, type CharSet } from '../tree.ts';
import { readEscape, readClassEscape } from './escapes.ts';
import { DOT } from './sets.ts';

export function parseEcma(pattern: string): Reading<ParsedPattern> {
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
