/**
 * The statements of a collection: a reader, and a writer that extends it, so that a read path can not write.
 * Rows come out as they are stored; nothing here knows rights, filters or HTTP.
 */
import type { PathIndex, SqlCondition } from '../query/index/sql.ts';
import type { Source } from '../query/plan.ts';
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

/** The same as a row: its columns. */
type PositionedRow = { [Column in keyof Positioned]: Positioned[Column] };

type ReadRow = { counter: number; relationships: string | null } & {
  [Column in 'seq' | 'version' | 'aclVersion']: number | null;
} & { body: string | null };

const CONTENT = 'documents.seq, version, json(body) AS body, relationships, acl_version AS aclVersion';

/** Rows are documents as they are: the id is made text where that costs least. */
const DOCUMENT = `lower(hex(documents.id)) AS id, ${CONTENT}`;

/** What leaves the object of a positioned document. */
export function stored({ id, version, body, relationships, aclVersion }: StoredDocument): StoredDocument {
  return { id, version, body, relationships, aclVersion };
}

/** An index whose keys have the order that is asked for. */
export interface SortedBy {
  readonly index: PathIndex;
  readonly descending: boolean;
}

/** A row of a pass over documents. */
export interface Row {
  readonly seq: number;
  readonly id: ArrayBuffer;
  readonly version: number;
  /** True when SQL is sure that the document matches. */
  readonly certain: boolean;
  readonly columns: readonly (string | null)[];
}

/** A row with its key in an index. */
export interface KeyedRow {
  readonly key: ArrayBuffer;
  readonly matches: boolean;
  readonly row: Row;
}

/** A place in the order of an index's keys. */
export interface KeyPlace {
  readonly key: ArrayBuffer;
  readonly seq: number;
}

/** What a pass reads of a row. */
export interface Reading {
  /** The fields of the columns; null where the only column is the whole body. */
  readonly names: readonly string[] | null;
  readonly columns: readonly string[];
  /** When SQL is sure that a document matches. */
  readonly must: SqlCondition;
  /** True when every match is to be decoded. */
  readonly always: boolean;
  /** True when ids are looked at. */
  readonly withId: boolean;
}

/** Some of the candidates of a pass: positions after `from` up to `to`, of all up to `end`. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly end: number;
  /** JSON array of their positions; null for every position. */
  readonly among: string | null;
  readonly size: number;
}

function conditionOfStep({ from, to, among }: Step): SqlCondition {
  const range = 'documents.seq > ? AND documents.seq <= ?';
  return among === null
    ? { text: range, parameters: [from, to] }
    : {
        text: `${range} AND documents.seq IN (SELECT value FROM json_each(?))`,
        parameters: [from, to, among],
      };
}

function rowOf([seq, id, version, certain, ...columns]: readonly SqlStorageValue[]): Row {
  return {
    seq: Number(seq),
    id: id instanceof ArrayBuffer ? id : new ArrayBuffer(12),
    version: Number(version),
    certain: certain === 1,
    columns: columns.map((column) => (typeof column === 'string' ? column : null)),
  };
}

/**
 * The rows of a statement, read to their end even when the reader leaves early: an open statement keeps SQLite's log
 * from being written back, and the log grows. Statements that are left early must be bounded.
 */
function* toItsEnd<T>(rows: IterableIterator<T>): Generator<T> {
  try {
    for (let row = rows.next(); row.done !== true; row = rows.next()) yield row.value;
  } finally {
    while (rows.next().done !== true);
  }
}

