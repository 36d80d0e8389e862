/** The numbers by which a search chooses its way. They affect its cost, never its answer. */
export interface Tuning {
  /** Up to this number, matches that an index decides are listed without counting them first. */
  readonly small: number;
  /** Up to this number, candidates are looked at one by one, without considering another way. */
  readonly few: number;
  /** Positions that are held in memory at a time. */
  readonly mostListed: number;
  /** An index that leaves more than this share of a collection saves nothing over a full pass. */
  readonly worthwhileShare: number;
  /** Keys of an index that are walked at a time. */
  readonly walkedKeys: number;
  /** Documents of one step in which only SQL looks at them, and about how many bytes they may have together. */
  readonly documentsInStep: number;
  readonly bytesInStep: number;
  /** Segments of an index that are counted before others are let in (range-counts.ts). */
  readonly segmentsInStep: number;
  /** Documents of a step that are decoded, or of which parts are, at a few microseconds each. */
  readonly decodedInStep: number;
}

export const TUNING: Tuning = {
  small: 250,
  few: 5_000,
  mostListed: 200_000,
  worthwhileShare: 1 / 8,
  walkedKeys: 1_000,
  documentsInStep: 5_000,
  bytesInStep: 8 * 1024 * 1024,
  segmentsInStep: 32,
  decodedInStep: 2_500,
};
