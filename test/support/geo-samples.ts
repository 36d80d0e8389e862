/** Random places and figures for property tests of geometry, and how such a test is run. */
import fc from './fast-check.ts';
import type { Position } from '../../src/query/geo/geometry.ts';
import * as oracle from './geo-oracle.ts';

/** Nearer than this to a boundary, in radians, either answer is right. */
export const CLOSE = 1e-9;

/** Any part of the range as likely as another, which doubles by their bits are not. */
export const between = (min: number, max: number) =>
  fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((step) => min + ((max - min) * step) / (2 ** 31 - 1));
export const degrees = (most: number) => between(-most, most);
const anywhere = fc.tuple(degrees(180), degrees(90));
/** As likely near a pole or the date line as anywhere. */
export const place: fc.Arbitrary<Position> = fc.oneof(
  anywhere,
  fc.tuple(degrees(180), between(0, 5)).map(([l, p]) => [l, 90 - p]),
  fc.tuple(degrees(180), between(0, 5)).map(([l, p]) => [l, p - 90]),
  fc.tuple(between(175, 185), degrees(80)).map(([l, p]) => [l > 180 ? l - 360 : l, p]),
  fc
    .tuple(fc.integer({ min: -18, max: 18 }), fc.integer({ min: -9, max: 9 }))
    .map(([l, p]) => [l * 10, p * 10]),
);
/** From a millionth of a radian to a radian, every size as likely as the next. */
export const radius = between(-6, 0).map((power) => 10 ** power);
const share = between(0.3, 1);
export const shares = fc.array(share, { minLength: 5, maxLength: 24 });
export const star = fc
  .tuple(place, radius, shares, degrees(Math.PI))
  .map(([center, far, corners, turned]) => oracle.star(center, far, corners, turned));

/** The same cases every time, so that a failure is not a matter of luck. */
export function check<Ts extends [unknown, ...unknown[]]>(numRuns: number, property: fc.IProperty<Ts>) {
  fc.assert(property, { numRuns, seed: 20_260_101 });
}