export class Reader {
  readonly cells: Pick<CellTable, 'documents' | 'rows' | 'beside' | 'countAlone' | 'notAlone'>;
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
      .exec<PositionedRow>(`SELECT ${DOCUMENT} FROM documents WHERE id = ?`, bytesOfId(id))
      .toArray();
    return row;
  }

  /** The document that has a unique value. */
  findUnique(name: string, value: string): Positioned | undefined {
    const [row] = this.sql
      .exec<PositionedRow>(
        `SELECT ${DOCUMENT} FROM uniques JOIN documents ON documents.id = uniques.id
         WHERE uniques.name = ? AND uniques.value = ?`,
        name,
        value,
      )
      .toArray();
    return row;
  }

  /** The number of the last change and the document, if it is there: what a read asks for, with one statement. */
  read(id: string): { readonly counter: number; readonly document: Positioned | undefined } {
    const row = this.sql
      .exec<ReadRow>(
        `SELECT counter, ${CONTENT} FROM meta LEFT JOIN documents ON documents.id = ?`,
        bytesOfId(id),
      )
      .one();
    const { counter, seq, version, body, relationships, aclVersion } = row;
    const there = seq !== null && version !== null && body !== null && aclVersion !== null;
    const document = there ? { seq, id, version, body, relationships, aclVersion } : undefined;
    return { counter, document };
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

  /** The documents among `ids`, in the order of creation, one at a time. */
  among(ids: readonly string[]): Iterable<Positioned> {
    const rows = this.sql.exec<PositionedRow>(
      `SELECT ${DOCUMENT} FROM json_each(?) AS asked JOIN documents ON documents.id = unhex(asked.value) ORDER BY seq`,
      JSON.stringify(ids),
    );
    return toItsEnd(rows[Symbol.iterator]());
  }

  /** Those of `ids` that there are. */
  existing(ids: readonly string[]): ReadonlySet<string> {
    const [only] = ids;
    if (only !== undefined && ids.length === 1) {
      const found = this.sql.exec('SELECT 1 FROM documents WHERE id = ?', bytesOfId(only)).toArray();
      return new Set(found.length > 0 ? [only] : []);
    }
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
        'SELECT seq, length(body) AS size FROM documents WHERE seq > ? ORDER BY seq LIMIT ?',
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

  /** Positions of a source that a condition on `found.seq` holds for, ascending, so many at most. */
  positions(
    { positions, parameters }: Pick<Source, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): readonly number[] {
    const { list } = this.run<{ list: string }>(
      `SELECT json_group_array(seq) AS list
       FROM (SELECT found.seq FROM (${positions}) AS found WHERE ${readable.text} LIMIT ?)`,
      ...parameters,
      ...readable.parameters,
      limit,
    ).one();
    const seqs = JSON.parse(list) as number[];
    return seqs.sort((one, other) => one - other);
  }

  /** So many positions of a source that gives them in their order, after one. */
  pageOfPositions(
    { positions, parameters }: Pick<Source, 'positions' | 'parameters'>,
    after: number,
    limit: number,
    offset: number,
  ): readonly number[] {
    return this.run(
      `SELECT seq FROM (${positions}) WHERE seq > ? ORDER BY seq LIMIT ? OFFSET ?`,
      ...parameters,
      after,
      limit,
      offset,
    )
      .toArray()
      .map(({ seq }) => Number(seq));
  }

  /** How many positions of a source a condition on `found.seq` holds for, counted up to a limit; -1 counts all. */
  countPositions(
    { positions, parameters }: Pick<Source, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): number {
    return this.run<{ total: number }>(
      `SELECT count(*) AS total
       FROM (SELECT 1 FROM (${positions}) AS found WHERE ${readable.text} LIMIT ?)`,
      ...parameters,
      ...readable.parameters,
      limit,
    ).one().total;
  }

  /** The first rows of a step for which a condition holds, in the order of creation, one at a time. */
  *rows(step: Step, where: SqlCondition, { columns, must }: Reading, limit: number): Generator<Row> {
    const { text, parameters } = conditionOfStep(step);
    const rows = this.run(
      `SELECT documents.seq, documents.id, version, ${[`(${must.text}) AS certain`, ...columns].join(', ')}
       FROM documents WHERE ${text} AND (${where.text}) ORDER BY documents.seq LIMIT ?`,
      ...must.parameters,
      ...parameters,
      ...where.parameters,
      limit,
    );
    for (const row of toItsEnd(rows.raw())) yield rowOf(row);
  }

  /** For how many documents of a step a condition holds, and for how many of these another one. */
  tally(
    step: Step,
    where: SqlCondition,
    must: SqlCondition,
  ): { readonly possible: number; readonly certain: number } {
    const { text, parameters } = conditionOfStep(step);
    return this.run<{ possible: number; certain: number }>(
      `SELECT count(*) AS possible, coalesce(sum(${must.text}), 0) AS certain
       FROM documents WHERE ${text} AND (${where.text})`,
      ...must.parameters,
      ...parameters,
      ...where.parameters,
    ).one();
  }

  /**
   * So many documents in the order of an index's keys after a place there, one at a time. Every document has one key
   * there; `certain` is null of those that do not match.
   */
  *inKeyOrder(
    { index, descending }: SortedBy,
    after: KeyPlace | null,
    where: SqlCondition,
    { columns, must }: Reading,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Generator<KeyedRow> {
    const [beyond, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
    // The first comparison is for the index, which begins there.
    const behind = `key ${beyond}= ? AND (key ${beyond} ? OR seq > ?)`;
    const rows = this.run(
      `SELECT ${[
        'entry.key, entry.seq, documents.id, version',
        `CASE WHEN (${where.text}) THEN (${must.text}) END AS certain`,
        ...columns,
      ].join(', ')}
       FROM (SELECT key, seq FROM entries WHERE path = ? AND ${after === null ? 'TRUE' : behind}
             ORDER BY key ${order}, seq LIMIT ? OFFSET ?) AS entry
       CROSS JOIN documents ON documents.seq = entry.seq ORDER BY entry.key ${order}, entry.seq`,
      ...where.parameters,
      ...must.parameters,
      index.id,
      ...(after === null ? [] : [after.key, after.key, after.seq]),
      limit,
      offset,
    );
    for (const [key, ...row] of toItsEnd(rows.raw())) {
      if (key instanceof ArrayBuffer) yield { key, matches: row[3] !== null, row: rowOf(row) };
    }
  }

  /** The documents at some positions for which a condition holds. */
  at(seqs: readonly number[], where: SqlCondition): ReadonlyMap<number, Positioned> {
    const rows = this.run<PositionedRow>(
      `SELECT ${DOCUMENT} FROM documents
       WHERE documents.seq IN (SELECT value FROM json_each(?)) AND (${where.text})`,
      JSON.stringify(seqs),
      ...where.parameters,
    );
    return new Map(rows.toArray().map((row) => [row.seq, row]));
  }

  /** How many of the documents at some positions a condition holds for. */
  countAmong(seqs: readonly number[], { text, parameters }: SqlCondition): number {
    return this.run<{ total: number }>(
      `SELECT count(*) AS total FROM json_each(?) AS asked CROSS JOIN documents
       ON documents.seq = asked.value WHERE ${text}`,
      JSON.stringify(seqs),
      ...parameters,
    ).one().total;
  }

  /** So many positions of documents in the order of creation, after one. */
  seqs(after: number, limit: number, offset: number): readonly number[] {
    // Ids ascend with positions, and their index is far smaller than the documents.
    return this.run(
      'SELECT seq FROM documents WHERE id > coalesce((SELECT id FROM documents WHERE seq = ?), 0) ORDER BY id LIMIT ? OFFSET ?',
      after,
      limit,
      offset,
    )
      .toArray()
      .map(({ seq }) => Number(seq));
  }

  /** The same of those that a viewer may read. */
  readableSeqs(viewer: readonly string[], after: number, limit: number, offset: number): readonly number[] {
    // For each identity alone they come in order, without looking at all of them.
    const seqs = viewer.flatMap((identity) =>
      this.run(
        `SELECT seq FROM rights WHERE right = 'read' AND identity = ? AND seq > ? ORDER BY seq LIMIT ?`,
        identity,
        after,
        offset + limit,
      )
        .toArray()
        .map(({ seq }) => Number(seq)),
    );
    return [...new Set(seqs)].sort((one, other) => one - other).slice(offset, offset + limit);
  }

  /** How many documents a viewer may read. */
  countReadable(viewer: readonly string[]): number {
    const counts = viewer.map((identity) => ({
      identity,
      total: this.run<{ total: number }>(
        `SELECT count(*) AS total FROM rights WHERE right = 'read' AND identity = ?`,
        identity,
      ).one().total,
    }));
    const readers = counts.filter(({ total }) => total > 0);
    const [only, second] = readers;
    if (second === undefined) return only?.total ?? 0;
    return this.run<{ total: number }>(
      `SELECT count(DISTINCT seq) AS total FROM rights
       WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?))`,
      JSON.stringify(readers.map(({ identity }) => identity)),
    ).one().total;
  }

  /** The position of the last document. */
  lastSeq(): number {
    return this.run<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM documents').one().seq;
  }

  /** About how many bytes of storage a document takes, with everything beside it. */
  bytesPerDocument(): number {
    return Math.ceil(this.sql.databaseSize / Math.max(1, this.count()));
  }

  /** The position of the last document whose id is not above this one, 0 for none. */
  seqUpTo(id: string): number {
    // Not max(seq): that would walk the documents from the last one.
    const [row] = this.sql
      .exec<{ seq: number }>(
        'SELECT seq FROM documents WHERE id <= ? ORDER BY id DESC LIMIT 1',
        bytesOfId(id),
      )
      .toArray();
    return row?.seq ?? 0;
  }

  protected run<Columns extends Record<string, SqlStorageValue>>(
    text: string,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Columns> {
    return this.sql.exec<Columns>(text, ...parameters);
  }
}

/** A reader that tells how many rows of tables its statements have read. */
export class CountingReader extends Reader {
  readonly #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  get rowsRead(): number {
    return this.#cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  }

  protected override run<Columns extends Record<string, SqlStorageValue>>(
    text: string,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Columns> {
    const cursor = super.run<Columns>(text, ...parameters);
    this.#cursors.push(cursor);
    return cursor;
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

  /** Does several writes of one transaction that read `meta` once and write it once. */
  together<T>(work: () => T): T {
    const held = { counter: this.counter(), documents: this.count(), lastId: this.last().id };
    this.#held = held;
    try {
      const result = work();
      this.sql.exec(
        'UPDATE meta SET counter = ?, documents = ?, last_id = ?',
        held.counter,
        held.documents,
        held.lastId && bytesOfId(held.lastId),
      );
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
    if (this.#held !== null) return { version: this.#held.counter, id: this.#held.lastId };
    const { counter, last_id } = this.sql
      .exec<{ counter: number; last_id: ArrayBuffer | null }>('SELECT counter, last_id FROM meta')
      .one();
    return { version: counter, id: last_id && idOfBytes(last_id) };
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
        `SELECT ${DOCUMENT} FROM documents WHERE documents.id < ? ORDER BY seq LIMIT ?`,
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
