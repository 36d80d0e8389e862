/**
 * Searches of a subject by the linear-time engine. Its programs differ from PCRE only in a subject that ends in a
 * newline: `$` and `\Z` also match before that newline, and the `^` of option m does not match after it. A test tries
 * such subjects more than once; a search for a match leaves them to the backtracking machine.
 */
import type { Match, Scope, Span } from '../match.ts';
import { hasAnchor, type Node } from '../tree.ts';
import { NEVER, emit, type Anchors } from './emit.ts';
import { RE2JS } from 're2js';

/**
 * Units of work are steps of one instruction over one character: 8 to 12 ns when the program is simulated.
 * Measured on one core of a common server; a state takes 4 µs and more to build, a step over built ones 15 ns.
 */
const UNITS_PER_STATE = 400;
const UNITS_PER_CHAR = 2;
/** For the call itself. */
const UNITS_PER_TEST = 20;

/** Bytes of built states for each program, instead of the engine's 8 MiB: many programs are held at once. */
const STATE_MEMORY = 1024 * 1024;

/** Building pays off only if each state serves several characters. Judged once that many were built. */
const CHARS_PER_STATE = 10;
const STATES_BEFORE_JUDGEMENT = 1000;

/**
 * One program of the linear-time engine, with bounded work and memory. Only this file knows the engine's insides, for
 * the exact version in package.json. The engine (re2js 2.10) answers a test with states that it builds as it goes, ten
 * times faster than simulating the program, unless the pattern needs a new state for nearly every character; that is
 * slower than the simulation. It gives up within one long subject, but starts anew with each next one.
 */
class Engine {
  readonly #program: RE2JS;
  /** Instructions. */
  readonly size: number;
  /** A search for groups takes so many times the work of a test: it copies their positions all the time. */
  readonly groupFactor: number;
  #work = 0;
  #chars = 0;
  #states = 0;

  /** Throws the engine's exception for text that is not in its syntax. */
  constructor(text: string) {
    this.#program = RE2JS.compile(text);
    this.size = this.#program.programSize();
    const groups = this.#program.groupCount();
    this.groupFactor = groups === 0 ? 1 : 3 + groups / 16;
  }

  /** Units of work done so far, estimated. */
  get work(): number {
    return this.#work;
  }

  test(subject: string): boolean {
    const machine = this.#program.re2();
    const builds = !machine.dfa.failed;
    if (machine.dfa.stateBudget > STATE_MEMORY) {
      machine.dfa.stateBudget = STATE_MEMORY;
      machine.dfa.memBudget = STATE_MEMORY;
    }
    const before = machine.dfa.stateCount;
    const answer = this.#program.test(subject);
    if (!builds) {
      this.#work += this.size * (subject.length + UNITS_PER_TEST);
      return answer;
    }
    // The count falls when the engine drops all states to begin again.
    const after = machine.dfa.stateCount;
    const built = after >= before ? after - before : after;
    this.#work += UNITS_PER_TEST + UNITS_PER_CHAR * subject.length + built * (UNITS_PER_STATE + this.size);
    this.#states += built;
    this.#chars += subject.length;
    if (this.#states > STATES_BEFORE_JUDGEMENT && this.#states * CHARS_PER_STATE > this.#chars) {
      machine.dfa.failed = true;
      machine.dfa.clearCache();
    }
    return answer;
  }

  /** Where the leftmost match at or after `from` lies. */
  locate(subject: string, from = 0): Span | undefined {
    this.#work += this.size * (subject.length - from + UNITS_PER_TEST);
    const matcher = this.#program.matcher(subject);
    return matcher.find(from) ? { index: matcher.start(), end: matcher.end() } : undefined;
  }

  /** The leftmost match at or after `from`, which must be a position of the subject. */
  find(subject: string, from: number): Match | undefined {
    this.#work += this.size * this.groupFactor * (subject.length - from + UNITS_PER_TEST);
    const matcher = this.#program.matcher(subject);
    if (!matcher.find(from)) return undefined;
    const groups = Array.from({ length: this.#program.groupCount() }, (_, index) => {
      const start = matcher.start(index + 1);
      return start < 0 ? undefined : { index: start, end: matcher.end(index + 1) };
    });
    return { index: matcher.start(), end: matcher.end(), groups };
  }
}

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
