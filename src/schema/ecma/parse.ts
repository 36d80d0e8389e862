/**
 * The syntax of ECMA-262's regular expressions, read into the tree of the regex module. It reads only what
 * JavaScript itself takes for a pattern, and refuses what no linear-time engine can run, with one exception:
 * lookaheads at the very start (`^(?=.*[0-9])…`), which are further patterns that the text must or must not match.
 */
import { LIMITS } from '../../domain/limits.ts';
import { Cursor, Refusal } from '../../query/regex/cursor.ts';
import type { Node, Part, Range } from '../../query/regex/tree.ts';
import { readEscape } from './escapes.ts';
import { DOT } from './sets.ts';

/** A text matches when it matches the tree and every condition, but none that is negated. */
export interface ParsedEcma {
  readonly ok: true;
  readonly tree: Node;
  readonly conditions: readonly { readonly tree: Node; readonly negated: boolean }[];
}

/** `reason` goes into the middle of a sentence. */
export type EcmaResult = ParsedEcma | { readonly ok: false; readonly reason: string };

const MAX_NESTING = 200;

export function parseEcma(pattern: string): EcmaResult {
  if (pattern.length > LIMITS.regexPattern && Array.from(pattern).length > LIMITS.regexPattern) {
    return { ok: false, reason: `it has more than ${LIMITS.regexPattern} characters` };
  }
  if (!pattern.isWellFormed()) return { ok: false, reason: 'it is not valid Unicode' };
  const wrong = faultOfSyntax(pattern);
  if (wrong !== undefined) return { ok: false, reason: wrong };
  try {
    return new Parser(pattern).parse();
  } catch (error) {
    if (error instanceof Refusal) {
      return { ok: false, reason: `${error.message} (at position ${error.position})` };
    }
    throw error;
  }
}

/** What JavaScript says against the pattern, or undefined. Without the flag u more is allowed, `\-` for one. */
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

const QUANTIFIER = /[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\}/y;
const NAMED = /\?<[^=!>][^>]*>/y;

const SHORT: Readonly<Record<string, readonly [min: number, max: number | null]>> = {
  '*': [0, null],
  '+': [1, null],
  '?': [0, 1],
};

const LOOKAROUND: readonly (readonly [string, string])[] = [
  ['?=', 'a lookahead (?=…) is supported only right after a ^ that starts the pattern'],
  ['?!', 'a negative lookahead (?!…) is supported only right after a ^ that starts the pattern'],
  ['?<=', 'a lookbehind (?<=…) is not supported'],
  ['?<!', 'a negative lookbehind (?<!…) is not supported'],
];

class Parser {
  readonly #cursor: Cursor;
  #depth = 0;

  constructor(pattern: string) {
    this.#cursor = new Cursor(pattern);
  }

  parse(): ParsedEcma {
    const conditions = this.#conditions();
    const at = this.#cursor.position;
    const tree = this.#choice();
    if (conditions.length === 0) return { ok: true, tree, conditions };
    if (tree.kind === 'choice') this.#cursor.refuse('a lookahead beside alternatives is not supported', at);
    return { ok: true, tree: anchored(tree), conditions };
  }

