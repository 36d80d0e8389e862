/** `$geoIntersects`, `$geoWithin`, `$near`, `$nearSphere`: shapes on the sphere, distances in meters. */
import { hintOf, shownName } from '../../domain/names.ts';
import { isParsedObject, memberAt, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import type { Geometry } from '../../query/geo/geometry.ts';
import { parseGeometry } from '../../query/geo/parse.ts';
import { intersects } from '../../query/geo/relations.ts';
import { compileShape, type Shape } from '../../query/geo/shape.ts';
import { shapeOf } from '../../query/geo/stored.ts';
import { within } from '../../query/geo/within.ts';
import { isNumber, numberKey } from '../../query/order/numbers.ts';
import { compileWalk } from '../../query/walk.ts';
import { cellsAsked, testGeometry } from './geometries.ts';
import type { LeafOperator } from './operator.ts';
import {
  allOf,
  claim,
  refuseCondition,
  valueOf,
  type FieldOperator,
  type OperatorClause,
  type Scope,
} from '../filter/scope.ts';

const DISTANCES = ['$minDistance', '$maxDistance'] as const;
type DistanceName = (typeof DISTANCES)[number];

/** The geometry of `{$geometry: ...}`, of one of the allowed types. It reports faults. */
function geometryOf(operand: OperatorClause, allowed: readonly Geometry['type'][] | null): Geometry | null {
  const { json, name, scope } = operand;
  const shape = memberAt(json, '$geometry');
  if (shape === undefined) {
    refuseCondition(operand, `${name} takes an object with $geometry.`);
    return null;
  }
  const place = inside(operand.place, '$geometry');
  const read = parseGeometry(valueOf(shape, place, scope));
  if (!read.ok) {
    scope.report(read.path.reduce<Place>(inside, place), `The geometry is not valid: ${read.reason}.`);
    return null;
  }
  const { type } = read.geometry;
  if (allowed !== null && !allowed.includes(type)) {
    scope.report(place, `${name} takes a geometry of type ${allowed.join(' or ')}, not ${type}.`);
    return null;
  }
  return read.geometry;
}

/** Tells of members that are not among those known. */
function checkMembers(
  json: Parsed,
  known: readonly string[],
  place: Place,
  name: string,
  scope: Scope,
): void {
  if (!isParsedObject(json)) return;
  for (const member of Object.keys(json)) {
    if (known.includes(member)) continue;
    scope.report(
      inside(place, member),
      () => `${name} does not know ${shownName(member)}.${hintOf(member, known)}`,
    );
  }
}

function shapeOperator(
  op: 'geoIntersects' | 'geoWithin',
  allowed: readonly Geometry['type'][] | null,
): FieldOperator {
  return (operand) => {
    checkMembers(operand.json, ['$geometry'], operand.place, operand.name, operand.scope);
    const geometry = geometryOf(operand, allowed);
    return geometry === null ? allOf([]) : { op, path: operand.path, geometry };
  };
}

const near: FieldOperator = (operand) => {
  const { json, name, path, place, scope, siblings } = operand;
  if (scope.within !== 'filter') {
    return refuseCondition(
      operand,
      `${name} orders the whole answer: it cannot stand in $or, $nor, $not or $elemMatch.`,
    );
  }
  const stranger = Object.keys(siblings).find((each) => each !== name && !isDistance(each));
  if (stranger !== undefined)
    return refuseCondition(
      operand,
      `${name} stands alone: ${shownName(stranger)} needs an expression of its own.`,
    );
  if (!claim(operand, '$near or $nearSphere')) return allOf([]);
  checkMembers(json, ['$geometry', ...DISTANCES], place, name, scope);
  const geometry = geometryOf(operand, ['Point']);
  const [minDistance, maxDistance] = DISTANCES.map((each) => distanceOf(each, operand));
  if (geometry === null) return allOf([]);
  return { op: 'near', path, geometry, minDistance: minDistance ?? null, maxDistance: maxDistance ?? null };
};

function isDistance(name: string): name is DistanceName {
  return name === '$minDistance' || name === '$maxDistance';
}

/** A distance in meters, beside `$geometry` or beside the operator; null when there is none. */
function distanceOf(name: DistanceName, { json, place, siblings, scope }: OperatorClause): number | null {
  const found = [
    distanceIn(json, place, name, scope),
    distanceIn(siblings, place === null ? null : place.parent, name, scope),
  ].filter((each) => each !== null);
  if (found.length > 1) scope.report(place, `${name} is given twice.`);
  return found[0] ?? null;
}

function distanceIn(
  json: Parsed | ParsedObject,
  place: Place,
  name: DistanceName,
  scope: Scope,
): number | null {
  const given = memberAt(json, name);
  if (given === undefined) return null;
  const at = inside(place, name);
  const value = valueOf(given, at, scope);
  const meters = isNumber(value) ? Number(numberKey(value)) : -1;
  if (meters >= 0 && meters < Infinity) return meters;
  scope.report(at, `${name} takes a number of meters that is not negative.`);
  return null;
}

/** Read with its `$near`; alone it means nothing. */
const distance: FieldOperator = (operand) => {
  const { siblings, name } = operand;
  const needed = Object.hasOwn(siblings, '$near') || Object.hasOwn(siblings, '$nearSphere');
  return needed ? allOf([]) : refuseCondition(operand, `${name} needs a $near or $nearSphere.`);
};

export const GEO: Readonly<Record<string, FieldOperator>> = {
  $geoIntersects: shapeOperator('geoIntersects', null),
  $geoWithin: shapeOperator('geoWithin', ['Polygon', 'MultiPolygon']),
  $near: near,
  $nearSphere: near,
  $minDistance: distance,
  $maxDistance: distance,
};

/** The test of a stored value; what is no valid geometry never passes (decisions, section 2). */
function shapes(
  holds: (stored: Shape, operand: Shape) => boolean,
): LeafOperator<'geoIntersects' | 'geoWithin'> {
  return {
    matches: (leaf, path, { looked }) => {
      const operand = compileShape(leaf.geometry);
      return compileWalk(
        path,
        'items and array',
        (value) => {
          const shape = shapeOf(value, looked);
          return shape !== null && holds(shape, operand);
        },
        looked,
      );
    },
    index: cellsAsked,
    body: (_leaf, path) => testGeometry(path),
  };
}

export const geoIntersects = shapes(intersects);
export const geoWithin = shapes(within);
