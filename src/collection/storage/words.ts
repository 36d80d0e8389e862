/**
 * The index of words (SQLite's FTS5) for full-text search: built when the first search needs it, in steps between which
 * other requests run, and from then on updated by every write.
 */
import { decodeFields } from '../../domain/values/codec.ts';
import { memberOf } from '../../domain/values/tree.ts';
import type { Fields } from '../../domain/values/values.ts';
import { FORMER_WORDS_TABLES, indexContent, WORDS_TABLE } from '../../query/text/search.ts';
import { WRITE_STEP_DOCUMENTS, WRITE_STEP_UNITS } from './steps.ts';
import type { DocumentReader } from './documents/documents.ts';
import { shareBuilt, type IndexUsage } from '../rpc/maintenance/usage.ts';
import type { Touched } from './touched.ts';
import { Table } from './sql.ts';

const INSERT_WORDS = `INSERT INTO ${WORDS_TABLE} (rowid, content) VALUES (?, ?)`;

const DELETE_WORDS = `DELETE FROM ${WORDS_TABLE} WHERE rowid = ?`;

export class WordIndex extends Table {
  readonly #touched: Touched;
  /** The documents up to this position are indexed; undefined before the first use of the index. */
  #built: number | undefined;
  #complete = false;

  constructor(sql: SqlStorage, touched: Touched) {
    super(sql);
    this.#touched = touched;
  }

  /** To be called once there are tables. */
  load(): void {
    const known = 'SELECT built, complete FROM indexes WHERE name = ?';
    const [row] = this.sql.exec<{ built: number; complete: number }>(known, WORDS_TABLE).toArray();
    this.#built = row?.built;
    this.#complete = row?.complete === 1;
  }

  /** Whether it covers every document. */
  get complete(): boolean {
    return this.#complete;
  }

  /** How far it is built, as of the indexes of paths: `last` is the position of the last document. */
  usage(last: number): readonly IndexUsage[] {
    if (this.#built === undefined) return [];
    return [{ path: '$text', built: shareBuilt(this.#complete, this.#built, last) }];
  }

  /**
   * To be called after a change of the document at a position, inside the write's transaction; null: no
   * document before or after.
   */
  change(type: string, seq: number, before: Fields | null, after: Fields | null): void {
    if (!this.covers(seq)) return;
    if (before !== null && after !== null && haveSameWords(type, before, after)) return;
    const has = after && indexContent({ ...after, type });
    this.#touched.words(has?.length ?? 0);
    if (before !== null) this.sql.exec(DELETE_WORDS, seq);
    if (has !== null) this.sql.exec(INSERT_WORDS, seq, has);
  }

  /** Whether it holds the document at a position: the build reaches documents beyond the built part later. */
  covers(seq: number): boolean {
    return this.#complete || (this.#built !== undefined && seq <= this.#built);
  }

  /** Indexes some more documents, inside a transaction; whether there may be more. If that is undone, `load` anew. */
  step(type: string, records: DocumentReader): boolean {
    if (this.#built === undefined) this.#create();
    const step = records.next(this.#built ?? 0, WRITE_STEP_DOCUMENTS, WRITE_STEP_UNITS);
    for (const { seq, body } of step) {
      this.sql.exec(INSERT_WORDS, seq, indexContent({ ...decodeFields(body), type }));
    }
    const last = step.at(-1);
    this.#built = last?.seq ?? this.#built ?? 0;
    this.#complete = last === undefined;
    const noted = 'UPDATE indexes SET built = ?, complete = ? WHERE name = ?';
    this.sql.exec(noted, this.#built, Number(this.#complete), WORDS_TABLE);
    return !this.#complete;
  }

  #create(): void {
    for (const former of FORMER_WORDS_TABLES) {
      this.sql.exec(`DROP TABLE IF EXISTS ${former}`);
      this.sql.exec('DELETE FROM indexes WHERE name = ?', former);
    }
    const columns = "content, content = '', contentless_delete = 1, tokenize = 'ascii'";
    this.sql.exec(`CREATE VIRTUAL TABLE ${WORDS_TABLE} USING fts5(${columns})`);
    this.sql.exec('INSERT INTO indexes VALUES (?, 0, 0)', WORDS_TABLE);
    this.#built = 0;
  }
}

/** Whether a document has the same words after a change. Most changes leave most strings as they are. */
function haveSameWords(type: string, before: Fields, after: Fields): boolean {
  const [had, has] = [apart(before, after), apart(after, before)];
  return indexContent({ ...had, type }) === indexContent({ ...has, type });
}

/** The fields of a document that are not the same string in the other. */
function apart(document: Fields, other: Fields): Fields {
  const entries = Object.entries(document);
  return Object.fromEntries(
    entries.filter(([name, value]) => typeof value !== 'string' || memberOf(other, name) !== value),
  );
}
