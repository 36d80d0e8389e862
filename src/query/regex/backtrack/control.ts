/** Steps that choose the next step: alternatives, loops, atomic groups, lookarounds and verbs. */
import type { CodeSet } from '../unicode/code-set.ts';
import { stepOn } from './characters.ts';
import { BARRIER, DONE, FAIL, KEEP, MARKS, type Machine } from './machine.ts';
import { isNew, startOf, type Label, type Slot, type Instruction } from './program.ts';

/** Goes on, and elsewhere should that fail. */
export function split(other: Label, next: number): Instruction {
  return (m) => {
    m.push(other.at, m.position);
    return next;
  };
}

/** The same where all that is elsewhere begins with a character of the set. */
export function splitAt(set: CodeSet, other: Label, next: number): Instruction {
  return (m) => {
    if (stepOn(set, m.subject, m.position) >= 0) m.push(other.at, m.position);
    return next;
  };
}

/** Goes elsewhere, and on should that fail. */
export function splitAway(other: Label, next: number): Instruction {
  return (m) => {
    m.push(next, m.position);
    return other.at;
  };
}

/** Fails where the search was before. */
export function once(slot: Slot, next: number): Instruction {
  return (m) => (isNew(m, slot, m.position) ? next : FAIL);
}

export function jump(to: Label): Instruction {
  return () => to.at;
}

export function open(group: number, next: number): Instruction {
  const register = startOf(group) + 2;
  return (m) => {
    if (m.groups) m.set(register, m.position);
    return next;
  };
}

export function close(group: number, back: boolean, next: number): Instruction {
  const start = startOf(group);
  return (m) => {
    if (!m.groups) return next;
    const opened = m.get(start + 2);
    m.set(start, back ? m.position : opened);
    m.set(start + 1, back ? opened : m.position);
    return next;
  };
}

/** Begins a turn of a loop: notes where, and unsets the groups inside where the dialect has it so. */
export function enter(register: number, unset: readonly number[], next: number): Instruction {
  return (m) => {
    m.set(register, m.position);
    m.fuel -= unset.length >> 2;
    for (const group of unset) {
      m.set(startOf(group), -1);
      m.set(startOf(group) + 1, -1);
    }
    return next;
  };
}

/** Ends a turn: one that took nothing ends the loop, and goes on at `exit`. */
export function leaveWhenEmpty(register: number, exit: Label, next: number): Instruction {
  return (m) => (m.position === m.get(register) ? exit.at : next);
}

/** Registers of a counted loop: how many turns were begun, and where the last one was. */
export interface Loop {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
}

export function count(register: number, next: number): Instruction {
  return (m) => {
    m.set(register, 0);
    return next;
  };
}

/** Before each turn: begins it, which is the next step, or goes to `exit`. */
export function turn({ count: register, min, max, lazy }: Loop, exit: Label, next: number): Instruction {
  return (m) => {
    const done = m.get(register);
    if (done >= max) return exit.at;
    if (done >= min) {
      m.push(lazy ? next : exit.at, m.position);
      if (lazy) return exit.at;
    }
    return next;
  };
}

export function countTurn(register: number, next: number): Instruction {
  return (m) => {
    m.set(register, m.get(register) + 1);
    return next;
  };
}

/** After a turn of a counted loop, where one that took nothing means something. */
export function afterTurn(
  { count: register, min }: Loop,
  where: number,
  whenEmpty: Label | null,
  next: number,
): Instruction {
  const least = whenEmpty === null ? min + 1 : Math.max(min, 1);
  return (m) =>
    m.position === m.get(where) && m.get(register) >= least
      ? whenEmpty === null
        ? FAIL
        : whenEmpty.at
      : next;
}

/** Registers of a lookaround or an atomic group: depth of the choices, position, and barrier, as it begins. */
export const PER_LOOK = 3;

export function beginAtomic(register: number, next: number): Instruction {
  return (m) => {
    m.set(register, m.depth);
    return next;
  };
}

export function endAtomic(register: number, next: number): Instruction {
  return (m) => {
    m.cut(m.get(register));
    return next;
  };
}

/** `failing` is where to go on should the body fail; without it the lookaround fails itself. */
export function beginLook(
  register: number,
  failing: Label | null,
  confined: boolean,
  next: number,
): Instruction {
  return (m) => {
    m.set(register, m.depth);
    m.set(register + 1, m.position);
    m.set(register + 2, m.get(BARRIER));
    if (failing !== null) m.push(failing.at, m.position);
    if (confined) m.set(BARRIER, m.depth);
    return next;
  };
}

/** The body has matched. `once`: in no other way, and the one for its failure is not open. */
export function endLook(register: number, once: boolean, to: Label): Instruction {
  return (m) => {
    if (once) m.cut(m.get(register));
    m.position = m.get(register + 1);
    m.set(BARRIER, m.get(register + 2));
    return to.at;
  };
}

/** The body of a negative one has. */
export function refuteLook(register: number): Instruction {
  return (m) => {
    m.cut(m.get(register));
    return FAIL;
  };
}

/** Holds where the lookaround of the register began. */
export function isBackAt(register: number, next: number): Instruction {
  return (m) => (m.position === m.get(register + 1) ? next : FAIL);
}

export function ask(question: (m: Machine) => boolean, otherwise: Label, next: number): Instruction {
  return (m) => (question(m) ? next : otherwise.at);
}

export function finish(isWhole: boolean, mayBeEmpty: 'always' | 'not-at-start' | 'never'): Instruction {
  return (m) => {
    if (isWhole && m.position !== m.subject.length) return FAIL;
    // Where the match begins by the last \K.
    const start = m.get(KEEP);
    if (mayBeEmpty !== 'always' && m.position === start) {
      if (mayBeEmpty === 'never' || start === m.from) return FAIL;
    }
    return DONE;
  };
}

/** A mark among the frames: its number, its position, and the mark before it. */
const MARK = 3;

export function mark(number: number, next: number): Instruction {
  return (m) => {
    const at = m.allocate(MARK);
    if (at < 0) return FAIL;
    m.frames[at] = number;
    m.frames[at + 1] = m.position;
    m.frames[at + 2] = m.get(MARKS);
    m.set(MARKS, at);
    return next;
  };
}

/**
 * Backtracking onto a verb: inside of a lookaround or a call that fails, elsewhere the match that began here does; the
 * next one begins at `next`, or nowhere for a null.
 */
export function abandon(next: (m: Machine) => number | null | 'ignored'): Instruction {
  return (m) => {
    const to = next(m);
    if (to === 'ignored') return FAIL;
    const barrier = m.get(BARRIER);
    m.cut(Math.max(0, barrier));
    if (barrier < 0) m.next = to ?? m.subject.length + 1;
    return FAIL;
  };
}

/** Where the last mark of this number is. */
export function markAt(m: Machine, number: number): number | 'ignored' {
  for (let at = m.get(MARKS); at >= 0; at = m.frames[at + 2] ?? -1) {
    m.fuel -= 1;
    if (m.frames[at] === number) return m.frames[at + 1] ?? 'ignored';
  }
  return 'ignored';
}

/** Backtracking onto `(*THEN)`: goes to the next alternative, whose depth the register holds. */
export function nextAlternative(register: number): Instruction {
  return (m) => {
    m.cut(Math.max(0, m.get(register), m.get(BARRIER)));
    return FAIL;
  };
}
