/**
 * The statements of a collection: a reader, and a writer that extends it, so that a read path can not write.
 * Rows come out as they are stored; nothing here knows rights, filters or HTTP.
 */
import type { SqlCondition } from '../query/index/sql.ts';
import { bytesOfId, idOfBytes } from './ids.ts';
import { PACKED } from './packing.ts';
import { LIMIT, toItsEnd } from './rows.ts';

/** A document as it leaves the collection: the body is decoded by whoever needs it, not by the object. */
export interface StoredDocument {
  readonly id: string;
  readonly version: number;
  /** The stored encoding of the flat document (domain/codec.ts). */
  readonly body: string;
  /** JSON array of the names of relationships, or null. */
  readonly relationships: string | null;
  /** The number of the last change of the document's ACL. */
  readonly aclVersion: number;
}

/** A stored document with its place in the order of creation. */
export interface Positioned extends StoredDocument {
  readonly seq: number;
}

/** The same as a row: its columns. */
export type PositionedRow = { [Column in keyof Positioned]: Positioned[Column] };

/** The columns of such a row. */
export const DOCUMENT = `lower(hex(documents.id)) AS id, documents.seq, version, json(body) AS body, relationships,
  acl_version AS aclVersion`;

/** What leaves the object of a positioned document. */
export function stored({ id, version, body, relationships, aclVersion }: StoredDocument): StoredDocument {
  return { id, version, body, relationships, aclVersion };
}

/** How a collection is as a whole. */
export interface State {
  /** The number of the last change. */
  readonly counter: number;
  readonly documents: number;
}

export class Reader {
  protected readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** The number of the last change. */
  counter(): number {
    return this.sql.exec<{ counter: number }>('SELECT counter FROM meta').one().counter;
  }

  /** The number of the last change, and how many documents there are. */
  state(): State {
    return this.sql.exec<{ counter: number; documents: number }>('SELECT counter, documents FROM meta').one();
  }

  /** How many documents there are. */
  count(): number {
    return this.sql.exec<{ documents: number }>('SELECT documents FROM meta').one().documents;
  }

  /** The position of a document. Nothing of the document itself is read: an index has it. */
  seqOf(id: string): number | undefined {
    const [row] = this.sql
      .exec<{ seq: number }>('SELECT seq FROM documents WHERE id = ?', bytesOfId(id))
      .toArray();
    return row?.seq;
  }

  /** The same of several, those that there are, in the order of creation. */
  seqsOf(ids: readonly string[]): readonly number[] {
    const rows = this.sql.exec<{ seq: number }>(
      'SELECT seq FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = unhex(asked.value) ORDER BY seq',
      JSON.stringify(ids),
    );
    return Array.from(rows, ({ seq }) => seq);
  }

  find(id: string): Positioned | undefined {
    const [row] = this.sql
      .exec<PositionedRow>(`SELECT ${DOCUMENT} FROM documents WHERE id = ?`, bytesOfId(id))
      .toArray();
    return row;
  }

  /** The document that has a unique value. */
  findUnique(name: string, value: string): Positioned | undefined {
    const [row] = this.sql
      .exec<PositionedRow>(
        `SELECT ${DOCUMENT} FROM uniques CROSS JOIN documents ON documents.id = uniques.id
         WHERE uniques.name = ? AND uniques.value = ?`,
        name,
        value,
      )
      .toArray();
    return row;
  }

  /** The number of the last change and the document, if it is there: what a read asks for, with one statement. */
  read(id: string): {
    readonly counter: number;
    /** Packed (packing.ts). */
    readonly document: string | undefined;
  } {
    const { counter, seq, packed } = this.sql
      .exec<{ counter: number; seq: number | null; packed: string }>(
        `SELECT counter, documents.seq, ${PACKED} AS packed FROM meta LEFT JOIN documents ON documents.id = ?`,
        bytesOfId(id),
      )
      .one();
    return { counter, document: seq === null ? undefined : packed };
  }

