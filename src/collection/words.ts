/**
 * The index of words (SQLite's FTS5) for full-text search: built when the first search needs it, in steps that let
 * other requests in between, and from then on kept by every write.
 */
import { decodeFields } from '../domain/codec.ts';
import { indexContent } from '../query/text/search.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from './steps.ts';
import type { Positioned, Reader, StoredDocument } from './records.ts';

export class WordIndex {
  readonly #sql: SqlStorage;
  /** The documents up to this position are indexed; undefined before the index was ever asked for. */
  #built: number | undefined;
  #complete = false;
  #building: Promise<void> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** To be called once there are tables. */
  load(): void {
    const [row] = this.#sql
      .exec<{ built: number; complete: number }>(`SELECT built, complete FROM indexes WHERE name = 'words'`)
      .toArray();
    this.#built = row?.built;
    this.#complete = row?.complete === 1;
  }

  /** Resolves when the index covers every document. `transaction` runs a step whole or not at all. */
  async ensure(
    records: Reader,
    transaction: (step: () => void) => void,
    pause: () => Promise<void>,
  ): Promise<void> {
    if (this.#complete) return;
    this.#building ??= this.#build(records, transaction, pause).finally(() => {
      this.#building = null;
    });
    await this.#building;
  }

  /** After a document was written at this position, inside the write's transaction. */
  put(seq: number, { body }: Pick<StoredDocument, 'body'>, isNew: boolean): void {
    if (!this.#covers(seq)) return;
    if (!isNew) this.remove(seq);
    this.#sql.exec('INSERT INTO words (rowid, content) VALUES (?, ?)', seq, indexContent(decodeFields(body)));
  }

  /** After the document at this position was deleted, inside the write's transaction. */
  remove(seq: number): void {
    if (this.#covers(seq)) this.#sql.exec('DELETE FROM words WHERE rowid = ?', seq);
  }

  /** Documents beyond what is built come to their turn with the building. */
  #covers(seq: number): boolean {
    return this.#complete || (this.#built !== undefined && seq <= this.#built);
  }

  async #build(
    records: Reader,
    transaction: (step: () => void) => void,
    pause: () => Promise<void>,
  ): Promise<void> {
    while (!this.#complete) {
      transaction(() => {
        this.#step(records);
      });
      await pause();
    }
  }

  #step(records: Reader): void {
    if (this.#built === undefined) this.#create();
    const step: Positioned[] = [];
    let units = 0;
    for (const document of records.after(this.#built ?? 0, { text: 'TRUE', parameters: [] })) {
      step.push(document);
      units += document.body.length;
      if (step.length === STEP_DOCUMENTS || units > STEP_UNITS) break;
    }
    for (const { seq, body } of step) {
      this.#sql.exec(
        'INSERT INTO words (rowid, content) VALUES (?, ?)',
        seq,
        indexContent(decodeFields(body)),
      );
    }
    const last = step.at(-1);
    this.#built = last?.seq ?? this.#built ?? 0;
    this.#complete = last === undefined;
    this.#sql.exec(
      `UPDATE indexes SET built = ?, complete = ? WHERE name = 'words'`,
      this.#built,
      this.#complete ? 1 : 0,
    );
  }

  #create(): void {
    this.#sql.exec(
      `CREATE VIRTUAL TABLE words USING fts5(content, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    );
    this.#sql.exec(`INSERT INTO indexes VALUES ('words', 0, 0)`);
    this.#built = 0;
  }
}
