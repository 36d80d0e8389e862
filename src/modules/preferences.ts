/** What a request may prefer, in the header `Prefer` (RFC 7240), and what that means for an answer. */

/** The preferences that the service knows; null where a request has none, or its endpoint does not heed it. */
export interface Preferences {
  /** Whether the answer to a write shows what it has written. */
  readonly return: 'minimal' | 'representation' | null;
  /** Whether what is left out, or found in vain, is an error; or a warning, as without. */
  readonly handling: 'strict' | 'lenient' | null;
  /** '' where the answer is to say how long the service took. */
  readonly 'server-timing': '' | null;
  /** '' where the answer is to say what has decided. */
  readonly explain: '' | null;
  /** '' where a browser is to keep in a cookie what refreshes a login. */
  readonly cookie: '' | null;
}

export type PreferenceName = keyof Preferences;

/** Whether the answer to a write shows the document, if its caller may see it. */
export function showsWritten({ return: preferred }: Preferences, byDefault: boolean): boolean {
  return preferred === null ? byDefault : preferred === 'representation';
}
