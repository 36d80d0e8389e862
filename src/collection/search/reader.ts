/**
 * The statements of searches: positions from indexes, rows of a pass, keys of an index in their order, counts. One
 * reader serves one search, and counts the rows of tables and indexes that it reads.
 */
import { on, type SqlCondition, type SqlText } from '../../query/sql/condition.ts';
import type { SortedBy, Source } from '../../query/plan/prepare.ts';
import { CellTable } from '../storage/indexes/cell-table.ts';
import { bytesOfId } from '../storage/ids.ts';
import { DocumentReader, PACKED } from '../storage/documents.ts';
import {
  conditionOfStep,
  rowOf,
  type KeyedRow,
  type KeyPlace,
  type Reading,
  type Row,
  type Step,
} from './rows.ts';
import { LIMIT, toItsEnd } from '../storage/sql.ts';

/** A statement that gives positions: rows of `seq`. */
export type Positions = SqlText;

/** A number of positions after one, without the first of them. */
export interface Part {
  readonly after: number;
  readonly limit: number;
  readonly offset: number;
}

export class SearchReader extends DocumentReader {
  readonly cells: Pick<CellTable, 'documents' | 'rows' | 'beside' | 'countAlone' | 'notAlone'>;
  readonly #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  constructor(sql: SqlStorage) {
    super(sql);
    this.cells = new CellTable(sql);
  }

  get rowsRead(): number {
    return this.#cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  }

  /** Positions of a source for which a condition on positions holds, ascending, up to a limit. */
  positions(
    { positions, parameters }: Pick<Source, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): readonly number[] {
    const shown = on('found', readable);
    const { list } = this.#run<{ list: string }>(
      `SELECT json_group_array(seq) AS list
       FROM (SELECT found.seq FROM (${positions}) AS found WHERE ${shown.text} ${LIMIT})`,
      ...parameters,
      ...shown.parameters,
      limit,
    ).one();
    const seqs = JSON.parse(list) as number[];
    return seqs.sort((one, other) => one - other);
  }

  /** For how many positions of a source a condition on positions holds, counted up to a limit; -1 counts all. */
  countPositions(
    { positions, parameters }: Pick<Source, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): number {
    const shown = on('found', readable);
    return this.#run<{ total: number }>(
      `SELECT count(*) AS total
       FROM (SELECT 1 FROM (${positions}) AS found WHERE ${shown.text} ${LIMIT})`,
      ...parameters,
      ...shown.parameters,
      limit,
    ).one().total;
  }

  /** The first rows of a step for which a condition holds, in the order of creation, one at a time. */
  *rows(step: Step, where: SqlCondition, { columns, must }: Reading, limit: number): Generator<Row> {
    const [possible, certain] = [on('documents', where), on('documents', must)];
    const { text, parameters } = conditionOfStep(step);
    const rows = this.#run(
      `SELECT documents.seq, documents.id, version, ${[`(${certain.text}) AS certain`, ...columns].join(', ')}
       FROM documents WHERE ${text} AND (${possible.text}) ORDER BY documents.seq ${LIMIT}`,
      ...certain.parameters,
      ...parameters,
      ...possible.parameters,
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
    const [possible, certain] = [on('documents', where), on('documents', must)];
    const { text, parameters } = conditionOfStep(step);
    return this.#run<{ possible: number; certain: number }>(
      `SELECT count(*) AS possible, coalesce(sum(${certain.text}), 0) AS certain
       FROM documents WHERE ${text} AND (${possible.text})`,
      ...certain.parameters,
      ...parameters,
      ...possible.parameters,
    ).one();
  }

  /**
   * A number of documents in the order of an index's keys, after a place in that order, one at a time. Every document
   * has one key there; `certain` is null for documents that do not match.
   */
  *inKeyOrder(
    { index, descending }: SortedBy,
    after: KeyPlace | null,
    where: SqlCondition,
    { columns, must }: Reading,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Generator<KeyedRow> {
    const [possible, certain] = [on('documents', where), on('documents', must)];
    const [beyond, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
    const place = after === null ? [] : index === 'id' ? [after.key] : [after.key, after.key, after.seq];
    // The first comparison is for the index, which begins there.
    const behind =
      place.length === 1 ? `key ${beyond} ?` : `key ${beyond}= ? AND (key ${beyond} ? OR seq > ?)`;
    const keys =
      index === 'id'
        ? '(SELECT id AS key, seq FROM documents) WHERE TRUE'
        : '(SELECT key, seq, path FROM entries) WHERE path = ?';
    const rows = this.#run(
      `SELECT ${[
        'entry.key, entry.seq, documents.id, version',
        `CASE WHEN (${possible.text}) THEN (${certain.text}) END AS certain`,
        ...columns,
      ].join(', ')}
       FROM (SELECT key, seq FROM ${keys} AND ${after === null ? 'TRUE' : behind}
             ORDER BY key ${order}, seq ${LIMIT} OFFSET ?) AS entry
       CROSS JOIN documents ON documents.seq = entry.seq ORDER BY entry.key ${order}, entry.seq`,
      ...possible.parameters,
      ...certain.parameters,
      ...(index === 'id' ? [] : [index.id]),
      ...place,
      limit,
      offset,
    );
    for (const [key, ...row] of toItsEnd(rows.raw())) {
      if (key instanceof ArrayBuffer) yield { key, matches: row[3] !== null, row: rowOf(row) };
    }
  }

  /** The packed documents at some positions for which a condition holds, in the order of the positions. */
  at(seqs: readonly number[], where: SqlCondition): readonly { seq: number; packed: string }[] {
    const { text, parameters } = on('documents', where);
    return this.#run<{ seq: number; packed: string }>(
      `SELECT documents.seq, ${PACKED} AS packed FROM json_each(?) AS asked CROSS JOIN documents
       ON documents.seq = asked.value WHERE ${text} ORDER BY asked.key`,
      JSON.stringify(seqs),
      ...parameters,
    ).toArray();
  }

  /** For how many of the documents at some positions a condition holds. */
  countAmong(seqs: readonly number[], where: SqlCondition): number {
    const { text, parameters } = on('documents', where);
    return this.#run<{ total: number }>(
      `SELECT count(*) AS total FROM json_each(?) AS asked CROSS JOIN documents
       ON documents.seq = asked.value WHERE ${text}`,
      JSON.stringify(seqs),
      ...parameters,
    ).one().total;
  }

  /** About how many units the documents at positions take together. This does not read their bodies. */
  unitsAt(seqs: readonly number[]): number {
    return this.#run<{ units: number }>(
      `SELECT coalesce(sum(length(body)), 0) AS units FROM json_each(?) AS asked CROSS JOIN documents
       ON documents.seq = asked.value`,
      JSON.stringify(seqs),
    ).one().units;
  }

  /** The statement of positions in the order of creation. */
  inOrderOfCreation({ after, limit, offset }: Part): Positions {
    // Ids ascend with positions, and their index is far smaller than the documents.
    return {
      text: `SELECT seq FROM documents WHERE id > coalesce((SELECT id FROM documents WHERE seq = ?), 0) ORDER BY id ${LIMIT} OFFSET ?`,
      parameters: [after, limit, offset],
    };
  }

  /** The same for a source that gives positions in their order. */
  inOrderOf(
    { positions, parameters }: Pick<Source, 'positions' | 'parameters'>,
    { after, limit, offset }: Part,
  ): Positions {
    return {
      text: `SELECT seq FROM (${positions}) WHERE seq > ? ORDER BY seq ${LIMIT} OFFSET ?`,
      parameters: [...parameters, after, limit, offset],
    };
  }

  /** The positions that a statement gives. */
  seqs({ text, parameters }: Positions): readonly number[] {
    const rows = this.#run(text, ...parameters).raw();
    return Array.from(rows, ([seq]) => Number(seq));
  }

  /** The packed documents at the positions that a statement gives, in its order. */
  documents({ text, parameters }: Positions): readonly string[] {
    // A cross join keeps the order of its first table.
    return this.#run<{ packed: string }>(
      `SELECT ${PACKED} AS packed FROM (${text}) AS asked CROSS JOIN documents ON documents.seq = asked.seq`,
      ...parameters,
    )
      .toArray()
      .map(({ packed }) => packed);
  }

  /** The statement of positions that a viewer may read, in the order of creation. */
  readable(viewer: readonly string[], { after, limit, offset }: Part): Positions {
    const ofOne = `SELECT seq FROM rights WHERE right = 'read' AND identity = ? AND seq > ? ORDER BY seq ${LIMIT}`;
    const [only, second] = viewer;
    if (only !== undefined && second === undefined) {
      return { text: `${ofOne} OFFSET ?`, parameters: [only, after, limit, offset] };
    }
    // For a single identity the index gives them in order, without reading all of them.
    const seqs = viewer.flatMap((identity) =>
      this.seqs({ text: ofOne, parameters: [identity, after, offset + limit] }),
    );
    const page = [...new Set(seqs)].sort((one, other) => one - other).slice(offset, offset + limit);
    return { text: 'SELECT value AS seq FROM json_each(?)', parameters: [JSON.stringify(page)] };
  }

  /**
   * The positions that a viewer of many identities may read, ascending, if both positions and rights are few; else
   * null.
   */
  fewReadable(viewer: readonly string[], most: number): readonly number[] | null {
    const rows = this.#run(
      `SELECT seq FROM rights WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?)) ${LIMIT}`,
      JSON.stringify(viewer),
      most + 1,
    ).raw();
    const seqs = Array.from(rows, ([seq]) => Number(seq));
    return seqs.length > most ? null : [...new Set(seqs)].sort((one, other) => one - other);
  }

  /** How many documents a viewer may read. */
  countReadable(viewer: readonly string[]): number {
    const counts = viewer.map((identity) => ({
      identity,
      total: this.#run<{ total: number }>(
        `SELECT count(*) AS total FROM rights WHERE right = 'read' AND identity = ?`,
        identity,
      ).one().total,
    }));
    const readers = counts.filter(({ total }) => total > 0);
    const [only, second] = readers;
    if (second === undefined) return only?.total ?? 0;
    return this.#run<{ total: number }>(
      `SELECT count(DISTINCT seq) AS total FROM rights
       WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?))`,
      JSON.stringify(readers.map(({ identity }) => identity)),
    ).one().total;
  }

  /** The position of the last document. */
  lastSeq(): number {
    return this.#run<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM documents').one().seq;
  }

  /** About how many bytes of storage a document takes, including its rows in other tables. */
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

  #run<Columns extends Record<string, SqlStorageValue>>(
    text: string,
    ...parameters: SqlStorageValue[]
  ): SqlStorageCursor<Columns> {
    const cursor = this.sql.exec<Columns>(text, ...parameters);
    this.#cursors.push(cursor);
    return cursor;
  }
}
