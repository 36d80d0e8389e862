/** The rows that a search reads, and the pieces in which it reads them. */
import type { Fields } from '../../../domain/values/values.ts';
import { on, type SqlCondition, type SqlText } from '../../../query/sql/condition.ts';
import { LARGE } from '../../storage/documents/documents.ts';

/** A row of a pass over documents. */
export interface Row {
  readonly seq: number;
  readonly id: ArrayBuffer;
  readonly version: number;
  /** False when SQL is sure that it does not match: of those, a pass sees the large ones alone. */
  readonly possible: boolean;
  /** True when SQL is sure that the document matches. */
  readonly certain: boolean;
  readonly columns: readonly (string | null)[];
  /** In place of the columns, where it was read with others (batches.ts). */
  readonly fields: Fields | null;
  /** UTF-16 units that were read of it, about, and what SQL took to look at a large one. */
  readonly units: number;
}

/** A row of a statement of many: a large document has its size in bytes, and is yet to be looked at by itself. */
export interface Found {
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

const IS_LARGE = `length(documents.body) > ${LARGE}`;

/** The bytes of a large document, NULL for others, as SQL. */
export const SIZE_OF_LARGE = `CASE WHEN ${IS_LARGE} THEN length(documents.body) END`;

/** A value as SQL, NULL for large documents. */
export function ofSmall(text: string): string {
  return `CASE WHEN ${IS_LARGE} THEN NULL ELSE ${text} END`;
}

/**
 * The conditions of a statement of many documents: which it gives, and of which it is sure. Nobody is let in while it looks at
 * bodies, so large ones are left for later: it gives all of them, and is sure of none. `forLarge`: what is told in place of that,
 * also where no body is looked at.
 */
export function conditionsOf(
  { readable, may }: Wanted,
  must: SqlCondition,
  forLarge: number | null = null,
): { readonly where: SqlText; readonly certain: SqlText } {
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
export function columnsOf({ withId }: Pick<Reading, 'withId'>): string {
  return `${withId ? 'documents.id' : 'NULL'}, version`;
}

export function rowOf([seq, id, version, certain, ...values]: readonly SqlStorageValue[]): Row {
  let units = 0;
  const columns = values.map((value) => {
    if (typeof value !== 'string') return null;
    units += value.length;
    return value;
  });
  return {
    seq: Number(seq),
    id: id instanceof ArrayBuffer ? id : NO_ID,
    version: Number(version),
    possible: true,
    certain: certain === 1,
    columns,
    fields: null,
    units,
  };
}
