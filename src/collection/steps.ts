/** How much a collection does at a time before it lets other requests in. */

/** Documents of one step of a scan or of building an index. */
export const STEP_DOCUMENTS = 500;

/** Their bodies together, in UTF-16 units. */
export const STEP_UNITS = 1024 * 1024;

/** Documents of one step where SQL alone looks at them, and about how many bytes they may have together. */
export const BROAD_STEP_DOCUMENTS = 5_000;
export const BROAD_STEP_BYTES = 8 * 1024 * 1024;

/** Documents of such a step that are decoded, or of which parts are. */
export const STEP_DECODED = 2_000;

/** Lets what is waiting for the object come to its turn. */
export function pause(): Promise<void> {
  return scheduler.wait(0);
}
