/**
 * The statements of a collection: a reader, and a writer that extends it, so that a read path can not write.
 * Rows come out as they are stored; nothing here knows rights, filters or HTTP.
 */
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

  /** Documents in the order of creation, one at a time, after a position. */
  *after(seq: number, offset: number, limit: number): Generator<Positioned> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM documents WHERE seq > ? ORDER BY seq LIMIT ? OFFSET ?`,
      seq,
      limit,
      offset,
    );
    for (const row of rows) yield positioned(row);
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

  insert(document: StoredDocument): void {
    const { id, version, body, relationships } = document;
    const bytes = bytesOfId(id);
    this.sql.exec(
      'INSERT INTO documents (id, version, body, relationships) VALUES (?, ?, jsonb(?), ?)',
      bytes,
      version,
      body,
      relationships,
    );
    this.sql.exec('UPDATE meta SET documents = documents + 1, last_id = ?', bytes);
  }

  replace({ id, version, body, relationships }: StoredDocument): void {
    this.sql.exec(
      'UPDATE documents SET version = ?, body = jsonb(?), relationships = ? WHERE id = ?',
      version,
      body,
      relationships,
      bytesOfId(id),
    );
  }

  remove(id: string, version: number): void {
    const bytes = bytesOfId(id);
    this.sql.exec('DELETE FROM documents WHERE id = ?', bytes);
    this.sql.exec('INSERT INTO tombstones (id, version) VALUES (?, ?)', bytes, version);
    this.sql.exec('UPDATE meta SET documents = documents - 1');
  }
}
