/** Messages: what writes tell others (outbox.ts). */
import { Table } from '../sql.ts';

/** What a message is; each kind has its carrier. */
export type MessageKind = 'webhook' | 'audit' | 'file' | 'mail';

/** Kinds of messages that are never given up: they stay in the service, and nobody may drop them by sending many. */
export const NEVER_DROPPED: ReadonlySet<MessageKind> = new Set<MessageKind>(['audit', 'file']);

export interface Message {
  readonly kind: MessageKind;
  /** To whom it goes, as the carrier knows it: the id of a webhook. */
  readonly addressee: string;
  /** Messages of one key are delivered in order: the id of the document. */
  readonly key: string;
  /** A word on what it tells, for lists of messages. */
  readonly about: string;
  readonly payload: string;
}

export interface Waiting extends Message {
  readonly seq: number;
  /** Stays the same however often the message is sent, so that who gets it twice can tell. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** How often its delivery has failed. */
  readonly tries: number;
  readonly failure: string | null;
}

/** A message without what it says. */
export type Summary = Omit<Waiting, 'payload'>;

/** A row, as SQLite gives it. */
export type Columns<T> = { [Column in keyof T]: T[Column] };

/** What has only members that SQLite can give. */
export type Flat<T> = { readonly [Column in keyof T]: SqlStorageValue };

/** Which messages: those of a queue. */
export type Of = Pick<Message, 'kind' | 'addressee'>;

/** The condition for the rows of one queue, for statements of `QueueTable.of`. */
export const OF_QUEUE = 'kind = ?1 AND addressee = ?2';

export abstract class QueueTable extends Table {
  /** The rows of a statement about one queue: the parameters of the statement begin with that. */
  protected of<Row extends Flat<Row>>(
    statement: string,
    { kind, addressee }: Of,
    ...more: readonly SqlStorageValue[]
  ): readonly Row[] {
    return this.sql.exec<Columns<Row>>(statement, kind, addressee, ...more).toArray();
  }
}

export const SUMMARY = 'seq, id, kind, addressee, key, about, created, tries, failure';
export const WAITING = `${SUMMARY}, payload`;
