/**
 * Large answers on their way out. Text that a client does not read stays in memory, so answers above a size leave in
 * parts, as the client reads them. The sum of their sizes is limited, and an answer that its client does not read is
 * given up.
 */
import { LIMITS } from '../domain/limits.ts';

/** UTF-16 units of a part. */
const PART = 64 * 1024;

/** Parts that a client must read in the time of `ANSWER_PATIENCE`: 64 KB a second if it is 30 seconds. */
const PARTS = 30;

/** An answer that has not left yet. */
interface Leaving {
  readonly units: number;
  /** In milliseconds since 1970. */
  readonly deadline: number;
}

/** The answers of this isolate. */
const leaving = new Set<Leaving>();
let unitsLeaving = 0;

const encoder = new TextEncoder();

/**
 * A body to answer with, or null when there is no room for one more. `abort` gives up a body that is not read in time,
 * which is `patience` in milliseconds and more for more parts.
 */
export function outflowOf(
  text: string,
  patience: number,
  abort: (reason: Error) => void,
): string | ReadableStream<Uint8Array> | null {
  const units = text.length;
  if (units <= LIMITS.sentAtOnce) return text;
  dropOverdue(Date.now());
  if (unitsLeaving + units > LIMITS.answersLeaving) return null;
  const milliseconds = patience * (1 + units / PART / PARTS);
  const entry = { units, deadline: Date.now() + milliseconds };
  leaving.add(entry);
  unitsLeaving += units;
  let rest = text;
  let late: Error | null = null;
  const timer = setTimeout(() => {
    late = new Error('The client has not taken its answer in time.');
    end();
    abort(late);
  }, milliseconds);
  const end = () => {
    clearTimeout(timer);
    drop(entry);
    // A reference to the stream holds no text any more.
    rest = '';
  };
  const source: UnderlyingSource<Uint8Array> = {
    pull(controller) {
      if (late !== null) {
        controller.error(late);
        return;
      }
      const at = endOfPart(rest);
      controller.enqueue(encoder.encode(rest.slice(0, at)));
      rest = rest.slice(at);
      if (rest !== '') return;
      controller.close();
      end();
    },
    cancel: end,
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** The end of the first part: never inside a character. */
function endOfPart(rest: string): number {
  const last = rest.charCodeAt(PART - 1);
  return last >= 0xd800 && last < 0xdc00 ? PART + 1 : PART;
}

function drop(entry: Leaving): void {
  if (leaving.delete(entry)) unitsLeaving -= entry.units;
}

/** A request that ends with its client may never report it: an overdue answer has left in one way or another. */
function dropOverdue(now: number): void {
  for (const entry of leaving) if (entry.deadline < now) drop(entry);
}
