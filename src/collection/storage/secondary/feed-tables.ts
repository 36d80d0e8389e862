/**
 * What the feed of changes needs beside the documents: the order of their last changes, and the log (versions.ts).
 * Triggers keep both from the first request on: single writes know nothing of it and types without a feed pay nothing.
 *
 * A deletion leaves its number in `changes` for as long as the version that it ended is kept.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { packedAs } from '../documents/documents.ts';
import { bytesOfId } from '../ids.ts';
import { fitting, Table, LIMIT, type Select } from '../sql.ts';
import { WRITE_STEP_ROWS } from '../steps.ts';
import { LAST, type Versions } from './versions.ts';

/** Bytes of a row beside its body, about. */
const ROW = 200;

/** Milliseconds after which the last request is noted again: a feed that is read often does not write at every read. */
const NOTED_EVERY = 3_600_000;

const INSERT = `INSERT OR IGNORE INTO changes VALUES (${LAST('NEW')}, NEW.id, (SELECT list FROM feed))`;

const TRIGGERS: Readonly<Record<string, string>> = {
  feed_after_insert: `AFTER INSERT ON documents BEGIN
    ${INSERT};
  END`,
  feed_after_update: `AFTER UPDATE ON documents WHEN ${LAST('NEW')} <> ${LAST('OLD')} BEGIN
    UPDATE feed SET bytes = bytes + length(OLD.body) + ${ROW};
    DELETE FROM changes WHERE number = ${LAST('OLD')} AND id = OLD.id;
    ${INSERT};
  END`,
  feed_after_difference: `AFTER UPDATE OF body ON versions WHEN OLD.began < OLD.ended BEGIN
    UPDATE feed SET bytes = bytes - length(OLD.body) + length(NEW.body);
  END`,
  feed_after_forgetting: `AFTER DELETE ON versions WHEN OLD.began < OLD.ended BEGIN
    UPDATE feed SET bytes = bytes - length(OLD.body) - ${ROW}, horizon = max(horizon, OLD.ended);
    DELETE FROM changes WHERE number = OLD.ended AND id = OLD.id
      AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = OLD.id);
  END`,
};

/** A document in the order of last changes; without a position, its deletion; `past`: a change before its last one. */
export interface ChangeRow {
  readonly number: number;
  readonly past?: boolean;
  /** The id of the list of operations that has made it, if one has, and it is the last one of the document. */
  readonly list?: string | null;
  readonly id: DocumentId;
  readonly seq: number | null;
  /** Packed (rpc/packing/packing.ts); null for a deletion. */
  readonly packed: string | null;
}

type Stored = {
  number: number;
  list: string | null;
  id: DocumentId;
  seq: number | null;
  packed: string | null;
};

/** Bytes of a document, about. */
type Size = { number: number; size: number };

type Row = { epoch: string; horizon: number; asked: number; bytes: number; built: number; complete: number };

const NEXT_SIZES: Select = `SELECT number, coalesce(length(body), 0) AS size
         FROM changes LEFT JOIN documents ON documents.id = changes.id
         WHERE number > ? AND number <= ? ORDER BY number ${LIMIT}`;

const NEXT_CHANGES: Select = `SELECT number, list, lower(hex(changes.id)) AS id, seq,
         CASE WHEN seq IS NOT NULL THEN ${packedAs(true)} END AS packed
         FROM changes LEFT JOIN documents ON documents.id = changes.id
         WHERE number > ? AND number <= ? ORDER BY number`;

/** The same, with changes before the last ones: each has ended a state. */
const ALL = `(SELECT number, id FROM changes WHERE number > ? AND number <= ?
  UNION SELECT ended, id FROM versions WHERE ended > ? AND ended <= ? AND body IS NOT NULL ORDER BY 1 ${LIMIT}) AS next
  LEFT JOIN documents ON documents.id = next.id AND ${LAST('documents')} = next.number`;

const ALL_SIZES: Select = `SELECT number, coalesce(length(body), 0) AS size FROM ${ALL} ORDER BY number`;

const ALL_CHANGES: Select = `SELECT next.number, list, lower(hex(next.id)) AS id, seq,
         CASE WHEN seq IS NOT NULL THEN ${packedAs(true)} END AS packed, changes.id IS NULL AS past
         FROM ${ALL} LEFT JOIN changes ON changes.number = next.number AND changes.id = next.id ORDER BY next.number`;

