/**
 * Searches of a subject by the linear-time engine. Its programs differ from PCRE only in a subject that ends in a
 * newline: `$` and `\Z` also match before that newline, and the `^` of option m does not match after it. A test tries
 * such subjects more than once; a search for a match leaves them to the backtracking machine.
 */
import type { Match, Scope } from '../match.ts';
import { hasAnchor, type Node } from '../tree.ts';
import { NEVER, emit, type Anchors } from './emit.ts';
import { Engine } from './engine.ts';

export class LinearSearch {
  readonly #tree: Node;
  readonly #scope: Scope;
  readonly #main: Engine;
  /** For a subject without its final newline, and one whose final newline begins no line. Made when needed. */
  #trimmed: Engine | undefined;
  #unstarted: Engine | undefined;
  readonly #soft: boolean;
  readonly #lineStart: boolean;
  /** Instructions, of all programs that may have to run. */
  readonly size: number;

  /** Throws what the engine throws for a tree that it cannot take. */
  constructor(tree: Node, scope: Scope) {
    this.#tree = tree;
    this.#scope = scope;
    this.#soft = scope === 'anywhere' && hasAnchor(tree, 'soft-end');
    this.#lineStart = hasAnchor(tree, 'line-start');
    this.#main = this.#engine({});
    this.size = this.#main.size * (1 + Number(this.#soft) + Number(this.#lineStart));
  }

  /** A search for groups takes so many times the work of a test. */
  get groupFactor(): number {
    return this.#main.groupFactor;
  }

  /** Units of work done so far, estimated. */
  get work(): number {
    const trimmed = this.#trimmed === this.#main ? 0 : (this.#trimmed?.work ?? 0);
    return this.#main.work + trimmed + (this.#unstarted?.work ?? 0);
  }

  test(subject: string): boolean {
    if (!subject.endsWith('\n')) return this.#main.test(subject);
    if (this.#soft && this.#withoutNewline().test(subject.slice(0, -1))) return true;
    if (!this.#lineStart) return this.#main.test(subject);
    const match = this.#main.locate(subject);
    return match?.index === subject.length ? this.#withoutLastLine().test(subject) : match !== undefined;
  }

  /** Whether `find` gives PCRE's match in this subject. */
  canFind(subject: string): boolean {
    return !(this.#soft || this.#lineStart) || !subject.endsWith('\n');
  }

  /** Where it begins; the same holds of it. */
  locate(subject: string, from: number): number | undefined {
    return this.#main.locate(subject, from)?.index;
  }

  find(subject: string, from: number): Match | undefined {
    return this.#main.find(subject, from);
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
