/** Messages as an application is told of them: to a webhook, of writes of the type, and mails. Plain data: it crosses the RPC. */

/** Calls of a webhook, or the mails of an application. */
export interface QueueName {
  readonly kind: 'webhook' | 'mail';
  readonly addressee: string;
}

/** The mails about accounts, in the collection of account actions. */
export const MAILS: QueueName = { kind: 'mail', addressee: 'mail' };

export interface MessageTold {
  readonly id: string;
  readonly state: 'waiting' | 'dead';
  /** What was written, and how: the id of the document, and the event. */
  readonly document: string;
  readonly about: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly tries: number;
  /** What the last try came to; null before it. */
  readonly failure: string | null;
  /** When it was given up, in milliseconds since 1970; null while it waits. */
  readonly died: number | null;
}

export interface MessagesTold {
  /** How many wait, and how many were given up. */
  readonly waiting: number;
  readonly dead: number;
  /** The last of those that were given up, then the first of those that wait. */
  readonly messages: readonly MessageTold[];
}

export const NO_MESSAGES: MessagesTold = { waiting: 0, dead: 0, messages: [] };
