/**
 * Which types the links of each relationship lead to: a few pairs of names, so that a condition on linked documents
 * knows which collections to ask. The first question gathers them from the documents, every later write adds to them. A
 * pair stays when its last link goes: a type too many costs a question, and finds nothing.
 */
import { SingleFlight } from '../../../domain/work/single-flight.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from '../steps.ts';
import type { LinkedTypes } from '../../rpc/related.ts';
import type { DocumentReader } from '../documents/documents.ts';
import { Table } from '../sql.ts';

/** The row of `indexes` that says that the table covers every document. */
const INDEX = 'link_types';

/** The pairs of the documents between two positions: a relationship is an object, or an array of objects. */
const PAIRS = `SELECT DISTINCT name.value AS name, link.value ->> '$.type' AS type
  FROM documents CROSS JOIN json_each(documents.relationships) AS name
  CROSS JOIN json_each(documents.body) AS field ON field.key = name.value
  CROSS JOIN json_each(CASE field.type WHEN 'object' THEN json_array(json(field.value))
    WHEN 'array' THEN json(field.value) ELSE '[]' END) AS link
  WHERE documents.seq > ? AND documents.seq <= ? AND documents.relationships IS NOT NULL`;

type Pair = { name: string; type: string };

export class LinkTypes extends Table {
  /** Types by relationship; null before they are first asked for. Pairs of writes that were undone do no harm here. */
  #types: Map<string, Set<string>> | null = null;
  /** Whether all of them are in the table. */
  #stored = false;
  readonly #gathering = new SingleFlight<void>();

  /** To be called once there are tables, and after writes were undone: then pairs in memory may not be stored. */
  load(): void {
    this.#stored = this.finds('SELECT 1 FROM indexes WHERE name = ? AND complete = 1', INDEX);
    if (!this.#stored) return;
    this.#types = new Map();
    for (const pair of this.sql.exec<Pair>('SELECT name, type FROM link_types')) this.#add(pair);
  }

  /** The types that the links of some relationships lead to; undefined before they were gathered. */
  of(names: readonly string[]): readonly LinkedTypes[] | undefined {
    const types = this.#types;
    if (types === null || this.#gathering.isRunning) return undefined;
    return names.flatMap((name) => {
      const of = types.get(name);
      return of === undefined ? [] : [{ name, types: [...of].sort() }];
    });
  }

  /** To be called after a document with relationships was written, inside the write's transaction. */
  note(seq: number): void {
    if (this.#types === null) return;
    for (const pair of this.sql.exec<Pair>(PAIRS, seq - 1, seq).toArray()) {
      if (this.#add(pair) && this.#stored) this.#insert(pair);
    }
  }

  /**
   * Gathers the types from all documents, in steps between which other requests run. `store` runs the last step, which
   * writes them, if there is room for it; without it they are only in memory.
   */
  async gather(
    records: Pick<DocumentReader, 'reach'>,
    pause: () => Promise<void>,
    store: (write: () => void) => Promise<void>,
  ): Promise<void> {
    if (this.#types !== null && !this.#gathering.isRunning) return;
    await this.#gathering.join(() =>
      this.#gather(records, pause, store).catch((error: unknown) => {
        // What was gathered of a part would be taken for the whole.
        this.#types = null;
        throw error;
      }),
    );
  }

  async #gather(
    records: Pick<DocumentReader, 'reach'>,
    pause: () => Promise<void>,
    store: (write: () => void) => Promise<void>,
  ): Promise<void> {
    this.#types = new Map();
    let from = 0;
    for (;;) {
      const to = records.reach(from, STEP_DOCUMENTS, STEP_UNITS);
      if (to === undefined) break;
      for (const pair of this.sql.exec<Pair>(PAIRS, from, to).toArray()) this.#add(pair);
      from = to;
      await pause();
    }
    await store(() => {
      for (const [name, types] of this.#types ?? []) for (const type of types) this.#insert({ name, type });
      this.sql.exec('INSERT OR REPLACE INTO indexes VALUES (?, 0, 1)', INDEX);
      this.#stored = true;
    });
  }

  #insert({ name, type }: Pair): void {
    this.sql.exec('INSERT OR IGNORE INTO link_types VALUES (?, ?)', name, type);
  }

  /** True for a pair that was not known. */
  #add({ name, type }: Pair): boolean {
    const types = this.#types?.get(name) ?? new Set<string>();
    if (types.has(type)) return false;
    this.#types?.set(name, types.add(type));
    return true;
  }
}
