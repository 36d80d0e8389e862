/** The rows that a search reads, and the pieces in which it reads them. */
import type { Fields } from '../../../domain/values/values.ts';
import { on, type SqlCondition, type SqlText } from '../../../query/sql/condition.ts';
import { LARGE } from '../../storage/documents/documents.ts';
import type { ReadSql, Select } from '../../storage/sql.ts';

/** A row of a pass over documents. */
export interface Row {
  readonly seq: number;
  readonly id: ArrayBuffer;
  readonly version: number;
  /** False when SQL is sure that it does not match: of those, a pass sees the large ones alone. */
  readonly possible: boolean;
  /** True when SQL is sure that the document matches. */
  readonly certain: boolean;
  /** What is read of it, as JSON, and what the service knows of it; null for what is not asked for. */
  readonly text: string | null;
  readonly auditFields: string | null;
  /** In place of the text, where it was read with others (batches.ts). */
  readonly fields: Fields | null;
  /** UTF-16 units that were read of it, about, and what SQL took to look at a large one. */
  readonly units: number;
}

/** A row of a statement of many: a large document has its size in bytes, and is yet to be looked at by itself. */
export interface LargeRow {
  readonly row: Row;
  readonly size: number | null;
}

/** Which documents a pass wants. */
export interface Wanted {
  /** Its viewer may read them: a condition on positions. */
  readonly readable: SqlCondition;
  /** SQL does not know that they do not match: a condition on bodies. */
  readonly may: SqlCondition;
}

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

/** What is read of each document that is read with others (batches.ts). */
export interface Batch {
  /** The SQL of the JSON of an object. */
  readonly object: string;
  /** Of the index of columns that is read in place of the documents; null for none. */
  readonly index: number | null;
}

/** What a pass reads of a row. */
export interface RowReading {
  /** The SQL of its JSON, and where that is asked for, of what the service knows of it; none for nothing. */
  readonly columns: readonly string[];
  /** Whether the JSON is that of the whole body, which has neither id nor type. */
  readonly isWhole: boolean;
  /** How the same is read of many documents at once; null where it is not. */
  readonly batch: Batch | null;
  /** A condition under which SQL is sure that a document matches. */
  readonly must: SqlCondition;
  /** True when every match must be decoded. */
  readonly always: boolean;
}

/** Some of the candidates of a pass: positions after `from` up to `to`, of all up to `end`. */
export interface PassStep {
  readonly from: number;
  readonly to: number;
  readonly end: number;
  /** Their positions, ascending; null for every position. */
  readonly among: readonly number[] | null;
  readonly size: number;
}

export function conditionOfStep({ from, to, among }: PassStep): SqlText {
  const range = 'documents.seq > ? AND documents.seq <= ?';
  return among === null
    ? { text: range, parameters: [from, to] }
    : {
        text: `${range} AND documents.seq IN (SELECT value FROM json_each(?))`,
        parameters: [from, to, JSON.stringify(among)],
      };
}

const IS_LARGE = `length(documents.body) > ${LARGE}`;

export const SIZE_OF_LARGE = `CASE WHEN ${IS_LARGE} THEN length(documents.body) END`;

/** A value as SQL, NULL for large documents. */
export function ofSmall(text: string): string {
  return `CASE WHEN ${IS_LARGE} THEN NULL ELSE ${text} END`;
}

/**
 * The conditions of a statement of many documents: which it gives, and of which it is sure. Nobody is let in while it
 * looks at bodies, so large ones are left for later: it gives all of them, and is sure of none. `forLarge`: what is
 * told in place of that, also where no body is looked at.
 */
export function conditionsOf({ readable, may }: Wanted, must: SqlCondition, forLarge: number | null = null) {
  const [shown, possible, sure] = [on('documents', readable), on('documents', may), on('documents', must)];
  const later = may.kind === 'sql' ? `${IS_LARGE} OR ` : '';
  return {
    where: {
      text: `(${later}(${possible.text})) AND (${shown.text})`,
      parameters: [...possible.parameters, ...shown.parameters],
    },
    certain:
      must.kind === 'sql' || forLarge !== null
        ? { ...sure, text: `CASE WHEN ${IS_LARGE} THEN ${forLarge ?? 0} ELSE ${sure.text} END` }
        : sure,
  };
}

/** In place of an id that is not asked for. */
export const NO_ID = new ArrayBuffer(12);

/** The columns of every row, before those of its reading; an id that nobody needs is not made. */
export function columnsOf({ isWhole }: Pick<RowReading, 'isWhole'>): string {
  return `${isWhole ? 'documents.id' : 'NULL'}, version`;
}

export function rowOf([seq, id, version, certain, ...values]: readonly SqlStorageValue[]): Row {
  const [text = null, auditFields = null] = values.map((each) => (typeof each === 'string' ? each : null));
  return {
    seq: Number(seq),
    id: id instanceof ArrayBuffer ? id : NO_ID,
    version: Number(version),
    possible: true,
    certain: certain === 1,
    text,
    auditFields,
    fields: null,
    units: (text?.length ?? 0) + (auditFields?.length ?? 0),
  };
}

/** A statement that gives positions: rows of `seq`. */
export interface Positions {
  readonly text: Select;
  readonly parameters: readonly SqlStorageValue[];
}

/** A number of positions after one, without the first of them. */
export interface StatementPart {
  readonly after: number;
  readonly limit: number;
  readonly offset: number;
}

/** The statements of one search, counted. */
export class Statements {
  readonly #sql: ReadSql;
  readonly #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  #rowsRead = 0;

  constructor(sql: ReadSql) {
    this.#sql = sql;
  }

  /** Rows of tables and indexes that SQLite has read for these statements. */
  get rowsRead(): number {
    return this.#cursors.reduce((sum, { rowsRead }) => sum + rowsRead, this.#rowsRead);
  }

  /** The positions that a statement gives. */
  seqs({ text, parameters }: Positions): readonly number[] {
    const rows = this.run(text, ...parameters).raw();
    return Array.from(rows, ([seq]) => Number(seq));
  }

  /** The columns of all rows of a statement of which a search makes many: nothing of it is held. */
  all(text: Select, ...parameters: SqlStorageValue[]): readonly (readonly SqlStorageValue[])[] {
    const cursor = this.#sql.exec(text, ...parameters);
    const rows = Array.from(cursor.raw());
    this.#rowsRead += cursor.rowsRead;
    return rows;
  }

  run<Columns extends Record<string, SqlStorageValue>>(
    text: Select,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Columns> {
    const cursor = this.#sql.exec<Columns>(text, ...parameters);
    this.#cursors.push(cursor);
    return cursor;
  }
}
