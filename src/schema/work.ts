/** A budget for checking one write against all schemas. Clocks may stand still meanwhile, so steps are counted. */
import { WorkBudget } from '../domain/work/work.ts';
import { SCHEMA_LIMITS } from './limits.ts';

/** Thrown when the work runs out, and caught where the check began: it never leaves this folder. */
export class TooMuch extends Error {}

/** The units of work of one step of a check; a step takes 20 to 200 ns. */
const STEP = 4;

export class Work {
  readonly #budget: WorkBudget;
  #depth = 0;

  constructor(steps: number = SCHEMA_LIMITS.work) {
    this.#budget = new WorkBudget(steps * STEP);
  }

  spend(steps: number): void {
    this.spendUnits(steps * STEP);
  }

  /** Counts work in its own units. */
  spendUnits(units: number): void {
    if (this.#budget.spend(units)) return;
    throw new TooMuch('Checking the document against its schemas takes too much work.');
  }

  /** Begins a new check; the one before does not matter. */
  start(): void {
    this.#depth = 0;
  }

  /** Begins a check inside of another; each takes stack. `leave` ends it. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > SCHEMA_LIMITS.nesting) throw new TooMuch('Checking the document nests too deeply.');
  }

  leave(): void {
    this.#depth -= 1;
  }
}
