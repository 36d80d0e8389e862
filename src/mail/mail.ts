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
export type SendResult = { readonly state: 'delivered' } | Failed;

export interface Failed {
  readonly state: 'failed';
  readonly failure: string;
  /** It is not tried again, and says nothing of other mails. */
  readonly isFinal?: true;
}

export function failed(failure: string): Failed {
  return { state: 'failed', failure };
}
