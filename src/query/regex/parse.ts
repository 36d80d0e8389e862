/**
 * PCRE's syntax, read into a tree. Everything that the tree cannot say exactly, or that no linear-time engine can
 * run, is refused here by its name. Never throws: a refusal is a value.
 */
import { LIMITS } from '../../domain/limits.ts';
import { readClass } from './classes.ts';
import { Cursor, Refusal } from './cursor.ts';
import { readEscape } from './escapes.ts';
import type { Flags } from './flags.ts';
import { mayFold } from './fold.ts';
import { readOpening } from './groups.ts';
import { complement, NEWLINE } from './sets.ts';
import type { CharSet, Node } from './tree.ts';

/** PCRE's own limit for nested parentheses. */
const MAX_NESTING = 250;

export type Parsed =
  | { readonly ok: true; readonly tree: Node; readonly groups: number }
  /** `position` counts UTF-16 units of the pattern from 0. */
  | { readonly ok: false; readonly reason: string; readonly position: number };

export function parsePattern(pattern: string, flags: Flags): Parsed {
  if (pattern.length > LIMITS.regexPattern && Array.from(pattern).length > LIMITS.regexPattern) {
    return refused(`the pattern has more than ${LIMITS.regexPattern} characters`, LIMITS.regexPattern);
  }
  if (!pattern.isWellFormed())
    return refused('the pattern is not valid Unicode: it has half a surrogate pair', 0);
  const parser = new Parser(pattern, flags);
  try {
    return { ok: true, tree: parser.parse(), groups: parser.groups };
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message, error.position);
    throw error;
  }
}

function refused(reason: string, position: number): Parsed {
  return { ok: false, reason, position };
}

