/** The measures by which a search chooses its way. They decide what it costs, never what it answers. */
export interface Tuning {
  /** So many matches that an index decides are listed before anybody counts. */
  readonly small: number;
  /** So many candidates are looked at one by one without thinking of another way. */
  readonly few: number;
  /** Positions that are held in memory at a time. */
  readonly mostListed: number;
  /** An index that leaves more than this share of a collection saves nothing against looking at all of it. */
  readonly worthwhileShare: number;
  /** Keys of an index that are walked at a time. */
  readonly walkedKeys: number;
  /** Documents of one step where SQL alone looks at them, and about how many bytes they may have together. */
  readonly documentsInStep: number;
  readonly bytesInStep: number;
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
  decodedInStep: 2_500,
};
