/** Points of the sphere as unit vectors, and arithmetic on them. Angles are in radians. */
import type { Position } from './geometry.ts';

/** A direction from the center of the Earth. Its length is 1 where it means a place. */
export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Radius of the Earth in meters, MongoDB's (decisions: geo distances and shapes). */
export const EARTH_RADIUS = 6_378_100;

/**
 * Two places closer than this, in radians, are one: 64 nanometers on the ground. Positions as doubles are
 * rounded to about 1e-15 rad, so a place computed to lie on an edge is some such distance off it.
 */
export const SAME_PLACE = 1e-14;

/** Distances to planes below this, in radians, are rounding noise: their sign says nothing. */
export const NOISE = 1e-15;

const RADIANS = Math.PI / 180;

/** Sine of -180 to 180 degrees, exact at multiples of 90, so that the poles and the date line are single places. */
function sine(degrees: number): number {
  const size = Math.abs(degrees);
  const value =
    size <= 45
      ? Math.sin(size * RADIANS)
      : size <= 135
        ? Math.cos((90 - size) * RADIANS)
        : Math.sin((180 - size) * RADIANS);
  return degrees < 0 ? -value : value;
}

/** Cosine of an angle from -180 to 180 degrees, exact at the multiples of 90. */
function cosine(degrees: number): number {
  const size = Math.abs(degrees);
  if (size <= 45) return Math.cos(size * RADIANS);
  return size <= 135 ? Math.sin((90 - size) * RADIANS) : -Math.cos((180 - size) * RADIANS);
}

/** The unit vector of `[longitude, latitude]` in degrees; a member that is missing counts as 0. */
export function vectorOf(position: Position): Vector {
  const [longitude = 0, latitude = 0] = position;
  const away = cosine(latitude);
  return { x: away * cosine(longitude), y: away * sine(longitude), z: sine(latitude) };
}

export function dot(a: Vector, b: Vector): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

export function cross(a: Vector, b: Vector): Vector {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

export function minus(a: Vector, b: Vector): Vector {
  return { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z };
}

export function plus(a: Vector, b: Vector): Vector {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

export function scaled(a: Vector, factor: number): Vector {
  return { x: a.x * factor, y: a.y * factor, z: a.z * factor };
}

/** The unit vector of a direction; the zero vector stays. */
export function unit(a: Vector): Vector {
  const length = Math.sqrt(dot(a, a));
  return length === 0 ? a : scaled(a, 1 / length);
}

/** The squared straight-line distance, from 0 to 4: as good as the angle for comparing, and precise for near places. */
export function chordSquared(a: Vector, b: Vector): number {
  const x = a.x - b.x;
  const y = a.y - b.y;
  const z = a.z - b.z;
  return x * x + y * y + z * z;
}

/** The angle between two unit vectors, precise for near and for opposite places alike. */
export function angleBetween(a: Vector, b: Vector): number {
  const normal = cross(a, b);
  return Math.atan2(Math.sqrt(dot(normal, normal)), dot(a, b));
}

/**
 * The signed volume of the box that three unit vectors span; positive when they turn left. By differences from
 * the first, so that it stays precise for near places.
 */
export function turn(a: Vector, b: Vector, c: Vector): number {
  return dot(a, cross(minus(b, a), minus(c, a)));
}
