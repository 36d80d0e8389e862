/**
 * The log: one line for each request, and one more for a fault. Where lines go through a pipe to a process that
 * shares our processors (`npm start`), writing each by itself costs more than a read, so lines of a few milliseconds
 * may be written together.
 */

/** Lines written together at most. */
const MOST_LINES = 100;

/** Milliseconds past its time after which a writing that did not come is given up. */
const OVERDUE = 1_000;

/** Lines of this isolate that wait to be written, and when that should happen. */
let waiting: string[] = [];
let due = 0;

/** Writes one line now, or within so many milliseconds. `outlive` keeps the request's context alive until then. */
export function writeLine(line: string, delay: number, outlive: (work: Promise<void>) => void): void {
  if (delay <= 0) {
    console.log(line);
    return;
  }
  waiting.push(line);
  if (waiting.length === 1) {
    due = Date.now() + delay;
    outlive(later(delay));
  } else if (waiting.length >= MOST_LINES || Date.now() > due + OVERDUE) {
    // The second case: the context that was to write is gone with its client.
    flush();
  }
}

/** A fault of ours, at once. */
export function writeFault(requestId: string, error: unknown): void {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(JSON.stringify({ requestId, fault }));
}

async function later(delay: number): Promise<void> {
  await scheduler.wait(delay);
  flush();
}

function flush(): void {
  if (waiting.length === 0) return;
  const lines = waiting.join('\n');
  waiting = [];
  console.log(lines);
}
