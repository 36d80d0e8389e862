/**
 * Work budgets: how much may be done for a request before it is refused. Clocks stand still while code computes on the
 * platform, so work is counted, never timed.
 *
 * There is one unit, about 10 ns: one instruction of a regular expression's program over one character. What is counted
 * in coarser steps says how many units a step is worth.
 */
export class WorkBudget {
  #left: number;
  readonly #parent: WorkBudget | null;

  /** A budget of a number of units. Spending it also spends its parent. */
  constructor(units: number, parent: WorkBudget | null = null) {
    this.#left = units;
    this.#parent = parent;
  }

  /** Takes units away. False when the budget, or one that it is part of, is exceeded, and so for good. */
  spend(units: number): boolean {
    this.#left -= units;
    const isWithinParent = this.#parent === null || this.#parent.spend(units);
    return isWithinParent && this.#left >= 0;
  }

  /** Ends the budget: something was asked for that it could never pay. */
  exhaust(): void {
    this.#left = -Infinity;
  }

  /** True when more was spent than there was: no answer that was found by then may be given. */
  get exceeded(): boolean {
    return !this.has(0);
  }

  /** Whether this number of units can still be spent. */
  has(units: number): boolean {
    return this.#left >= units && (this.#parent === null || this.#parent.has(units));
  }

  /** Units that are left of this budget itself; below 0 when it is exceeded. */
  get left(): number {
    return this.#left;
  }

  /** Units that may still be spent: what is left of it, or of what it is part of, whichever is less. */
  get least(): number {
    return this.#parent === null ? this.#left : Math.min(this.#left, this.#parent.least);
  }

  /** A budget for a part of the work, which ends with this one. */
  part(units: number): WorkBudget {
    return new WorkBudget(units, this);
  }
}
