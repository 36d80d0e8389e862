/** The one place where filters meet the geo module. */
import type { Value } from '../../domain/values.ts';
import type { Geometry } from '../geo/geometry.ts';
import type { Condition } from './conditions.ts';
import type { Predicate } from './walk.ts';

/** The geometry that a value is, or, as a sentence, why it is none. */
export function readGeometry(value: Value): Geometry | string {
  return `Not yet: ${JSON.stringify(value)}`;
}

/** The test of a stored value; what is no valid geometry never passes. */
export function geoTest(
  _condition: Extract<Condition, { readonly op: 'geoIntersects' | 'geoWithin' | 'near' }>,
): Predicate {
  return () => false;
}
