/** The entries of indexes of cells: each write of a document updates them, geographic searches read them. */
import type { CellEntries } from '../../../query/index/cells.ts';
import { on, type SqlCondition } from '../../../query/sql/condition.ts';
import { Table, LIMIT, type ReadSql, type Select } from '../sql.ts';
import type { Touched } from '../touched.ts';

/** From the first to the last of the cells in a cell. */
export type CellRange = readonly [min: number, max: number];

/** An entry; `alone` is 1 when one Point is all that the document has at the path. */
export type CellRow = {
  readonly cell: number;
  readonly seq: number;
  readonly alone: number;
};

export class CellReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  /** How many documents have entries in an index. */
  documents(path: number): number {
    return this.numberOf('SELECT documents FROM path_indexes WHERE id = ?', path) ?? 0;
  }

  /** The entries in disjoint ranges of cells, of documents for which a condition on their positions holds. */
  rows(path: number, ranges: readonly CellRange[], limit: number, where: SqlCondition) {
    const shown = on('entry', where);
    // As one row of lists: one row for each entry takes several times as long.
    const { total, cells, seqs, alone } = this.sql
      .exec<{ total: number; cells: string; seqs: string; alone: string }>(
        `SELECT count(*) AS total,
           json_group_array(cell) FILTER (WHERE shown) AS cells,
           json_group_array(seq) FILTER (WHERE shown) AS seqs,
           json_group_array(alone) FILTER (WHERE shown) AS alone
         FROM (SELECT cell, entry.seq, alone, (${shown.text}) AS shown
               FROM json_each(?) AS asked CROSS JOIN cells AS entry ON entry.path = ?
               AND entry.cell BETWEEN asked.value ->> 0 AND asked.value ->> 1 ${LIMIT})`,
        ...shown.parameters,
        JSON.stringify(ranges),
        path,
        Math.min(limit + 1, Number.MAX_SAFE_INTEGER),
      )
      .one();
    if (total > limit) return { rows: [], complete: false };
    const [all, seqOf, aloneOf] = [numbersOf(cells), numbersOf(seqs), numbersOf(alone)];
    const rows = all.map((cell, at) => ({ cell, seq: seqOf[at] ?? 0, alone: aloneOf[at] ?? 0 }));
    return { rows, complete: true };
  }

  /** The cells of the entries next to a cell in the order of their numbers: up to a limit on each side. */
  beside(path: number, cell: number, limit: number): readonly number[] {
    const beside: Select = `SELECT json_group_array(cell) FROM (
      SELECT cell FROM (SELECT cell FROM cells WHERE path = ?1 AND cell >= ?2 ORDER BY cell LIMIT ?3 + 0)
      UNION ALL
      SELECT cell FROM (SELECT cell FROM cells WHERE path = ?1 AND cell < ?2 ORDER BY cell DESC LIMIT ?3 + 0))`;
    return this.column<string>(beside, path, cell, limit).flatMap(numbersOf);
  }

  /**
   * How many documents have only one Point, and have it in one of disjoint ranges; `where`: a condition on positions.
   */
  countAlone(path: number, ranges: readonly CellRange[], where: SqlCondition): number {
    const { text, parameters } = on('entry', where);
    const alone = `SELECT count(*) FROM json_each(?) AS asked CROSS JOIN cells AS entry
      ON entry.path = ? AND entry.cell BETWEEN asked.value ->> 0 AND asked.value ->> 1
      WHERE entry.alone = 1 AND (${text})` as const;
    return this.numberOf(alone, JSON.stringify(ranges), path, ...parameters) ?? 0;
  }

  /** The documents with entries in one of some ranges that are more than one Point. */
  notAlone(path: number, ranges: readonly CellRange[]): readonly number[] {
    const others: Select = `SELECT DISTINCT seq FROM json_each(?) AS asked CROSS JOIN cells
      ON cells.path = ? AND cell BETWEEN asked.value ->> 0 AND asked.value ->> 1 WHERE alone = 0`;
    return this.column(others, JSON.stringify(ranges), path);
  }
}

export class CellTable extends CellReader<SqlStorage> {
  readonly #touched: Touched;

  constructor(sql: SqlStorage, touched: Touched) {
    super(sql);
    this.#touched = touched;
  }

  /** Replaces the entries of a document; null stands for no entries before or after. */
  replace(path: number, seq: number, before: CellEntries | null, after: CellEntries | null): void {
    if (before !== null && after !== null && JSON.stringify(before) === JSON.stringify(after)) return;
    const [former, later] = [before?.cells.length ?? 0, after?.cells.length ?? 0];
    this.#touched.rows(former + later);
    const [had, has] = [former > 0, later > 0];
    if (had) {
      const gone =
        'DELETE FROM cells WHERE path = ? AND seq = ? AND cell IN (SELECT value FROM json_each(?))';
      this.sql.exec(gone, path, seq, JSON.stringify(before?.cells));
    }
    if (after !== null && has) this.#insert(path, seq, after);
    if (had !== has) {
      const counted = 'UPDATE path_indexes SET documents = documents + ? WHERE id = ?';
      this.sql.exec(counted, Number(has) - Number(had), path);
    }
  }

  #insert(path: number, seq: number, { cells, alone }: CellEntries): void {
    const [only] = cells;
    const isAlone = alone ? 1 : 0;
    const all = 'INSERT INTO cells SELECT ?, value, ?, ? FROM json_each(?)';
    if (only === undefined || cells.length > 1) this.sql.exec(all, path, seq, isAlone, JSON.stringify(cells));
    else this.sql.exec('INSERT INTO cells VALUES (?, ?, ?, ?)', path, only, seq, isAlone);
  }
}

function numbersOf(list: string): readonly number[] {
  return JSON.parse(list) as number[];
}
