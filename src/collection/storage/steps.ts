/** How much a collection does at a time before other requests may run. */

/** Documents of one step of a scan or of building an index. */
export const STEP_DOCUMENTS = 500;

/** Their bodies together, in UTF-16 units. */
export const STEP_UNITS = 1024 * 1024;

/** Units of a pipeline's work that are one step. */
export const STEP_WORK = 400_000;

/** Lets waiting requests run. */
export function yieldToOthers(): Promise<void> {
  return scheduler.wait(0);
}

/** Turns of the event loop after which calls that arrived together have come equally far. */
const TURNS = 6;

/** Lets calls that have arrived with this one catch up. It takes microseconds; a timer takes a millisecond. */
export async function yieldToArrivals(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Response('').text();
}
