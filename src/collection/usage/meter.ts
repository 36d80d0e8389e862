/** The object's SQLite database, counting the rows that statements read and write, as the platform counts them. */
type Row = Record<string, SqlStorageValue>;

/** Cursors whose counts are added up together: asking each costs more than the statement's own share. */
const TOGETHER = 16;

export class Meter implements SqlStorage {
  readonly Cursor: SqlStorage['Cursor'];
  readonly Statement: SqlStorage['Statement'];
  readonly #sql: SqlStorage;
  readonly #cursors: SqlStorageCursor<Row>[] = [];
  #rowsRead = 0;
  #rowsWritten = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.Cursor = sql.Cursor;
    this.Statement = sql.Statement;
  }

  exec<T extends Row>(query: string, ...bindings: unknown[]): SqlStorageCursor<T> {
    // A cursor counts until it has given its last row.
    if (this.#cursors.length >= TOGETHER) this.#addUp();
    const cursor = this.#sql.exec<T>(query, ...bindings);
    this.#cursors.push(cursor);
    return cursor;
  }

  get databaseSize(): number {
    return this.#sql.databaseSize;
  }

  /** Rows since the object is in memory. */
  get rows(): { readonly read: number; readonly written: number } {
    this.#addUp();
    return { read: this.#rowsRead, written: this.#rowsWritten };
  }

  /** All of them, without those of the last few cursors. */
  get summed(): number {
    return this.#rowsRead + this.#rowsWritten;
  }

  #addUp(): void {
    for (const { rowsRead, rowsWritten } of this.#cursors) {
      this.#rowsRead += rowsRead;
      this.#rowsWritten += rowsWritten;
    }
    this.#cursors.length = 0;
  }
}
