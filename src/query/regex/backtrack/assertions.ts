/** Steps that take nothing: anchors, and where the match begins. */
import type { Anchor } from '../tree.ts';
import { FAIL, KEEP, type Machine } from './machine.ts';
import type { Instruction } from './program.ts';

const NEWLINE = 0x0a;

function isWord(unit: number): boolean {
  // NaN, before and after the subject, is none of these.
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f
  );
}

function atBoundary({ subject, position }: Machine): boolean {
  return isWord(subject.charCodeAt(position - 1)) !== isWord(subject.charCodeAt(position));
}

const HOLDS: Readonly<Record<Anchor, (m: Machine) => boolean>> = {
  start: ({ position }) => position === 0,
  end: ({ subject, position }) => position === subject.length,
  'soft-end': ({ subject, position }) =>
    position === subject.length ||
    (position === subject.length - 1 && subject.charCodeAt(position) === NEWLINE),
  'line-start': ({ subject, position }) =>
    position === 0 || (position < subject.length && subject.charCodeAt(position - 1) === NEWLINE),
  'line-end': ({ subject, position }) =>
    position === subject.length || subject.charCodeAt(position) === NEWLINE,
  boundary: atBoundary,
  'not-boundary': (m) => !atBoundary(m),
  'search-start': ({ position, from }) => position === from,
};

export function anchorStep(anchor: Anchor, next: number): Instruction {
  const holds = HOLDS[anchor];
  return (m) => (holds(m) ? next : FAIL);
}

/** `\K`. */
export function keep(next: number): Instruction {
  return (m) => {
    m.set(KEEP, m.position);
    return next;
  };
}
