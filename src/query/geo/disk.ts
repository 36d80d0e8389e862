/** Disks on the sphere: the cheapest bound for where something is. */
import { angleBetween, dot, plus, unit, type Vector } from './vectors.ts';

export interface Disk {
  readonly center: Vector;
  /** In radians; π for the whole sphere. */
  readonly radius: number;
  readonly cosine: number;
}

/** Beyond this a disk around the corners of a ring says nothing of what is inside: the ring may go round the sphere. */
const WIDEST = 1.5;

/** Widens the radius, in radians (6 meters), so that rounding never excludes anything. */
const MARGIN = 1e-6;

export function diskOf(center: Vector, radius: number): Disk {
  const wide = Math.min(radius + MARGIN, Math.PI);
  // Near 1 the cosine is too coarse to tell distances below the margin, but not by more than this.
  return { center, radius: wide, cosine: wide >= Math.PI ? -2 : Math.cos(wide) - 1e-15 };
}

/**
 * A disk that holds the places, the edges between any of them, and any polygon of at most half the sphere with
 * these corners; the whole sphere when there is no such disk.
 */
export function diskAround(places: readonly Vector[]): Disk {
  let sum: Vector = { x: 0, y: 0, z: 0 };
  for (const place of places) sum = plus(sum, place);
  const center = unit(sum);
  let radius = 0;
  for (const place of places) radius = Math.max(radius, angleBetween(center, place));
  return diskOf(center, radius < WIDEST ? radius : Math.PI);
}

export function isInDisk(disk: Disk, place: Vector): boolean {
  return dot(disk.center, place) >= disk.cosine;
}
