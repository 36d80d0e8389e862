/**
 * The common part of the syntaxes: alternatives, sequences, nesting and quantifiers. A dialect reads one item, and
 * skips text between items.
 */
import type { BacktrackOptions } from '../backtrack/search.ts';
import { choiceOf, sequenceOf, type Node } from '../tree.ts';
import type { Cursor } from './cursor.ts';

/** PCRE's own limit for nested parentheses. */
const MAX_NESTING = 250;

const QUANTIFIER = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y;
const SHORT: Readonly<Record<string, readonly [min: number, max: number | null]>> = {
  '*': [0, null],
  '+': [1, null],
  '?': [0, 1],
};

/** A tree, and properties of the pattern beside it. */
export interface ParsedPattern extends Omit<BacktrackOptions, 'whole'> {
  readonly tree: Node;
}

export interface Quantifier {
  /** Its place. */
  readonly start: number;
  readonly min: number;
  readonly max: number | null;
}

export abstract class Front {
  protected readonly cursor: Cursor;
  #depth = 0;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  /** Items read in their place, each with its quantifier. None where options were switched, say. */
  protected abstract items(): readonly Node[];
  /** Steps over what means nothing. */
  protected abstract skip(): void;

  protected whole(): Node {
    const tree = this.choice();
    if (!this.cursor.done) this.cursor.refuse('a closing parenthesis has no opening one');
    return tree;
  }

  /** Reads alternatives up to a closing parenthesis. */
  protected choice(): Node {
    return choiceOf(this.branches());
  }

  protected branches(): readonly Node[] {
    const branches = [this.#sequence()];
    while (this.cursor.eat('|')) {
      this.nextBranch();
      branches.push(this.#sequence());
    }
    return branches;
  }

  /** Called before each branch but the first. */
  protected nextBranch(): void {
    // Nothing to do, but where branches number their groups anew.
  }

  #sequence(): Node {
    const { cursor } = this;
    const items: Node[] = [];
    for (;;) {
      this.skip();
      if (cursor.done || cursor.looksAt('|') || cursor.looksAt(')')) return sequenceOf(items);
      items.push(...this.items());
    }
  }

  /** Reads the content of parentheses by `read`, and the closing one. `start` is the place of the opening one. */
  protected nested<T>(start: number, read: () => T): T {
    const { cursor } = this;
    this.#depth += 1;
    if (this.#depth > MAX_NESTING)
      cursor.refuse(`parentheses are nested more than ${MAX_NESTING} deep`, start);
    const body = read();
    if (!cursor.eat(')')) cursor.refuse('a closing parenthesis is missing', start);
    this.#depth -= 1;
    return body;
  }

  protected atQuantifier(): boolean {
    return this.cursor.peek(QUANTIFIER) !== undefined;
  }

  /** Reads a quantifier, if one is next, without what marks it as lazy or possessive. */
  protected quantifier(): Quantifier | undefined {
    const { cursor } = this;
    const start = cursor.position;
    const found = cursor.scan(QUANTIFIER);
    if (!found) return undefined;
    const [text, from, comma, to] = found;
    const [min, max] = SHORT[text] ?? [Number(from), upperBound(Number(from), comma, to)];
    if (max !== null && max < min) cursor.refuse('the numbers of a quantifier are out of order', start);
    return { start, min, max };
  }
}

/** The upper bound of `{from}`, `{from,}` and `{from,to}`. */
function upperBound(from: number, comma: string | undefined, to: string | undefined): number | null {
  if (comma === undefined) return from;
  return to === undefined || to === '' ? null : Number(to);
}
