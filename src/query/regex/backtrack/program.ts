/**
 * A pattern as steps for the backtracking machine. A step changes the machine and returns the next step, or fails.
 * Steps are closures made for their place, so none decodes anything.
 */
import { FIRST_FREE, type Machine } from './machine.ts';

/** Does its work and returns the number of the next step, `FAIL` or `DONE`. */
export type Instruction = (m: Machine) => number;

/** The number of a step that may not be known yet when it is referred to. */
export interface Label {
  at: number;
}

/** The first slot of a step, and the registers of the loops around it whose turns may take nothing, from the inmost. */
export interface Slot {
  readonly at: number;
  readonly turns: readonly number[];
}

/**
 * Whether the search comes to a place for the first time. How many turns around it have taken nothing makes another
 * place: where one has taken nothing, those inside of it have not either. Only the inmost decides on a match.
 */
export function isNew(m: Machine, { at, turns }: Slot, position: number): boolean {
  const most = m.groups ? turns.length : Math.min(turns.length, 1);
  let empty = 0;
  while (empty < most && position === m.get(turns[empty] ?? 0)) empty += 1;
  m.fuel -= empty >> 3;
  return m.isNew(at + empty, position);
}

/** Registers of a group: where it starts, where it ends, and where it was opened while it is open. */
const PER_GROUP = 3;

export function startOf(group: number): number {
  return FIRST_FREE + PER_GROUP * (group - 1);
}

export interface Program {
  readonly steps: readonly Instruction[];
  readonly registers: number;
  /** Slots of steps that note where a search was; 0 where it must not. */
  readonly slots: number;
}

/** Steps and registers as they are made. */
export class Assembly {
  readonly steps: Instruction[] = [];
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
  add(make: (next: number) => Instruction): void {
    this.steps.push(make(this.here + 1));
  }

  /** The slots of a step in loops whose turns may take nothing. */
  slot(turns: readonly number[]): Slot {
    const at = this.slots;
    this.slots += turns.length + 1;
    return { at, turns };
  }

  label(): Label {
    return { at: -1 };
  }

  place(label: Label): void {
    label.at = this.here;
  }

  take(count: number): number {
    const first = this.registers;
    this.registers += count;
    return first;
  }
}
