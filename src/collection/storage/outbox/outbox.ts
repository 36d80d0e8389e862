/**
 * The outbox: what a write tells others, kept in its transaction and delivered after it (write/notify/deliveries.ts).
 * So what was written is told at least once, whatever crashes, and what was undone is not told.
 *
 * To tell something, put a message in the transaction of the write (`tables.outbox.put`), and give `Deliveries` a
 * carrier of its kind. Messages of one kind and addressee are a queue. In it, messages of one key are delivered in
 * order, each after the one before it was delivered or given up; messages of different keys pass one another. One that
 * is given up is a dead letter: kept for some days, to be looked at and sent again. Messages never make a write fail.
 */
import { LIMITS } from '../../../domain/limits.ts';
import {
  NEVER_DROPPED,
  OF_QUEUE,
  QueueTable,
  SUMMARY,
  WAITING,
  type Columns,
  type Message,
  type Of,
  type Summary,
  type Waiting,
} from './message.ts';
import { LIMIT, type Select } from '../sql.ts';

/** The messages to one addressee. */
export interface Queue extends Of {
  /** Deliveries that have failed since the last that has not. */
  readonly failures: number;
}

/** Which part of the bound of a queue is left when it was exceeded: so that not every write has to make room. */
const LEFT = 0.95;

/** Messages that are read at once to be given up: each may be as large as a document. */
const AT_ONCE = 20;

const DUE: Select = `SELECT ${WAITING} FROM outbox
  WHERE ${OF_QUEUE} AND due <= ? AND seq NOT IN (SELECT value FROM json_each(?)) ORDER BY due, seq ${LIMIT}`;

const OLDEST: Select = `SELECT ${WAITING}
  FROM (SELECT * FROM outbox WHERE kind NOT IN (SELECT value FROM json_each(?)) ORDER BY seq ${LIMIT})
  WHERE created <= ? ORDER BY seq`;

const SUMMARIES: Select = `SELECT ${SUMMARY} FROM outbox WHERE ${OF_QUEUE} ORDER BY seq ${LIMIT}`;

/** What webhooks were to be told of a document, and what they did not take, but for its deletion. */
const DEAD_OF_KEY = "kind = 'webhook' AND key = ?1 AND about <> 'delete'";
const OF_KEY = `kind = 'webhook' AND key = ?1 AND about <> 'delete'
  AND addressee IN (SELECT addressee FROM lanes WHERE kind = 'webhook')`;

const OWNED: Select = `SELECT key FROM outbox WHERE owner = ?1
  UNION SELECT key FROM dead_letters WHERE owner = ?1 ${LIMIT}`;

const OF_ADDRESSEE: Select = `SELECT ${WAITING} FROM outbox WHERE ${OF_QUEUE} ORDER BY seq ${LIMIT}`;

const ADD = `INSERT INTO outbox (kind, addressee, key, id, about, payload, created, due)
  VALUES (?, ?, ?, ?, ?, ?, ?, iif(EXISTS (SELECT 1 FROM outbox WHERE ${OF_QUEUE} AND key = ?3), NULL, ?))`;

const COUNT = `INSERT INTO lanes (kind, addressee, waiting, units) VALUES (?, ?, 1, ?)
  ON CONFLICT (kind, addressee) DO UPDATE SET waiting = waiting + 1, units = units + excluded.units
  RETURNING waiting, units`;

/** To be used inside a transaction, and only when there are tables. */
export class Outbox extends QueueTable {
  /** Those that were given up. */
  readonly dead = new DeadLetters(this.sql);
  /** Whether there may be messages: most collections have none, and need not look. */
  #mayHave = true;
  #fresh = false;
  /** Called when messages wait that did not before. */
  onPut: () => void = () => undefined;

  /** Puts a message, in the transaction of what it tells. */
  put(message: Message, now: number): void {
    this.#add({ ...message, id: crypto.randomUUID(), created: now }, now);
  }

  /** Whether messages were put since the last call: the alarm must ring for them. */
  takeFresh(): boolean {
    const fresh = this.#fresh;
    this.#fresh = false;
    return fresh;
  }

  get isEmpty(): boolean {
    this.#mayHave &&= this.finds('SELECT 1 FROM lanes LIMIT 1');
    return !this.#mayHave;
  }

  /** The queues that have something to deliver now. */
  dueQueues(now: number): readonly Queue[] {
    return this.sql
      .exec<Columns<Queue>>(
        `SELECT kind, addressee, failures FROM lanes WHERE rests <= ? AND EXISTS
           (SELECT 1 FROM outbox WHERE outbox.kind = lanes.kind AND outbox.addressee = lanes.addressee AND due <= ?)`,
        now,
        now,
      )
      .toArray();
  }

