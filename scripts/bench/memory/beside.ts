/** What is watched while an operation runs: how long a reader beside it waits, and the runtime's memory. */
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Connections, type Exchange } from '../load.ts';
import { memoryOf } from '../processes.ts';

/** Milliseconds between an answer and the reader's next request. */
const GAP = 3;

export interface Beside {
  /** The longest time of one read, in milliseconds; NaN when a read failed. */
  readonly longest: number;
  /** The most of the runtime's resident memory, in MiB; NaN where the system does not tell. */
  readonly peak: number;
}

/** Does something while a reader reads one document after the other. */
export async function watch<Result>(
  url: string,
  processId: number,
  next: () => Exchange,
  task: () => Promise<Result>,
): Promise<Beside & { readonly result: Result }> {
  forgetPeak(processId);
  const reader = new Connections(url, 1);
  let done = false;
  let longest = 0;
  const read = async () => {
    while (!done) {
      const started = performance.now();
      await reader.exchange(next()).catch(() => (longest = NaN));
      longest = Math.max(longest, performance.now() - started);
      await wait(GAP);
    }
  };
  const [result] = await Promise.all([task().finally(() => (done = true)), read()]);
  reader.close();
  return { result, longest, peak: memoryOf(processId, 'VmHWM') };
}

/** Linux keeps the peak, and begins anew when asked to. */
function forgetPeak(processId: number): void {
  try {
    writeFileSync(`/proc/${processId}/clear_refs`, '5');
  } catch {
    // Not Linux: there is no peak to tell.
  }
}
