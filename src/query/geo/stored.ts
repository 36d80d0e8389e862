/** Values of documents as geometries; invalid ones are null. */
import { LIMITS } from '../../domain/limits.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import type { Counter } from '../walk.ts';
import { cellOfPoint, cellsOf, roughCellsOf } from './covering.ts';
import { parseGeometry } from './parse.ts';
import type { Shape } from './shape.ts';

/** A position takes as long as this number of items of an array. */
const ITEMS = 10;

/** Positions of geometries whose shapes are cached, for the other tests of a document: a few hundred bytes each. */
const MOST_CACHED = 2 * LIMITS.geometryPositions;
let shapes = new WeakMap<object, Shape | null>();
let cached = 0;

/** The shape of a value, or null for what is no geometry. `looked` counts what it takes to make it. */
export function shapeOf(value: Value | undefined, looked: Counter | null = null): Shape | null {
  // Most values are no geometry; those that have no type need no reader to tell.
  if (value === undefined || !isFields(value) || typeof value['type'] !== 'string') return null;
  const known = shapes.get(value);
  if (known !== undefined) return known;
  const parsed = parseGeometry(value);
  const { positions } = parsed;
  cached += positions;
  if (cached > MOST_CACHED) {
    shapes = new WeakMap();
    cached = positions;
  }
  const shape = parsed.ok ? parsed.shape : null;
  shapes.set(value, shape);
  return looked?.spend(positions * ITEMS) === false ? null : shape;
}

/** The cells of a stored value, or null for what is no geometry; found roughly when it must be cheap. */
export function cellsOfValue(value: Value | undefined, rough: boolean) {
  const shape = shapeOf(value);
  if (shape === null) return null;
  const cell = cellOfPoint(shape);
  if (cell !== null) return { cells: [cell], isPoint: true };
  return { cells: rough ? roughCellsOf(shape) : cellsOf(shape), isPoint: false };
}
