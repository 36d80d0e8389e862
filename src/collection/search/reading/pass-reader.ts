/** Rows of a pass: over the documents of a step, and over the keys of an index in their order. */
import type { SortedBy } from '../../../plan/prepare.ts';
import { ALWAYS, both, on, type SqlCondition } from '../../../query/sql/condition.ts';
import { READ_IN_STATEMENT } from '../../storage/documents/documents.ts';
import { toItsEnd, LIMIT } from '../../storage/sql.ts';
import { BATCH, readBatch } from './batches.ts';
import {
  columnsOf,
  conditionOfStep,
  conditionsOf,
  ofSmall,
  rowOf,
  SIZE_OF_LARGE,
  type LargeRow,
  type KeyedRow,
  type KeyPlace,
  type RowReading,
  type Row,
  type PassStep,
  type Wanted,
  type Positions,
  type Statements,
} from './rows.ts';

/** Bytes that SQL looks through in about the time in which a UTF-16 unit is read. */
const LOOKED_THROUGH = 8;

/** What a large document adds to a sum of those that certainly match: more than a step has documents. */
const FOR_LARGE = 2 ** 32;

/** Documents of a step for which SQL may hold a condition to hold, and those of them for which it certainly does. */
interface StepCounts {
  readonly possible: number;
  readonly certain: number;
  /** The large ones among the first, with their sizes: they are yet to be looked at. */
  readonly large: readonly (readonly [seq: number, size: number])[];
}

