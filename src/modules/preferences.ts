/** What a request may prefer, in the header `Prefer` (RFC 7240), and what that means for an answer. */

/** The values of each preference, '' where it has none; and what it is for, but of those that every endpoint heeds. */
export const PREFERENCES = {
  return: { values: ['minimal', 'representation'], says: 'Whether the answer shows what was written.' },
  /** As without, it is a warning. */
  handling: {
    values: ['strict', 'lenient'],
    says: 'What is left out, or found in vain, is an error and no warning.',
  },
  'server-timing': { values: [''], says: 'The answer says in `Server-Timing` how long the service took.' },
  explain: { values: [''], says: 'The answer says in `meta.explained` what has decided.' },
  cookie: { values: [''], says: 'A page of the `origins` keeps in a cookie what refreshes the login.' },
} as const;

export type PreferenceName = keyof typeof PREFERENCES;

/** What is preferred; null where a request does not, or its endpoint does not heed it. */
export type Preferences = {
  readonly [Name in PreferenceName]: (typeof PREFERENCES)[Name]['values'][number] | null;
};

/** Whether the answer to a write shows the document, if its caller may see it. */
export function showsWritten({ return: preferred }: Preferences, byDefault: boolean): boolean {
  return preferred === null ? byDefault : preferred === 'representation';
}
