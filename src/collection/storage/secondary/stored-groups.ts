/**
 * Groups of aggregates that outlive the object's sleep: the groups of a segment of the documents (dirty-ranges.ts) are
 * a row here until something in the segment is written. A write deletes the rows of its segment in its own
 * transaction, so what is here is never wrong.
 */
import { sha256 } from '../../../domain/values/sha256.ts';
import type { DirtyRanges } from '../dirty-ranges.ts';
import { Table } from '../sql.ts';

/**
 * To be raised when operators change their meaning or the form of their states, or segments their extent:
 * former rows are not asked for then. A test holds the form of states (property/packed-groups).
 */
const FORM = 2;

/** Aggregates of a collection whose groups are stored at a time. */
const MOST = 16;

/** UTF-16 units of the groups of a segment: more is not stored. */
export const MOST_UNITS = 32 * 1024;

/** Milliseconds after which an aggregate that was not read goes, and after which a use is stored. */
const IDLE = 14 * 86_400_000;
const USE_NOTED = 86_400_000;

/** What an aggregate made of a segment at a time (`DirtyRanges.now`): `text` as its pipeline packs it. */
export interface SegmentToStore {
  readonly segment: number;
  readonly text: string;
  readonly at: number;
}

interface Aggregate {
  readonly id: number;
  /** The last use, in milliseconds since 1970, and the stored one. */
  used: number;
  noted: number;
}

export class StoredGroups extends Table {
  /** By what they are known by (`keyOf`). */
  #aggregates = new Map<string, Aggregate>();
  /** All that have rows, and some that no longer have. */
  #segments = new Set<number>();
  /** Those whose rows a write has deleted that may yet be undone. */
  readonly #gone = new Set<number>();

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    const known = this.sql
      .exec<{ id: number; key: string; used: number }>('SELECT id, key, used FROM stored_aggregates')
      .toArray();
    this.#aggregates = new Map(known.map(({ id, key, used }) => [key, { id, used, noted: used }]));
    this.#segments = new Set(this.column<number>('SELECT stretch FROM stored_stretches'));
    this.#gone.clear();
  }

  /** To be called once a transaction is committed. */
  commit(): void {
    for (const segment of this.#gone) this.#segments.delete(segment);
    this.#gone.clear();
  }

  /** To be called where writes were undone, and before a transaction: what others left open is not its own. */
  rollBack(): void {
    this.#gone.clear();
  }

  get any(): boolean {
    return this.#aggregates.size > 0;
  }

  /** Whether anything is stored of an aggregate. `key`: all that its groups depend on beside the documents. */
  has(key: string): boolean {
    return this.any && this.#aggregates.has(keyOf(key));
  }

  /** What is stored of an aggregate and a segment; null for nothing. Notes in memory that it was used. */
  find(key: string, segment: number): string | null {
    const aggregate = this.#aggregates.get(keyOf(key));
    if (aggregate === undefined || !this.#segments.has(segment)) return null;
    aggregate.used = Date.now();
    const stored = 'SELECT content FROM stored_groups WHERE stretch = ? AND aggregate = ?';
    return this.column<string>(stored, segment, aggregate.id)[0] ?? null;
  }

  /** A document of a segment is written: to be called in the transaction of the write. */
  note(segment: number): void {
    if (!this.#segments.has(segment) || this.#gone.has(segment)) return;
    this.#gone.add(segment);
    this.sql.exec('DELETE FROM stored_groups WHERE stretch = ?', segment);
    this.sql.exec('DELETE FROM stored_stretches WHERE stretch = ?', segment);
  }

  /** Stores the groups of unwritten segments. If there are too many, the aggregate that was read longest ago goes. */
  put(key: string, segments: readonly SegmentToStore[], dirtyRanges: DirtyRanges, now: number): void {
    const known = keyOf(key);
    const unchanged = segments.filter(({ segment, at }) => dirtyRanges.changed('segment', segment) <= at);
    if (unchanged.length === 0) return;
    const aggregate = this.#aggregates.get(known) ?? this.#begin(known, now);
    for (const { segment, text } of unchanged) {
      this.sql.exec('INSERT OR IGNORE INTO stored_stretches VALUES (?)', segment);
      this.sql.exec('INSERT OR REPLACE INTO stored_groups VALUES (?, ?, ?)', segment, aggregate.id, text);
      this.#segments.add(segment);
      this.#gone.delete(segment);
    }
  }

  #begin(key: string, now: number): Aggregate {
    const [oldest] = [...this.#aggregates].sort(([, one], [, other]) => one.used - other.used);
    if (oldest !== undefined && this.#aggregates.size >= MOST) this.#drop(oldest[0]);
    const begun = 'INSERT INTO stored_aggregates (key, used) VALUES (?, ?) RETURNING id';
    const id = this.numberOf(begun, key, now) ?? 0;
    const aggregate = { id, used: now, noted: now };
    this.#aggregates.set(key, aggregate);
    return aggregate;
  }

  /** Stores uses, and drops what nobody has read for a long time. */
  tidy(now: number): void {
    for (const [key, aggregate] of [...this.#aggregates]) {
      if (now - aggregate.used >= IDLE) this.#drop(key);
      else if (aggregate.used - aggregate.noted >= USE_NOTED) {
        this.sql.exec('UPDATE stored_aggregates SET used = ? WHERE id = ?', aggregate.used, aggregate.id);
        aggregate.noted = aggregate.used;
      }
    }
  }

  #drop(key: string): void {
    const id = this.#aggregates.get(key)?.id ?? null;
    this.sql.exec('DELETE FROM stored_groups WHERE aggregate = ?', id);
    this.sql.exec('DELETE FROM stored_aggregates WHERE id = ?', id);
    this.#aggregates.delete(key);
  }
}

/** A digest: values of parameters may be about people, and the erasure of a person does not look here. */
function keyOf(key: string): string {
  return sha256(`${FORM} ${key}`);
}
