/** Messages that the outbox gave up: some days and so many of each queue, to be looked at and sent again. */
import { LIMITS } from '../../../domain/limits.ts';
import { OF_QUEUE, QueueTable, SUMMARY, WAITING, type Of, type Summary, type Waiting } from './message.ts';
import { LIMIT } from '../sql.ts';

export interface DeadSummary extends Summary {
  /** When it was given up, in milliseconds since 1970. */
  readonly died: number;
}

/** To be used inside a transaction, and only when there are tables. */
export class DeadLetters extends QueueTable {
  add({ seq, payload, tries }: Waiting, failure: string, now: number): void {
    const added = `INSERT INTO dead_letters
        (seq, id, kind, addressee, key, about, payload, created, owner, tries, failure, died, units)
      SELECT seq, id, kind, addressee, key, about, payload, created, owner, ?, ?, ?, ? FROM outbox WHERE seq = ?`;
    this.sql.exec(added, tries, failure, now, payload.length, seq);
  }

  /** Takes a message out; undefined if there is none of this id. */
  take(queue: Of, id: string): (Waiting & { readonly owner: string | null }) | undefined {
    const taken = `DELETE FROM dead_letters WHERE ${OF_QUEUE} AND id = ? RETURNING ${WAITING}, owner`;
    return this.of<Waiting & { readonly owner: string | null }>(taken, queue, id)[0];
  }

  /** Those of a queue, the last ones first. */
  list(queue: Of, limit: number): readonly DeadSummary[] {
    const listed = `SELECT ${SUMMARY}, died FROM dead_letters WHERE ${OF_QUEUE} ORDER BY seq DESC ${LIMIT}`;
    return this.of(listed, queue, limit);
  }

  /** The ids of all of a queue, oldest first. */
  ids(queue: Of): readonly string[] {
    const all = `SELECT id FROM dead_letters WHERE ${OF_QUEUE} ORDER BY seq`;
    return this.of<{ id: string }>(all, queue).map(({ id }) => id);
  }

  /** When the first is past its time, in milliseconds since 1970; null without one. */
  next(): number | null {
    const died = this.numberOf('SELECT min(died) FROM dead_letters');
    return died === null ? null : died + LIMITS.deadLetterLifetime;
  }

  /** Forgets those of a queue that are past their time, and the oldest that are too many. */
  trim(queue: Of, now: number): void {
    this.of(
      `DELETE FROM dead_letters WHERE ${OF_QUEUE} AND (died <= ? OR seq <= coalesce(
         (SELECT max(seq) FROM
            (SELECT seq, row_number() OVER later AS position, sum(units) OVER later AS size
             FROM dead_letters WHERE ${OF_QUEUE} WINDOW later AS (ORDER BY seq DESC))
          WHERE position > ? OR size > ?), 0))`,
      queue,
      now - LIMITS.deadLetterLifetime,
      LIMITS.deadLetters,
      LIMITS.deadLetterUnits,
    );
  }
}
