/**
 * The state of one backtracking match: a position, registers, and records for going back. All lie in a few arrays that
 * grow up to a bound; beyond it the search ends as if it took too much work. Nothing here recurses, so no pattern can
 * overflow the stack.
 */

/** Where the program goes on after a failure, and when it has found a match. */
export const FAIL = -1;
export const DONE = -2;

/**
 * Registers with a meaning of their own; the others are the program's. -1 is none. The barrier is the depth of choices
 * at the beginning of the lookaround or call that the machine is in.
 */
export const BARRIER = 0;
export const FRAME = 1;
export const KEEP = 2;
export const MARKS = 3;
export const FIRST_FREE = 4;

/** A point to come back to: program counter, position, trail, frames, and one number of its own. */
const CHOICE = 5;
/** Integers that all arrays together may hold, 40 MB; a large one grows by so many. */
const MOST = 10_000_000;
const LARGE = 1_000_000;
const FIRST_SIZE = 1024;
/** The size of arrays that stay from one search to the next. */
const MOST_RETAINED = 65_536;
/** Steps for a search, and for each character, before it begins to note where it was: most end sooner. */
const UNNOTED = { search: 256, character: 1 };

export class Machine {
  subject = '';
  position = 0;
  /** Where the search began. */
  from = 0;
  fuel = 0;
  registers = new Int32Array(0);
  /** Depth of the choices, which registers hold to come back to. */
  depth = 0;
  /** The number that the choice gone back to holds. */
  extra = 0;
  /** Where the next match may begin, by a verb; -1 for one character on. */
  next = -1;
  frames = new Int32Array(FIRST_SIZE);
  frameTop = 0;
  #choices = new Int32Array(FIRST_SIZE);
  #trail = new Int32Array(FIRST_SIZE);
  #trailTop = 0;
  /** Bits for the places where the search was: of each position all slots. Made once it has less fuel than this. */
  #notes = new Int32Array(0);
  #slots = 0;
  #notesBelow = -Infinity;
  #noting = false;
  /** Whether groups are noted. */
  groups = true;

  /** Whether the search may note where it was, and at how many slots of its program. */
  note(slots: number): void {
    const { search, character } = UNNOTED;
    this.#slots = slots;
    this.#notesBelow =
      slots === 0 ? -Infinity : this.fuel - search - character * (this.subject.length - this.from);
    this.#noting = false;
  }

  /** False where the search was before and failed, so that it would fail again. */
  isNew(slot: number, position: number): boolean {
    if (this.fuel > this.#notesBelow) return true;
    if (!this.#noting) this.#beginNotes();
    const bit = (position - this.from) * this.#slots + slot;
    const notes = this.#notes;
    const word = notes[bit >> 5] ?? 0;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return false;
    notes[bit >> 5] = word | mask;
    return true;
  }

  #beginNotes(): void {
    this.#noting = true;
    const words = Math.ceil(((this.subject.length - this.from + 1) * this.#slots) / 32);
    this.fuel -= Math.ceil(words / 16);
    if (words <= this.#notes.length) this.#notes.fill(0, 0, words);
    else if (words <= this.#room + this.#notes.length) this.#notes = new Int32Array(words);
    else this.fuel = -1;
  }

  begin(start: number): void {
    this.position = start;
    this.registers.fill(-1);
    this.registers[KEEP] = start;
    this.depth = 0;
    this.#trailTop = 0;
    this.frameTop = 0;
    this.next = -1;
  }

  get(register: number): number {
    return this.registers[register] ?? -1;
  }

  /** Sets a register; going back sets it as it was. */
  set(register: number, value: number): void {
    if (this.depth > 0) {
      if (this.#trailTop + 2 > this.#trail.length) {
        const larger = this.#grown(this.#trail, this.#trailTop + 2);
        if (larger === undefined) return;
        this.#trail = larger;
      }
      this.#trail[this.#trailTop] = register;
      this.#trail[this.#trailTop + 1] = this.registers[register] ?? -1;
      this.#trailTop += 2;
    }
    this.registers[register] = value;
  }

  /** Notes that the program may go on at `pc` and `position` after a failure. */
  push(pc: number, position: number, extra = 0): void {
    const at = this.depth * CHOICE;
    if (at + CHOICE > this.#choices.length) {
      const larger = this.#grown(this.#choices, at + CHOICE);
      if (larger === undefined) return;
      this.#choices = larger;
    }
    const choices = this.#choices;
    choices[at] = pc;
    choices[at + 1] = position;
    choices[at + 2] = this.#trailTop;
    choices[at + 3] = this.frameTop;
    choices[at + 4] = extra;
    this.depth += 1;
  }

  /** Forgets the choices above a depth: what was matched since matches in no other way. */
  cut(depth: number): void {
    this.depth = depth;
    if (depth === 0) this.#trailTop = 0;
  }

  /** Goes back to the last choice; the program counter there, or `FAIL`. */
  back(): number {
    if (this.depth === 0) return FAIL;
    this.depth -= 1;
    const at = this.depth * CHOICE;
    const choices = this.#choices;
    this.position = choices[at + 1] ?? 0;
    this.frameTop = choices[at + 3] ?? 0;
    this.extra = choices[at + 4] ?? 0;
    const top = choices[at + 2] ?? 0;
    const trail = this.#trail;
    const { registers } = this;
    for (let undo = this.#trailTop - 2; undo >= top; undo -= 2)
      registers[trail[undo] ?? 0] = trail[undo + 1] ?? -1;
    this.#trailTop = top;
    return choices[at] ?? FAIL;
  }

  /** Reserves room for this number of integers among the frames. Returns its place, or -1 without room. */
  allocate(size: number): number {
    const at = this.frameTop;
    if (at + size > this.frames.length) {
      const larger = this.#grown(this.frames, at + size);
      if (larger === undefined) return -1;
      this.frames = larger;
    }
    this.frameTop = at + size;
    return at;
  }

  /** Gives back memory that only few searches need. */
  release(): void {
    if (this.#choices.length > MOST_RETAINED) this.#choices = new Int32Array(FIRST_SIZE);
    if (this.#trail.length > MOST_RETAINED) this.#trail = new Int32Array(FIRST_SIZE);
    if (this.frames.length > MOST_RETAINED) this.frames = new Int32Array(FIRST_SIZE);
    if (this.#notes.length > MOST_RETAINED) this.#notes = new Int32Array(0);
    this.subject = '';
  }

  get #room(): number {
    return MOST - this.#choices.length - this.#trail.length - this.frames.length - this.#notes.length;
  }

  /** A copy with room for this number; `undefined` beyond the bound, and then the search has no fuel left. */
  #grown(array: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> | undefined {
    const most = this.#room + array.length;
    if (needed > most) {
      this.fuel = -1;
      return undefined;
    }
    const larger = new Int32Array(Math.min(most, needed + Math.min(array.length, LARGE)));
    larger.set(array);
    this.fuel -= array.length >> 4;
    return larger;
  }
}
