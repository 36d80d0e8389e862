/**
 * The outbox: what a write tells others, kept in the write's own transaction and delivered after it (write/deliveries.ts).
 * So what was written is told at least once, whatever crashes, and what was undone is not told.
 *
 * To tell something, put a letter in the transaction of the write (`tables.outbox.put`), and give `Deliveries` a carrier
 * of its kind. Letters of one kind and addressee are a lane. In it, letters of one key are delivered in order, each after
 * the one before it was delivered or given up; letters of different keys pass one another. A letter that is given up is
 * a dead letter: it is kept for some days, to be looked at and to be sent again. No write is ever refused for its letters.
 */
import { LIMITS } from '../../../domain/limits.ts';
import { DeadLetters } from './dead-letters.ts';
import { KEPT, SUMMARY, WAITING, type Letter, type Of, type Summary, type Waiting } from './letter.ts';
import { LIMIT, type Select } from '../sql.ts';

/** The letters to one addressee. */
export interface Lane extends Of {
  /** Deliveries that have failed since the last that has not. */
  readonly failures: number;
}

type Columns<T> = { [Column in keyof T]: T[Column] };

/** Which part of the bound of a lane is left when it was exceeded: so that not every write has to make room. */
const LEFT = 0.95;

/** Letters that are read at once to be given up: each may be as large as a document. */
const AT_ONCE = 20;

const DUE: Select = `SELECT ${WAITING} FROM outbox WHERE kind = ? AND addressee = ? AND due <= ? ORDER BY due, seq ${LIMIT}`;

const OLDEST: Select = `SELECT ${WAITING} FROM (SELECT * FROM outbox WHERE kind NOT IN (SELECT value FROM json_each(?)) ORDER BY seq ${LIMIT}) WHERE created <= ? ORDER BY seq`;

const SUMMARIES: Select = `SELECT ${SUMMARY} FROM outbox WHERE kind = ? AND addressee = ? ORDER BY seq ${LIMIT}`;

const OF_ADDRESSEE: Select = `SELECT ${WAITING} FROM outbox WHERE kind = ? AND addressee = ? ORDER BY seq ${LIMIT}`;

