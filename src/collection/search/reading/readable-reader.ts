/** The documents that a viewer may read, from the table of rights: in the order of creation, listed or counted. */
import { LIMIT, type Select } from '../../storage/sql.ts';
import type { ReadableCounts } from '../counts/readable-counts.ts';
import type { Part, Positions, Statements } from './statements.ts';

const IN_RANGE: Select = `SELECT DISTINCT rights.seq FROM json_each(?) AS asked
  CROSS JOIN rights ON rights.right = 'read' AND rights.identity = asked.value AND rights.seq > ? AND rights.seq <= ?
  ORDER BY rights.seq ${LIMIT}`;

/** Positions of the first range, for each that is wanted; and how much larger each range is than the one before. */
const RANGE = 4;
const GROWS = 4;

export class ReadableReader {
  readonly #statements: Statements;

  readonly #counts: ReadableCounts;

  constructor(statements: Statements, counts: ReadableCounts) {
    this.#statements = statements;
    this.#counts = counts;
  }

  /** The statement of positions that a viewer may read, in the order of creation. */
  page(viewer: readonly string[], { after, limit, offset }: Part): Positions {
    const ofOne = `SELECT seq FROM rights WHERE right = 'read' AND identity = ? AND seq > ? ORDER BY seq ${LIMIT}`;
    const [only, second] = viewer;
    if (only !== undefined && second === undefined) {
      return { text: `${ofOne} OFFSET ?`, parameters: [only, after, limit, offset] };
    }
    const page = this.#first(viewer, after, offset + limit).slice(offset);
    return { text: 'SELECT value AS seq FROM json_each(?)', parameters: [JSON.stringify(page)] };
  }

  /** The first positions after one. Only for a single identity the index gives them in order: of others, ranges are read. */
  #first(viewer: readonly string[], after: number, most: number): readonly number[] {
    const { last } = this.#statements
      .run<{ last: number | null }>('SELECT max(seq) AS last FROM documents')
      .one();
    const identities = JSON.stringify(viewer);
    const found: number[] = [];
    let from = after;
    for (let range = RANGE * most; from < (last ?? 0) && found.length < most; range *= GROWS) {
      const parameters = [identities, from, from + range, most - found.length];
      found.push(...this.#statements.seqs({ text: IN_RANGE, parameters }));
      from += range;
    }
    return found;
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
    return this.#counts.count(this.#statements, viewer);
  }
}
