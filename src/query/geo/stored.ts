/** Values of documents as geometries; invalid ones are null. */
import { isFields, type Value } from '../../domain/values/values.ts';
import type { Cell } from './cells.ts';
import { cellOfPoint, cellsOf, roughCellsOf } from './covering.ts';
import { parseGeometry } from './parse.ts';
import type { Shape } from './shape.ts';

/** The shape of a value, or null for what is no geometry. */
export function shapeOf(value: Value | undefined): Shape | null {
  // Most values are no geometry; those that have no type need no reader to tell.
  if (value === undefined || !isFields(value) || typeof value['type'] !== 'string') return null;
  const parsed = parseGeometry(value);
  return parsed.ok ? parsed.shape : null;
}

/** The entries of an index of cells for a geometry. */
export interface ValueCells {
  readonly cells: readonly Cell[];
  readonly isPoint: boolean;
}

/** The cells of a stored value, or null for what is no geometry; found roughly when it must be cheap. */
export function cellsOfValue(value: Value | undefined, rough: boolean): ValueCells | null {
  const shape = shapeOf(value);
  if (shape === null) return null;
  const cell = cellOfPoint(shape);
  if (cell !== null) return { cells: [cell], isPoint: true };
  return { cells: rough ? roughCellsOf(shape) : cellsOf(shape), isPoint: false };
}
