/**
 * The entries of an index of cells for a document: the cells of each geometry that a filter's walk over the path sees.
 */
import type { Fields } from '../../domain/values/values.ts';
import { cellsOfValue } from '../geo/stored.ts';
import { compileWalk } from '../walk.ts';
import { coarseness, parentOf, type Cell } from '../geo/cells.ts';

export interface CellEntries {
  /** Each once; none when the document has no geometry at the path. */
  readonly cells: readonly Cell[];
  /** True when one Point is all the document has at the path: then its cell tells where it is. */
  readonly alone: boolean;
  /** The work of finding them, in about the time of reading a unit of text. */
  readonly cost: number;
}

/** The most cells of one document: each is a row. */
const MOST_CELLS = 256;

/** Geometries of a document, other than Points, whose cells are found well; each takes half a millisecond. */
const FOUND_WELL = 32;

/** The `cost` of a Point, and of another geometry. */
const POINT_COST = 20;
const SHAPE_COST = 5_000;

/** The prefix before the name of a path. No field begins with it, so no index on values has such a name. */
const PREFIX = '$cells.';

export function nameOfCells(path: readonly string[]): string {
  return PREFIX + path.join('.');
}

/** The path of an index of cells, or undefined for the name of another index. */
export function pathOfCells(name: string): readonly string[] | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('.') : undefined;
}

/** An index and the matcher see the same values, because both walk the same way. */
export function compileCells(path: readonly string[]): (document: Fields) => CellEntries {
  let cells = new Set<Cell>();
  const seen = { points: 0, shapes: 0 };
  const walk = compileWalk(path, 'items and array', (value) => {
    const found = cellsOfValue(value, seen.shapes >= FOUND_WELL);
    if (found === null) return false;
    for (const cell of found.cells) cells.add(cell);
    seen[found.isPoint ? 'points' : 'shapes'] += 1;
    return false;
  });
  return (document) => {
    cells = new Set();
    Object.assign(seen, { points: 0, shapes: 0 });
    walk(document);
    return {
      cells: coarsened(cells),
      alone: seen.points === 1 && seen.shapes === 0,
      cost: seen.points * POINT_COST + seen.shapes * SHAPE_COST,
    };
  };
}

/** At most `MOST_CELLS` that hold the same: the finest give way to those they are in, level by level. */
function coarsened(cells: ReadonlySet<Cell>): readonly Cell[] {
  let kept = cells;
  for (let level = 0; kept.size > MOST_CELLS; level += 1) {
    kept = new Set([...kept].map((cell) => (coarseness(cell) > level ? cell : (parentOf(cell) ?? cell))));
  }
  return [...kept];
}