  /** The lookaheads right after a first `^`; without any the cursor stays where it was. */
  #conditions(): ParsedEcma['conditions'] {
    const cursor = this.#cursor;
    const conditions: { tree: Node; negated: boolean }[] = [];
    if (!/^\^\(\?[=!]/.test(cursor.text)) return conditions;
    cursor.eat('^');
    for (;;) {
      const negated = cursor.looksAt('(?!');
      if (!cursor.eat('(?=') && !cursor.eat('(?!')) return conditions;
      conditions.push({ tree: anchored(this.#body()), negated });
      if (cursor.peek(QUANTIFIER)) cursor.refuse('a repeated lookahead is not supported');
    }
  }

  #choice(): Node {
    const branches = [this.#sequence()];
    while (this.#cursor.eat('|')) branches.push(this.#sequence());
    const [only, ...others] = branches;
    return only && others.length === 0 ? only : { kind: 'choice', branches };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (!this.#cursor.done && !this.#cursor.looksAt('|') && !this.#cursor.looksAt(')')) {
      items.push(this.#quantified(this.#item()));
    }
    const [only, ...others] = items;
    return only && others.length === 0 ? only : { kind: 'sequence', items };
  }

  #item(): Node {
    const cursor = this.#cursor;
    const char = cursor.take();
    switch (char) {
      case '^':
        return { kind: 'anchor', anchor: 'start' };
      case '$':
        return { kind: 'anchor', anchor: 'end' };
      case '.':
        return setNode(false, [{ kind: 'ranges', ranges: DOT }]);
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\': {
        const escape = readEscape(cursor, false);
        if (escape.kind === 'part') return setNode(false, [escape.part]);
        return escape.kind === 'char' ? literal(escape.code) : escape;
      }
      default:
        return literal(char.codePointAt(0) ?? 0);
    }
  }

  #group(): Node {
    const cursor = this.#cursor;
    const start = cursor.position - 1;
    const lookaround = LOOKAROUND.find(([opening]) => cursor.looksAt(opening));
    if (lookaround) cursor.refuse(lookaround[1], start);
    // Names and captures are of no use to a test.
    if (!cursor.eat('?:') && !cursor.scan(NAMED) && cursor.looksAt('?')) {
      cursor.refuse('inline flags (?i:…) are not supported', start);
    }
    return { kind: 'group', capture: false, body: this.#body() };
  }

  /** What stands in parentheses, and the closing one. */
  #body(): Node {
    if (++this.#depth > MAX_NESTING) {
      this.#cursor.refuse(`parentheses are nested more than ${MAX_NESTING} deep`);
    }
    const body = this.#choice();
    if (!this.#cursor.eat(')')) this.#cursor.refuse('a closing parenthesis is missing');
    this.#depth -= 1;
    return body;
  }

  #quantified(item: Node): Node {
    const found = this.#cursor.scan(QUANTIFIER);
    if (!found) return item;
    const [text, from, comma, to] = found;
    const [min, max] = SHORT[text] ?? [Number(from), upperBound(Number(from), comma, to)];
    return { kind: 'repeat', body: item, min, max, lazy: this.#cursor.eat('?') };
  }

  /** A bracket class. A hyphen that makes no range is one of its characters. */
  #class(): Node {
    const cursor = this.#cursor;
    const negated = cursor.eat('^');
    const ranges: Range[] = [];
    const parts: Part[] = [];
    while (!cursor.eat(']')) {
      if (cursor.done) cursor.refuse('the closing ] of a bracket class is missing');
      const first = this.#member();
      const hyphen = cursor.position;
      if (typeof first === 'number' && cursor.eat('-') && !cursor.looksAt(']')) {
        const last = this.#member();
        if (typeof last === 'number') {
          ranges.push([first, last]);
          continue;
        }
      }
      cursor.position = hyphen;
      if (typeof first === 'number') ranges.push([first, first]);
      else parts.push(first);
    }
    if (ranges.length > 0) parts.push({ kind: 'ranges', ranges });
    return setNode(negated, parts);
  }

  #member(): number | Part {
    if (!this.#cursor.eat('\\')) return this.#cursor.take().codePointAt(0) ?? 0;
    const escape = readEscape(this.#cursor, true);
    if (escape.kind === 'char') return escape.code;
    return escape.kind === 'part' ? escape.part : this.#cursor.refuse('the escape is not valid in a class');
  }
}

function anchored(node: Node): Node {
  return {
    kind: 'sequence',
    items: [
      { kind: 'anchor', anchor: 'start' },
      { kind: 'group', capture: false, body: node },
    ],
  };
}

/** A set of the parts. Without any it would be written as brackets around nothing, so the range says it. */
function setNode(negated: boolean, parts: readonly Part[]): Node {
  const everything: Part = { kind: 'ranges', ranges: [[0, 0x10ffff]] };
  return parts.length === 0
    ? { kind: 'set', negated: !negated, parts: [everything] }
    : { kind: 'set', negated, parts };
}

function literal(code: number): Node {
  return { kind: 'literal', code, fold: false };
}

/** The upper bound of `{from}`, `{from,}` and `{from,to}`. */
function upperBound(from: number, comma: string | undefined, to: string | undefined): number | null {
  if (comma === undefined) return from;
  return to === undefined || to === '' ? null : Number(to);
}