const CURRENT: Select = `SELECT seq, ${packedAs(true)} AS packed FROM documents WHERE id = ?`;

const LAST_CHANGES: Select = `SELECT lower(hex(id)) AS id, ${LAST('documents')} AS number FROM documents
       WHERE id IN (SELECT unhex(value) FROM json_each(?))`;

const OLDEST: Select = `SELECT ended, at, length(body) + ${ROW} AS size FROM versions
  WHERE ended <= ? AND body IS NOT NULL ORDER BY ended ${LIMIT}`;

export class FeedTables extends Table {
  readonly #versions: Versions;
  #active = false;
  #complete = false;

  constructor(sql: SqlStorage, versions: Versions) {
    super(sql);
    this.#versions = versions;
  }

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    const row = this.#row();
    this.#active = row !== undefined;
    if (this.#active) this.#keep();
    else this.#versions.follow();
    this.#complete = row?.complete === 1;
  }

  /** Whether anybody has asked for the feed. */
  get active(): boolean {
    return this.#active;
  }

  /** Whether every document is in the order of changes. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Since when all is kept, and what tells this feed from one before it. Null where there is none. */
  get state(): Pick<Row, 'epoch' | 'horizon'> | null {
    return this.#row() ?? null;
  }

  /** Begins to keep what the feed needs. To be called inside a transaction, as all below that write. */
  begin(epoch: string, counter: number, now: number): void {
    // What a feed before it has left may not have gone yet.
    const { floor, isHistory } = this.#versions;
    if (!isHistory) this.sql.exec('DELETE FROM versions WHERE ended <= ?', floor);
    this.sql.exec('DELETE FROM changes');
    this.sql.exec(
      `INSERT OR REPLACE INTO feed
       SELECT 1, ?, ?, ?, coalesce(sum(length(body) + ${ROW}), 0), 0, 0, NULL FROM versions
       WHERE ended > ? AND body IS NOT NULL`,
      epoch,
      counter,
      now,
      isHistory ? counter : 0,
    );
    this.load();
  }

