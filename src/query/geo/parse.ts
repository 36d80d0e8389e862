/**
 * Parses a value of a document or filter as a geometry (RFC 7946, section 3.1), strictly: all later questions rely on
 * it. Other members are ignored.
 */
import { LIMITS } from '../../domain/limits.ts';
import { Decimal, Double, isFields, Long, type Fields, type Value } from '../../domain/values/values.ts';
import type { Geometry, Position } from './geometry.ts';
import { compileShape, type Shape } from './shape.ts';
import { flawOf, type Flaw } from './validity.ts';
import { memberOf, isList, textAt } from '../../domain/values/tree.ts';

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

function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Long) return Number(value.value);
  return value instanceof Decimal ? Number(value.text) : undefined;
}

function readDegrees(value: Value | undefined, most: number, name: string, path: Steps, reading: Reading) {
  const number = numberOf(value);
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
