/** The documents that a viewer may read, from the table of rights: in the order of creation, listed or counted. */
import { LIMIT, type Select } from '../../storage/sql.ts';
import type { StatementPart, Positions, Statements } from './rows.ts';
import { ObjectCache, OVERHEAD } from '../../storage/caching/answer-cache.ts';
import type { DirtyRanges } from '../../storage/dirty-ranges.ts';

/** A viewer of more identities is counted anew each time. */
const MOST_IDENTITIES = 1_000;

/** If more parts have changed, all are counted at once. */
const MOST_PARTS = 16;

/** The numbers of readable documents by part, for positions after one, up to another. */
const BY_PART: Select = `SELECT (rights.seq - 1) / CAST(? AS INTEGER) AS part, count(DISTINCT rights.seq) AS total
  FROM json_each(?) AS asked CROSS JOIN rights
    ON rights.right = 'read' AND rights.identity = asked.value AND rights.seq > ? AND rights.seq <= ?
  GROUP BY 1 ${LIMIT}`;

/** After every position, and more than all parts. */
const END = 9e15;

interface Cached {
  readonly at: number;
  /** Ascending. */
  readonly parts: Map<number, number>;
}

/** How many documents viewers may read, cached by parts of positions: a write lets only its parts be counted again. */
export class ReadableCounts {
  readonly #dirtyRanges: DirtyRanges;
  readonly #cached = new ObjectCache<Cached>('counts', ({ parts }) => OVERHEAD * parts.size);

  constructor(dirtyRanges: DirtyRanges) {
    this.#dirtyRanges = dirtyRanges;
  }

  /** How many documents a viewer may read: one whose identities all hold rights here. */
  count(statements: Statements, viewer: readonly string[]): number {
    const dirtyRanges = this.#dirtyRanges;
    dirtyRanges.begin();
    const extent = dirtyRanges.extents.part;
    const identities = JSON.stringify(viewer);
    const cached = this.#cached.get(identities);
    const { now } = dirtyRanges;
    const parts = cached?.parts ?? new Map<number, number>();
    const take = (from: number, to: number) => {
      const rows = statements.run<{ part: number; total: number }>(
        BY_PART,
        extent,
        identities,
        from,
        to,
        END,
      );
      for (const { part, total } of rows) parts.set(part, total);
    };
    const changed = cached && dirtyRanges.changedSince('part', cached.at);
    if (changed === undefined || changed.length > MOST_PARTS) {
      parts.clear();
      take(0, END);
    } else {
      for (const part of changed) {
        parts.delete(part);
        take(part * extent, (part + 1) * extent);
      }
    }
    const ascending = new Map([...parts].sort(([one], [other]) => one - other));
    if (viewer.length <= MOST_IDENTITIES) this.#cached.set(identities, { at: now, parts: ascending });
    return [...parts.values()].reduce((sum, total) => sum + total, 0);
  }

  /**
   * The same documents, begun behind parts that hold only skipped ones, and the position up to which they are, as far
   * as the numbers of the parts are cached.
   */
  narrowed(
    viewer: readonly string[],
    { after, limit, offset }: StatementPart,
  ): StatementPart & { readonly to: number | null } {
    const cached = this.#cached.get(JSON.stringify(viewer));
    if (cached === undefined || after > 0) return { after, limit, offset, to: null };
    const { extents } = this.#dirtyRanges;
    const known = Math.min(...this.#dirtyRanges.changedSince('part', cached.at), Infinity);
    let [first, skipped, found] = [0, 0, 0];
    for (const [part, total] of cached.parts) {
      if (part >= known) break;
      found += total;
      if (found <= offset) [first, skipped] = [part + 1, found];
      else if (found >= offset + limit)
        return {
          after: first * extents.part,
          limit,
          offset: offset - skipped,
          to: (part + 1) * extents.part,
        };
    }
    return { after: first * extents.part, limit, offset: offset - skipped, to: null };
  }
}

const IN_RANGE: Select = `SELECT DISTINCT rights.seq FROM json_each(?) AS asked
  CROSS JOIN rights ON rights.right = 'read' AND rights.identity = asked.value AND rights.seq > ? AND rights.seq <= ?
  ORDER BY rights.seq ${LIMIT}`;

/** Identities whose positions, each in order, are merged: a compound SELECT of the platform has few terms. */
const MERGED = 4;
const OF_ONE: Select = `SELECT seq FROM rights WHERE right = 'read' AND identity = ? AND seq > ?`;

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
  page(viewer: readonly string[], part: StatementPart): Positions {
    const { after, limit, offset, to } = this.#counts.narrowed(viewer, part);
    if (viewer.length > 0 && viewer.length <= MERGED) {
      const [, ...others] = viewer;
      const merged: Select = `${OF_ONE}${others.map(() => ` UNION ${OF_ONE}`).join('')} ORDER BY seq ${LIMIT}`;
      const each = viewer.flatMap((identity) => [identity, after]);
      return { text: `${merged} OFFSET ?`, parameters: [...each, limit, offset] };
    }
    if (to !== null)
      return { text: `${IN_RANGE} OFFSET ?`, parameters: [JSON.stringify(viewer), after, to, limit, offset] };
    const page = this.#first(viewer, after, offset + limit).slice(offset);
    return { text: 'SELECT value AS seq FROM json_each(?)', parameters: [JSON.stringify(page)] };
  }

  /** The first positions after one, of a viewer of more identities than can be merged: ranges are read. */
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

  /** The positions that a viewer of many identities may read, ascending, if positions and rights are few; else null. */
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
