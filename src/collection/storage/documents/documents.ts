/**
 * The statements that read a collection's documents; a writer extends them (document-writer.ts), so that a read path
 * cannot write. Rows come out as they are stored; nothing here knows rights, filters or HTTP.
 */
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import type { StoredDocument } from '../../../domain/values/stored.ts';
import { fitting, Table, LIMIT, toItsEnd, type ReadSql, type Select } from '../sql.ts';

/** A stored document with its place in the order of creation. */
export interface Positioned extends StoredDocument {
  readonly seq: number;
  readonly auditFields: string;
}

/** The same as a row: its columns. */
export type PositionedRow = { [Column in keyof Positioned]: Positioned[Column] };

/** Documents that are read before their sizes are checked: if all were of the largest size, twice an answer's limit. */
export const READ_AT_ONCE = 32;

/**
 * Stored bytes of a document beyond which it is read by a statement of its own, where many are read: what a statement
 * still has when its reader stops is read to its end (sql.ts), and four million characters take 16 ms.
 */
export const LARGE = 16_384;

/** Documents up to that size that one statement reads. */
export const READ_IN_STATEMENT = 512;

/**
 * Texts with a separator between them, as SQL. Some SQLites leave empty texts out of `concat_ws`. Without brackets
 * each part is added to those before it, so that a body at the end is copied once.
 */
export function joined(separator: string, ...texts: readonly string[]): string {
  return texts.join(` || ${separator} || `);
}

/** What the service knows of a document, as SQL (`auditFieldsText`). */
export const AUDIT_FIELDS = joined(
  `' '`,
  `coalesce(created, '')`,
  `coalesce(updated, '')`,
  `coalesce(creator, '')`,
);

/** The columns of such a row. */
export const DOCUMENT = `lower(hex(documents.id)) AS id, documents.seq, version, json(body) AS body, relationships,
  acl_version AS aclVersion, ${AUDIT_FIELDS} AS auditFields`;

/** A document as one text (rpc/packing/packing.ts), as SQL, with what the service knows of it if that is asked for. */
export function packedAs(auditFields: boolean): string {
  return auditFields ? PACKED_WITH_AUDIT_FIELDS : PACKED;
}

/** Relationships are empty where there are none. */
const packedWith = (aclVersion: string) =>
  joined(
    'char(31)',
    'lower(hex(documents.id))',
    'version',
    aclVersion,
    `coalesce(relationships, '')`,
    'json(body)',
  );

const PACKED = packedWith('acl_version');
const PACKED_WITH_AUDIT_FIELDS = packedWith(`acl_version || ' ' || ${AUDIT_FIELDS}`);

/** A statement with packed documents, without audit fields and with them. Made once: they cost more than a read. */
function ofPacked(text: (packed: string) => Select): (auditFields: boolean) => Select {
  const plain = text(PACKED);
  const full = text(PACKED_WITH_AUDIT_FIELDS);
  return (auditFields) => (auditFields ? full : plain);
}

const FIND: Select = `SELECT ${DOCUMENT} FROM documents WHERE id = ?`;

const FIND_UNIQUE: Select = `SELECT ${DOCUMENT} FROM uniques CROSS JOIN documents ON documents.id = uniques.id
  WHERE uniques.name = ? AND uniques.value = ?`;

/**
 * One text leaves the object as it is: adding the counter to it here would copy the document. The id comes as a text:
 * no buffer need be made for it.
 */
const READ = ofPacked(
  (packed) => `SELECT CASE WHEN documents.seq IS NOT NULL THEN counter || char(30) || ${packed} END AS found
  FROM meta LEFT JOIN documents ON documents.id = unhex(?)`,
);

const PACKED_AT = ofPacked(
  (packed) => `SELECT ${packed} AS packed
  FROM json_each(?) AS asked CROSS JOIN documents ON documents.seq = asked.value ORDER BY asked.rowid`,
);

/** The same of many: null in place of a large one. */
const SMALL_AT = ofPacked(
  (packed) => `SELECT seq, CASE WHEN length(body) <= ${LARGE} THEN ${packed} END AS packed
  FROM json_each(?) AS asked CROSS JOIN documents ON documents.seq = asked.value ORDER BY asked.rowid`,
);

/** A cross join keeps the order of its first table, and a limit keeps that: positions are sorted, and not documents. */
const PACKED_OF = ofPacked(
  (packed) => `SELECT ${packed} AS packed
  FROM (SELECT seq FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = unhex(asked.value)
        ORDER BY seq LIMIT -1) AS found
    CROSS JOIN documents ON documents.seq = found.seq`,
);

