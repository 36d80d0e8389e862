/**
 * Writes that are done once, however often they are asked for (rpc/writes/operations.ts): what is being done, and what
 * was done. Outcomes are kept in the transaction of the write, so that a crash loses both or none, and given again for
 * a day. Only what was written has one: a refusal is decided anew.
 */
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import type { Once } from '../../rpc/writes/operations.ts';
import { Table, LIMIT } from '../sql.ts';

/** Bytes of a row: one outcome may hold many documents, and a row at most 2 MB. */
const PART = 1024 * 1024;

/** Rows forgotten by one write, which must not pay for many, and by one alarm. */
const FORGOTTEN_BY_WRITE = 20;
const FORGOTTEN_BY_ALARM = 500;

/** Outcomes that one write forgets to make room for its own. */
const EVICTED_BY_WRITE = 500;

/** What outcomes of release 0.2, not a day old, call audit fields. Bodies are texts, in which it stands escaped. */
const FORMER_NAME = '"provenance":';

/** The columns of a row. */
type Part = { readonly digest: string; readonly bytes: ArrayBuffer };

export class Outcomes extends Table {
  /** The keys of the writes that are being done. */
  readonly #running = new Set<string>();

  /** Begins writes, until their `end`; refuses all where one of them runs. */
  begin(onces: readonly Once[]): Outcome<null> {
    if (onces.some(({ key }) => this.#running.has(key))) return inProgress();
    for (const { key } of onces) this.#running.add(key);
    return ok(null);
  }

  end(onces: readonly Once[]): void {
    for (const { key } of onces) this.#running.delete(key);
  }

  /** The JSON text of what the same write came to before; null if it was not done. */
  before(once: Once): Outcome<string | null> {
    return this.#running.has(once.key) ? inProgress() : this.find(once, Date.now());
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
    const parts = this.sql
      .exec<Part>('SELECT digest, bytes FROM outcomes WHERE key = ? AND until > ? ORDER BY seq', key, now)
      .toArray();
    const [first] = parts;
    if (first === undefined) return ok(null);
    if (!digests.includes(first.digest)) return reused();
    const decoder = new TextDecoder();
    const text =
      parts.map(({ bytes }) => decoder.decode(bytes, { stream: true })).join('') + decoder.decode();
    return ok(text.replaceAll(FORMER_NAME, '"auditFields":'));
  }

  #keep({ key, sender, digests }: Once, now: number, text: string): void {
    this.forget(now, FORGOTTEN_BY_WRITE);
    // What is left of an outcome of the same key that is past its time must not be taken for a part of this one.
    this.#delete('key = ?', key);
    const bytes = new TextEncoder().encode(text);
    const insert = 'INSERT INTO outcomes (key, sender, digest, until, bytes) VALUES (?, ?, ?, ?, ?)';
    for (let from = 0; from < bytes.length; from += PART) {
      const part = [digests[0] ?? '', now + LIMITS.outcomeLifetime, bytes.slice(from, from + PART).buffer];
      this.sql.exec(insert, key, sender, ...part);
    }
    this.#makeRoom(key, sender, bytes.length);
  }

  /**
   * Counts what a sender has kept. A small request may have a large outcome: whoever sends many of them has its own
   * oldest forgotten early, and nobody else's.
   */
  #makeRoom(key: string, sender: string, added: number): void {
    const counted = `INSERT INTO outcome_sums VALUES (?, ?)
      ON CONFLICT (sender) DO UPDATE SET bytes = bytes + excluded.bytes RETURNING bytes`;
    let over = (this.numberOf(counted, sender, added) ?? 0) - LIMITS.outcomesOfSender;
    for (let evicted = 0; over > 0 && evicted < EVICTED_BY_WRITE; evicted += 1) {
      const keys = this.column<string>(
        'SELECT key FROM outcomes WHERE sender = ? ORDER BY seq LIMIT 1',
        sender,
      );
      const [oldest = key] = keys;
      if (oldest === key) return;
      over -= this.#delete('key = ?', oldest);
    }
  }

  /** Deletes rows, and gives their bytes. */
  #delete(condition: string, ...parameters: readonly (string | number)[]): number {
    const sums = new Map<string, number>();
    const rows = this.sql.exec<{ sender: string; bytes: number }>(
      `DELETE FROM outcomes WHERE ${condition} RETURNING sender, length(bytes) AS bytes`,
      ...parameters,
    );
    for (const { sender, bytes } of rows) sums.set(sender, (sums.get(sender) ?? 0) + bytes);
    for (const [sender, bytes] of sums) {
      this.sql.exec('UPDATE outcome_sums SET bytes = bytes - ? WHERE sender = ?', bytes, sender);
      this.sql.exec('DELETE FROM outcome_sums WHERE sender = ? AND bytes <= 0', sender);
    }
    return [...sums.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Forgets so many rows of what was kept for some senders; whether there may be more. */
  forgetSenders(senders: readonly string[], rows: number): boolean {
    const theirs = `SELECT seq FROM outcomes WHERE sender IN (SELECT value FROM json_each(?)) ${LIMIT}`;
    return this.#delete(`seq IN (${theirs})`, JSON.stringify(senders), rows) > 0;
  }

  /** Forgets so many rows of outcomes that are past their time. */
  forget(now: number, rows = FORGOTTEN_BY_ALARM): void {
    this.#delete(`seq IN (SELECT seq FROM outcomes WHERE until <= ? ORDER BY until ${LIMIT})`, now, rows);
  }

  /** When the first outcome is past its time, in milliseconds since 1970; null without one. */
  next(): number | null {
    return this.numberOf('SELECT min(until) FROM outcomes');
  }
}

export function inProgress() {
  const detail = 'A request with this Idempotency-Key is being done: send it again later.';
  return fail('request-in-progress', detail, { header: 'Idempotency-Key' });
}

function reused() {
  return fail('idempotency-key-reused', 'The Idempotency-Key was sent before, with another body.', {
    header: 'Idempotency-Key',
  });
}
