/**
 * The statements of a collection: a reader, and a writer that extends it, so that a read path can not write.
 * Rows come out as they are stored; nothing here knows rights, filters or HTTP.
 */
import type { PathIndex, SqlCondition } from '../query/index/sql.ts';
import { CellTable } from './cell-table.ts';
import { bytesOfId, idOfBytes } from './ids.ts';

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

type DocumentRow = {
  seq: number;
  id: ArrayBuffer;
  version: number;
  body: string;
  relationships: string | null;
  aclVersion: number;
};

const DOCUMENT =
  'documents.seq, documents.id, version, json(body) AS body, relationships, acl_version AS aclVersion';

function positioned(row: DocumentRow): Positioned {
  return { ...row, id: idOfBytes(row.id) };
}

/** What leaves the object of a positioned document. */
export function stored({ id, version, body, relationships, aclVersion }: StoredDocument): StoredDocument {
  return { id, version, body, relationships, aclVersion };
}

/** An index whose keys have the order that is asked for. */
export interface SortedBy {
  readonly index: PathIndex;
  readonly descending: boolean;
}

export class Reader {
  readonly cells: Pick<CellTable, 'documents' | 'rows' | 'positionsAt' | 'countAlone' | 'notAlone'>;
  protected readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
    this.cells = new CellTable(sql);
  }

  /** The number of the last change. */
  counter(): number {
    return this.sql.exec<{ counter: number }>('SELECT counter FROM meta').one().counter;
  }

  /** How many documents there are. */
  count(): number {
    return this.sql.exec<{ documents: number }>('SELECT documents FROM meta').one().documents;
  }

  find(id: string): Positioned | undefined {
    const [row] = this.sql
      .exec<DocumentRow>(`SELECT ${DOCUMENT} FROM documents WHERE id = ?`, bytesOfId(id))
      .toArray();
    return row && positioned(row);
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

  /** The documents among `ids`, in the order of creation, one at a time. */
  *among(ids: readonly string[]): Generator<Positioned> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM json_each(?) AS asked JOIN documents ON documents.id = unhex(asked.value) ORDER BY seq`,
      JSON.stringify(ids),
    );
    for (const row of rows) yield positioned(row);
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
      `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND (${where.text}) ORDER BY seq`,
      seq,
      ...where.parameters,
    );
    for (const row of rows) yield positioned(row);
  }

  /** One page of the documents that a condition holds for, in the order of creation, one at a time. */
  *page(seq: number, where: SqlCondition, offset: number, limit: number): Generator<Positioned> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND (${where.text}) ORDER BY seq LIMIT ? OFFSET ?`,
      seq,
      ...where.parameters,
      limit,
      offset,
    );
    for (const row of rows) yield positioned(row);
  }

  /**
   * One page of the documents that a condition holds for, in the order of an index's keys, one at a time. Every
   * document has one key there. `after` is the key and position that the page comes behind.
   */
  *sorted(
    { index, descending }: SortedBy,
    after: { readonly key: string; readonly seq: number } | null,
    where: SqlCondition,
    offset: number,
    limit: number,
  ): Generator<Positioned> {
    const behind = `(key ${descending ? '<' : '>'} unhex(?) OR (key = unhex(?) AND entries.seq > ?))`;
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM entries CROSS JOIN documents ON documents.seq = entries.seq
       WHERE path = ? AND ${after === null ? 'TRUE' : behind} AND (${where.text})
       ORDER BY key ${descending ? 'DESC' : 'ASC'}, entries.seq ASC LIMIT ? OFFSET ?`,
      index.id,
      ...(after === null ? [] : [after.key, after.key, after.seq]),
      ...where.parameters,
      limit,
      offset,
    );
    for (const row of rows) yield positioned(row);
  }

  /** The documents at some positions that a condition holds for, one at a time. */
  *amongPositions(seqs: readonly number[], where: SqlCondition): Generator<Positioned> {
    const rows = this.sql.exec<DocumentRow>(
      `SELECT ${DOCUMENT} FROM json_each(?) AS asked CROSS JOIN documents ON documents.seq = asked.value
       WHERE ${where.text}`,
      JSON.stringify(seqs),
      ...where.parameters,
    );
    for (const row of rows) yield positioned(row);
  }

  /** How many of the documents at some positions a condition holds for. */
  countAmong(seqs: readonly number[], { text, parameters }: SqlCondition): number {
    return this.sql
      .exec<{ total: number }>(
        `SELECT count(*) AS total FROM json_each(?) AS asked CROSS JOIN documents
         ON documents.seq = asked.value WHERE ${text}`,
        JSON.stringify(seqs),
        ...parameters,
      )
      .one().total;
  }

  /** The positions of all documents that a condition holds for. */
  positions({ text, parameters }: SqlCondition): ReadonlySet<number> {
    const { seqs } = this.sql
      .exec<{ seqs: string }>(
        `SELECT json_group_array(seq) AS seqs FROM documents WHERE ${text}`,
        ...parameters,
      )
      .one();
    return new Set(JSON.parse(seqs) as number[]);
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

  /** Returns the position of the new document. */
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
      .exec<DocumentRow>(`SELECT ${DOCUMENT} FROM documents WHERE id < ? ORDER BY id LIMIT ?`, bound, limit)
      .toArray()
      .map(positioned);
  }

  /** Deletes without a tombstone. */
  drop(id: string): void {
    this.sql.exec('DELETE FROM documents WHERE id = ?', bytesOfId(id));
    this.sql.exec('UPDATE meta SET documents = documents - 1');
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
    this.sql.exec('UPDATE meta SET documents = documents - 1');
  }
}