  /** How the queue stands, if it is one. */
  queue(queue: Of): Queue | undefined {
    return this.of<Queue>(`SELECT kind, addressee, failures FROM lanes WHERE ${OF_QUEUE}`, queue)[0];
  }

  /** The messages of a queue that are to be delivered now, but for those on their way: the first of each key. */
  due(queue: Queue, now: number, limit: number, out: readonly number[] = []): readonly Waiting[] {
    return this.of(DUE, queue, now, JSON.stringify(out), limit);
  }

  /** When something is to be done next, in milliseconds since 1970; null for nothing. */
  next(): number | null {
    if (this.isEmpty) return null;
    const ends = this.dead.next();
    const next = this.numberOf(
      `SELECT min(max(rests, due)) FROM
         (SELECT rests, (SELECT min(due) FROM outbox
                         WHERE outbox.kind = lanes.kind AND outbox.addressee = lanes.addressee) AS due FROM lanes)
       WHERE due IS NOT NULL`,
    );
    return next === null || ends === null ? (next ?? ends) : Math.min(next, ends);
  }

  /** Whether a message waits still: it may have been given up or dropped while it was on its way. */
  has({ seq }: Waiting): boolean {
    return this.finds('SELECT 1 FROM outbox WHERE seq = ?', seq);
  }

  /** Forgets a message that was delivered. After failures, the others of the queue are tried at once. */
  delivered(message: Waiting, now: number): void {
    if (!this.#takeOut(message, now)) return;
    if ((this.queue(message)?.failures ?? 0) === 0) return;
    this.of(`UPDATE lanes SET failures = 0, rests = 0 WHERE ${OF_QUEUE}`, message);
    this.of(`UPDATE outbox SET due = ?3 WHERE ${OF_QUEUE} AND due > ?3`, message, now);
  }

  /** Notes that a delivery failed. The message is tried again at `due`, and nothing of its queue before `rests`. */
  failed(message: Waiting, failure: string, due: number, rests: number): void {
    const noted = 'UPDATE outbox SET tries = tries + 1, failure = ?, due = ? WHERE seq = ?';
    this.sql.exec(noted, failure, due, message.seq);
    this.#noteFailure(message, rests);
  }

  /** Gives a message up. Where `rests` is given, nothing of its queue is to be delivered before. */
  giveUp(message: Waiting, failure: string, now: number, rests?: number): void {
    this.#bury({ ...message, tries: message.tries + 1 }, failure, now);
    this.dead.trim(message, now);
    if (rests !== undefined) this.#noteFailure(message, rests);
  }

  #noteFailure(queue: Of, rests: number): void {
    const noted = `UPDATE lanes SET failures = failures + 1, rests = max(rests, ?3) WHERE ${OF_QUEUE}`;
    this.of(noted, queue, rests);
  }

  rest(queue: Of, until: number): void {
    this.of(`UPDATE lanes SET rests = ?3 WHERE ${OF_QUEUE}`, queue, until);
  }

  wake(queue: Of): void {
    this.rest(queue, 0);
    this.#fresh = true;
    this.onPut();
  }

  /** Forgets all messages of a queue, the dead ones too. */
  drop(queue: Of): void {
    for (const table of ['outbox', 'dead_letters', 'lanes'])
      this.of(`DELETE FROM ${table} WHERE ${OF_QUEUE}`, queue);
  }

  /** Notes whose a document was that is deleted: what webhooks are to be told of it. */
  own(key: string, owner: string | null): void {
    if (owner === null || this.isEmpty) return;
    this.sql.exec(`UPDATE outbox SET owner = ?2 WHERE ${OF_KEY}`, key, owner);
    this.sql.exec(`UPDATE dead_letters SET owner = ?2 WHERE ${DEAD_OF_KEY}`, key, owner);
  }

  /** Forgets the same of so many documents that somebody had; false if there are none. */
  forgetOwned(owner: string, documents: number, now: number): boolean {
    const keys = this.sql.exec<{ key: string }>(OWNED, owner, documents).toArray();
    for (const { key } of keys) this.forget(key, now);
    return keys.length > 0;
  }

  /** Forgets what webhooks were to be told of a document, and what they did not take, but for its deletion. */
  forget(key: string, now: number): void {
    if (this.isEmpty) return;
    const waiting = this.sql.exec<Columns<Waiting>>(`SELECT ${WAITING} FROM outbox WHERE ${OF_KEY}`, key);
    for (const message of waiting.toArray()) this.#takeOut(message, now);
    this.sql.exec(`DELETE FROM dead_letters WHERE ${DEAD_OF_KEY}`, key);
  }

