/** Searches of a subject by the backtracking machine, each step of which is paid for from a budget. */
import type { WorkBudget } from '../../../domain/work/work.ts';
import { firstSetOf } from '../analysis/first.ts';
import { memoSize } from '../analysis/memo-size.ts';
import { hasAll, neededTexts, textsOf } from '../analysis/texts.ts';
import type { Node } from '../tree.ts';
import type { CodeSet } from '../unicode/code-set.ts';
import { after } from './characters.ts';
import { compile } from './compile/compile.ts';
import type { CompileOptions } from './compile/made.ts';
import { DONE, FAIL, KEEP, Machine } from './machine.ts';
import { startOf, type Program } from './program.ts';

/** One machine for all searches: one is over before the next begins, and memory is bounded for all together. */
const machine = new Machine();

/** Units of work of a call, and of a step: one that is known beforehand is what such a size counts. */
const UNITS_PER_SEARCH = 20;
const UNITS_PER_STEP = { linear: 1, other: 2 };
/** Four positions are passed over in one unit. */
const PASSED_SHIFT = 2;
/** Characters in which a text is looked for in one unit. */
const PLAIN_PER_UNIT = 16;

/** The most units of one search, many seconds: budgets are far below it. */
const MOST_UNITS = 1_000_000_000;

/** UTF-16 positions. */
export interface Span {
  readonly index: number;
  readonly end: number;
}

/** A match and its groups, `undefined` for one that took no part. */
interface Match extends Span {
  readonly groups: readonly (Span | undefined)[];
}

export interface BacktrackOptions extends CompileOptions {
  /** Between CR and LF, where both are one newline, no match begins. */
  readonly skipsCrLf: boolean;
}

export class BacktrackSearch {
  readonly #tree: Node;
  readonly #options: BacktrackOptions;
  readonly #first: CodeSet | null;
  readonly #needed: readonly string[];
  /** A match can only begin at the start of the subject. */
  readonly #anchored: boolean;
  /** Steps that one place of a subject takes at the worst; undefined where work may grow faster than a subject. */
  readonly linearSize: number | undefined;
  #made: Program | undefined;

  constructor(tree: Node, options: BacktrackOptions) {
    this.#tree = tree;
    this.#options = options;
    this.linearSize = options.mayBeEmpty === 'always' ? memoSize(tree) : undefined;
    this.#first = firstSetOf(tree);
    this.#needed = neededTexts(tree);
    this.#anchored = options.whole || textsOf(tree).anchored;
  }

  get size(): number {
    return this.linearSize ?? this.#program.steps.length;
  }

  get #program(): Program {
    this.#made ??= compile(this.#tree, this.#options, this.linearSize !== undefined);
    return this.#made;
  }

  /**
   * The leftmost match at or after `from`; `undefined` for none, and where the budget ends before that is known.
   * Its groups are unset where a program in linear time need not note them.
   */
  find(subject: string, from: number, budget: WorkBudget, groups: boolean): Match | undefined {
    if (this.#anchored && from > 0) return undefined;
    const looked = this.#needed.length === 0 ? 0 : 1 + (subject.length - from) / PLAIN_PER_UNIT;
    if (!budget.spend(looked) || !hasAll(subject, from, this.#needed)) return undefined;
    const m = machine;
    m.subject = subject;
    m.from = from;
    // A small integer: it changes at every step.
    const unitsPerStep = UNITS_PER_STEP[this.linearSize === undefined ? 'other' : 'linear'];
    const fuel = Math.trunc(Math.min(budget.least, MOST_UNITS) / unitsPerStep);
    m.fuel = fuel;
    const program = this.#program;
    if (m.registers.length !== program.registers) m.registers = new Int32Array(program.registers);
    m.note(program.slots);
    m.groups = groups || this.linearSize === undefined;
    const match = this.#search(m) ? this.#match(m) : undefined;
    const paid = budget.spend(UNITS_PER_SEARCH + unitsPerStep * (fuel - Math.max(0, m.fuel)));
    if (paid && m.fuel < 0) budget.exhaust();
    m.release();
    return paid && m.fuel >= 0 ? match : undefined;
  }

  /** Begins at one place after the other. */
  #search(m: Machine): boolean {
    const { subject } = m;
    const perStart = 1 + (this.#program.registers >> 4);
    for (let start = this.#anchored ? 0 : this.#candidate(m, m.from); start >= 0;) {
      m.begin(start);
      m.fuel -= perStart;
      if (this.#run(m)) return true;
      if (m.fuel < 0 || this.#anchored) return false;
      if (m.next > start) start = m.next;
      else if (start >= subject.length) return false;
      else start = after(subject, start);
      if (start > subject.length) return false;
      start = this.#candidate(m, start);
    }
    return false;
  }

  /** The first position from `start` on where a match may begin, or -1. */
  #candidate(m: Machine, start: number): number {
    const { subject } = m;
    const isInNewline = (at: number) =>
      this.#options.skipsCrLf && at > m.from && subject.startsWith('\r\n', at - 1);
    if (this.#first === null) return isInNewline(start) ? start + 1 : start;
    let at = start;
    while (at < subject.length && (isInNewline(at) || !this.#first.has(subject.codePointAt(at) ?? 0)))
      at = after(subject, at);
    m.fuel -= (at - start) >> PASSED_SHIFT;
    return at < subject.length ? at : -1;
  }

  /** Runs the program from the machine's current place. */
  #run(m: Machine): boolean {
    const { steps } = this.#program;
    let at = 0;
    while (m.fuel >= 0) {
      m.fuel -= 1;
      const step = steps[at];
      at = step === undefined ? FAIL : step(m);
      if (at === DONE) return true;
      if (at === FAIL) {
        at = m.back();
        if (at === FAIL) return false;
      }
    }
    return false;
  }

  #match(m: Machine): Match {
    const groups = Array.from({ length: this.#options.groups }, (_, index): Span | undefined => {
      const start = m.get(startOf(index + 1));
      return start < 0 ? undefined : { index: start, end: m.get(startOf(index + 1) + 1) };
    });
    // A subroutine may set the start after the end.
    return { index: Math.min(m.get(KEEP), m.position), end: m.position, groups };
  }
}
