/** Messages of the outbox that were given up: kept for some days, so many of each queue, to be looked at and sent again. */
import { LIMITS } from '../../../domain/limits.ts';
import { SUMMARY, WAITING, type Of, type Summary, type Waiting } from './message.ts';
import { LIMIT } from '../sql.ts';

export interface DeadSummary extends Summary {
  /** When it was given up, in milliseconds since 1970. */
  readonly died: number;
}

type Columns<T> = { [Column in keyof T]: T[Column] };

/** To be used inside a transaction, and only when there are tables. */
export class DeadLetters {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(message: Waiting, failure: string, now: number): void {
    const { seq, id, kind, addressee, key, about, payload, created, tries } = message;
    this.#sql.exec(
      `INSERT INTO dead_letters (seq, id, kind, addressee, key, about, payload, created, tries, failure, died, units)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      seq,
      id,
      kind,
      addressee,
      key,
      about,
      payload,
      created,
      tries,
      failure,
      now,
      payload.length,
    );
  }

  /** Takes a message out; undefined if there is none of this id. */
  take({ kind, addressee }: Of, id: string): Waiting | undefined {
    return this.#sql
      .exec<Columns<Waiting>>(
        `DELETE FROM dead_letters WHERE kind = ? AND addressee = ? AND id = ? RETURNING ${WAITING}`,
        kind,
        addressee,
        id,
      )
      .toArray()[0];
  }

  /** Those of a queue, the last ones first. */
  list({ kind, addressee }: Of, limit: number): readonly DeadSummary[] {
    return this.#sql
      .exec<Columns<DeadSummary>>(
        `SELECT ${SUMMARY}, died FROM dead_letters WHERE kind = ? AND addressee = ? ORDER BY seq DESC ${LIMIT}`,
        kind,
        addressee,
        limit,
      )
      .toArray();
  }

  /** The ids of all of a queue, oldest first. */
  ids({ kind, addressee }: Of): readonly string[] {
    const rows = this.#sql.exec<{ id: string }>(
      'SELECT id FROM dead_letters WHERE kind = ? AND addressee = ? ORDER BY seq',
      kind,
      addressee,
    );
    return Array.from(rows, ({ id }) => id);
  }

  /** When the first is past its time, in milliseconds since 1970; null without one. */
  next(): number | null {
    const { died } = this.#sql
      .exec<{ died: number | null }>('SELECT min(died) AS died FROM dead_letters')
      .one();
    return died === null ? null : died + LIMITS.deadLetterLifetime;
  }

  /** Forgets those of a queue that are past their time, and the oldest that are too many. */
  trim({ kind, addressee }: Of, now: number): void {
    this.#sql.exec(
      `DELETE FROM dead_letters WHERE kind = ? AND addressee = ? AND (died <= ? OR seq <= coalesce(
         (SELECT max(seq) FROM
            (SELECT seq, row_number() OVER later AS position, sum(units) OVER later AS size
             FROM dead_letters WHERE kind = ? AND addressee = ? WINDOW later AS (ORDER BY seq DESC))
          WHERE position > ? OR size > ?), 0))`,
      kind,
      addressee,
      now - LIMITS.deadLetterLifetime,
      kind,
      addressee,
      LIMITS.deadLetters,
      LIMITS.deadLetterUnits,
    );
  }
}
