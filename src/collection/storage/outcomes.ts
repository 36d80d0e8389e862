/**
 * The outcomes of writes that are done once (rpc/once.ts): kept in the transaction of the write, so that a crash loses
 * either both or none, and given again for a day. Only what was written has one: a refusal is decided anew.
 */
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Once } from '../rpc/once.ts';
import { LIMIT } from './sql.ts';

/** Bytes of a row: one outcome may hold many documents, and a row at most 2 MB. */
const PART = 1024 * 1024;

/** Rows forgotten by one write, which must not pay for many. */
const FORGOTTEN_BY_WRITE = 20;

/** The columns of a row. */
type Part = { readonly digest: string; readonly bytes: ArrayBuffer };

export class Outcomes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The outcome of the same request before, or that of `work`. To be called inside the transaction of the write. */
  once<T>(once: Once | undefined, now: number, work: () => Outcome<T>): Outcome<T> {
    if (once === undefined) return work();
    const before = this.find(once, now);
    if (!before.ok) return before;
    if (before.value !== null) return ok(JSON.parse(before.value) as T);
    const done = work();
    if (done.ok) this.#keep(once, now, JSON.stringify(done.value));
    return done;
  }

  /** The JSON text of the outcome of the same request before, if it was done; 422 if its key was another request's. */
  find({ key, digests }: Once, now: number): Outcome<string | null> {
    const parts = this.#sql
      .exec<Part>('SELECT digest, bytes FROM outcomes WHERE key = ? AND until > ? ORDER BY seq', key, now)
      .toArray();
    const [first] = parts;
    if (first === undefined) return ok(null);
    if (!digests.includes(first.digest)) return reused();
    const decoder = new TextDecoder();
    return ok(parts.map(({ bytes }) => decoder.decode(bytes, { stream: true })).join('') + decoder.decode());
  }

  #keep({ key, digests }: Once, now: number, text: string): void {
    this.forget(now, FORGOTTEN_BY_WRITE);
    // What is left of an outcome of the same key that is past its time must not be taken for a part of this one.
    this.#sql.exec('DELETE FROM outcomes WHERE key = ?', key);
    const bytes = new TextEncoder().encode(text);
    for (let from = 0; from < bytes.length; from += PART) {
      this.#sql.exec(
        'INSERT INTO outcomes (key, digest, until, bytes) VALUES (?, ?, ?, ?)',
        key,
        digests[0] ?? '',
        now + LIMITS.outcomeLifetime,
        bytes.slice(from, from + PART),
      );
    }
  }

  /** Forgets so many rows of outcomes that are past their time. */
  forget(now: number, rows: number): void {
    this.#sql.exec(
      `DELETE FROM outcomes WHERE seq IN (SELECT seq FROM outcomes WHERE until <= ? ORDER BY until ${LIMIT})`,
      now,
      rows,
    );
  }

  /** When the first outcome is past its time, in milliseconds since 1970; null without one. */
  next(): number | null {
    return this.#sql.exec<{ until: number | null }>('SELECT min(until) AS until FROM outcomes').one().until;
  }
}

function reused() {
  return fail('idempotency-key-reused', 'The Idempotency-Key was sent before, with another body.', {
    header: 'Idempotency-Key',
  });
}
