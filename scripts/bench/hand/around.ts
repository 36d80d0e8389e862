/** Where to look for what lies within a distance of a point, in a table with bands of latitude. Pure. */

/** Degrees. */
export type Position = readonly [longitude: number, latitude: number];

/** A part of a band: whole degrees of latitude, and longitudes from west to east. */
export type Strip = readonly [band: number, west: number, east: number];

/** Meters, as MongoDB takes it. */
export const EARTH_RADIUS = 6_378_100;

const DEGREE = Math.PI / 180;

/** A band is as high as one degree. */
export function bandOf(latitude: number): number {
  return Math.floor(latitude);
}

/** Strips that hold every position within so many meters, and others. None is in two of them. */
export function stripsAround([longitude, latitude]: Position, meters: number): readonly Strip[] {
  const angle = meters / EARTH_RADIUS;
  const south = latitude - angle / DEGREE;
  const north = latitude + angle / DEGREE;
  const spans = south <= -90 || north >= 90 ? [[-180, 180] as const] : spansOf(longitude, latitude, angle);
  const strips: Strip[] = [];
  for (let band = bandOf(Math.max(south, -90)); band <= Math.min(north, 90); band += 1) {
    for (const [west, east] of spans) strips.push([band, west, east]);
  }
  return strips;
}

/** The longitudes of a cap without a pole: two spans where it crosses the antimeridian. */
function spansOf(longitude: number, latitude: number, angle: number) {
  const half = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(latitude * DEGREE))) / DEGREE;
  const [west, east] = [longitude - half, longitude + half];
  if (west < -180) return [[west + 360, 180] as const, [-180, east] as const];
  if (east > 180) return [[west, 180] as const, [-180, east - 360] as const];
  return [[west, east] as const];
}

/** Meters on the sphere, by the haversine formula. */
export function metersBetween([fromLongitude, from]: Position, [toLongitude, to]: Position): number {
  const across = Math.sin(((toLongitude - fromLongitude) * DEGREE) / 2);
  const along = Math.sin(((to - from) * DEGREE) / 2);
  const square = along ** 2 + Math.cos(from * DEGREE) * Math.cos(to * DEGREE) * across ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(square)));
}
