/** Searches of a subject by the backtracking machine, each step of which is paid for from a budget. */
import type { WorkBudget } from '../../../domain/work/work.ts';
import { firstOf } from '../analysis/first.ts';
import { neededText } from '../analysis/needed.ts';
import { isAnchored } from '../analysis/prefix.ts';
import type { Node } from '../tree.ts';
import { CodeSet } from '../unicode/code-set.ts';
import type { Match, Span } from '../match.ts';
import { after } from './characters.ts';
import { compile } from './compile/compile.ts';
import type { CompileOptions } from './compile/made.ts';
import { DONE, FAIL, KEEP, Machine } from './machine.ts';
import { startOf, type Program } from './program.ts';

/** One machine for all searches: one is over before the next begins, and memory is bounded for all together. */
const machine = new Machine();

/** Units of work of a call, and of a step. */
const UNITS_PER_SEARCH = 20;
const UNITS_PER_STEP = 2;
/** Four positions are passed over in one unit. */
const PASSED_SHIFT = 2;
/** Characters in which a text is looked for in one unit. */
const PLAIN_PER_UNIT = 16;

/** The most units of one search, many seconds: budgets are far below it. */
const MOST_UNITS = 1_000_000_000;

/** A match, if there is one and the budget allowed to find it, and the work that was done. */
export interface Outcome {
  readonly match: Match | undefined;
  readonly work: number;
}

export interface BacktrackOptions extends CompileOptions {
  /** Between CR and LF, where both are one newline, no match begins. */
  readonly skipsCrLf: boolean;
}

export class BacktrackSearch {
  readonly #program: Program;
  readonly #options: BacktrackOptions;
  readonly #first: CodeSet | null;
  readonly #needed: string;
  /** A match can only begin at the start of the subject. */
  readonly #anchored: boolean;

  constructor(tree: Node, options: BacktrackOptions) {
    this.#options = options;
    this.#program = compile(tree, options);
    const { sets, nullable } = firstOf(tree);
    this.#first = nullable || sets === null ? null : new CodeSet([...sets].flat());
    this.#needed = neededText(tree);
    this.#anchored = options.whole || isAnchored(tree);
  }

  /** Steps of the program. */
  get size(): number {
    return this.#program.steps.length;
  }

  /**
   * The leftmost match at or after `from`, or the one that begins `at` a place; `undefined` for none, and where the budget
   * ends before that is known.
   */
  find(subject: string, from: number, budget: WorkBudget, at?: number): Outcome {
    if (this.#anchored && from > 0) return { match: undefined, work: 0 };
    const looked = this.#needed === '' ? 0 : 1 + (subject.length - from) / PLAIN_PER_UNIT;
    if (this.#needed !== '' && !subject.includes(this.#needed, from)) {
      budget.spend(looked);
      return { match: undefined, work: looked };
    }
    const m = machine;
    m.subject = subject;
    m.from = from;
    // A small integer: it changes at every step.
    const fuel = Math.trunc(Math.min(budget.least, MOST_UNITS) / UNITS_PER_STEP);
    m.fuel = fuel;
    if (m.registers.length !== this.#program.registers) m.registers = new Int32Array(this.#program.registers);
    const found = this.#search(m, at ?? (this.#anchored ? 0 : null)) ? this.#match(m) : undefined;
    const work = looked + UNITS_PER_SEARCH + UNITS_PER_STEP * (fuel - Math.max(0, m.fuel));
    const paid = budget.spend(work);
    if (m.fuel < 0) budget.exhaust();
    m.release();
    return { match: paid && m.fuel >= 0 ? found : undefined, work };
  }

  /** Begins at `only`, or, for null, at one place after the other. */
  #search(m: Machine, only: number | null): boolean {
    const { subject } = m;
    const perStart = 1 + (this.#program.registers >> 4);
    for (let start = only ?? this.#candidate(m, m.from); start >= 0;) {
      m.begin(start);
      m.fuel -= perStart;
      if (this.#run(m)) return true;
      if (m.fuel < 0 || only !== null) return false;
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
