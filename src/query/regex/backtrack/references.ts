/** Steps of backreferences, subroutine calls and recursion. */
import type { Groups } from '../tree.ts';
import { foldsTo } from '../unicode/fold.ts';
import { BARRIER, FAIL, FRAME, KEEP, MARKS, type Machine } from './machine.ts';
import { startOf, type Label, type Instruction } from './program.ts';

/** The first of the groups that is set, or 0. */
export function firstSet(m: Machine, groups: Groups): number {
  m.fuel -= groups.length >> 3;
  return groups.find((group) => m.get(startOf(group)) >= 0) ?? 0;
}

export interface BackreferenceOptions {
  readonly fold: boolean;
  readonly back: boolean;
  /** A group that is not set holds the empty text. */
  readonly unsetIsEmpty: boolean;
}

export function backreference(groups: Groups, options: BackreferenceOptions, next: number): Instruction {
  const { fold, back, unsetIsEmpty } = options;
  return (m) => {
    const group = firstSet(m, groups);
    if (group === 0) return unsetIsEmpty ? next : FAIL;
    const { subject } = m;
    const start = m.get(startOf(group));
    const length = m.get(startOf(group) + 1) - start;
    const at = back ? m.position - length : m.position;
    if (at < 0 || at + length > subject.length) return FAIL;
    m.fuel -= length >> (fold ? 0 : 3);
    const same = fold
      ? foldsTo(subject.slice(start, start + length), subject.slice(at, at + length))
      : subject.startsWith(subject.slice(start, start + length), at);
    if (!same) return FAIL;
    m.position = back ? at : at + length;
    return next;
  };
}

/** A frame: the group called, where to return to, where the call was, and the registers as they were. */
const GROUP = 0;
const RETURN = 1;
const POSITION = 2;
const REGISTERS = 3;

/** Enters a group as a subroutine, 0 for the whole pattern. */
export function call(group: number, entry: Label, next: number): Instruction {
  return (m) => {
    if (repeats(m, group)) {
      m.fuel = -1;
      return FAIL;
    }
    const { length } = m.registers;
    m.fuel -= 1 + (length >> 3);
    const frame = m.allocate(REGISTERS + length);
    if (frame < 0) return FAIL;
    m.frames[frame + GROUP] = group;
    m.frames[frame + RETURN] = next;
    m.frames[frame + POSITION] = m.position;
    m.frames.set(m.registers, frame + REGISTERS);
    m.set(FRAME, frame);
    m.set(BARRIER, m.depth);
    return entry.at;
  };
}

/** Whether the group is already being called from this position: the recursion would never end. */
function repeats(m: Machine, group: number): boolean {
  for (let frame = m.get(FRAME); frame >= 0; frame = m.frames[frame + REGISTERS + FRAME] ?? -1) {
    m.fuel -= 1;
    if (m.frames[frame + GROUP] === group) return m.frames[frame + POSITION] === m.position;
  }
  return false;
}

/** Whether the innermost call is one of these groups; of any for null. */
export function isCalled(m: Machine, groups: Groups | null): boolean {
  const frame = m.get(FRAME);
  return frame >= 0 && (groups === null || groups.includes(m.frames[frame + GROUP] ?? -1));
}

/** Leaves the innermost call: all registers are as before, but for where the match begins, and marks. */
export function leave(m: Machine): number {
  const frame = m.get(FRAME);
  const { length } = m.registers;
  const depth = m.get(BARRIER);
  m.fuel -= length >> 3;
  for (let register = 0; register < length; register += 1) {
    const value = m.frames[frame + REGISTERS + register] ?? -1;
    if (register !== KEEP && register !== MARKS && m.registers[register] !== value) m.set(register, value);
  }
  const next = m.frames[frame + RETURN] ?? FAIL;
  // Nothing leads back into the call, so its frame is not needed any more; marks may lie above it.
  if (m.depth === depth && m.get(MARKS) < frame) m.frameTop = frame;
  return next;
}

/** The end of a group that is called: a call of it ends here, and one of another goes on. */
export function endOfGroup(group: number, next: number): Instruction {
  return (m) => {
    const frame = m.get(FRAME);
    return frame >= 0 && m.frames[frame + GROUP] === group ? leave(m) : next;
  };
}
