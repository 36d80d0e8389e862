/**
 * Turns at hashing passwords. A hash takes the one thread of an isolate for a tenth of a second or more, so one is made
 * at a time, with a rest between two in which others are served; a few may wait, and the next are told to come later.
 * A request may end while it waits and never say so: nothing depends on another request's timers.
 */
import { AT_ONCE, LIMITS } from '../../domain/limits.ts';

/** Milliseconds between two looks whether it is one's turn; and of a hash that nobody has reported. */
const LOOK_AGAIN = 10;
const LONGEST = 10_000;

/** Milliseconds of a rest; its largest part of the hash before it while others wait; and after which none is needed. */
const REST = 25;
const RESTS = 1 / 4;
const MOST_REST = 1_000;
const RESTED = 30_000;

/** Those who wait: when each gives up, in milliseconds since 1970. */
const waiting = new Set<{ readonly until: number }>();
/** When the last turn was taken; and until when there is a hash or a rest, null before that has begun. */
let taken = 0;
let heldUntil: number | null = 0;

/** The result of the work in its turn; null where too many wait. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T | null> {
  if (!(await hasTurn())) return null;
  try {
    return await work();
  } finally {
    heldUntil = null;
  }
}

async function hasTurn(): Promise<boolean> {
  if (takeTurn()) return true;
  const now = Date.now();
  for (const each of waiting) if (each.until < now) waiting.delete(each);
  if (waiting.size >= AT_ONCE.hashesWaiting) return false;
  const entry = { until: now + LIMITS.hashPatience };
  waiting.add(entry);
  let isMine = false;
  while (!isMine && Date.now() < entry.until) {
    await wait(LOOK_AGAIN);
    isMine = takeTurn();
  }
  waiting.delete(entry);
  return isMine;
}

/** The clock of a Worker may stand still while a hash is made: the rest begins with the first look after it. */
function takeTurn(): boolean {
  const now = Date.now();
  const took = now - taken;
  const rest = waiting.size === 0 ? REST : Math.min(MOST_REST, Math.max(REST, RESTS * took));
  if (took < RESTED) heldUntil ??= now + rest;
  if (heldUntil !== null && now < heldUntil) return false;
  taken = now;
  heldUntil = now + LONGEST;
  return true;
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
