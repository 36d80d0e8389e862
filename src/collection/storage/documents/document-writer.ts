/** The statements that change a collection's documents. */
import { idOfSecond, type DocumentId } from '../../../domain/ids.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { DOCUMENT, DocumentReader, type Positioned, type PositionedRow } from './documents.ts';
import { keyOf, type AuditFields } from '../../../domain/documents.ts';
import { textOfAcl } from './rights.ts';
import { LIMIT } from '../sql.ts';
import type { Acl } from '../../../domain/rights.ts';

/**
 * No collection makes more changes in a millisecond, so a counter that has passed the clock times this number is above
 * any that the same collection had before, here or elsewhere.
 */
const CHANGES_PER_MILLISECOND = 100;

/** Of the numbers that are left, a jump takes one in so many at most: they never end. */
const JUMPS = 2 ** 20;

/**
 * Ended ranges that are known, one of each start. What was last changed in an older one has a tag that never holds: it
 * could be of another past.
 */
const RANGES = 100_000;

/** Numbers that a range leaves free below it: each batch of an import needs higher ones than the last, but no range. */
const ROOM = 2 ** 20;

/** The epoch of a collection that has got documents from elsewhere, where processes have none. */
const IMPORTED = 'imported';

const CHANGE_META =
  'UPDATE meta SET counter = ?, since = ?, epoch = ?, documents = ?, last_id = ?, chosen_ids = ?';

const INSERT = `INSERT INTO documents
  (seq, id, version, body, relationships, acl, acl_version, creator, created, updated)
  VALUES (?, ?, ?, jsonb(?), ?, ?, ?, ?, ?, ?) RETURNING seq`;

const REPLACE =
  'UPDATE documents SET version = ?, body = jsonb(?), relationships = ?, updated = ? WHERE seq = ?';

/** The one row of `meta`. */
interface Meta {
  counter: number;
  since: number;
  epoch: string;
  documents: number;
  lastId: DocumentId | null;
  /** Whether clients have chosen ids here. */
  chosenIds: boolean;
}

/** To be used inside one transaction. */
export class DocumentWriter extends DocumentReader<SqlStorage> {
  readonly #epoch: string;

  /** `epoch` is another one in every process; empty where storage never goes back without our knowing. */
  constructor(sql: SqlStorage, epoch = '') {
    super(sql);
    this.#epoch = epoch;
  }

  /** The row of `meta` during several writes of one transaction; null otherwise. */
  #held: Meta | null = null;

