/**
 * How many documents viewers may read, cached by parts of positions: after a write, only the parts that it has changed are
 * counted again.
 */
import { ObjectCache, OVERHEAD } from '../../storage/caching/cache-budgets.ts';
import type { Marks } from '../../storage/marks.ts';
import { LIMIT, type Select } from '../../storage/sql.ts';
import type { Statements } from '../reading/statements.ts';

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
  readonly parts: Map<number, number>;
}

export class ReadableCounts {
  readonly #marks: Marks;
  readonly #cached = new ObjectCache<Cached>('counts', ({ parts }) => OVERHEAD * parts.size);

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  /** How many documents a viewer may read: one whose identities all hold rights here. */
  count(statements: Statements, viewer: readonly string[]): number {
    const marks = this.#marks;
    marks.begin();
    const extent = marks.extents.part;
    const identities = JSON.stringify(viewer);
    const cached = this.#cached.get(identities);
    const { now } = marks;
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
    const changed = cached && marks.changedSince('part', cached.at);
    if (changed === undefined || changed.length > MOST_PARTS) {
      parts.clear();
      take(0, END);
    } else {
      for (const part of changed) {
        parts.delete(part);
        take(part * extent, (part + 1) * extent);
      }
    }
    if (viewer.length <= MOST_IDENTITIES) this.#cached.set(identities, { at: now, parts });
    return [...parts.values()].reduce((sum, total) => sum + total, 0);
  }
}
