/** Mails, as the rest of the service has them. A leaf without I/O. */

/** What is sent: the same as text and as HTML. */
export interface Mail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What sending came to. */
export type Sent =
  | { readonly state: 'delivered' }
  /** To be tried again: after so many milliseconds at the earliest, if the other side says so. */
  | { readonly state: 'failed'; readonly failure: string; readonly after?: number };

export function failed(failure: string): Sent {
  return { state: 'failed', failure };
}
