/** How much a collection does at a time before other requests may run. */

/** Documents of one step of a scan. */
export const STEP_DOCUMENTS = 500;

/** Their bodies together, in UTF-16 units. */
export const STEP_UNITS = 1024 * 1024;

/** What looking at a document takes of a step. */
export function shareOfStep(units: number): number {
  return 1 / STEP_DOCUMENTS + units / STEP_UNITS;
}

/**
 * How many rows the next statement is asked for at most, after one that was asked for `limit`: so many that their
 * bodies are not much more than those of a step, since what a statement still has is read to its end (sql.ts).
 */
export function nextLimit(
  limit: number,
  read: { readonly rows: number; readonly units: number },
  most: number,
): number {
  if (read.units > STEP_UNITS) return Math.max(1, read.rows);
  return read.units > STEP_UNITS / 4 ? limit : Math.min(limit * 4, most);
}

/** The same of a step that writes: it takes 2 to 5 ms, and answers wait for what it has written, too. */
export const WRITE_STEP_DOCUMENTS = 50;
export const WRITE_STEP_UNITS = 64 * 1024;

/** What such a step, or several writes of one transaction, touch beside the documents, about (touched.ts). */
export const WRITE_STEP_TOUCHED = 1024 * 1024;

/** Rows of other tables that such a step removes. */
export const WRITE_STEP_ROWS = 500;

/** Milliseconds of a pause after such a step, and calls that are answered at once for each that has waited. */
const LONGEST_REST = 50;
const AT_ONCE_FOR_EACH = 3;

/** Units of a pipeline's work that are one step. */
export const STEP_WORK = 400_000;

/** Resolves at a time, in milliseconds since 1970. */
export async function ended(end: number, signal?: AbortSignal): Promise<void> {
  if (end > Date.now()) await scheduler.wait(end - Date.now(), signal && { signal });
}

/** Lets waiting requests run. */
export function yieldToOthers(): Promise<void> {
  return scheduler.wait(0);
}

/**
 * A pause after each step that writes: until it is on disk, for which all answers wait, and then as long again as both
 * took, if calls have arrived; and on, while more arrive, until three times as many have come as have waited. So most
 * are answered at once, and the others wait for one step. `arrivals` counts calls.
 */
export function resting(
  storage: Pick<DurableObjectStorage, 'sync'>,
  arrivals: () => number,
): () => Promise<void> {
  let begun = Date.now();
  let arrived: number | null = null;
  return async () => {
    await storage.sync();
    const took = Math.min(Date.now() - begun, LONGEST_REST);
    const waited = arrived === null ? 1 : arrivals() - arrived;
    if (waited === 0) await scheduler.wait(0);
    else await restOf(took, waited, arrivals);
    begun = Date.now();
    arrived = arrivals();
  };
}

/** Milliseconds at a time, until enough calls have arrived, or none does, or it has lasted long enough. */
async function restOf(piece: number, waited: number, arrivals: () => number): Promise<void> {
  const enough = arrivals() + AT_ONCE_FOR_EACH * waited;
  let arrived = -1;
  for (let rested = 0; rested + piece <= LONGEST_REST && arrivals() < enough; rested += Math.max(1, piece)) {
    if (arrivals() === arrived) return;
    arrived = arrivals();
    await scheduler.wait(piece);
  }
}

/** Turns of the event loop after which calls that arrived together have come equally far. */
const TURNS = 6;

/** Lets calls that have arrived with this one catch up. It takes microseconds; a timer takes a millisecond. */
export async function yieldToArrivals(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Response('').text();
}
