/** Letters: what writes tell others (outbox.ts). */

/** What a letter is; each kind has its carrier. */
export type LetterKind = 'webhook' | 'audit';

/** Kinds of letters that are never given up: they stay within the service, and nobody may drop them by sending many. */
export const KEPT: ReadonlySet<LetterKind> = new Set<LetterKind>(['audit']);

export interface Letter {
  readonly kind: LetterKind;
  /** To whom it goes, as the carrier knows it: the id of a webhook. */
  readonly addressee: string;
  /** Letters of one key are delivered in order: the id of the document. */
  readonly key: string;
  /** A word on what it tells, for lists of letters. */
  readonly about: string;
  readonly payload: string;
}

/** A letter that waits. */
export interface Waiting extends Letter {
  readonly seq: number;
  /** Stays the same however often the letter is sent, so that who gets it twice can tell. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** How often its delivery has failed. */
  readonly tries: number;
  readonly failure: string | null;
}

/** A letter without what it says. */
export type Summary = Omit<Waiting, 'payload'>;

/** Which letters: those of a lane. */
export type Of = Pick<Letter, 'kind' | 'addressee'>;

export const SUMMARY = 'seq, id, kind, addressee, key, about, created, tries, failure';
export const WAITING = `${SUMMARY}, payload`;