  /** Gives up what has waited too long, and forgets old dead letters: some of them, and whether there are more. */
  tidy(now: number): boolean {
    const old = this.sql
      .exec<Columns<Waiting>>(
        OLDEST,
        JSON.stringify([...NEVER_DROPPED]),
        AT_ONCE,
        now - LIMITS.messagePatience,
      )
      .toArray();
    for (const message of old) this.#bury(message, message.failure ?? 'It has waited too long.', now);
    const queues = this.sql.exec<Columns<Queue>>('SELECT kind, addressee, failures FROM lanes').toArray();
    for (const queue of queues) this.dead.trim(queue, now);
    this.sql.exec(
      `DELETE FROM lanes WHERE waiting = 0 AND NOT EXISTS
         (SELECT 1 FROM dead_letters AS dead WHERE dead.kind = lanes.kind AND dead.addressee = lanes.addressee)`,
    );
    return old.length === AT_ONCE;
  }

  /** The messages of a queue that wait, oldest first. */
  waiting(queue: Of, limit: number): readonly Summary[] {
    return this.of(SUMMARIES, queue, limit);
  }

  /** How many messages of a queue wait, and how many were given up. */
  counts({ kind, addressee }: Of) {
    return this.sql
      .exec<{ waiting: number; dead: number }>(
        `SELECT (SELECT count(*) FROM outbox WHERE ${OF_QUEUE}) AS waiting,
                (SELECT count(*) FROM dead_letters WHERE ${OF_QUEUE}) AS dead`,
        kind,
        addressee,
      )
      .one();
  }

  /** Lets a dead letter wait again, behind all others; false if there is none of this id. */
  revive(queue: Of, id: string, now: number): boolean {
    const message = this.dead.take(queue, id);
    if (message === undefined) return false;
    // Its patience begins anew.
    this.#add({ ...message, created: now }, now);
    this.own(message.key, message.owner);
    this.wake(queue);
    return true;
  }

  #add(message: Message & Pick<Waiting, 'id' | 'created'>, now: number): void {
    const { id, key, about, payload, created } = message;
    this.#mayHave = true;
    this.#fresh = true;
    this.onPut();
    this.of(ADD, message, key, id, about, payload, created, now);
    const [counted] = this.of<{ waiting: number; units: number }>(COUNT, message, payload.length);
    if (counted === undefined || NEVER_DROPPED.has(message.kind)) return;
    const { waiting, units } = counted;
    if (waiting > LIMITS.messagesWaiting || units > LIMITS.messageUnits)
      this.#makeRoom(message, waiting, units, now);
  }

  /** Gives up the oldest messages of a queue that has too many: nobody takes them. */
  #makeRoom(queue: Message, waiting: number, units: number, now: number): void {
    let [count, size] = [waiting, units];
    const isOver = () => count > LIMITS.messagesWaiting * LEFT || size > LIMITS.messageUnits * LEFT;
    while (isOver()) {
      const oldest = this.of<Waiting>(OF_ADDRESSEE, queue, AT_ONCE);
      if (oldest.length === 0) break;
      for (const message of oldest) {
        if (!isOver()) break;
        count -= 1;
        size -= message.payload.length;
        this.#bury(message, message.failure ?? 'Too many came after it.', now);
      }
    }
    this.dead.trim(queue, now);
  }

  #bury(message: Waiting, failure: string, now: number): void {
    this.dead.add(message, failure, now);
    this.#takeOut(message, now);
  }

  /** Takes a message out of its queue, and lets the next of its key be delivered; false if it is not there. */
  #takeOut(message: Waiting, now: number): boolean {
    const { seq, key, payload } = message;
    if (!this.finds('DELETE FROM outbox WHERE seq = ? RETURNING seq', seq)) return false;
    this.of(
      `UPDATE outbox SET due = coalesce(due, ?3) WHERE seq =
         (SELECT min(seq) FROM outbox WHERE ${OF_QUEUE} AND key = ?4)`,
      message,
      now,
      key,
    );
    const counted = `UPDATE lanes SET waiting = waiting - 1, units = units - ?3 WHERE ${OF_QUEUE}`;
    this.of(counted, message, payload.length);
    return true;
  }
}

interface DeadSummary extends Summary {
  /** When it was given up, in milliseconds since 1970. */
  readonly died: number;
}

/**
 * Messages that the outbox gave up: some days and so many of each queue, to be looked at and sent again. To be used
 * inside a transaction, and only when there are tables.
 */
class DeadLetters extends QueueTable {
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
