/**
 * Parses a value of a document or filter as a geometry (RFC 7946, section 3.1), strictly: all later questions rely on
 * it. Other members are ignored.
 */
import { LIMITS } from '../../domain/limits.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { isNumber, nearestDouble } from '../order/numbers.ts';
import type { Geometry, Position } from './geometry.ts';
import { compileShape, type Shape } from './shape.ts';
import { memberOf, isList, textAt } from '../../domain/values/tree.ts';
import { areaOf, boxOfArea, contains, standing, type Area, type RingEdge } from './area.ts';
import { boxOfEdge, boxOfPlace, BoxTree } from './boxes.ts';
import { isOn, meet, type Edge } from './edges.ts';
import { dot, plus, SAME_PLACE, type Vector } from './vectors.ts';
import { middles } from './within.ts';

type Steps = readonly (string | number)[];

/** With the number of positions that were read. */
export type ParsedGeometry = { readonly positions: number } & (
  | { readonly ok: true; readonly geometry: Geometry; readonly shape: Shape }
  | { readonly ok: false; readonly reason: string; readonly path: Steps }
);

/** A parse in progress. It replaces each flaw by a harmless value and continues; it reports the first flaw. */
interface Reading {
  positions: number;
  refusal: { readonly reason: string; readonly path: Steps } | null;
  /** Where the lines and polygons were, for flaws that only their shapes show. */
  readonly lines: Steps[];
  readonly areas: { readonly path: Steps; readonly rings: number }[];
}

function noteFault(reading: Reading, reason: string, path: Steps): void {
  reading.refusal ??= { reason, path };
}

function readDegrees(value: Value | undefined, most: number, name: string, path: Steps, reading: Reading) {
  const number = isNumber(value) ? nearestDouble(value) : undefined;
  if (number !== undefined && Math.abs(number) <= most) return number;
  noteFault(
    reading,
    number === undefined ? `the ${name} is no number` : `the ${name} is not from -${most} to ${most}`,
    path,
  );
  return 0;
}

function readList(value: Value | undefined, least: number, what: string, path: Steps, reading: Reading) {
  if (value === undefined || !isList(value)) noteFault(reading, `not an array of ${what}`, path);
  else if (value.length < least) noteFault(reading, `fewer than ${least} ${what}`, path);
  else return value;
  return [];
}

function readPosition(value: Value | undefined, path: Steps, reading: Reading): Position {
  const [longitude, latitude] = readList(value, 2, 'numbers', path, reading);
  reading.positions += 1;
  if (reading.positions > LIMITS.geometryPositions)
    noteFault(reading, `more than ${LIMITS.geometryPositions} positions`, path);
  return [
    readDegrees(longitude, 180, 'longitude', [...path, 0], reading),
    readDegrees(latitude, 90, 'latitude', [...path, 1], reading),
  ];
}

function readPositions(value: Value | undefined, least: number, path: Steps, reading: Reading): Position[] {
  return readList(value, least, 'positions', path, reading).map((item, at) =>
    readPosition(item, [...path, at], reading),
  );
}

function readLine(value: Value | undefined, path: Steps, reading: Reading): Position[] {
  reading.lines.push(path);
  return readPositions(value, 2, path, reading);
}

function readRing(value: Value, path: Steps, reading: Reading): Position[] {
  const ring = readPositions(value, 4, path, reading);
  const [first, last] = [ring[0], ring.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    noteFault(reading, 'the ring is not closed: its first and last positions differ', path);
  }
  return ring;
}

function readRings(value: Value | undefined, path: Steps, reading: Reading): Position[][] {
  const rings = readList(value, 1, 'rings', path, reading);
  reading.areas.push({ path, rings: rings.length });
  return rings.map((ring, at) => readRing(ring, [...path, at], reading));
}

/** In the place of what was refused. */
const NOTHING: Geometry = { type: 'GeometryCollection', geometries: [] };

