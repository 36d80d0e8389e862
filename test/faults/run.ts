/** What the runs against faults have in common: how long they may take, and the figures they give. */

export interface Limits {
  readonly seed: number;
  /** The moment, in milliseconds since 1970, after which nothing new is begun. */
  readonly until: number;
}

/** What was done, by what it is called in docs/reliability.md. */
export type Figures = Readonly<Record<string, number>>;
