/** Steps that take characters: texts, sets, runs of them, line breaks and what is seen as one character. */
import type { CodeSet } from '../unicode/code-set.ts';
import { FAIL, type Machine } from './machine.ts';
import { isNew, type Slot, type Instruction } from './program.ts';

/** Whether the unit at `at` is the second half of a pair whose first is before it. */
function isTail(subject: string, at: number): boolean {
  const unit = subject.charCodeAt(at);
  if (unit < 0xdc00 || unit > 0xdfff || at === 0) return false;
  const before = subject.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

/** The position one character on; the subject must not end here. */
export function after(subject: string, at: number): number {
  return at + ((subject.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** The position one character back; the subject must not begin here. */
function before(subject: string, at: number): number {
  return at - (isTail(subject, at - 1) ? 2 : 1);
}

/** Eight units are compared in a step. */
const COMPARED_SHIFT = 3;

export function text(wanted: string, back: boolean, next: number): Instruction {
  const { length } = wanted;
  if (back) {
    return (m) => {
      const at = m.position - length;
      m.fuel -= length >> COMPARED_SHIFT;
      if (at < 0 || !m.subject.startsWith(wanted, at)) return FAIL;
      m.position = at;
      return next;
    };
  }
  if (length === 1) {
    const unit = wanted.charCodeAt(0);
    return (m) => {
      if (m.subject.charCodeAt(m.position) !== unit) return FAIL;
      m.position += 1;
      return next;
    };
  }
  return (m) => {
    const { subject, position } = m;
    let same = 0;
    while (same < length && subject.charCodeAt(position + same) === wanted.charCodeAt(same)) same += 1;
    m.fuel -= same >> COMPARED_SHIFT;
    if (same < length) return FAIL;
    m.position += length;
    return next;
  };
}

export function oneOf(set: CodeSet, back: boolean, next: number): Instruction {
  return (m) => {
    const at = back ? stepBack(set, m.subject, m.position) : stepOn(set, m.subject, m.position);
    if (at < 0) return FAIL;
    m.position = at;
    return next;
  };
}

/** The position after a character of the set, or -1. */
export function stepOn(set: CodeSet, subject: string, at: number): number {
  const unit = subject.charCodeAt(at);
  if (unit < 0xd800) return set.has(unit) ? at + 1 : -1;
  const code = subject.codePointAt(at);
  if (code === undefined || !set.has(code)) return -1;
  return at + (code > 0xffff ? 2 : 1);
}

/** The position before one, going back. */
function stepBack(set: CodeSet, subject: string, at: number): number {
  if (at === 0) return -1;
  const start = before(subject, at);
  return set.has(subject.codePointAt(start) ?? 0) ? start : -1;
}

export interface RunOptions {
  readonly min: number;
  readonly max: number;
  readonly back: boolean;
  /** The unit that must follow the run, or -1. */
  readonly follow: number;
  /** Where it notes that it was tried; a run without a bound, which may be empty then, at each of its characters. */
  readonly slot: Slot | null;
}

/** Steps of a run of characters of a set: as many as there are, and one fewer each time the rest fails. */
export function greedyRun(
  set: CodeSet,
  options: RunOptions,
  at: number,
  possessive: boolean,
): readonly Instruction[] {
  const { min, max, back, follow, slot } = options;
  const [again, next] = [at + 1, at + 2];
  const run: Instruction = (m) => {
    const { subject } = m;
    let end = m.position;
    if (slot !== null && !isNew(m, slot, end)) return FAIL;
    let least = min === 0 ? end : -1;
    let count = 0;
    while (count < max) {
      const on = back ? stepBack(set, subject, end) : stepOn(set, subject, end);
      if (on < 0) break;
      // From there on the run was tried before, with all that follows it.
      if (slot !== null && max === Infinity && !isNew(m, slot, on)) {
        if (possessive) return FAIL;
        break;
      }
      end = on;
      count += 1;
      if (count === min) least = end;
    }
    m.fuel -= count >> 1;
    if (count < min) return FAIL;
    m.position = end;
    if (!possessive && end !== least) m.push(again, end, least);
    return next;
  };
  const fewer: Instruction = (m) => {
    const { subject, extra: least } = m;
    let end = m.position;
    let passed = 0;
    do {
      end = back ? after(subject, end) : before(subject, end);
      passed += 1;
    } while (end !== least && follow >= 0 && subject.charCodeAt(end) !== follow);
    m.fuel -= passed >> 1;
    m.position = end;
    if (end !== least) m.push(again, end, least);
    return next;
  };
  return [run, fewer];
}

/** The same with as few as will do. */
export function lazyRun(
  set: CodeSet,
  { min, max, back, slot }: RunOptions,
  at: number,
): readonly Instruction[] {
  const [again, next] = [at + 1, at + 2];
  const move = (m: Machine): boolean => {
    const on = back ? stepBack(set, m.subject, m.position) : stepOn(set, m.subject, m.position);
    if (on >= 0) m.position = on;
    return on >= 0;
  };
  const run: Instruction = (m) => {
    if (slot !== null && !isNew(m, slot, m.position)) return FAIL;
    for (let count = 0; count < min; count += 1) if (!move(m)) return FAIL;
    m.fuel -= min >> 1;
    if (min < max) m.push(again, m.position, min);
    return next;
  };
  const more: Instruction = (m) => {
    const count = m.extra + 1;
    if (!move(m)) return FAIL;
    if (slot !== null && max === Infinity && !isNew(m, slot, m.position)) return FAIL;
    if (count < max) m.push(again, m.position, count);
    return next;
  };
  return [run, more];
}

/** `\R`, which gives nothing back. */
export function linebreak(set: CodeSet, next: number): Instruction {
  return (m) => {
    if (m.subject.startsWith('\r\n', m.position)) {
      m.position += 2;
      return next;
    }
    const at = stepOn(set, m.subject, m.position);
    if (at < 0) return FAIL;
    m.position = at;
    return next;
  };
}

let segmenter: Intl.Segmenter | undefined;
/** Units that are looked at first: few clusters are longer. */
const CLUSTER = 32;
const UNITS_PER_CLUSTER = 50;

/** `\X`, which gives nothing back either. */
export function grapheme(next: number): Instruction {
  return (m) => {
    const { subject, position } = m;
    if (position >= subject.length) return FAIL;
    segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
    for (let size = CLUSTER; ; size *= 4) {
      const piece = subject.slice(position, position + size);
      m.fuel -= UNITS_PER_CLUSTER + size;
      const cluster = segmenter.segment(piece).containing(0)?.segment ?? '';
      // A cluster that fills the piece may go on behind it.
      if (cluster.length < piece.length - 1 || position + size >= subject.length) {
        m.position = position + Math.max(1, cluster.length);
        return next;
      }
    }
  };
}