function readCollection(fields: Fields, path: Steps, depth: number, reading: Reading): Geometry {
  if (depth > LIMITS.geometryNesting) {
    noteFault(reading, `collections nested more than ${LIMITS.geometryNesting} deep`, path);
    return NOTHING;
  }
  const here = [...path, 'geometries'];
  const members = readList(memberOf(fields, 'geometries'), 1, 'geometries', here, reading);
  const geometries = members.map((member, at) => readGeometry(member, [...here, at], depth + 1, reading));
  return { type: 'GeometryCollection', geometries };
}

function readGeometry(value: Value, path: Steps, depth: number, reading: Reading): Geometry {
  if (!isFields(value)) {
    noteFault(reading, 'a geometry is an object', path);
    return NOTHING;
  }
  const type = textAt(value, 'type') ?? '';
  const coordinates = memberOf(value, 'coordinates');
  const here = [...path, 'coordinates'];
  switch (type) {
    case 'Point':
      return { type, coordinates: readPosition(coordinates, here, reading) };
    case 'MultiPoint':
      return { type, coordinates: readPositions(coordinates, 1, here, reading) };
    case 'LineString':
      return { type, coordinates: readLine(coordinates, here, reading) };
    case 'MultiLineString': {
      const lines = readList(coordinates, 1, 'lines', here, reading);
      return { type, coordinates: lines.map((line, at) => readLine(line, [...here, at], reading)) };
    }
    case 'Polygon':
      return { type, coordinates: readRings(coordinates, here, reading) };
    case 'MultiPolygon': {
      const polygons = readList(coordinates, 1, 'polygons', here, reading);
      return { type, coordinates: polygons.map((rings, at) => readRings(rings, [...here, at], reading)) };
    }
    case 'GeometryCollection':
      return readCollection(value, path, depth, reading);
    default:
      noteFault(reading, 'the type is not one of the GeoJSON geometry types', [...path, 'type']);
      return NOTHING;
  }
}

function pathOf(flaw: Flaw, reading: Reading): Steps {
  if (flaw.part === 'lines') return reading.lines[flaw.index] ?? [];
  return [...(reading.areas[flaw.index]?.path ?? []), flaw.ring];
}

/**
 * The geometry that a value is, with its prepared form, or why it is none and where in the value. Numbers may
 * be of any kind and become plain; positions keep longitude and latitude only.
 */
export function parseGeometry(value: Value): ParsedGeometry {
  const reading: Reading = { positions: 0, refusal: null, lines: [], areas: [] };
  const geometry = readGeometry(value, [], 1, reading);
  const { positions } = reading;
  if (reading.refusal !== null) return { ok: false, positions, ...reading.refusal };
  const shape = compileShape(geometry);
  const rings = reading.areas.map((area) => area.rings);
  const flaw = flawOf(shape, rings);
  if (flaw !== null) return { ok: false, positions, reason: flaw.reason, path: pathOf(flaw, reading) };
  return { ok: true, positions, geometry, shape };
}

/** Pairs of edges compared before a polygon counts as too intricate; ordinary ones need a few for each edge. */
const COMPARISONS = 5_000_000;

/** Ends this near to opposite, in radians, leave the way between them open. */
const OPPOSITE = 1e-10;

interface Flaw {
  /** Which line or polygon of the geometry, counted in order. */
  readonly part: 'lines' | 'areas';
  readonly index: number;
  readonly ring: number;
  readonly reason: string;
}

function hasOppositeEnds(edge: Edge): boolean {
  const sum = plus(edge.a, edge.b);
  return dot(sum, sum) < OPPOSITE ** 2;
}

/** True when neighbouring edges, of which the first ends where the second starts, run over each other. */
function foldBack(first: Edge, second: Edge): boolean {
  return isOn(first, second.b, SAME_PLACE) || isOn(second, first.a, SAME_PLACE);
}