const OF_IDS = 'FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = unhex(asked.value)';

const NEXT: Select = `SELECT ${DOCUMENT} FROM documents WHERE seq > ? AND seq <= ? ORDER BY seq`;

const SIZES: Select = `SELECT seq, length(body) AS size FROM documents WHERE seq > ? ORDER BY seq ${LIMIT}`;

/** The part of a positioned document that leaves the object. */
export function stored(document: Positioned): StoredDocument {
  const { id, version, body, relationships, aclVersion, auditFields } = document;
  return { id, version, body, relationships, aclVersion, auditFields };
}

/** The state of a collection as a whole. */
export interface CollectionState {
  /** The number of the last change. */
  readonly counter: number;
  readonly documents: number;
  /** The positions of the first and the last document: 1 and 0 without any. */
  readonly first: number;
  readonly last: number;
  /** Whether ids ascend with positions: clients have chosen none. */
  readonly idsAscend: boolean;
}

export class DocumentReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  /** The number of the last change. */
  counter(): number {
    return this.numberOf('SELECT counter FROM meta') ?? 0;
  }

  /** The first number and the last of the present range. */
  protected range() {
    return this.sql.exec<{ since: number; counter: number }>('SELECT since, counter FROM meta').one();
  }

  /**
   * Whether this past has given out a number: a tag or a mark may be of a past lost when data were
   * put back from a copy.
   */
  knows(number: number): boolean {
    const { since, counter } = this.range();
    if (number >= since) return number <= counter;
    // Former releases kept the last ranges alone. What lies below those is of this past: a lost one began above it.
    return this.finds(
      `SELECT 1 WHERE coalesce((SELECT last FROM ranges WHERE first <= ? ORDER BY first DESC LIMIT 1),
         (SELECT min(first) FROM ranges)) >= ?`,
      number,
      number,
    );
  }

  /** The state of the collection as a whole. */
  state(): CollectionState {
    const { chosen, ...state } = this.sql
      .exec<{ counter: number; documents: number; first: number; last: number; chosen: number }>(
        `SELECT counter, documents, coalesce((SELECT min(seq) FROM documents), 1) AS first,
           coalesce((SELECT max(seq) FROM documents), 0) AS last, chosen_ids AS chosen FROM meta`,
      )
      .one();
    return { ...state, idsAscend: chosen === 0 };
  }

  /** How many documents there are. */
  count(): number {
    return this.numberOf('SELECT documents FROM meta') ?? 0;
  }

  /** Whether a position is free, and the documents on both sides of it have ids on both sides of this one. */
  wouldAscend(seq: number, id: DocumentId): boolean {
    const ascends: Select = `SELECT NOT EXISTS (SELECT 1 FROM documents WHERE seq = ?1)
      AND coalesce((SELECT id FROM documents WHERE seq < ?1 ORDER BY seq DESC LIMIT 1) < ?2, 1)
      AND coalesce((SELECT id FROM documents WHERE seq > ?1 ORDER BY seq LIMIT 1) > ?2, 1)`;
    return this.numberOf(ascends, seq, bytesOfId(id)) === 1;
  }

  lastSeq(): number {
    return this.numberOf('SELECT max(seq) FROM documents') ?? 0;
  }

  /** The position of the first document, 0 without any. */
  firstSeq(): number {
    return this.numberOf('SELECT min(seq) FROM documents') ?? 0;
  }

  /** The position of a document. This reads an index, not the document itself. */
  seqOf(id: DocumentId): number | undefined {
    return this.numberOf('SELECT seq FROM documents WHERE id = ?', bytesOfId(id)) ?? undefined;
  }

  /** The positions of those of several documents that exist, in the order of creation. */
  seqsOf(ids: readonly DocumentId[]): readonly number[] {
    const positions = `SELECT seq ${OF_IDS} ORDER BY seq` as const;
    return this.column(positions, JSON.stringify(ids));
  }

  find(id: DocumentId): Positioned | undefined {
    const [row] = this.sql.exec<PositionedRow>(FIND, bytesOfId(id)).toArray();
    return row;
  }

  /** The document that has a unique value. */
  findUnique(name: string, value: string): Positioned | undefined {
    const [row] = this.sql.exec<PositionedRow>(FIND_UNIQUE, name, value).toArray();
    return row;
  }

  /** The number of the last change and the document, packed together (`PackedRead`); null if it does not exist. */
  read(id: DocumentId, auditFields: boolean): string | null {
    return this.sql.exec<{ found: string | null }>(READ(auditFields), id).one().found;
  }

  /** Bytes of a stored document, 0 if there is none. This does not read the document. */
  sizeOf(id: DocumentId): number {
    return this.numberOf('SELECT length(body) FROM documents WHERE id = ?', bytesOfId(id)) ?? 0;
  }

  /** The deletion of a document: its number, and who could read the document then. */
  deletion(id: DocumentId): { readonly version: number; readonly readers: readonly string[] } | undefined {
    const tombstone: Select = 'SELECT version, readers FROM tombstones WHERE id = ?';
    const rows = this.sql.exec<{ version: number; readers: string | null }>(tombstone, bytesOfId(id));
    const [row] = rows.toArray();
    return row && { version: row.version, readers: JSON.parse(row.readers ?? '[]') as string[] };
  }

  /** The packed documents at some positions, in their order, one at a time. */
  *packedAt(seqs: readonly number[], auditFields: boolean): Iterable<string> {
    if (seqs.length <= READ_AT_ONCE) {
      yield* this.#packed(PACKED_AT(auditFields), seqs);
      return;
    }
    for (let at = 0; at < seqs.length; at += READ_IN_STATEMENT) {
      const part = JSON.stringify(seqs.slice(at, at + READ_IN_STATEMENT));
      const rows = this.sql.exec<{ seq: number; packed: string | null }>(SMALL_AT(auditFields), part);
      for (const { seq, packed } of toItsEnd(rows[Symbol.iterator]())) {
        if (packed === null) yield* this.#packed(PACKED_AT(auditFields), [seq]);
        else yield packed;
      }
    }
  }

  /** Those of several documents that exist, packed, in the order of creation, one at a time. */
  packedOf(ids: readonly DocumentId[], auditFields: boolean): Iterable<string> {
    return ids.length <= READ_AT_ONCE
      ? this.#packed(PACKED_OF(auditFields), ids)
      : this.packedAt(this.seqsOf(ids), auditFields);
  }

  /** Few documents: one row after the other costs more than all of them together. */
  #packed(query: Select, parameters: readonly (number | DocumentId)[]): readonly string[] {
    return this.column(query, JSON.stringify(parameters));
  }

  existing(ids: readonly DocumentId[]): ReadonlySet<string> {
    const [only] = ids;
    if (only !== undefined && ids.length === 1) return new Set(this.seqOf(only) === undefined ? [] : [only]);
    return new Set(this.column<string>(`SELECT asked.value ${OF_IDS}`, JSON.stringify(ids)));
  }

  deleted(ids: readonly string[]): ReadonlySet<string> {
    const deleted = `SELECT asked.value FROM json_each(?) AS asked
      CROSS JOIN tombstones ON tombstones.id = unhex(asked.value)`;
    return new Set(this.column<string>(deleted, JSON.stringify(ids)));
  }

  /** Bytes of the database, indexes included. */
  bytes(): number {
    return this.sql.databaseSize;
  }

  /** The ids of all documents. For small types only. */
  ids(): readonly DocumentId[] {
    return this.column<ArrayBuffer>('SELECT id FROM documents').map(idOfBytes);
  }

  /** All documents, in the order of creation, one at a time. */
  all(): Iterable<Positioned> {
    return this.sql.exec<PositionedRow>(`SELECT ${DOCUMENT} FROM documents ORDER BY seq`);
  }

  /**
   * The next documents after a position in the order of creation, limited in number and in bytes together, but at least
   * one if there is one. For use beside writes: a cursor that is not read to its end stays open, and while one is open
   * SQLite's write-ahead log only grows.
   */
  next(seq: number, documents: number, bytes: number): readonly Positioned[] {
    const last = this.reach(seq, documents, bytes);
    if (last === undefined) return [];
    return this.sql.exec<PositionedRow>(NEXT, seq, last).toArray();
  }

  /** The position of the last of them; undefined if there are none. This reads no document. */
  reach(seq: number, documents: number, bytes: number): number | undefined {
    const sizes = this.sql.exec<{ seq: number; size: number }>(SIZES, seq, documents);
    return fitting(sizes, bytes).at(-1)?.seq;
  }

  /** The ids of documents at some positions, in their order. */
  idsAt(seqs: readonly number[]): readonly DocumentId[] {
    const ids = `SELECT lower(hex(documents.id)) FROM json_each(?) AS asked
      CROSS JOIN documents ON documents.seq = asked.value ORDER BY asked.rowid` as const;
    return this.column<string>(ids, JSON.stringify(seqs)).map(storedId);
  }
}
