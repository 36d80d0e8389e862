/** The statements that change a collection's documents. */
import type { DocumentId } from '../../domain/ids.ts';
import { bytesOfId, idOfBytes } from './ids.ts';
import { DOCUMENT, DocumentReader, type Positioned, type PositionedRow } from './documents.ts';
import { keyOf, type Provenance } from '../../domain/documents.ts';
import { LIMIT } from './sql.ts';

/** The one row of `meta`. */
interface Meta {
  counter: number;
  documents: number;
  lastId: DocumentId | null;
  /** Whether clients have chosen ids here. */
  chosenIds: boolean;
}

/** To be used inside one transaction. */
export class DocumentWriter extends DocumentReader {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    super(sql);
    this.#sql = sql;
  }

  /** The row of `meta` during several writes of one transaction; null otherwise. */
  #held: Meta | null = null;

  /** Performs several writes of one transaction, which read `meta` once and write it once, if they change anything. */
  together<T>(work: () => T): T {
    const held = this.#meta();
    const { counter, documents, chosenIds } = held;
    this.#held = held;
    try {
      const result = work();
      if (held.counter !== counter || held.documents !== documents) {
        this.#sql.exec(
          'UPDATE meta SET counter = ?, documents = ?, last_id = ?',
          held.counter,
          held.documents,
          held.lastId && bytesOfId(held.lastId),
        );
        if (held.chosenIds !== chosenIds) this.#noteChosenIds();
      }
      return result;
    } finally {
      this.#held = null;
    }
  }

  /** The row of `meta` as it is now among several writes, to be reset to. */
  mark(): Meta | null {
    return this.#held && { ...this.#held };
  }

  reset(mark: Meta | null): void {
    if (this.#held !== null && mark !== null) Object.assign(this.#held, mark);
  }

  override counter(): number {
    return this.#held?.counter ?? super.counter();
  }

  override count(): number {
    return this.#held?.documents ?? super.count();
  }

  /** Takes the next number of the counter. */
  nextVersion(): number {
    if (this.#held !== null) return (this.#held.counter += 1);
    return this.#sql
      .exec<{ counter: number }>('UPDATE meta SET counter = counter + 1 RETURNING counter')
      .one().counter;
  }

  /** The number of the last change, the last id given out, or null, and whether clients have chosen ids here. */
  last(): Pick<Meta, 'chosenIds'> & { readonly version: number; readonly id: DocumentId | null } {
    const { counter, lastId, chosenIds } = this.#held ?? this.#meta();
    return { version: counter, id: lastId, chosenIds };
  }

  #meta(): Meta {
    const { counter, documents, last_id, chosen_ids } = this.#sql
      .exec<{ counter: number; documents: number; last_id: ArrayBuffer | null; chosen_ids: number }>(
        'SELECT counter, documents, last_id, chosen_ids FROM meta',
      )
      .one();
    return { counter, documents, lastId: last_id && idOfBytes(last_id), chosenIds: chosen_ids === 1 };
  }

  #noteChosenIds(): void {
    this.#sql.exec('UPDATE meta SET chosen_ids = 1');
  }

  /** Whether there is a document with an id, or was one. */
  isTaken(id: DocumentId): boolean {
    return this.seqOf(id) !== undefined || this.deletion(id) !== undefined;
  }

  /**
   * Adds a document, whose version is the next number, and returns its position. An id that a client has `chosen` says
   * nothing about those that follow.
   */
  insert(
    { id, version, body, relationships }: Omit<Positioned, 'seq' | 'provenance'>,
    { creator, created, updated }: Provenance,
    chosen = false,
  ): number {
    const bytes = bytesOfId(id);
    const { seq } = this.#sql
      .exec<{ seq: number }>(
        `INSERT INTO documents (id, version, body, relationships, creator, created, updated)
         VALUES (?, ?, jsonb(?), ?, ?, ?, ?) RETURNING seq`,
        bytes,
        version,
        body,
        relationships,
        creator && keyOf(creator),
        created,
        updated,
      )
      .one();
    const lastId = chosen ? this.last().id : id;
    if (this.#held === null) {
      if (chosen) this.#noteChosenIds();
      const last = lastId && bytesOfId(lastId);
      this.#sql.exec('UPDATE meta SET counter = ?, documents = documents + 1, last_id = ?', version, last);
    } else {
      this.#held.counter = version;
      this.#held.documents += 1;
      this.#held.lastId = lastId;
      this.#held.chosenIds ||= chosen;
    }
    return seq;
  }

  /** Lets the next number of the counter be above one. */
  passOver(number: number): void {
    if (this.#held !== null) this.#held.counter = Math.max(this.#held.counter, number);
    else this.#sql.exec('UPDATE meta SET counter = max(counter, ?)', number);
  }

  /** Gives every document a version above the counter, which then stands above them all. */
  restamp(): void {
    this.#sql.exec('UPDATE documents SET version = seq + (SELECT counter FROM meta)');
    this.#sql.exec('UPDATE documents SET acl_version = version');
    this.#sql.exec('UPDATE meta SET counter = counter + (SELECT coalesce(max(seq), 0) FROM documents)');
  }

  #oneLess(): void {
    if (this.#held === null) this.#sql.exec('UPDATE meta SET documents = documents - 1');
    else this.#held.documents -= 1;
  }

  /** Replaces all that a change of a document's content changes. */
  replace(
    { seq, version, body, relationships }: Omit<Positioned, 'provenance'>,
    { updated }: Pick<Provenance, 'updated'>,
  ): void {
    this.#sql.exec(
      'UPDATE documents SET version = ?, body = jsonb(?), relationships = ?, updated = ? WHERE seq = ?',
      version,
      body,
      relationships,
      updated,
      seq,
    );
  }

  /** Documents created before a second, oldest first. */
  before(seconds: number, limit: number): readonly Positioned[] {
    const bound = bytesOfId(`${Math.max(0, seconds).toString(16).padStart(8, '0')}${'0'.repeat(16)}`);
    return this.#sql
      .exec<PositionedRow>(
        `SELECT ${DOCUMENT} FROM documents WHERE documents.id < ? ORDER BY seq ${LIMIT}`,
        bound,
        limit,
      )
      .toArray();
  }

  /** Deletes without a tombstone. */
  drop(id: DocumentId): void {
    this.#sql.exec('DELETE FROM documents WHERE id = ?', bytesOfId(id));
    this.#oneLess();
  }

  /** Leaves a tombstone, by which `readers` may learn of the deletion. */
  remove(id: DocumentId, version: number, readers: readonly string[]): void {
    this.#sql.exec('DELETE FROM documents WHERE id = ?', bytesOfId(id));
    this.bury(id, version, readers);
    this.#oneLess();
  }

  /** Leaves the tombstone of a document that is not there. */
  bury(id: DocumentId, version: number, readers: readonly string[]): void {
    this.#sql.exec(
      'INSERT INTO tombstones (id, version, readers) VALUES (?, ?, ?)',
      bytesOfId(id),
      version,
      readers.length === 0 ? null : JSON.stringify(readers),
    );
  }
}
