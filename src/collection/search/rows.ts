/** The rows that a search reads, and the pieces in which it reads them. */
import type { Fields } from '../../domain/values/values.ts';
import type { SqlCondition, SqlText } from '../../query/sql/condition.ts';

/** A row of a pass over documents. */
export interface Row {
  readonly seq: number;
  readonly id: ArrayBuffer;
  readonly version: number;
  /** True when SQL is sure that the document matches. */
  readonly certain: boolean;
  readonly columns: readonly (string | null)[];
  /** In place of the columns, where it was read with others (batches.ts). */
  readonly fields: Fields | null;
  /** UTF-16 units that were read of it, about. */
  readonly units: number;
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

/** What is read of each document that is read with others (batches.ts). */
export interface Batch {
  /** The SQL of the JSON of an object with the type, some fields and perhaps the id. What a document lacks is not there. */
  readonly object: string;
  /** Of the index of columns that is read in place of the documents; null for none. */
  readonly index: number | null;
}

/** What a pass reads of a row. */
export interface Reading {
  /** The fields of the columns; null where the only column is the whole body. */
  readonly names: readonly string[] | null;
  readonly columns: readonly string[];
  /** How the same is read of many documents at once; null where it is not. */
  readonly batch: Batch | null;
  /** A condition under which SQL is sure that a document matches. */
  readonly must: SqlCondition;
  /** True when every match must be decoded. */
  readonly always: boolean;
  /** True when ids are needed. */
  readonly withId: boolean;
  /** True when the last column is what the service knows of the document. */
  readonly withProvenance: boolean;
}

/** Some of the candidates of a pass: positions after `from` up to `to`, of all up to `end`. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly end: number;
  /** Their positions, ascending; null for every position. */
  readonly among: readonly number[] | null;
  readonly size: number;
}

export function conditionOfStep({ from, to, among }: Step): SqlText {
  const range = 'documents.seq > ? AND documents.seq <= ?';
  return among === null
    ? { text: range, parameters: [from, to] }
    : {
        text: `${range} AND documents.seq IN (SELECT value FROM json_each(?))`,
        parameters: [from, to, JSON.stringify(among)],
      };
}

/** In place of an id that is not asked for. */
export const NO_ID = new ArrayBuffer(12);

/** The columns of every row, before those of its reading; an id that nobody needs is not made. */
export function columnsOf({ withId }: Pick<Reading, 'withId'>): string {
  return `${withId ? 'documents.id' : 'NULL'}, version`;
}

export function rowOf([seq, id, version, certain, ...columns]: readonly SqlStorageValue[]): Row {
  return {
    seq: Number(seq),
    id: id instanceof ArrayBuffer ? id : NO_ID,
    version: Number(version),
    certain: certain === 1,
    fields: null,
    ...textsOf(columns),
  };
}

/** The columns of a reading. */
export function textsOf(values: readonly SqlStorageValue[]): Pick<Row, 'columns' | 'units'> {
  let units = 0;
  const columns = values.map((value) => {
    if (typeof value !== 'string') return null;
    units += value.length;
    return value;
  });
  return { columns, units };
}
