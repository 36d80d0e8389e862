/** The documents that a viewer may read, from the table of rights: in the order of creation, listed or counted. */
import { LIMIT } from '../storage/sql.ts';
import type { Part, Positions, Statements } from './statements.ts';

export class ReadableReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The statement of positions that a viewer may read, in the order of creation. */
  page(viewer: readonly string[], { after, limit, offset }: Part): Positions {
    const ofOne = `SELECT seq FROM rights WHERE right = 'read' AND identity = ? AND seq > ? ORDER BY seq ${LIMIT}`;
    const [only, second] = viewer;
    if (only !== undefined && second === undefined) {
      return { text: `${ofOne} OFFSET ?`, parameters: [only, after, limit, offset] };
    }
    // For a single identity the index gives them in order, without reading all of them.
    const seqs = viewer.flatMap((identity) =>
      this.#statements.seqs({ text: ofOne, parameters: [identity, after, offset + limit] }),
    );
    const page = [...new Set(seqs)].sort((one, other) => one - other).slice(offset, offset + limit);
    return { text: 'SELECT value AS seq FROM json_each(?)', parameters: [JSON.stringify(page)] };
  }

  /**
   * The positions that a viewer of many identities may read, ascending, if both positions and rights are few; else
   * null.
   */
  few(viewer: readonly string[], most: number): readonly number[] | null {
    const rows = this.#statements
      .run(
        `SELECT seq FROM rights WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?)) ${LIMIT}`,
        JSON.stringify(viewer),
        most + 1,
      )
      .raw();
    const seqs = Array.from(rows, ([seq]) => Number(seq));
    return seqs.length > most ? null : [...new Set(seqs)].sort((one, other) => one - other);
  }

  /** How many documents a viewer may read. */
  count(viewer: readonly string[]): number {
    const counts = viewer.map((identity) => ({
      identity,
      total: this.#statements
        .run<{ total: number }>(
          `SELECT count(*) AS total FROM rights WHERE right = 'read' AND identity = ?`,
          identity,
        )
        .one().total,
    }));
    const readers = counts.filter(({ total }) => total > 0);
    const [only, second] = readers;
    if (second === undefined) return only?.total ?? 0;
    return this.#statements
      .run<{ total: number }>(
        `SELECT count(DISTINCT seq) AS total FROM rights
       WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?))`,
        JSON.stringify(readers.map(({ identity }) => identity)),
      )
      .one().total;
  }
}
