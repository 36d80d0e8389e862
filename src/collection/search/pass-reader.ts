/** Rows of a pass: over the documents of a step, and over the keys of an index in their order. */
import type { SortedBy } from '../../query/plan/prepare.ts';
import { on, type SqlCondition } from '../../query/sql/condition.ts';
import { LARGE, READ_IN_STATEMENT } from '../storage/documents.ts';
import { toItsEnd, LIMIT } from '../storage/sql.ts';
import { BATCH, readBatch } from './batches.ts';
import {
  columnsOf,
  conditionOfStep,
  rowOf,
  textsOf,
  type KeyedRow,
  type KeyPlace,
  type Reading,
  type Row,
  type Step,
} from './rows.ts';
import type { Positions, Statements } from './statements.ts';

const IS_LARGE = `length(documents.body) > ${LARGE}`;

/** The columns of a reading, NULL for large documents. */
function smallOf({ columns }: Reading): readonly string[] {
  return columns.map((column) => `CASE WHEN ${IS_LARGE} THEN NULL ELSE ${column} END`);
}

export class PassReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The first rows of a step for which a condition holds, in the order of creation. */
  *rows(step: Step, where: SqlCondition, reading: Reading, limit: number): Generator<Row> {
    const { batch, must } = reading;
    let { from } = step;
    let left = limit;
    let isBatched = true;
    while (isBatched && batch !== null && left > 0 && from < step.to) {
      const asked = Math.min(left, BATCH);
      const among = step.among && nextOf(step.among, from);
      const to = among?.at(-1) ?? step.to;
      const rows = readBatch(this.#statements, { ...step, from, to, among }, where, batch, must, asked);
      for (const row of rows) {
        // What is long is read one by one, as is what follows: mostly that is long as well.
        isBatched = row.fields !== null;
        if (!isBatched) break;
        yield row;
        from = row.seq;
        left -= 1;
      }
      if (isBatched && rows.length < asked) from = to;
    }
    if (left > 0 && from < step.to) yield* this.#each({ ...step, from }, where, reading, left);
  }

  /** The same, one at a time. */
  *#each(step: Step, where: SqlCondition, reading: Reading, limit: number): Generator<Row> {
    let { from } = step;
    let left = limit;
    while (left > 0 && from < step.to) {
      const asked = Math.min(left, READ_IN_STATEMENT);
      let rows = 0;
      for (const row of this.#some({ ...step, from }, where, reading, asked)) {
        rows += 1;
        from = row.seq;
        yield row;
      }
      if (rows < asked) return;
      left -= rows;
    }
  }

  /** Those of one statement. */
  *#some(step: Step, where: SqlCondition, reading: Reading, limit: number): Generator<Row> {
    const { must } = reading;
    const [possible, certain] = [on('documents', where), on('documents', must)];
    const { text, parameters } = conditionOfStep(step);
    const rows = this.#statements.run(
      `SELECT ${[IS_LARGE, 'documents.seq', columnsOf(reading), `(${certain.text}) AS certain`, ...smallOf(reading)].join(', ')}
       FROM documents WHERE ${text} AND (${possible.text}) ORDER BY documents.seq ${LIMIT}`,
      ...certain.parameters,
      ...parameters,
      ...possible.parameters,
      limit,
    );
    for (const [isLarge, ...row] of toItsEnd(rows.raw()))
      yield this.#whole(isLarge === 1, rowOf(row), reading);
  }

  /** A row with its columns: those of a large document, if it must be looked at, are read now. */
  #whole(isLarge: boolean, row: Row, { columns, always }: Reading): Row {
    if (!isLarge || columns.length === 0 || (row.certain && !always)) return row;
    const [values = []] = this.#statements.all(
      `SELECT ${columns.join(', ')} FROM documents WHERE documents.seq = ?`,
      row.seq,
    );
    return { ...row, ...textsOf(values) };
  }

  /** For how many documents of a step a condition holds, and for how many of these another one. */
  tally(
    step: Step,
    where: SqlCondition,
    must: SqlCondition,
  ): { readonly possible: number; readonly certain: number } {
    const [possible, certain] = [on('documents', where), on('documents', must)];
    const { text, parameters } = conditionOfStep(step);
    return this.#statements
      .run<{ possible: number; certain: number }>(
        `SELECT count(*) AS possible, coalesce(sum(${certain.text}), 0) AS certain
       FROM documents WHERE ${text} AND (${possible.text})`,
        ...certain.parameters,
        ...parameters,
        ...possible.parameters,
      )
      .one();
  }

  /**
   * A number of documents in the order of an index's keys, after a place in that order, one at a time. Every document
   * has one key there; `certain` is null for documents that do not match. What has its key outside of the range of
   * matches is passed over.
   */
  *inKeyOrder(
    sortedBy: SortedBy,
    after: KeyPlace | null,
    where: SqlCondition,
    reading: Reading,
    limit: number,
  ): Generator<KeyedRow> {
    const { must } = reading;
    const [possible, certain] = [on('documents', where), on('documents', must)];
    const keys = keysOf(sortedBy, after, { offset: 0, limit });
    const rows = this.#statements.run(
      `SELECT ${[
        `entry.key, ${IS_LARGE}, entry.seq, ${columnsOf(reading)}`,
        `CASE WHEN (${possible.text}) THEN (${certain.text}) END AS certain`,
        ...smallOf(reading),
      ].join(', ')}
       FROM (${keys.text}) AS entry
       CROSS JOIN documents ON documents.seq = entry.seq ORDER BY entry.key ${keys.order}, entry.seq`,
      ...possible.parameters,
      ...certain.parameters,
      ...keys.parameters,
    );
    for (const [key, isLarge, ...values] of toItsEnd(rows.raw())) {
      if (!(key instanceof ArrayBuffer)) continue;
      const matches = values[3] !== null;
      const row = rowOf(values);
      yield { key, matches, row: matches ? this.#whole(isLarge === 1, row, reading) : row };
    }
  }

  /** The statement of the positions of a part in the same order. */
  inOrderOfKeys(
    sortedBy: SortedBy,
    after: KeyPlace | null,
    part: { readonly offset: number; readonly limit: number },
  ): Positions {
    const { text, parameters } = keysOf(sortedBy, after, part);
    return { text: `SELECT seq FROM (${text})`, parameters };
  }

  /** The positions of a number of documents in the same order, and the place of the last one; no document is read. */
  positionsInKeyOrder(
    sortedBy: SortedBy,
    after: KeyPlace | null,
    limit: number,
  ): { readonly seqs: readonly number[]; readonly last: KeyPlace | null } {
    const keys = keysOf(sortedBy, after, { offset: 0, limit });
    const { list, key } = this.#statements
      .run<{ list: string; key: ArrayBuffer | null }>(
        `SELECT json_group_array(seq) AS list, ${sortedBy.descending ? 'min' : 'max'}(key) AS key FROM (${keys.text})`,
        ...keys.parameters,
      )
      .one();
    const seqs = JSON.parse(list) as number[];
    const seq = seqs.at(-1);
    return { seqs, last: key === null || seq === undefined ? null : { key, seq } };
  }
}

