/** An index as a search knows it. */

/** An index that covers every document. */
export interface PathIndex {
  readonly id: number;
  /** True when each of its keys means exactly one value. */
  readonly exact: boolean;
  /** True when every document has one plain value at the path, or none. */
  readonly single: boolean;
}

/** Returns the index of a name (`nameOfPath`, `nameOfCells`). It takes the names of all indexes that would help. */
export type FindIndex = (path: string) => PathIndex | undefined;