  /** An earlier release has other triggers: its migration dropped them. */
  #keep(): void {
    this.#versions.begin();
    for (const [name, trigger] of Object.entries(TRIGGERS)) {
      this.sql.exec(`CREATE TRIGGER IF NOT EXISTS ${name} ${trigger}`);
    }
  }

  /** Does the writes of a list: the changes that they make have its id. */
  within<T>(list: string | undefined, work: () => T): T {
    if (list === undefined || !this.#active) return work();
    this.sql.exec('UPDATE feed SET list = ?', list);
    const done = work();
    this.sql.exec('UPDATE feed SET list = NULL');
    return done;
  }

  /** Puts some more documents into the order of changes; those that change meanwhile are put there by the triggers. */
  build(): void {
    const built = this.#row()?.built ?? 0;
    const last = this.numberOf(
      `SELECT max(seq) FROM (SELECT seq FROM documents WHERE seq > ? ORDER BY seq ${LIMIT})`,
      built,
      WRITE_STEP_ROWS,
    );
    if (last === null) this.sql.exec('UPDATE feed SET complete = 1');
    else {
      const put = `INSERT OR IGNORE INTO changes
        SELECT ${LAST('documents')}, id, NULL FROM documents WHERE seq > ? AND seq <= ?`;
      this.sql.exec(put, built, last);
      this.sql.exec('UPDATE feed SET built = ?', last);
    }
    this.load();
  }

  /** Whether it is time to note that the feed is asked for. */
  isToBeNoted(now: number): boolean {
    const row = this.#row();
    return row !== undefined && Math.abs(now - row.asked) > NOTED_EVERY;
  }

  note(now: number): void {
    this.sql.exec('UPDATE feed SET asked = ?', now);
  }

  /** The next documents in the order of last changes after a number: at least one, up to so many and so many bytes. */
  after(number: number, upTo: number, documents: number, bytes: number): readonly ChangeRow[] {
    const last = fitting(this.sql.exec<Size>(NEXT_SIZES, number, upTo, documents), bytes).at(-1)?.number;
    if (last === undefined) return [];
    return this.sql.exec<Stored>(NEXT_CHANGES, number, last).toArray();
  }

  /** The same, with changes before the last ones. */
  allAfter(number: number, upTo: number, rows: number, bytes: number): readonly ChangeRow[] {
    const sizes = this.sql.exec<Size>(ALL_SIZES, number, upTo, number, upTo, rows);
    const last = fitting(sizes, bytes).at(-1)?.number;
    if (last === undefined) return [];
    return this.sql
      .exec<Stored & { past: number }>(ALL_CHANGES, number, last, number, last, -1)
      .toArray()
      .map(({ past, ...row }) => ({ ...row, past: past === 1 }));
  }

  /** A document as it is now, with its last change unknown. */
  current(id: DocumentId): ChangeRow | undefined {
    const [row] = this.sql.exec<{ seq: number; packed: string }>(CURRENT, bytesOfId(id)).toArray();
    return row && { ...row, id, number: 0 };
  }

  /** The numbers of the last changes of some documents that are there. */
  lastOf(ids: readonly DocumentId[]): ReadonlyMap<DocumentId, number> {
    const rows = this.sql.exec<{ id: DocumentId; number: number }>(LAST_CHANGES, JSON.stringify(ids));
    return new Map(Array.from(rows, ({ id, number }) => [id, number]));
  }

  /** Whether versions are to be forgotten now, because of their bytes. */
  get isFull(): boolean {
    if (!this.#active || this.#versions.isHistory || (this.#row()?.bytes ?? 0) <= LIMITS.feedBytes)
      return false;
    return this.#oldest(1).length > 0;
  }

  /** The oldest versions that no export needs. */
  #oldest(limit: number): readonly { readonly ended: number; readonly at: number; readonly size: number }[] {
    return this.sql
      .exec<{ ended: number; at: number; size: number }>(OLDEST, this.#versions.floor, limit)
      .toArray();
  }

  /** Ends the feed: no mark of it holds any more. What it has kept goes in steps, or when another one begins. */
  end(): void {
    for (const name of Object.keys(TRIGGERS)) this.sql.exec(`DROP TRIGGER IF EXISTS ${name}`);
    this.sql.exec('DELETE FROM feed');
    this.load();
  }

  /** Forgets some versions that are past their time, or that take too much; whether there may be more. */
  forget(now: number): boolean {
    const row = this.#row();
    if (row === undefined) return this.#forgetChanges() || this.#versions.tidy(now);
    this.#versions.endSnapshots(now);
    if (now - row.asked > LIMITS.feedRetention) {
      this.end();
      return true;
    }
    if (this.#versions.isHistory) return this.#versions.prune(now, now - LIMITS.feedRetention);
    const oldest = this.#oldest(WRITE_STEP_ROWS);
    let excess = row.bytes - LIMITS.feedBytes;
    const gone = oldest.findIndex(({ at, size }) => {
      const stays = excess <= 0 && now - at <= LIMITS.feedRetention;
      excess -= size;
      return stays;
    });
    const last = oldest[(gone === -1 ? oldest.length : gone) - 1];
    if (last === undefined) return false;
    this.sql.exec('DELETE FROM versions WHERE ended <= ? AND body IS NOT NULL', last.ended);
    return gone === -1;
  }

  /** Takes a deletion out of the order of changes: the document is there again. */
  forgetDeletion(id: DocumentId, number: number): void {
    this.sql.exec('DELETE FROM changes WHERE number = ? AND id = ?', number, bytesOfId(id));
  }

  /** When something is to be forgotten next, in milliseconds since 1970; null for never. */
  next(now: number): number | null {
    const row = this.#row();
    if (this.#versions.isHistory) {
      const end = row === undefined ? null : row.asked + LIMITS.feedRetention;
      const next = Math.min(end ?? Infinity, this.#versions.nextPrune(now) ?? Infinity);
      return next === Infinity ? null : next;
    }
    if (row === undefined) return null;
    const at = this.numberOf('SELECT at FROM versions WHERE body IS NOT NULL ORDER BY ended LIMIT 1');
    return Math.min(at ?? Infinity, row.asked) + LIMITS.feedRetention;
  }

  /** Removes some of the order that an ended feed has left. */
  #forgetChanges(): boolean {
    const some = `DELETE FROM changes
      WHERE (number, id) IN (SELECT number, id FROM changes ORDER BY number ${LIMIT}) RETURNING 1`;
    return this.finds(some, WRITE_STEP_ROWS);
  }

  #row(): Row | undefined {
    return this.sql.exec<Row>('SELECT epoch, horizon, asked, bytes, built, complete FROM feed').toArray()[0];
  }
}
