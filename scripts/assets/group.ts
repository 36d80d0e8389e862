/** What static assets are made of: one entry of the table in build-assets.ts. */

/** Files that are made together from the same inputs. */
export interface AssetGroup {
  readonly name: string;
  /** Files and folders, from the top of the project: while they are the same, nothing is made again. */
  readonly inputs: readonly string[];
  /** The files by their names. It may import what is slow to load: most starts do not call it. */
  readonly make: () => Promise<ReadonlyMap<string, string | Uint8Array>>;
}