export class PassReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The first wanted rows of a step, in the order of creation, and the large ones that SQL finds not to match. */
  *rows(step: PassStep, wanted: Wanted, reading: RowReading, limit: number): Generator<Row> {
    const { batch, must } = reading;
    let { from } = step;
    let left = limit;
    let isBatched = true;
    while (isBatched && batch !== null && left > 0 && from < step.to) {
      const size = Math.min(left, BATCH);
      const among = step.among && nextOf(step.among, from);
      const to = among?.at(-1) ?? step.to;
      const found = readBatch(this.#statements, { ...step, from, to, among }, wanted, batch, must, size);
      for (const each of found) {
        // What is long is read one by one, as is what follows: mostly that is long as well.
        isBatched = each.row.fields !== null || each.size !== null;
        if (!isBatched) break;
        yield this.#looked(each, wanted, reading);
        from = each.row.seq;
        left -= 1;
      }
      if (isBatched && found.length < size) from = to;
    }
    if (left > 0 && from < step.to) yield* this.#each({ ...step, from }, wanted, reading, left);
  }

  /** The same, one at a time. */
  *#each(step: PassStep, wanted: Wanted, reading: RowReading, limit: number): Generator<Row> {
    let { from } = step;
    let left = limit;
    while (left > 0 && from < step.to) {
      const size = Math.min(left, READ_IN_STATEMENT);
      let rows = 0;
      for (const found of this.#some({ ...step, from }, wanted, reading, size)) {
        rows += 1;
        from = found.row.seq;
        yield this.#looked(found, wanted, reading);
      }
      if (rows < size) return;
      left -= rows;
    }
  }

  /** Those of one statement. */
  *#some(step: PassStep, wanted: Wanted, reading: RowReading, limit: number): Generator<LargeRow> {
    const { where, certain } = conditionsOf(wanted, reading.must);
    const { text, parameters } = conditionOfStep(step);
    const columns = reading.columns.map(ofSmall);
    const rows = this.#statements.run(
      `SELECT ${[SIZE_OF_LARGE, 'documents.seq', columnsOf(reading), certain.text, ...columns].join(', ')}
       FROM documents WHERE ${text} AND ${where.text} ORDER BY documents.seq ${LIMIT}`,
      ...certain.parameters,
      ...parameters,
      ...where.parameters,
      limit,
    );
    for (const [size, ...row] of toItsEnd(rows.raw())) yield { row: rowOf(row), size: sizeOf(size) };
  }

  /** A row as it is; one of a large document, if its body is asked for anything, once it was looked at by itself. */
  #looked({ row, size }: LargeRow, wanted: Wanted, reading: RowReading): Row {
    const isLooked = reading.columns.length > 0 || looksAtBodies(wanted, reading.must);
    // The statement that gave the row has asked in this turn who may read it.
    return size === null || !isLooked
      ? row
      : this.#alone(row, size, { ...wanted, readable: ALWAYS }, reading);
  }

  #alone(row: Row, size: number, { may, readable }: Wanted, reading: RowReading): Row {
    const { columns, must, always } = reading;
    const [possible, sure] = [on('documents', both(readable, may)), on('documents', must)];
    const where = 'FROM documents WHERE documents.seq = ?';
    const looked = Math.ceil(size / LOOKED_THROUGH);
    const [judged] = this.#statements.all(
      `SELECT ${sure.text}, ${columnsOf(reading)} ${where} AND (${possible.text})`,
      ...sure.parameters,
      row.seq,
      ...possible.parameters,
    );
    if (judged === undefined) return { ...row, possible: false, units: looked };
    const [certain = null, id = null] = judged;
    const isRead = columns.length > 0 && (always || certain !== 1);
    const [values = []] = isRead
      ? this.#statements.all(`SELECT ${columns.join(', ')} ${where}`, row.seq)
      : [];
    const read = rowOf([row.seq, id, row.version, certain, ...values]);
    return { ...read, units: read.units + looked };
  }

  /** For how many documents of a step that are wanted a condition holds. */
  count(step: PassStep, wanted: Wanted, must: SqlCondition): StepCounts {
    const forLarge = looksAtBodies(wanted, must) ? FOR_LARGE : null;
    const { where, certain } = conditionsOf(wanted, must, forLarge);
    const { text, parameters } = conditionOfStep(step);
    const found = this.#statements
      .run<{ possible: number; sum: number }>(
        `SELECT count(*) AS possible, coalesce(sum(${certain.text}), 0) AS sum
         FROM documents WHERE ${text} AND ${where.text}`,
        ...certain.parameters,
        ...parameters,
        ...where.parameters,
      )
      .one();
    const large = found.sum < FOR_LARGE ? [] : this.#large(step, wanted);
    return { possible: found.possible - large.length, certain: found.sum % FOR_LARGE, large };
  }

  /** The large documents of a step that a viewer may read, with their sizes. */
  #large(step: PassStep, { readable }: Wanted): StepCounts['large'] {
    const { where } = conditionsOf({ readable, may: ALWAYS }, ALWAYS);
    const { text, parameters } = conditionOfStep(step);
    return this.#statements
      .all(
        `SELECT seq, length(body) FROM documents
         WHERE ${text} AND ${where.text} AND ${SIZE_OF_LARGE} IS NOT NULL ORDER BY seq`,
        ...parameters,
        ...where.parameters,
      )
      .map(([seq, size]) => [Number(seq), Number(size)]);
  }

  /** The same for a large document that was left for later: meanwhile, it may have been hidden. */
  countAlone([seq, size]: StepCounts['large'][number], wanted: Wanted, reading: RowReading): Row {
    return this.#alone(rowOf([seq, null, 0, 0]), size, wanted, { ...reading, columns: [], isWhole: false });
  }

  /**
   * A number of documents in the order of an index's keys, after a place in that order, one at a time. Every document
   * has one key there; `certain` is null for documents that do not match. Keys outside of the range of
   * matches are passed over.
   */
  *inKeyOrder(
    sortedBy: SortedBy,
    after: KeyPlace | null,
    wanted: Wanted,
    reading: RowReading,
    limit: number,
  ): Generator<KeyedRow> {
    const { where, certain } = conditionsOf(wanted, reading.must);
    const keys = keysOf(sortedBy, after, { offset: 0, limit });
    const rows = this.#statements.run(
      `SELECT ${[
        `entry.key, ${SIZE_OF_LARGE}, entry.seq, ${columnsOf(reading)}`,
        `CASE WHEN ${where.text} THEN ${certain.text} END`,
        ...reading.columns.map(ofSmall),
      ].join(', ')}
       FROM (${keys.text}) AS entry
       CROSS JOIN documents ON documents.seq = entry.seq ORDER BY entry.key ${keys.order}, entry.seq`,
      ...where.parameters,
      ...certain.parameters,
      ...keys.parameters,
    );
    for (const [key, size = null, ...values] of toItsEnd(rows.raw())) {
      if (!(key instanceof ArrayBuffer)) continue;
      const found = { row: rowOf(values), size: values[3] === null ? null : sizeOf(size) };
      const row = this.#looked(found, wanted, reading);
      yield { key, matches: values[3] !== null && row.possible, row };
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
  positionsInKeyOrder(sortedBy: SortedBy, after: KeyPlace | null, limit: number) {
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
    text: `SELECT key, seq FROM ${keys} AND ${after === null ? 'TRUE' : behind}
      ORDER BY key ${order}, seq ${LIMIT} OFFSET ?`,
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

function looksAtBodies({ may }: Wanted, must: SqlCondition): boolean {
  return may.kind === 'sql' || must.kind === 'sql';
}

function sizeOf(value: SqlStorageValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
