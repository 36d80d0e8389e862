/** The operators on paths by their names in the tree. Add a new one here. */
import { bound, equality } from './comparison.ts';
import type { Leaf, LeafName } from '../filter/conditions.ts';
import { elemMatch } from './element-match.ts';
import { exists } from './exists.ts';
import { geoIntersects, geoWithin } from './geo.ts';
import { among } from './membership.ts';
import { mod } from './mod.ts';
import { near } from './near.ts';
import type { LeafOperator } from './operator.ts';
import { regex } from './regex.ts';
import { size } from './size.ts';
import { type } from './type.ts';

const OPERATORS: { readonly [Op in LeafName]: LeafOperator<Op> } = {
  eq: equality,
  gt: bound('gt'),
  gte: bound('gte'),
  lt: bound('lt'),
  lte: bound('lte'),
  in: among,
  exists,
  type,
  mod,
  size,
  regex,
  elemMatch,
  geoIntersects,
  geoWithin,
  near,
};

export const LEAF_NAMES = Object.keys(OPERATORS) as LeafName[];

/** The operator that a leaf of the tree asks for. */
export function operatorOf<Op extends LeafName>(leaf: Leaf<Op>): LeafOperator<Op> {
  return OPERATORS[leaf.op];
}
