/**
 * A compiled pattern: on the linear-time engine where it can do the work, else on the backtracking machine. Both pay
 * for their work from a budget.
 */
import { WORK } from '../../domain/limits.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { neededText } from './analysis/needed.ts';
import { beginningOf, literalOf, prefixOf } from './analysis/prefix.ts';
import { BacktrackSearch, type BacktrackOptions } from './backtrack/search.ts';
import { findsExactly, isLinear } from './linear/linear.ts';
import { planOfTest, simplify } from './linear/rewrite.ts';
import { LinearSearch } from './linear/search.ts';
import type { Found, Match, Scope } from './match.ts';
import type { Node } from './tree.ts';

/** Properties of a pattern beside its tree. */
export interface SearchOptions extends Omit<BacktrackOptions, 'whole'> {
  readonly source: string;
}

/** A search for plain text reads many characters in the time of one unit of work. */
const PLAIN_CHARS_PER_UNIT = 16;

export class Search {
  readonly #tree: Node;
  readonly #scope: Scope;
  readonly #options: SearchOptions;
  /** The test by the linear engine, each part with whether it must not match; `null` where there is none. */
  readonly #linear: readonly { readonly part: LinearSearch; readonly negated: boolean }[] | null;
  /** The engine that finds where a match lies, and whether the groups that it finds are right. */
  readonly #finder: { readonly part: LinearSearch; readonly groups: boolean } | null;
  #backtracking: BacktrackSearch | undefined;
  /** The same test without any engine, where that is possible. */
  readonly #plain: ((subject: string) => boolean) | undefined;
  /** Work outside of the linear engine. */
  #otherWork = 0;
  /** Where the whole subject must match: what it has to begin with. Comparing that spares most tests the engine. */
  readonly #beginning: string;
  /** Text in every match. */
  readonly #needed: string;

  readonly source: string;
  readonly groups: number;
  /** Instructions, of all programs that may have to run. */
  readonly size: number;
  /** The longest subject, in UTF-16 units, that `test` takes, as far as is known beforehand. */
  readonly maxSubject: number;
  /** The same for `find`, which has more to do where there are groups. */
  readonly maxFindSubject: number;

