/** A valid request. */
/** Where requests for one path go, and what they carry. */
export interface Sample {
  readonly address: string;
  /** By method; a method without one has no body. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** By method; a method without one has no query. */
  readonly queries?: Readonly<Record<string, string>>;
}
