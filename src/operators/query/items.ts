/** Limits the items of arrays that a filter's tests look at in one document, because it is tested without a pause. */
import { LIMITS } from '../../domain/limits.ts';
import type { WorkBudget } from '../../domain/work/work.ts';
import type { Counter, Predicate } from '../../query/walk.ts';

/** The budgets of filters that had a document with too many. */
const exceeding = new WeakSet<WorkBudget>();

export class ItemBudget implements Counter {
  readonly #whole: WorkBudget;
  #left = 0;

  /** Exceeding it for one document ends `whole`, the budget for all documents. */
  constructor(whole: WorkBudget) {
    this.#whole = whole;
  }

  begin(): void {
    this.#left = LIMITS.matchedItems;
  }

  /** A test that is not counted. */
  aside(test: Predicate): Predicate {
    return (subject) => {
      const left = this.#left;
      this.#left = Infinity;
      const isMet = test(subject);
      this.#left = left;
      return isMet;
    };
  }

  /** False where the tests before and this one look at too many: no answer that is found may be given. */
  spend(items: number): boolean {
    this.#left -= items;
    if (this.#left >= 0) return true;
    exceeding.add(this.#whole);
    this.#whole.exhaust();
    return false;
  }
}

/** The message for a budget that one document has ended. */
export function excessOfItems(budget: WorkBudget): string | null {
  if (!exceeding.has(budget)) return null;
  return `The tests of the filter look at more than ${LIMITS.matchedItems} items of arrays in one document.`;
}
