/**
 * The log: one line for each request, and one more for a fault. Under `npm start`, lines go through a pipe to a process
 * on the same processors, and writing each line alone costs more than a read. Lines of some milliseconds go together.
 */
const MOST_LINES = 100;

/** Milliseconds after which an overdue write is given up. */
const OVERDUE = 1_000;

/** Lines of this isolate that wait to be written, and the time of the write. */
let waiting: string[] = [];
let due = 0;

/** True once the runtime is about to end: it waits for no timer then. */
let ending = false;

/** Writes one line now, or within a number of milliseconds. `outlive` keeps the request's context alive until then. */
export function writeLine(line: string, delay: number, outlive: (work: Promise<void>) => void): void {
  if (delay <= 0) {
    console.log(line);
    return;
  }
  waiting.push(line);
  if (ending) {
    flush();
  } else if (waiting.length === 1) {
    due = Date.now() + delay;
    outlive(later(delay));
  } else if (waiting.length >= MOST_LINES || Date.now() > due + OVERDUE) {
    // In the second case, the context that should write is gone with its client.
    flush();
  }
}

/** From now on no line waits: each is written before its answer leaves. */
export function waitNoLonger(): void {
  ending = true;
  flush();
}

/** Writes a fault of the service at once. */
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