/** The positions of a batch: the first ones after a position. */
function nextOf(seqs: readonly number[], after: number): readonly number[] {
  const first = seqs.findIndex((seq) => seq > after);
  return first === -1 ? [] : seqs.slice(first, first + BATCH);
}

/** The statement of keys and positions in the order of an index, and its direction. */
function keysOf(
  { index, descending, within }: SortedBy,
  after: KeyPlace | null,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const [beyond, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const place = after === null ? [] : index === 'id' ? [after.key] : [after.key, after.key, after.seq];
  // The first comparison is for the index, which begins there.
  const behind = place.length === 1 ? `key ${beyond} ?` : `key ${beyond}= ? AND (key ${beyond} ? OR seq > ?)`;
  // Of two bounds on one side SQLite would seek by either: behind a place, the range ends on the other side alone.
  const [isFrom, isTo] = after === null ? [true, true] : [descending, !descending];
  const bounds = [
    ...(within !== null && isFrom ? [{ text: ' AND key >= unhex(?)', key: within.from }] : []),
    ...(within !== null && isTo ? [{ text: ' AND key < unhex(?)', key: within.to }] : []),
  ];
  const inside = bounds.map(({ text }) => text).join('');
  const keys =
    index === 'id'
      ? `(SELECT id AS key, seq FROM documents) WHERE TRUE${inside}`
      : `(SELECT key, seq, path FROM entries) WHERE path = ?${inside}`;
  return {
    text: `SELECT key, seq FROM ${keys} AND ${after === null ? 'TRUE' : behind} ORDER BY key ${order}, seq ${LIMIT} OFFSET ?`,
    order,
    parameters: [
      ...(index === 'id' ? [] : [index.id]),
      ...bounds.map(({ key }) => key),
      ...place,
      limit,
      offset,
    ],
  };
}
