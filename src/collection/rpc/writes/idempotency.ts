/** Requests that are done once, however often they are sent (the header `Idempotency-Key`). Plain data: it crosses the RPC. */

/** What tells a request that is sent again from every other one. */
export interface Once {
  /** A digest of the API key, the user, the path and the header. */
  readonly key: string;
  /** A digest of the API key and the user: what is kept is bounded for each. */
  readonly sender: string;
  /** Digests of the body: the first is kept, any of them is the same body. */
  readonly digests: readonly string[];
}