/** What a pattern may say of itself before it begins. */
const LEADING = /(?:\(\*(?:UTF8?|UCP)\))+/y;
const QUANTIFIER = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y;
const QUOTED = /([^]*?)(?:\\E|$)/y;
const COMMENT = /\(\?#[^)]*(\)?)/y;
/** What option x ignores: the characters of Unicode's Pattern_White_Space, and comments to the end of a line. */
const IGNORED = /(?:[\t-\r \u0085\u200e\u200f\u2028\u2029]+|#[^\n]*)+/y;
const EMPTY_QUOTES = /(?:\\E|\\Q\\E)+/y;

const SHORT: Readonly<Record<string, readonly [min: number, max: number | null]>> = {
  '*': [0, null],
  '+': [1, null],
  '?': [0, 1],
};

class Parser {
  readonly #cursor: Cursor;
  readonly #names = new Set<string>();
  #flags: Flags;
  #depth = 0;
  /** Capturing groups opened so far. */
  groups = 0;

  constructor(pattern: string, flags: Flags) {
    this.#cursor = new Cursor(pattern);
    this.#flags = flags;
  }

  parse(): Node {
    // Text is Unicode here anyway.
    const leading = this.#cursor.scan(LEADING)?.[0] ?? '';
    this.#flags = { ...this.#flags, ucp: leading.includes('(*UCP)') };
    const tree = this.#choice();
    if (!this.#cursor.done) this.#cursor.refuse('a closing parenthesis has no opening one');
    return tree;
  }

  #choice(): Node {
    const branches = [this.#sequence()];
    while (this.#cursor.eat('|')) branches.push(this.#sequence());
    const [only, ...others] = branches;
    return only && others.length === 0 ? only : { kind: 'choice', branches };
  }

  #sequence(): Node {
    const cursor = this.#cursor;
    const items: Node[] = [];
    for (;;) {
      this.#skipIgnored();
      if (cursor.done || cursor.looksAt('|') || cursor.looksAt(')')) break;
      if (cursor.eat('\\Q')) {
        const quoted = Array.from(cursor.scan(QUOTED)?.[1] ?? '', (char) => this.#literal(char));
        const last = quoted.pop();
        items.push(...quoted);
        if (last) items.push(this.#quantified(last));
        continue;
      }
      const item = this.#item();
      if (item) items.push(this.#quantified(item));
    }
    const [only, ...others] = items;
    return only && others.length === 0 ? only : { kind: 'sequence', items };
  }

  /** One item without its quantifier; `undefined` for options, which are no item. */
  #item(): Node | undefined {
    const cursor = this.#cursor;
    if (cursor.peek(QUANTIFIER)) cursor.refuse('a quantifier follows nothing that can be repeated');
    if (cursor.looksAt('[')) return readClass(cursor, this.#flags);
    const start = cursor.position;
    const char = cursor.take();
    switch (char) {
      case '(':
        return this.#group(start);
      case '\\':
        return this.#escape();
      case '.':
        return this.#flags.s ? set([]) : set(NEWLINE);
      case '^':
        return { kind: 'anchor', anchor: this.#flags.m ? 'line-start' : 'start' };
      case '$':
        return { kind: 'anchor', anchor: this.#flags.m ? 'line-end' : 'soft-end' };
      default:
        return this.#literal(char);
    }
  }

  #literal(char: string): Node {
    return this.#literalCode(char.codePointAt(0) ?? 0);
  }

  #literalCode(code: number): Node {
    return { kind: 'literal', code, fold: this.#flags.i && mayFold(code) };
  }

  #escape(): Node {
    const escape = readEscape(this.#cursor, false, this.groups, this.#flags.ucp);
    if (escape.kind === 'char') return this.#literalCode(escape.code);
    if (escape.kind === 'part') return { kind: 'set', negated: false, parts: [escape.part] };
    return escape;
  }

  #group(start: number): Node | undefined {
    const cursor = this.#cursor;
    const outer = this.#flags;
    const opening = readOpening(cursor, outer);
    this.#flags = opening.flags;
    if (opening.kind === 'flags') return undefined;

    if (opening.capture) this.groups++;
    if (opening.name !== undefined) {
      if (this.#names.has(opening.name)) cursor.refuse('two groups have the same name', start);
      this.#names.add(opening.name);
    }
    if (++this.#depth > MAX_NESTING) {
      cursor.refuse(`parentheses are nested more than ${MAX_NESTING} deep`, start);
    }
    const body = this.#choice();
    if (!cursor.eat(')')) cursor.refuse('a closing parenthesis is missing', start);
    this.#depth--;
    this.#flags = outer;
    return { kind: 'group', capture: opening.capture, body };
  }

  /** The item with the quantifier that follows it, if one does. */
  #quantified(item: Node): Node {
    const cursor = this.#cursor;
    this.#skipIgnored();
    const start = cursor.position;
    const found = cursor.scan(QUANTIFIER);
    if (!found) return item;
    if (item.kind === 'anchor') cursor.refuse('a quantifier follows nothing that can be repeated', start);

    const [text, from, comma, to] = found;
    const [min, max] = SHORT[text] ?? [Number(from), upperBound(Number(from), comma, to)];
    if (max !== null && max < min) cursor.refuse('the numbers of a quantifier are out of order', start);
    this.#skipIgnored();
    if (cursor.looksAt('+')) cursor.refuse(`a possessive quantifier ${text}+ is not supported`, start);
    const marked = cursor.eat('?');
    return { kind: 'repeat', body: item, min, max, lazy: marked !== this.#flags.U };
  }

  /** Steps over comments, empty quotations and, with option x, white space. */
  #skipIgnored(): void {
    const cursor = this.#cursor;
    for (;;) {
      const start = cursor.position;
      cursor.scan(EMPTY_QUOTES);
      if (this.#flags.x) cursor.scan(IGNORED);
      if (cursor.scan(COMMENT)?.[1] === '') cursor.refuse('the end of a comment (?#…) is missing', start);
      if (cursor.position === start) return;
    }
  }
}

/** The upper bound of `{from}`, `{from,}` and `{from,to}`. */
function upperBound(from: number, comma: string | undefined, to: string | undefined): number | null {
  if (comma === undefined) return from;
  return to === undefined || to === '' ? null : Number(to);
}

/** Every character outside of the ranges. */
function set(except: typeof NEWLINE): CharSet {
  return {
    kind: 'set',
    negated: false,
    parts: [{ kind: 'ranges', ranges: complement(except) }],
  };
}
