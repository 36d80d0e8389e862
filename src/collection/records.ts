/**
 * The statements of a collection: a reader, and a writer that extends it, so that a read path can not write.
 * Rows come out as they are stored; nothing here knows rights, filters or HTTP.
 */
import type { SqlCondition } from '../query/plan.ts';
import { bytesOfId, idOfBytes } from './ids.ts';

/** A document as it leaves the collection: the body is decoded by whoever needs it, not by the object. */
export interface StoredDocument {
  readonly id: string;
  readonly version: number;
  /** The stored encoding of the flat document (domain/codec.ts). */
  readonly body: string;
  /** JSON array of the names of relationships, or null. */
  readonly relationships: string | null;
}

/** A stored document with its place in the order of creation. */
export interface Positioned extends StoredDocument {
  readonly seq: number;
}

type DocumentRow = {
  seq: number;
  id: ArrayBuffer;
  version: number;
  body: string;
  relationships: string | null;
};

const DOCUMENT = 'documents.seq, documents.id, version, json(body) AS body, relationships';

function positioned(row: DocumentRow): Positioned {
  return { ...row, id: idOfBytes(row.id) };
}

/** What leaves the object of a positioned document. */
export function stored({ id, version, body, relationships }: StoredDocument): StoredDocument {
  return { id, version, body, relationships };
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

  /** How many documents there are. */
  count(): number {
    return this.sql.exec<{ documents: number }>('SELECT documents FROM meta').one().documents;
  }

  find(id: string): StoredDocument | undefined {
    const [row] = this.sql
      .exec<DocumentRow>(`SELECT ${DOCUMENT} FROM documents WHERE id = ?`, bytesOfId(id))
      .toArray();
    return row && stored(positioned(row));
  }

  /** The number of the deletion of a document that is gone. */
  deletion(id: string): number | undefined {
    const [row] = this.sql
      .exec<{ version: number }>('SELECT version FROM tombstones WHERE id = ?', bytesOfId(id))
      .toArray();
    return row?.version;
  }

  /** The documents among `ids`, in the order of creation, one at a time. */
  *among(ids: readonly string[]): Generator<StoredDocument> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM json_each(?) AS asked JOIN documents ON documents.id = unhex(asked.value) ORDER BY seq`,
      JSON.stringify(ids),
    );
    for (const row of rows) yield stored(positioned(row));
  }

  /** Those of `ids` that there are. */
  existing(ids: readonly string[]): ReadonlySet<string> {
    const rows = this.sql.exec<{ id: string }>(
      `SELECT asked.value AS id FROM json_each(?) AS asked JOIN documents ON documents.id = unhex(asked.value)`,
      JSON.stringify(ids),
    );
    return new Set(Array.from(rows, (row) => row.id));
  }

  /** The number of the last deletion among `ids`, 0 for none. */
  lastDeletion(ids: readonly string[]): number {
    return this.sql
      .exec<{ version: number }>(
        `SELECT coalesce(max(version), 0) AS version
         FROM json_each(?) AS asked JOIN tombstones ON tombstones.id = unhex(asked.value)`,
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
  *after(seq: number, where: SqlCondition): Generator<Positioned> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND ${where.text} ORDER BY seq`,
      seq,
      ...where.parameters,
    );
    for (const row of rows) yield positioned(row);
  }

  /** One page of the documents that a condition holds for, in the order of creation, one at a time. */
  *page(seq: number, where: SqlCondition, offset: number, limit: number): Generator<Positioned> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND ${where.text} ORDER BY seq LIMIT ? OFFSET ?`,
      seq,
      ...where.parameters,
      limit,
      offset,
    );
    for (const row of rows) yield positioned(row);
  }

  /** How many documents a condition holds for. */
  countWhere({ text, parameters }: SqlCondition): number {
    if (text === 'TRUE') return this.count();
    return this.sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM documents WHERE ${text}`, ...parameters)
      .one().total;
  }

  /** The position of the last document whose id is not above this one, 0 for none. */
  seqUpTo(id: string): number {
    return this.sql
      .exec<{ seq: number }>(
        'SELECT coalesce(max(seq), 0) AS seq FROM documents WHERE id <= ?',
        bytesOfId(id),
      )
      .one().seq;
  }

  /** The document at a position. */
  at(seq: number): StoredDocument | undefined {
    const [row] = this.sql
      .exec<DocumentRow>(`SELECT ${DOCUMENT} FROM documents WHERE seq = ?`, seq)
      .toArray();
    return row && stored(positioned(row));
  }
}

/** To be used inside one transaction. */
export class Writer extends Reader {
  /** Takes the next number of the counter. */
  nextVersion(): number {
    return this.sql.exec<{ counter: number }>('UPDATE meta SET counter = counter + 1 RETURNING counter').one()
      .counter;
  }

  /** The last id given out, or null. */
  lastId(): string | null {
    const { last_id } = this.sql.exec<{ last_id: ArrayBuffer | null }>('SELECT last_id FROM meta').one();
    return last_id && idOfBytes(last_id);
  }

  /** Returns the position of the new document, as the others do that of theirs. */
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
    this.sql.exec('UPDATE meta SET documents = documents + 1, last_id = ?', bytes);
    return seq;
  }

  replace({ id, version, body, relationships }: StoredDocument): number {
    return this.sql
      .exec<{ seq: number }>(
        'UPDATE documents SET version = ?, body = jsonb(?), relationships = ? WHERE id = ? RETURNING seq',
        version,
        body,
        relationships,
        bytesOfId(id),
      )
      .one().seq;
  }

  remove(id: string, version: number): number {
    const bytes = bytesOfId(id);
    const { seq } = this.sql
      .exec<{ seq: number }>('DELETE FROM documents WHERE id = ? RETURNING seq', bytes)
      .one();
    this.sql.exec('INSERT INTO tombstones (id, version) VALUES (?, ?)', bytes, version);
    this.sql.exec('UPDATE meta SET documents = documents - 1');
    return seq;
  }
}
