/** Goes through conditions part by part: the parts that `and`, `or`, `nor` and `not` combine. */
import type { Condition, Leaf } from './conditions.ts';

/** A leaf, or a full-text search. */
export type Part = Exclude<Condition, { readonly op: 'and' | 'or' | 'nor' | 'not' }>;

/** The parts of a condition. Conditions inside `$elemMatch` ask the element, and are none. */
export function partsOf(condition: Condition): readonly Part[] {
  if ('conditions' in condition) return condition.conditions.flatMap(partsOf);
  return condition.op === 'not' ? partsOf(condition.condition) : [condition];
}

export function leavesOf(condition: Condition): readonly Leaf[] {
  return partsOf(condition).filter((part) => part.op !== 'text');
}

/** The condition with each part replaced. Conditions inside `$elemMatch` ask the element and stay as they are. */
export function mapParts(condition: Condition, replace: (part: Part) => Condition): Condition {
  switch (condition.op) {
    case 'and':
    case 'or':
    case 'nor':
      return {
        ...condition,
        conditions: condition.conditions.map((each) => mapParts(each, replace)),
      };
    case 'not':
      return { op: 'not', condition: mapParts(condition.condition, replace) };
    default:
      return replace(condition);
  }
}

export function mapLeaves(condition: Condition, replace: (leaf: Leaf) => Condition): Condition {
  return mapParts(condition, (part) => (part.op === 'text' ? part : replace(part)));
}