  /** Performs several writes of one transaction, which read `meta` once and write it once, if they change anything. */
  together<T>(work: (meta: Meta) => T): T {
    if (this.#held !== null) return work(this.#held);
    const held = this.#meta();
    const { counter, documents, lastId } = held;
    this.#held = held;
    try {
      const result = work(held);
      if (held.counter !== counter || held.documents !== documents || held.lastId !== lastId) {
        const last = held.lastId && bytesOfId(held.lastId);
        const changed = [held.counter, held.since, held.epoch, held.documents, last, Number(held.chosenIds)];
        this.sql.exec(CHANGE_META, ...changed);
      }
      return result;
    } finally {
      this.#held = null;
    }
  }

  /** The row of `meta` as it is now among several writes, to be reset to. */
  savepoint(): Meta | null {
    return this.#held && { ...this.#held };
  }

  reset(savepoint: Meta | null): void {
    if (this.#held !== null && savepoint !== null) Object.assign(this.#held, savepoint);
  }

  override counter(): number {
    return this.#held?.counter ?? super.counter();
  }

  override count(): number {
    return this.#held?.documents ?? super.count();
  }

  protected override range(): Pick<Meta, 'since' | 'counter'> {
    return this.#held ?? super.range();
  }

  /** Takes the next number of the counter: the first one of a process begins a range. */
  nextVersion(): number {
    return this.together((meta) => {
      this.beginEpoch();
      return (meta.counter += 1);
    });
  }

  /** Begins the range of this process, if it is not begun: its first number is a random one. */
  beginEpoch(): void {
    if (this.#epoch !== '') this.begin();
  }

  /**
   * Begins a range of numbers, if it is not begun: whoever had other documents of these ids had other numbers. It lies
   * `above` a number: a token that names this one must not stand for a document that has it here, later.
   */
  begin(above = 0): void {
    const epoch = this.#epoch === '' ? IMPORTED : this.#epoch;
    const present = this.#held ?? this.#meta();
    if (present.epoch !== epoch || present.counter < above) this.jump(epoch, above + ROOM);
  }

  /**
   * Lets the counter jump to where no other past of the collection was, and notes the range that has ended. The clock
   * is not enough where it may be wrong, and processes may begin soon after each other from the same copy.
   */
  jump(epoch?: string, above = 0): void {
    this.together((meta) => {
      this.sql.exec('INSERT OR REPLACE INTO ranges VALUES (?, ?)', meta.since, meta.counter);
      this.sql.exec(
        'DELETE FROM ranges WHERE first < (SELECT first FROM ranges ORDER BY first DESC LIMIT 1 OFFSET ?)',
        RANGES - 1,
      );
      const least = Math.max(meta.counter, Date.now() * CHANGES_PER_MILLISECOND, above) + 1;
      const stride = this.#epoch === '' ? 0 : ((Number.MAX_SAFE_INTEGER - least) / JUMPS) * randomPart();
      meta.counter = meta.since = Math.floor(least + stride);
      meta.epoch = epoch ?? meta.epoch;
    });
  }

  /** The last id given out, or null, and whether clients have chosen ids here. */
  last(): Pick<Meta, 'chosenIds'> & { readonly id: DocumentId | null } {
    const { lastId, chosenIds } = this.#held ?? this.#meta();
    return { id: lastId, chosenIds };
  }

  #meta(): Meta {
    const { last_id, chosen_ids, ...meta } = this.sql
      .exec<Omit<Meta, 'lastId' | 'chosenIds'> & { last_id: ArrayBuffer | null; chosen_ids: number }>(
        'SELECT counter, since, epoch, documents, last_id, chosen_ids FROM meta',
      )
      .one();
    return { ...meta, lastId: last_id && idOfBytes(last_id), chosenIds: chosen_ids === 1 };
  }

  /** Gives an id out before its document: the next ones are above it. */
  reserve(id: DocumentId): void {
    this.together((meta) => {
      meta.lastId = id;
    });
  }

  isHighest(id: DocumentId): boolean {
    return !this.finds('SELECT 1 FROM documents WHERE id > ? LIMIT 1', bytesOfId(id));
  }

  /** Whether there is a document with an id, or was one. */
  isTaken(id: DocumentId): boolean {
    return this.seqOf(id) !== undefined || this.deletion(id) !== undefined;
  }

  /**
   * Adds a document with its ACL, whose version is the next number, and returns its position: the next one, but for one
   * that is there again, perhaps its former one. An id that a client has `chosen` says nothing about those after it.
   */
  insert(
    { id, version, body, relationships }: Omit<Positioned, 'seq' | 'auditFields'>,
    { creator, created, updated }: AuditFields,
    acl: Acl,
    place: 'next' | 'chosen' | number = 'next',
  ): number {
    const rights = textOfAcl(acl);
    const stored = [typeof place === 'number' ? place : null, bytesOfId(id), version, body, relationships];
    const known = [rights, rights === null ? 0 : version, creator && keyOf(creator), created, updated];
    const { seq } = this.sql.exec<{ seq: number }>(INSERT, ...stored, ...known).one();
    this.together((meta) => {
      meta.counter = version;
      meta.documents += 1;
      if (place === 'next' && (meta.lastId === null || meta.lastId < id)) meta.lastId = id;
      meta.chosenIds ||= place === 'chosen';
    });
    return seq;
  }

  /** Gives every document a version above the counter, which then stands above them all. */
  restamp(): void {
    this.sql.exec('UPDATE documents SET version = seq + (SELECT counter FROM meta)');
    this.sql.exec('UPDATE documents SET acl_version = version');
    this.sql.exec('UPDATE meta SET counter = counter + (SELECT coalesce(max(seq), 0) FROM documents)');
  }

  #oneLess(): void {
    this.together((meta) => {
      meta.documents -= 1;
    });
  }

  /** Replaces all that a change of a document's content changes. */
  replace(
    { seq, version, body, relationships }: Omit<Positioned, 'auditFields'>,
    { updated }: Pick<AuditFields, 'updated'>,
  ): void {
    this.sql.exec(REPLACE, version, body, relationships, updated, seq);
  }

  /** Documents created before a second, oldest first. */
  before(seconds: number, limit: number): readonly Positioned[] {
    const before = `SELECT ${DOCUMENT} FROM documents WHERE documents.id < ? ORDER BY seq ${LIMIT}`;
    return this.sql.exec<PositionedRow>(before, bytesOfId(idOfSecond(seconds)), limit).toArray();
  }

  /** Deletes without a tombstone. */
  drop(id: DocumentId): void {
    this.sql.exec('DELETE FROM documents WHERE id = ?', bytesOfId(id));
    this.#oneLess();
  }

  /** Leaves a tombstone, by which `readers` may learn of the deletion. */
  remove(id: DocumentId, version: number, readers: readonly string[]): void {
    this.sql.exec('DELETE FROM documents WHERE id = ?', bytesOfId(id));
    this.bury(id, version, readers);
    this.#oneLess();
  }

  /** Removes the tombstone of a document that is there again. */
  exhume(id: DocumentId): void {
    this.sql.exec('DELETE FROM tombstones WHERE id = ?', bytesOfId(id));
  }

  /** Leaves the tombstone of a document that is not there. */
  bury(id: DocumentId, version: number, readers: readonly string[]): void {
    const text = readers.length === 0 ? null : JSON.stringify(readers);
    this.sql.exec(
      'INSERT INTO tombstones (id, version, readers) VALUES (?, ?, ?)',
      bytesOfId(id),
      version,
      text,
    );
  }
}

/** A number from 0 to below 1 that nobody can guess. */
function randomPart(): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return random / 2 ** 32;
}
