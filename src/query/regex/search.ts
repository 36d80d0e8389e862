/**
 * A compiled pattern. A test may be several searches, of which each takes linear time; where there is no such plan it is
 * one that backtracks. All pay for their work from a budget.
 */
import { WORK } from '../../domain/limits.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { beginningOf, literalOf, prefixOf } from './analysis/prefix.ts';
import { planOfTest } from './analysis/test-plan.ts';
import { BacktrackSearch, type BacktrackOptions } from './backtrack/search.ts';
import type { Found, Match, Scope } from './match.ts';
import type { Node } from './tree.ts';

/** Properties of a pattern beside its tree. */
export interface SearchOptions extends Omit<BacktrackOptions, 'whole'> {
  readonly source: string;
}

/** A search for plain text reads many characters in the time of one unit of work. */
const PLAIN_CHARS_PER_UNIT = 16;

interface Part {
  readonly search: BacktrackSearch;
  /** It must not match. */
  readonly negated: boolean;
}

export class Search {
  readonly #whole: BacktrackSearch;
  /** The searches of a test; `null` where it is that of the whole pattern, in work that may grow faster than subjects. */
  readonly #parts: readonly Part[] | null;
  /** The same test without any search, where that is possible. */
  readonly #plain: ((subject: string) => boolean) | undefined;
  /** Where the whole subject must match: what it has to begin with. Comparing that spares most tests the search. */
  readonly #beginning: string;
  #work = 0;

  readonly source: string;
  readonly groups: number;
  /** Steps, of all programs that may have to run. */
  readonly size: number;
  /** The longest subject, in UTF-16 units, that `test` takes, as far as is known beforehand. */
  readonly maxSubject: number;

  constructor(tree: Node, scope: Scope, options: SearchOptions) {
    this.source = options.source;
    this.groups = options.groups;
    this.#beginning = scope === 'whole' ? beginningOf(tree) : '';
    const whole = scope === 'whole';
    this.#whole = new BacktrackSearch(tree, { ...options, whole });
    const isUsual = options.mayBeEmpty === 'always';
    this.#plain = isUsual ? plainTest(tree, scope) : undefined;
    // A plan may let matches begin elsewhere, such as within a newline of two characters.
    const plan =
      isUsual && (!options.skipsCrLf || this.#whole.linearSize !== undefined)
        ? planOfTest(tree, whole)
        : null;
    this.#parts = plan && [
      {
        search: plan.tree === tree ? this.#whole : new BacktrackSearch(plan.tree, { ...options, whole }),
        negated: false,
      },
      ...plan.conditions.map(({ tree: condition, negated }) => ({
        search: new BacktrackSearch(condition, { ...options, whole: false }),
        negated,
      })),
    ];
    this.size = this.#parts?.reduce((sum, { search }) => sum + search.size, 0) ?? this.#whole.size;
    this.maxSubject =
      this.#parts === null ? Infinity : Math.floor(WORK.search / (this.#plain ? 1 : this.size));
  }

  /** Whether a search of the subject is within its budget, as far as is known beforehand. */
  fits(subject: string): boolean {
    return subject.length <= this.maxSubject;
  }

  /**
   * The most work that a test of this subject can take, in the units of `work`; where it backtracks the least, for the
   * most is not known.
   */
  cost(subject: string): number {
    const { length } = subject;
    return this.#plain || this.#parts === null
      ? Math.ceil(length / PLAIN_CHARS_PER_UNIT)
      : this.size * (length + 1);
  }

  /** Units of work (about 10 ns each) that all searches so far took, estimated as they went. */
  get work(): number {
    return this.#work;
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
      this.#work += work;
      return budget.spend(work) && this.#plain(subject);
    }
    return this.#parts === null
      ? this.#match(this.#whole, subject, 0, budget, false) !== undefined
      : this.#passes(this.#parts, subject, budget);
  }

  /**
   * The leftmost match that begins at or after `from`, with its groups; `undefined` if there is none, or if the
   * budget ends before that is known. Text before `from` is still seen by assertions.
   */
  find(subject: string, from = 0, budget = new WorkBudget(WORK.search)): Found | undefined {
    if (from < 0 || from > subject.length) return undefined;
    if (budget.exceeded || !this.fits(subject)) {
      exceed(budget);
      return undefined;
    }
    // Where there is no match a plan in linear time knows so without fail.
    const hasPlan = this.#parts !== null && this.#whole.linearSize === undefined;
    if (hasPlan && from === 0 && !this.#passes(this.#parts, subject, budget)) return undefined;
    const match = this.#match(this.#whole, subject, from, budget, true);
    if (!match) return undefined;
    const captures = match.groups.map((group) => group && subject.slice(group.index, group.end));
    return { index: match.index, end: match.end, captures };
  }

  #passes(parts: readonly Part[], subject: string, budget: WorkBudget): boolean {
    return parts.every(({ search, negated }) => {
      const found = this.#match(search, subject, 0, budget, false) !== undefined;
      return !budget.exceeded && found !== negated;
    });
  }

  #match(
    search: BacktrackSearch,
    subject: string,
    from: number,
    budget: WorkBudget,
    groups: boolean,
  ): Match | undefined {
    const { match, work } = search.find(subject, from, budget, groups);
    this.#work += work;
    return match;
  }
}

function exceed(budget: WorkBudget): false {
  budget.exhaust();
  return false;
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
