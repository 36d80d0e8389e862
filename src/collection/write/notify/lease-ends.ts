/** Telling those who rely on what a collection has told them, for as long as a lease says. */

/** Milliseconds that a lease lasts longer for who gave it: clocks do not run alike to the millisecond. */
export const LEASE_MARGIN = 1_000;

/** Milliseconds after which one who could not be told is tried again. */
const AGAIN = 200;

/** Resolves when somebody was told, or the lease has ended. `tell` throws where nobody could be reached. */
export async function toldOrEnded(end: number, tell: () => Promise<unknown>): Promise<void> {
  const told = new AbortController();
  const telling = async () => {
    while (Date.now() < end) {
      const isTold = await tell().then(
        () => true,
        () => false,
      );
      if (isTold) return;
      await scheduler.wait(AGAIN);
    }
  };
  await Promise.race([telling(), ended(end, told.signal).catch(() => undefined)]);
  // A timer that nobody waits for would keep the object awake.
  told.abort();
}

/** Resolves at a time, in milliseconds since 1970. */
export async function ended(end: number, signal?: AbortSignal): Promise<void> {
  if (end > Date.now()) await scheduler.wait(end - Date.now(), signal && { signal });
}