/** True when two edges of a ring share more than the corner between neighbours. */
function clash(e: RingEdge, f: RingEdge): boolean {
  if (f.index === (e.index + 1) % e.ringSize) return foldBack(e, f);
  if (e.index === (f.index + 1) % e.ringSize) return foldBack(f, e);
  return meet(e, f, SAME_PLACE);
}

type RingFlaw = Pick<Flaw, 'ring' | 'reason'>;

/** The first ring that crosses or touches itself, or the one at which the comparisons ran out. */
function tangle(boundary: BoxTree<RingEdge>): RingFlaw | null {
  let comparisons = 0;
  for (const edge of boundary.items) {
    const isTangled = boundary.some(boxOfEdge(edge), SAME_PLACE, (other) => {
      // Each pair once, and rings apart from each other.
      if (other.index <= edge.index || other.ring !== edge.ring) return false;
      comparisons += 1;
      return comparisons > COMPARISONS || clash(edge, other);
    });
    if (comparisons > COMPARISONS) return { ring: edge.ring, reason: 'the ring is too intricate to check' };
    if (isTangled) return { ring: edge.ring, reason: 'the ring crosses or touches itself' };
  }
  return null;
}

/** Every ring of a polygon as a polygon of its own. */
function ringAreas(area: Area): Area[] {
  const rings: Vector[][] = [];
  for (const { ring, a } of area.boundary.items) (rings[ring] ??= []).push(a);
  return rings.map((ring) => areaOf([ring]));
}

function isStrictlyInside(area: Area, place: Vector): boolean {
  const { inside, chord } = standing(area, place);
  return inside && chord > SAME_PLACE ** 2;
}

/** The first hole that is partly outside the outer ring or inside another hole. They may touch at places. */
function strayHole(area: Area): RingFlaw | null {
  const [outer, ...holes] = ringAreas(area);
  const alone = new BoxTree([area], boxOfArea, 1);
  const others = new BoxTree(holes, boxOfArea, 1);
  const index = holes.findIndex((hole) => {
    const isStray = (place: Vector) =>
      (outer !== undefined && !isStrictlyInside(outer, place)) ||
      others.some(boxOfPlace(place), SAME_PLACE, (other) => other !== hole && contains(other, place));
    return hole.boundary.items.some((edge) => middles(edge, alone).some(isStray));
  });
  if (index < 0) return null;
  const reason = 'the hole is not inside the outer ring, or meets another hole or ring along a line';
  return { ring: index + 1, reason };
}

function flawOfArea(area: Area, rings: number): RingFlaw | null {
  const sizes = new Map<number, number>();
  for (const edge of area.boundary.items) {
    if (hasOppositeEnds(edge))
      return { ring: edge.ring, reason: 'neighbouring positions are opposite on the sphere' };
    sizes.set(edge.ring, edge.ringSize);
  }
  for (let ring = 0; ring < rings; ring += 1) {
    if ((sizes.get(ring) ?? 0) < 3)
      return { ring, reason: 'the ring has fewer than three different positions' };
  }
  return tangle(area.boundary) ?? strayHole(area);
}

/**
 * The first thing without a meaning on the sphere in a shape, or null: rings that cross or touch themselves, holes
 * outside of their polygon, edges between opposite places. The work is bounded. `ringsOf`: rings of each polygon.
 */
function flawOf(shape: Shape, ringsOf: readonly number[]): Flaw | null {
  for (const [index, edges] of shape.lines.entries()) {
    if (edges.length === 0) {
      return { part: 'lines', index, ring: 0, reason: 'the line has fewer than two different positions' };
    }
    if (edges.some(hasOppositeEnds)) {
      return { part: 'lines', index, ring: 0, reason: 'neighbouring positions are opposite on the sphere' };
    }
  }
  for (const [index, area] of shape.areas.items.entries()) {
    const flaw = flawOfArea(area, ringsOf[index] ?? 1);
    if (flaw !== null) return { part: 'areas', index, ...flaw };
  }
  return null;
}
