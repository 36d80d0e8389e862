/**
 * What a search reads: positions from indexes, documents at positions, and what its parts read. One reader serves one
 * search, and counts the rows of tables and indexes that it reads.
 */
import { on, type SqlCondition } from '../../../query/sql/condition.ts';
import type { KeyRange } from '../../../query/sql/positions.ts';
import type { Prepared, CandidateSource } from '../../../plan/prepare.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { CellReader } from '../../storage/indexes/cell-table.ts';
import { bytesOfId } from '../../storage/ids.ts';
import { DocumentReader, packedAs } from '../../storage/documents/documents.ts';
import { LIMIT, type ReadSql } from '../../storage/sql.ts';
import { EntryReader } from '../counts/range-counts.ts';
import { PassReader } from './pass-reader.ts';
import { DirtyRanges } from '../../storage/dirty-ranges.ts';
import { ReadableReader, ReadableCounts } from './readable-reader.ts';
import { Statements, type StatementPart, type Positions } from './rows.ts';

/**
 * Stored bytes of the largest document that SQLite joins with others. As JSON it has at most six times as many, and a
 * value has at most 2 MB on the platform.
 */
const LARGEST_JOINED = 8192;

export class SearchReader extends DocumentReader {
  readonly cells = new CellReader(this.sql);
  readonly #statements = new Statements(this.sql);
  /** Rows of passes over documents, and over the keys of indexes. */
  readonly passes = new PassReader(this.#statements);
  /** What a viewer may read. */
  readonly readable: ReadableReader;
  /** The entries of indexes on values. */
  readonly entries = new EntryReader(this.#statements);

  /** `counts`: what is known of how much viewers may read. */
  constructor(sql: ReadSql, counts = new ReadableCounts(new DirtyRanges())) {
    super(sql);
    this.readable = new ReadableReader(this.#statements, counts);
  }

  get rowsRead(): number {
    return this.#statements.rowsRead;
  }

  /** Positions of a source for which a condition on positions holds, up to a limit. */
  listed(
    { positions, parameters }: Pick<CandidateSource, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): readonly number[] {
    const shown = on('found', readable);
    const { list } = this.#statements
      .run<{ list: string }>(
        `SELECT json_group_array(seq) AS list
       FROM (SELECT found.seq FROM (${positions}) AS found WHERE ${shown.text} ${LIMIT})`,
        ...parameters,
        ...shown.parameters,
        limit,
      )
      .one();
    return JSON.parse(list) as number[];
  }

  /** The same, ascending. */
  positions(
    source: Pick<CandidateSource, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): readonly number[] {
    return this.listed(source, readable, limit).toSorted((one, other) => one - other);
  }

  /** For how many positions of a source a condition on positions holds, counted up to a limit; -1 counts all. */
  countPositions(
    { positions, parameters }: Pick<CandidateSource, 'positions' | 'parameters'>,
    readable: SqlCondition,
    limit: number,
  ): number {
    const shown = on('found', readable);
    return this.#statements
      .run<{ total: number }>(
        `SELECT count(*) AS total
       FROM (SELECT 1 FROM (${positions}) AS found WHERE ${shown.text} ${LIMIT})`,
        ...parameters,
        ...shown.parameters,
        limit,
      )
      .one().total;
  }

  /** The packed documents at some positions for which a condition holds, in the order of the positions. */
  at(
    seqs: readonly number[],
    where: SqlCondition,
    auditFields: boolean,
  ): readonly { seq: number; packed: string }[] {
    const { text, parameters } = on('documents', where);
    return this.#statements
      .run<{ seq: number; packed: string }>(
        `SELECT documents.seq, ${packedAs(auditFields)} AS packed FROM json_each(?) AS asked CROSS JOIN documents
       ON documents.seq = asked.value WHERE ${text} ORDER BY asked.rowid`,
        JSON.stringify(seqs),
        ...parameters,
      )
      .toArray();
  }

  /** About how many units each document at some positions takes; none for deleted ones. No bodies are read. */
  sizesAt(shown: readonly { readonly seq: number }[]): readonly number[] {
    return this.#statements
      .run<{ size: number }>(
        `SELECT coalesce(length(body), 0) AS size FROM json_each(?) AS asked LEFT JOIN documents
       ON documents.seq = asked.value ORDER BY asked.rowid`,
        JSON.stringify(shown.map(({ seq }) => seq)),
      )
      .toArray()
      .map(({ size }) => size);
  }

  /** The statement of positions in the order of creation; those of a range of ids, where ids ascend. */
  inOrderOfCreation(
    { after, limit, offset }: StatementPart,
    idsAscend: boolean,
    ids: Prepared['ids'],
  ): Positions {
    if (!idsAscend) {
      const text = `SELECT seq FROM documents WHERE seq > ? ORDER BY seq ${LIMIT} OFFSET ?`;
      return { text, parameters: [after, limit, offset] };
    }
    // Ids ascend with positions, and their index is far smaller than the documents. Of two lower bounds SQLite would
    // seek by either: behind a place, which is in the range, the range is only its end.
    const [from, start] =
      ids !== null && after === 0
        ? ['id >= unhex(?)', ids.from]
        : ['id > coalesce((SELECT id FROM documents WHERE seq = ?), 0)', after];
    const to = ids === null ? [] : [ids.to];
    return {
      text: `SELECT seq FROM documents WHERE ${from}${to.map(() => ' AND id < unhex(?)').join('')}
        ORDER BY id ${LIMIT} OFFSET ?`,
      parameters: [start, ...to, limit, offset],
    };
  }

  /** Positions after `from` up to `to`, among which are all documents with ids in a range, where ids ascend. */
  between({ from, to }: Pick<KeyRange, 'from' | 'to'>) {
    // Not min and max: they would walk the documents.
    return this.#statements
      .run<{ from: number; to: number }>(
        `SELECT coalesce((SELECT seq FROM documents WHERE id < unhex(?) ORDER BY id DESC LIMIT 1), 0) AS "from",
           coalesce((SELECT seq FROM documents WHERE id < unhex(?) ORDER BY id DESC LIMIT 1), 0) AS "to"`,
        from,
        to,
      )
      .one();
  }

  /** The same for a source that gives positions in their order. */
  inOrderOf(
    { positions, parameters }: Pick<CandidateSource, 'positions' | 'parameters'>,
    { after, limit, offset }: StatementPart,
  ): Positions {
    return {
      text: `SELECT seq FROM (${positions}) WHERE seq > ? ORDER BY seq ${LIMIT} OFFSET ?`,
      parameters: [...parameters, after, limit, offset],
    };
  }

  seqs(positions: Positions): readonly number[] {
    return this.#statements.seqs(positions);
  }

  /**
   * The packed documents for which a condition holds, of the positions that a statement gives, joined, and how many
   * they are: a row for each takes longer. Null where one is too large for that. For at most `READ_AT_ONCE` positions.
   */
  joined({ text, parameters }: Positions, where: SqlCondition, auditFields: boolean) {
    const shown = on('documents', where);
    const { packed, documents, largest } = this.#statements
      .run<{ packed: string | null; documents: number; largest: number | null }>(
        `SELECT count(*) AS documents, max(length(body)) AS largest,
           group_concat(CASE WHEN length(body) <= ${LARGEST_JOINED} THEN ${packedAs(auditFields)} END, char(30))
             AS packed
         FROM (${text}) AS asked CROSS JOIN documents ON documents.seq = asked.seq WHERE ${shown.text}`,
        ...parameters,
        ...shown.parameters,
      )
      .one();
    return largest !== null && largest > LARGEST_JOINED ? null : { packed: packed ?? '', documents };
  }

  /** About how many bytes of storage a document takes, including its rows in other tables. */
  bytesPerDocument(): number {
    return Math.ceil(this.sql.databaseSize / Math.max(1, this.count()));
  }

  /**
   * The position of the last document with an id not above this one, 0 for none. Where ids do not ascend, it is that of
   * the document itself, if there is one.
   */
  seqUpTo(id: DocumentId, idsAscend: boolean): number | undefined {
    if (!idsAscend) return this.seqOf(id);
    // Not max(seq): that would walk the documents from the last one.
    const [row] = this.sql
      .exec<{ seq: number }>(
        'SELECT seq FROM documents WHERE id <= ? ORDER BY id DESC LIMIT 1',
        bytesOfId(id),
      )
      .toArray();
    return row?.seq ?? 0;
  }
}
