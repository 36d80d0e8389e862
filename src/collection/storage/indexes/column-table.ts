/** The rows of indexes of columns: one for each document, which each write of it updates. */
import { Table } from '../sql.ts';
export class ColumnTable extends Table {
  /** Replaces the fields of a document; undefined stands for no document before or after. */
  replace(index: number, seq: number, before: Columns | undefined, after: Columns | undefined): void {
    if (before === after) return;
    const put = 'INSERT INTO columns VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET fields = excluded.fields';
    if (after !== undefined) this.sql.exec(put, index, seq, after);
    else this.sql.exec('DELETE FROM columns WHERE path = ? AND seq = ?', index, seq);
  }
}

/** As `compileColumns` makes it; null where the fields are too long. */
type Columns = string | null;