  /** Bytes of a document at rest, 0 where there is none. Costs no reading of it. */
  sizeOf(id: string): number {
    const [row] = this.sql
      .exec<{ size: number }>('SELECT length(body) AS size FROM documents WHERE id = ?', bytesOfId(id))
      .toArray();
    return row?.size ?? 0;
  }

  /** The deletion of a document that is gone: its number, and who could read it then. */
  deletion(id: string): { readonly version: number; readonly readers: readonly string[] } | undefined {
    const [row] = this.sql
      .exec<{ version: number; readers: string | null }>(
        'SELECT version, readers FROM tombstones WHERE id = ?',
        bytesOfId(id),
      )
      .toArray();
    return row && { version: row.version, readers: JSON.parse(row.readers ?? '[]') as string[] };
  }

  /** The packed documents at some positions, in their order, one at a time. */
  *packedAt(seqs: readonly number[]): Generator<string> {
    const rows = this.sql.exec<{ packed: string }>(
      `SELECT ${PACKED} AS packed FROM json_each(?) AS asked CROSS JOIN documents ON documents.seq = asked.value
       ORDER BY asked.key`,
      JSON.stringify(seqs),
    );
    for (const { packed } of toItsEnd(rows[Symbol.iterator]())) yield packed;
  }

  /** The number of the last change of rights at some positions, 0 for none. */
  lastAclVersion(seqs: readonly number[]): number {
    if (seqs.length === 0) return 0;
    return this.sql
      .exec<{ version: number }>(
        `SELECT coalesce(max(acl_version), 0) AS version
         FROM json_each(?) AS asked CROSS JOIN documents ON documents.seq = asked.value`,
        JSON.stringify(seqs),
      )
      .one().version;
  }

  /** Those of `ids` that there are. */
  existing(ids: readonly string[]): ReadonlySet<string> {
    const [only] = ids;
    if (only !== undefined && ids.length === 1) {
      const found = this.sql.exec('SELECT 1 FROM documents WHERE id = ?', bytesOfId(only)).toArray();
      return new Set(found.length > 0 ? [only] : []);
    }
    const rows = this.sql.exec<{ id: string }>(
      `SELECT asked.value AS id FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = unhex(asked.value)`,
      JSON.stringify(ids),
    );
    return new Set(Array.from(rows, (row) => row.id));
  }

  /** The number of the last deletion among `ids`, 0 for none. */
  lastDeletion(ids: readonly string[]): number {
    return this.sql
      .exec<{ version: number }>(
        `SELECT coalesce(max(version), 0) AS version
         FROM json_each(?) AS asked CROSS JOIN tombstones ON tombstones.id = unhex(asked.value)`,
        JSON.stringify(ids),
      )
      .one().version;
  }

  /** The ids of all documents. For small types only. */
  ids(): readonly string[] {
    return this.sql
      .exec<{ id: ArrayBuffer }>('SELECT id FROM documents')
      .toArray()
      .map((row) => idOfBytes(row.id));
  }

  /** Documents that a condition holds for, in the order of creation, one at a time, after a position. */
  after(seq: number, where: SqlCondition): Iterable<Positioned> {
    return this.sql.exec<PositionedRow>(
      `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND (${where.text}) ORDER BY seq`,
      seq,
      ...where.parameters,
    );
  }

  /**
   * The documents that come next after a position in the order of creation: so many at most, of about so many bytes
   * together, but one at least where there is one. To be used beside writes: a cursor that is left before its end stays
   * open, and as long as one is open SQLite's log of writes only grows.
   */
  next(seq: number, documents: number, bytes: number): readonly Positioned[] {
    const sizes = this.sql
      .exec<{ seq: number; size: number }>(
        `SELECT seq, length(body) AS size FROM documents WHERE seq > ? ORDER BY seq ${LIMIT}`,
        seq,
        documents,
      )
      .toArray();
    let left = bytes;
    const last = sizes.find(({ size }) => (left -= size) <= 0) ?? sizes.at(-1);
    if (last === undefined) return [];
    return this.sql
      .exec<PositionedRow>(
        `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND seq <= ? ORDER BY seq`,
        seq,
        last.seq,
      )
      .toArray();
  }
}