/** To be used inside a transaction, and only when there are tables. */
export class Outbox {
  readonly #sql: SqlStorage;
  /** Those that were given up. */
  readonly dead: DeadLetters;
  /** Whether there may be letters: most collections have none, and need not look. */
  #mayHave = true;
  #fresh = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.dead = new DeadLetters(sql);
  }

  /** Puts a letter, in the transaction of what it tells. */
  put(letter: Letter, now: number): void {
    this.#add({ ...letter, id: crypto.randomUUID(), created: now }, now);
  }

  /** Whether letters were put since the last call: the alarm must ring for them. */
  takeFresh(): boolean {
    const fresh = this.#fresh;
    this.#fresh = false;
    return fresh;
  }

  get isEmpty(): boolean {
    this.#mayHave &&= this.#sql.exec('SELECT 1 FROM lanes LIMIT 1').toArray().length > 0;
    return !this.#mayHave;
  }

  /** The lanes that have something to deliver now. */
  dueLanes(now: number): readonly Lane[] {
    return this.#sql
      .exec<Columns<Lane>>(
        `SELECT kind, addressee, failures FROM lanes WHERE rests <= ? AND EXISTS
           (SELECT 1 FROM outbox WHERE outbox.kind = lanes.kind AND outbox.addressee = lanes.addressee AND due <= ?)`,
        now,
        now,
      )
      .toArray();
  }

  /** How the lane stands, if it is one. */
  lane({ kind, addressee }: Of): Lane | undefined {
    return this.#sql
      .exec<Columns<Lane>>(
        'SELECT kind, addressee, failures FROM lanes WHERE kind = ? AND addressee = ?',
        kind,
        addressee,
      )
      .toArray()[0];
  }

  /** Whether a lane does not rest. */
  isAwake({ kind, addressee }: Of, now: number): boolean {
    return (
      this.#sql
        .exec('SELECT 1 FROM lanes WHERE kind = ? AND addressee = ? AND rests <= ?', kind, addressee, now)
        .toArray().length > 0
    );
  }

  /** The letters of a lane that are to be delivered now: the first of each key. */
  due({ kind, addressee }: Lane, now: number, limit: number): readonly Waiting[] {
    return this.#sql.exec<Columns<Waiting>>(DUE, kind, addressee, now, limit).toArray();
  }

  /** When something is to be done next, in milliseconds since 1970; null for nothing. */
  next(): number | null {
    if (this.isEmpty) return null;
    const ends = this.dead.next();
    const { next } = this.#sql
      .exec<{ next: number | null }>(
        `SELECT min(max(rests, due)) AS next FROM
           (SELECT rests, (SELECT min(due) FROM outbox
                           WHERE outbox.kind = lanes.kind AND outbox.addressee = lanes.addressee) AS due FROM lanes)
         WHERE due IS NOT NULL`,
      )
      .one();
    return next === null || ends === null ? (next ?? ends) : Math.min(next, ends);
  }

  /** Whether a letter waits still: it may have been given up or dropped while it was on its way. */
  has({ seq }: Waiting): boolean {
    return this.#sql.exec('SELECT 1 FROM outbox WHERE seq = ?', seq).toArray().length > 0;
  }

  /** Forgets a letter that was delivered. After failures, the others of the lane are tried at once. */
  delivered(letter: Waiting, now: number): void {
    if (!this.#takeOut(letter, now)) return;
    if ((this.lane(letter)?.failures ?? 0) === 0) return;
    const { kind, addressee } = letter;
    this.#sql.exec(
      'UPDATE lanes SET failures = 0, rests = 0 WHERE kind = ? AND addressee = ?',
      kind,
      addressee,
    );
    this.#sql.exec(
      'UPDATE outbox SET due = ? WHERE kind = ? AND addressee = ? AND due > ?',
      now,
      kind,
      addressee,
      now,
    );
  }

  /** Notes that a delivery failed. The letter is tried again at `due`, and nothing of its lane before `rests`. */
  failed(letter: Waiting, failure: string, due: number, rests: number): void {
    this.#sql.exec(
      'UPDATE outbox SET tries = tries + 1, failure = ?, due = ? WHERE seq = ?',
      failure,
      due,
      letter.seq,
    );
    this.#noteFailure(letter, rests);
  }

  /** Gives a letter up. */
  giveUp(letter: Waiting, failure: string, now: number, rests: number): void {
    this.#bury({ ...letter, tries: letter.tries + 1 }, failure, now);
    this.dead.trim(letter, now);
    this.#noteFailure(letter, rests);
  }

  #noteFailure({ kind, addressee }: Letter, rests: number): void {
    this.#sql.exec(
      'UPDATE lanes SET failures = failures + 1, rests = max(rests, ?) WHERE kind = ? AND addressee = ?',
      rests,
      kind,
      addressee,
    );
  }

  /** Lets a lane rest until a time. */
  rest({ kind, addressee }: Of, until: number): void {
    this.#sql.exec('UPDATE lanes SET rests = ? WHERE kind = ? AND addressee = ?', until, kind, addressee);
  }

  /** Wakes a lane. */
  wake(lane: Of): void {
    const { kind, addressee } = lane;
    this.#sql.exec('UPDATE lanes SET rests = 0 WHERE kind = ? AND addressee = ?', kind, addressee);
    this.#fresh = true;
  }

  /** Forgets all letters of a lane, the dead ones too. */
  drop({ kind, addressee }: Of): void {
    for (const table of ['outbox', 'dead_letters', 'lanes']) {
      this.#sql.exec(`DELETE FROM ${table} WHERE kind = ? AND addressee = ?`, kind, addressee);
    }
  }

  /** Gives up what has waited too long, and forgets dead letters past their time: some of them, and whether there are more. */
  tidy(now: number): boolean {
    const old = this.#sql
      .exec<Columns<Waiting>>(OLDEST, JSON.stringify([...KEPT]), AT_ONCE, now - LIMITS.letterPatience)
      .toArray();
    for (const letter of old) this.#bury(letter, letter.failure ?? 'It has waited too long.', now);
    for (const lane of this.#lanes()) this.dead.trim(lane, now);
    this.#sql.exec(
      `DELETE FROM lanes WHERE waiting = 0 AND NOT EXISTS
         (SELECT 1 FROM dead_letters WHERE dead_letters.kind = lanes.kind AND dead_letters.addressee = lanes.addressee)`,
    );
    return old.length === AT_ONCE;
  }

  /** The letters of a lane that wait, oldest first. */
  waiting({ kind, addressee }: Of, limit: number): readonly Summary[] {
    return this.#sql.exec<Columns<Summary>>(SUMMARIES, kind, addressee, limit).toArray();
  }

  /** How many letters of a lane wait, and how many were given up. */
  counts({ kind, addressee }: Of): { readonly waiting: number; readonly dead: number } {
    return this.#sql
      .exec<{ waiting: number; dead: number }>(
        `SELECT (SELECT count(*) FROM outbox WHERE kind = ?1 AND addressee = ?2) AS waiting,
                (SELECT count(*) FROM dead_letters WHERE kind = ?1 AND addressee = ?2) AS dead`,
        kind,
        addressee,
      )
      .one();
  }

  /** Lets a dead letter wait again, behind all others; false if there is none of this id. */
  revive(lane: Of, id: string, now: number): boolean {
    const letter = this.dead.take(lane, id);
    if (letter === undefined) return false;
    // Its patience begins anew.
    this.#add({ ...letter, created: now }, now);
    this.wake(lane);
    return true;
  }

  #lanes(): readonly Lane[] {
    return this.#sql.exec<Columns<Lane>>('SELECT kind, addressee, failures FROM lanes').toArray();
  }

  #add(letter: Letter & Pick<Waiting, 'id' | 'created'>, now: number): void {
    const { kind, addressee, key, about, payload } = letter;
    this.#mayHave = true;
    this.#fresh = true;
    this.#sql.exec(
      `INSERT INTO outbox (id, kind, addressee, key, about, payload, created, due)
       VALUES (?, ?, ?, ?, ?, ?, ?, iif(EXISTS (SELECT 1 FROM outbox WHERE kind = ? AND addressee = ? AND key = ?), NULL, ?))`,
      letter.id,
      kind,
      addressee,
      key,
      about,
      payload,
      letter.created,
      kind,
      addressee,
      key,
      now,
    );
    const { waiting, units } = this.#sql
      .exec<{ waiting: number; units: number }>(
        `INSERT INTO lanes (kind, addressee, waiting, units) VALUES (?, ?, 1, ?)
         ON CONFLICT (kind, addressee) DO UPDATE SET waiting = waiting + 1, units = units + excluded.units
         RETURNING waiting, units`,
        kind,
        addressee,
        payload.length,
      )
      .one();
    if (KEPT.has(kind)) return;
    if (waiting > LIMITS.lettersWaiting || units > LIMITS.letterUnits)
      this.#makeRoom(letter, waiting, units, now);
  }

  /** Gives up the oldest letters of a lane that has too many: nobody takes them. */
  #makeRoom(lane: Letter, waiting: number, units: number, now: number): void {
    let [count, size] = [waiting, units];
    const isOver = () => count > LIMITS.lettersWaiting * LEFT || size > LIMITS.letterUnits * LEFT;
    while (isOver()) {
      const oldest = this.#oldest(lane);
      if (oldest.length === 0) break;
      for (const letter of oldest) {
        if (!isOver()) break;
        count -= 1;
        size -= letter.payload.length;
        this.#bury(letter, letter.failure ?? 'Too many came after it.', now);
      }
    }
    this.dead.trim(lane, now);
  }

  #oldest({ kind, addressee }: Of): readonly Waiting[] {
    return this.#sql.exec<Columns<Waiting>>(OF_ADDRESSEE, kind, addressee, AT_ONCE).toArray();
  }

  #bury(letter: Waiting, failure: string, now: number): void {
    if (this.#takeOut(letter, now)) this.dead.add(letter, failure, now);
  }

  /** Takes a letter out of its lane, and lets the next of its key be delivered; false if it is not there. */
  #takeOut({ seq, kind, addressee, key, payload }: Waiting, now: number): boolean {
    const [taken] = this.#sql
      .exec<{ seq: number }>('DELETE FROM outbox WHERE seq = ? RETURNING seq', seq)
      .toArray();
    if (taken === undefined) return false;
    this.#sql.exec(
      `UPDATE outbox SET due = coalesce(due, ?) WHERE seq =
         (SELECT min(seq) FROM outbox WHERE kind = ? AND addressee = ? AND key = ?)`,
      now,
      kind,
      addressee,
      key,
    );
    this.#sql.exec(
      'UPDATE lanes SET waiting = waiting - 1, units = units - ? WHERE kind = ? AND addressee = ?',
      payload.length,
      kind,
      addressee,
    );
    return true;
  }
}
