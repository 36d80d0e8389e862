/**
 * A pattern as steps for the backtracking machine. A step changes the machine and returns the next step, or fails.
 * Steps are closures made for their place, so none decodes anything.
 */
import { FIRST_FREE, type Machine } from './machine.ts';

/** Does its work and returns the number of the next step, `FAIL` or `DONE`. */
export type Step = (m: Machine) => number;

/** The number of a step that may not be known yet when it is referred to. */
export interface Label {
  at: number;
}

/** The slot of a step, and the register of the loop around it whose turns may take nothing, or -1. */
export interface Slot {
  readonly at: number;
  readonly turn: number;
}

/** Whether the search comes to a place for the first time; one where this turn has taken nothing is another. */
export function isNew(m: Machine, { at, turn }: Slot, position: number): boolean {
  return m.isNew(turn >= 0 && position === m.get(turn) ? at + 1 : at, position);
}

/** Registers of a group: where it starts, where it ends, and where it was opened while it is open. */
const PER_GROUP = 3;

export function startOf(group: number): number {
  return FIRST_FREE + PER_GROUP * (group - 1);
}

export interface Program {
  readonly steps: readonly Step[];
  readonly registers: number;
  /** Slots of steps that note where a search was; 0 where it must not. */
  readonly slots: number;
  /** False where notes make another way to match than the first one win. */
  readonly exact: boolean;
}

/** Steps and registers as they are made. */
export class Assembly {
  readonly steps: Step[] = [];
  registers: number;
  slots = 0;

  constructor(groups: number) {
    this.registers = startOf(groups + 1);
  }

  /** The number of the step that will be made next. */
  get here(): number {
    return this.steps.length;
  }

  /** Makes one step; it takes the number of the step after it. */
  add(make: (next: number) => Step): void {
    this.steps.push(make(this.here + 1));
  }

  /** A slot for a step in a loop whose turns may take nothing, of this register, or in none. */
  slot(turn: number): Slot {
    const at = this.slots;
    this.slots += turn < 0 ? 1 : 2;
    return { at, turn };
  }

  label(): Label {
    return { at: -1 };
  }

  place(label: Label): void {
    label.at = this.here;
  }

  /** Reserves this number of registers, and returns the first. */
  take(count: number): number {
    const first = this.registers;
    this.registers += count;
    return first;
  }
}
