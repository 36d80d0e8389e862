/** The numbers by which a search chooses its way. They affect its cost, never its answer. */
export const TUNING = {
  /** Up to this number, matches that an index decides are listed without counting them first. */
  small: 250,
  /** Up to this number, candidates are looked at one by one, without considering another way. */
  few: 5_000,
  /** Positions that are held in memory at a time. */
  mostListed: 200_000,
  /** An index that leaves more than this share of a collection saves nothing over a full pass. */
  worthwhileShare: 1 / 8,
  /** Keys of an index that are walked at a time. */
  walkedKeys: 1_000,
  /** Documents of one step in which only SQL looks at them, and about how many bytes they may have together. */
  documentsInStep: 5_000,
  bytesInStep: 8 * 1024 * 1024,
  /** Segments of an index that are counted before others are let in (range-counts.ts). */
  segmentsInStep: 32,
  /** Documents of a step that are decoded, or of which parts are, at a few microseconds each. */
  decodedInStep: 2_500,
};

export type Tuning = Readonly<typeof TUNING>;
