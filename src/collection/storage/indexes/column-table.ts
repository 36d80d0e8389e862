/** The rows of indexes of columns: one for each document, which each write of it updates. */
import { Table } from '../sql.ts';
export class ColumnTable extends Table {
  /** Replaces the fields of a document; undefined stands for no document before or after. */
  replace(index: number, seq: number, before: Columns | undefined, after: Columns | undefined): void {
    if (before === after) return;
    if (after === undefined) this.sql.exec('DELETE FROM columns WHERE path = ? AND seq = ?', index, seq);
    else {
      this.sql.exec(
        'INSERT INTO columns VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET fields = excluded.fields',
        index,
        seq,
        after,
      );
    }
  }

  /** Deletes a limited number of rows of an index; true when none is left. */
  dropSome(index: number, count: number): boolean {
    this.sql.exec(
      'DELETE FROM columns WHERE path = ?1 AND seq IN (SELECT seq FROM columns WHERE path = ?1 LIMIT ?2 + 0)',
      index,
      count,
    );
    return this.sql.exec('SELECT 1 FROM columns WHERE path = ? LIMIT 1', index).toArray().length === 0;
  }
}

/** As `compileColumns` makes it; null where the fields are too long. */
type Columns = string | null;
