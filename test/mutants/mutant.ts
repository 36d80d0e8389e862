/** A deliberate breakage of the service, of a kind that somebody might commit, and the tests that should notice it. */

export interface Mutant {
  /** What is broken, as a sentence about the service. */
  readonly breaks: string;
  readonly file: string;
  /** A text that occurs once in the file, and what stands there instead. */
  readonly find: string;
  readonly put: string;
  /** Test files that notice, below `test/` and without `.test.ts`. */
  readonly tests: readonly string[];
  /** Why no test can notice, for a breakage that is known to survive. */
  readonly survives?: string;
}
