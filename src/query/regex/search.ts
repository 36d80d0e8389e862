/**
 * A compiled pattern: the engine's programs for it, and what the engine cannot say made up for. The programs
 * differ from PCRE only in a subject that ends in a newline: `$` and `\Z` also match before that newline, and
 * the `^` of option m does not match after it. Such subjects are searched more than once.
 */
import { NEVER, emit, type Anchors } from './emit.ts';
import { Engine, type EngineMatch, type Span } from './engine.ts';
import { beginningOf, literalOf, prefixOf } from './prefix.ts';
import { hasAnchor, type Node } from './tree.ts';

/** Where a match may lie. */
export type Scope = 'anywhere' | 'whole';

/** A match: UTF-16 positions, and the text of each capturing group, `undefined` if it took no part. */
export interface Found extends Span {
  readonly captures: readonly (string | undefined)[];
}

/**
 * Work that one search may take: instructions times UTF-16 units. About a second when the engine can do no
 * better than simulate the program, which hardly any honest pattern makes it do.
 */
const MAX_WORK = 100_000_000;

/** A search for plain text reads many characters in the time of one unit of work. */
const PLAIN_CHARS_PER_UNIT = 16;

export class Search {
  readonly #tree: Node;
  readonly #scope: Scope;
  readonly #main: Engine;
  /** For a subject without its final newline, and one whose final newline begins no line. Made when needed. */
  #trimmed: Engine | undefined;
  #unstarted: Engine | undefined;
  readonly #soft: boolean;
  readonly #lineStart: boolean;
  /** The same test without the engine, where that is possible. */
  readonly #plain: ((subject: string) => boolean) | undefined;
  #plainWork = 0;
  /** Where the whole subject must match: what it has to begin with. Comparing that spares most tests the engine. */
  readonly #beginning: string;

  /** Capturing groups. */
  readonly groups: number;
  /** Instructions, of all programs that may have to run. */
  readonly size: number;
  /** The longest subject, in UTF-16 units, that `test` takes within its budget. */
  readonly maxSubject: number;
  /** The same for `find`, which has more to do where there are groups. */
  readonly maxFindSubject: number;

  /** Throws what the engine throws for a tree that it cannot take; `compilePattern` never lets that out. */
  constructor(tree: Node, scope: Scope, groups: number) {
    this.#tree = tree;
    this.#scope = scope;
    this.groups = groups;
    this.#beginning = scope === 'whole' ? beginningOf(tree) : '';
    this.#soft = scope === 'anywhere' && hasAnchor(tree, 'soft-end');
    this.#lineStart = hasAnchor(tree, 'line-start');
    this.#main = this.#engine({});
    this.size = this.#main.size * (1 + Number(this.#soft) + Number(this.#lineStart));
    this.#plain = plainTest(tree, scope);
    this.maxSubject = Math.floor(MAX_WORK / (this.#plain ? 1 : this.size));
    this.maxFindSubject = Math.floor(MAX_WORK / (this.size * this.#main.groupFactor));
  }

  /** Whether a test of the subject is within its budget. */
  fits(subject: string): boolean {
    return subject.length <= this.maxSubject;
  }

  /** Whether a `find` in the subject is within its budget. */
  fitsFind(subject: string): boolean {
    return subject.length <= this.maxFindSubject;
  }

  /** The most work that a test of this subject can take, in the units of `work`. */
  cost(subject: string): number {
    const { length } = subject;
    return this.#plain ? Math.ceil(length / PLAIN_CHARS_PER_UNIT) : this.size * (length + 1);
  }

  /**
   * Units of work (about 10 ns each) that all searches so far took, estimated as they went. Its growth over a
   * list of subjects is what a total budget should watch: `cost` is the bound, `work` mostly far below it.
   */
  get work(): number {
    const engines = new Set([this.#main, this.#trimmed, this.#unstarted]);
    return [...engines].reduce((sum, engine) => sum + (engine?.work ?? 0), this.#plainWork);
  }

  /** False for a subject that certainly does not match: it begins otherwise. Hardly any work. */
  mayMatch(subject: string): boolean {
    return subject.startsWith(this.#beginning);
  }

  /** Whether the pattern matches. A subject over the budget does not: ask `fits` where that must be told apart. */
  test(subject: string): boolean {
    if (!this.fits(subject)) return false;
    if (!this.mayMatch(subject)) return false;
    if (this.#plain) {
      this.#plainWork += subject.length / PLAIN_CHARS_PER_UNIT + 1;
      return this.#plain(subject);
    }
    if (!subject.endsWith('\n')) return this.#main.test(subject);
    if (this.#soft && this.#withoutNewline().test(subject.slice(0, -1))) return true;
    if (!this.#lineStart) return this.#main.test(subject);
    const match = this.#main.locate(subject);
    return match?.index === subject.length ? this.#withoutLastLine().test(subject) : match !== undefined;
  }

  /**
   * The leftmost match that begins at or after `from`, with its groups; `undefined` if there is none, or if the
   * subject is over the budget (`fitsFind`). Text before `from` is still seen by `^`, `\A` and `\b`.
   */
  find(subject: string, from = 0): Found | undefined {
    if (!this.fitsFind(subject) || from < 0 || from > subject.length) return undefined;
    const match = this.#find(subject, from);
    if (!match) return undefined;
    const captures = match.groups.map((group) => group && subject.slice(group.index, group.end));
    return { index: match.index, end: match.end, captures };
  }

  #find(subject: string, from: number): EngineMatch | undefined {
    if (!subject.endsWith('\n')) return this.#main.find(subject, from);
    const whole = this.#findStarted(subject, from);
    if (!this.#soft || from === subject.length) return whole;
    const before = this.#withoutNewline().find(subject.slice(0, -1), from);
    // Of two matches at one place a greedy pattern takes the longer, and that is the one with the newline.
    return before && (!whole || before.index < whole.index) ? before : whole;
  }

  /** A search in a subject that ends in a newline, after which no line starts. */
  #findStarted(subject: string, from: number): EngineMatch | undefined {
    const match = this.#main.find(subject, from);
    if (!this.#lineStart || match?.index !== subject.length) return match;
    return this.#withoutLastLine().find(subject, from);
  }

  /** The program for what lies after the newline that ends a subject: no line starts there. */
  #withoutLastLine(): Engine {
    this.#unstarted ??= this.#engine({ 'line-start': NEVER });
    return this.#unstarted;
  }

  /** The program for a subject whose final newline was taken off: its end is not the end. */
  #withoutNewline(): Engine {
    this.#trimmed ??= hasAnchor(this.#tree, 'end') ? this.#engine({ end: NEVER }) : this.#main;
    return this.#trimmed;
  }

  #engine(anchors: Anchors): Engine {
    const text = emit(this.#tree, anchors);
    return new Engine(this.#scope === 'whole' ? `\\A(?:${text})\\z` : text);
  }
}

/** A test by the string's own methods for literal text, and for literal text at the start. */
function plainTest(tree: Node, scope: Scope): ((subject: string) => boolean) | undefined {
  const literal = literalOf(tree);
  if (literal !== undefined) {
    return scope === 'whole' ? (subject) => subject === literal : (subject) => subject.includes(literal);
  }
  const start = prefixOf(tree);
  return scope === 'anywhere' && start?.exact === true
    ? (subject) => subject.startsWith(start.prefix)
    : undefined;
}