/** The one row of `meta`. */
interface Meta {
  counter: number;
  documents: number;
  lastId: string | null;
}

/** To be used inside one transaction. */
export class Writer extends Reader {
  /** The row of `meta` while several writes are done together; null otherwise. */
  #held: Meta | null = null;

  /** Does several writes of one transaction that read `meta` once and write it once, if they change anything. */
  together<T>(work: () => T): T {
    const held = this.#meta();
    const { counter, documents } = held;
    this.#held = held;
    try {
      const result = work();
      if (held.counter !== counter || held.documents !== documents) {
        this.sql.exec(
          'UPDATE meta SET counter = ?, documents = ?, last_id = ?',
          held.counter,
          held.documents,
          held.lastId && bytesOfId(held.lastId),
        );
      }
      return result;
    } finally {
      this.#held = null;
    }
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
    return this.sql.exec<{ counter: number }>('UPDATE meta SET counter = counter + 1 RETURNING counter').one()
      .counter;
  }

  /** The number of the last change, and the last id given out, or null. */
  last(): { readonly version: number; readonly id: string | null } {
    const { counter, lastId } = this.#held ?? this.#meta();
    return { version: counter, id: lastId };
  }

  #meta(): Meta {
    const { counter, documents, last_id } = this.sql
      .exec<{ counter: number; documents: number; last_id: ArrayBuffer | null }>(
        'SELECT counter, documents, last_id FROM meta',
      )
      .one();
    return { counter, documents, lastId: last_id && idOfBytes(last_id) };
  }

  /** Adds a document, its version being the next number, and returns its position. */
  insert(document: StoredDocument): number {
    const { id, version, body, relationships } = document;
    const bytes = bytesOfId(id);
    const { seq } = this.sql
      .exec<{ seq: number }>(
        'INSERT INTO documents (id, version, body, relationships) VALUES (?, ?, jsonb(?), ?) RETURNING seq',
        bytes,
        version,
        body,
        relationships,
      )
      .one();
    if (this.#held === null) {
      this.sql.exec('UPDATE meta SET counter = ?, documents = documents + 1, last_id = ?', version, bytes);
    } else {
      this.#held.counter = version;
      this.#held.documents += 1;
      this.#held.lastId = id;
    }
    return seq;
  }

  #oneLess(): void {
    if (this.#held === null) this.sql.exec('UPDATE meta SET documents = documents - 1');
    else this.#held.documents -= 1;
  }

  replace({ seq, version, body, relationships }: Positioned): void {
    this.sql.exec(
      'UPDATE documents SET version = ?, body = jsonb(?), relationships = ? WHERE seq = ?',
      version,
      body,
      relationships,
      seq,
    );
  }

  /** Documents created before a second, oldest first. */
  before(seconds: number, limit: number): readonly Positioned[] {
    const bound = bytesOfId(`${Math.max(0, seconds).toString(16).padStart(8, '0')}${'0'.repeat(16)}`);
    return this.sql
      .exec<PositionedRow>(
        `SELECT ${DOCUMENT} FROM documents WHERE documents.id < ? ORDER BY seq ${LIMIT}`,
        bound,
        limit,
      )
      .toArray();
  }

  /** Deletes without a tombstone. */
  drop(id: string): void {
    this.sql.exec('DELETE FROM documents WHERE id = ?', bytesOfId(id));
    this.#oneLess();
  }

  /** Leaves a tombstone that tells `readers` of the deletion. */
  remove(id: string, version: number, readers: readonly string[]): void {
    const bytes = bytesOfId(id);
    this.sql.exec('DELETE FROM documents WHERE id = ?', bytes);
    this.sql.exec(
      'INSERT INTO tombstones (id, version, readers) VALUES (?, ?, ?)',
      bytes,
      version,
      readers.length === 0 ? null : JSON.stringify(readers),
    );
    this.#oneLess();
  }
}