  constructor(tree: Node, scope: Scope, options: SearchOptions) {
    this.#tree = tree;
    this.#scope = scope;
    this.#options = options;
    this.source = options.source;
    this.groups = options.groups;
    this.#beginning = scope === 'whole' ? beginningOf(tree) : '';
    this.#needed = neededText(tree);
    const simple = options.mayBeEmpty === 'always' ? simplify(tree) : null;
    this.#linear = simple && linearTest(simple, scope);
    const [only, ...others] = this.#linear ?? [];
    const finds = only && simple !== null && others.length === 0 && isLinear(simple);
    this.#finder = finds ? { part: only.part, groups: findsExactly(simple) } : null;
    this.#plain = options.mayBeEmpty === 'always' ? plainTest(tree, scope) : undefined;
    const linearSize = this.#linear?.reduce((sum, { part }) => sum + part.size, 0);
    this.size = linearSize ?? this.#backtrack.size;
    this.maxSubject =
      linearSize === undefined ? Infinity : Math.floor(WORK.search / (this.#plain ? 1 : this.size));
    this.maxFindSubject = this.#finder
      ? Math.floor(WORK.search / (this.#finder.part.size * this.#finder.part.groupFactor))
      : this.maxSubject;
  }

  /** Whether a test of the subject is within its budget, as far as is known beforehand. */
  fits(subject: string): boolean {
    return subject.length <= this.maxSubject;
  }

  /** The same for a `find`. */
  fitsFind(subject: string): boolean {
    return subject.length <= this.maxFindSubject;
  }

  /**
   * The most work that a test of this subject can take, in the units of `work`; where it backtracks the least, for the
   * most is not known.
   */
  cost(subject: string): number {
    const { length } = subject;
    return this.#plain || this.#linear === null
      ? Math.ceil(length / PLAIN_CHARS_PER_UNIT)
      : this.size * (length + 1);
  }

  /** Units of work (about 10 ns each) that all searches so far took, estimated as they went. */
  get work(): number {
    return (this.#linear ?? []).reduce((sum, { part }) => sum + part.work, this.#otherWork);
  }

  /** False for a subject that certainly does not match: it begins otherwise. Hardly any work. */
  mayMatch(subject: string): boolean {
    return subject.startsWith(this.#beginning);
  }

  /** Whether the pattern matches. False where the budget ends before that is known: `exceeded` tells. */
  test(subject: string, budget = new WorkBudget(WORK.search)): boolean {
    if (budget.exceeded || !this.fits(subject)) return exceed(budget);
    if (!this.mayMatch(subject)) return false;
    if (this.#plain) {
      const work = subject.length / PLAIN_CHARS_PER_UNIT + 1;
      this.#otherWork += work;
      return budget.spend(work) && this.#plain(subject);
    }
    if (this.#needed.length > 1 && !subject.includes(this.#needed)) {
      budget.spend(1 + subject.length / PLAIN_CHARS_PER_UNIT);
      return false;
    }
    if (this.#linear !== null && !this.#testLinear(subject, budget)) return false;
    const isSure = this.#linear !== null && this.#startsAnywhere(subject);
    return isSure || this.#findBacktracking(subject, 0, budget) !== undefined;
  }

  /**
   * The leftmost match that begins at or after `from`, with its groups; `undefined` if there is none, or if the
   * budget ends before that is known. Text before `from` is still seen by assertions.
   */
  find(subject: string, from = 0, budget = new WorkBudget(WORK.search)): Found | undefined {
    if (from < 0 || from > subject.length) return undefined;
    if (budget.exceeded || !this.fitsFind(subject)) {
      exceed(budget);
      return undefined;
    }
    const match = this.#find(subject, from, budget);
    if (!match) return undefined;
    const captures = match.groups.map((group) => group && subject.slice(group.index, group.end));
    return { index: match.index, end: match.end, captures };
  }

  #find(subject: string, from: number, budget: WorkBudget): Match | undefined {
    const finder = this.#finder;
    if (finder?.part.canFind(subject) === true && this.#startsAnywhere(subject)) {
      const { part } = finder;
      const before = part.work;
      const match = finder.groups ? part.find(subject, from) : undefined;
      const at = finder.groups ? undefined : part.locate(subject, from);
      const paid = budget.spend(part.work - before);
      if (!paid || finder.groups || at === undefined) return paid ? match : undefined;
      return this.#findBacktracking(subject, from, budget, at);
    }
    // Where there is no match the linear engine knows so without fail.
    if (this.#linear !== null && from === 0 && !this.#testLinear(subject, budget)) return undefined;
    return this.#findBacktracking(subject, from, budget);
  }

  /** Whether a match may begin at any character: the linear engine knows no newline of two. */
  #startsAnywhere(subject: string): boolean {
    return !this.#options.skipsCrLf || !subject.includes('\r\n');
  }

  #testLinear(subject: string, budget: WorkBudget): boolean {
    for (const { part, negated } of this.#linear ?? []) {
      const before = part.work;
      const found = part.test(subject) !== negated;
      if (!budget.spend(part.work - before) || !found) return false;
    }
    return true;
  }

  /** `at` is where the match begins, if that is known. */
  #findBacktracking(subject: string, from: number, budget: WorkBudget, at?: number): Match | undefined {
    const { match, work } = this.#backtrack.find(subject, from, budget, at);
    this.#otherWork += work;
    return match;
  }

  get #backtrack(): BacktrackSearch {
    this.#backtracking ??= new BacktrackSearch(this.#tree, {
      ...this.#options,
      whole: this.#scope === 'whole',
    });
    return this.#backtracking;
  }
}

function exceed(budget: WorkBudget): false {
  budget.exhaust();
  return false;
}

function linearTest(tree: Node, scope: Scope): { part: LinearSearch; negated: boolean }[] | null {
  const plan = planOfTest(tree, scope === 'whole');
  if (plan === null) return null;
  try {
    return [
      { part: new LinearSearch(plan.tree, scope), negated: false },
      ...plan.conditions.map((each) => ({
        part: new LinearSearch(each.tree, 'anywhere'),
        negated: each.negated,
      })),
    ];
  } catch {
    // The tree may nest deeper than the engine goes.
    return null;
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
