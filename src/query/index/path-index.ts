/** What a search knows of an index that there is. */

/** An index that covers every document. */
export interface PathIndex {
  readonly id: number;
  /** True when each of its keys stands for one value alone. */
  readonly exact: boolean;
  /** True when every document has one plain value at the path, or none. */
  readonly single: boolean;
}

/** Gives the index of a name (`nameOfPath`, `nameOfCells`), and is told of every one that would have served. */
export type FindIndex = (path: string) => PathIndex | undefined;
