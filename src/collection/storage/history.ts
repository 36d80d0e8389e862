/**
 * What the platform keeps of an object's past: point-in-time recovery, 30 days on Cloudflare. The runtime of one
 * machine has none, so only the platform tries the calls of this file; tests put an imitation in their place.
 */

export interface History {
  /** A bookmark of the storage as it was at a time, in milliseconds since 1970; null where no past is kept. */
  at: (storage: DurableObjectStorage, time: number) => Promise<string | null>;
  /** Lets the storage be as it was at a bookmark as soon as the object begins again. */
  restore: (storage: DurableObjectStorage, bookmark: string) => Promise<void>;
}

/** What a runtime without a past says. */
const NONE = /does not implement point-in-time recovery/;

export const history: History = {
  at: async (storage, time) => {
    try {
      return await storage.getBookmarkForTime(time);
    } catch (error) {
      if (error instanceof Error && NONE.test(error.message)) return null;
      throw error;
    }
  },

  restore: async (storage, bookmark) => {
    await storage.onNextSessionRestoreBookmark(bookmark);
  },
};
