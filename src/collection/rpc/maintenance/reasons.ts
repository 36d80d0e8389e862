/** Why somebody has a right on a document. Plain data: it crosses RPC. */
export interface Reason {
  /** The entry of the settings that gives it; null for the document's own ACL. */
  readonly entry: string | null;
  /**
   * Who has it: an identity, as `keyOf` writes it. In front of that, where the right comes through links, the holders of
   * rights on each linked document (`holdersOf`), from the nearest on.
   */
  readonly identities: readonly string[];
}
