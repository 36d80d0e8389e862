/** Goes through conditions part by part: the parts that `and`, `or` and `not` combine. */
import type { Condition, Leaf } from './conditions.ts';

/** A leaf, or a full-text search. */
export type FilterPart = Exclude<Condition, { readonly op: 'and' | 'or' | 'not' }>;

/** The parts of a condition. Conditions inside `$elemMatch` ask the element, and are none. */
export function partsOf(condition: Condition): readonly FilterPart[] {
  if ('conditions' in condition) return condition.conditions.flatMap(partsOf);
  return condition.op === 'not' ? partsOf(condition.condition) : [condition];
}

export function leavesOf(condition: Condition): readonly Leaf[] {
  return partsOf(condition).filter((part) => part.op !== 'text');
}

/** The condition with each part replaced. Conditions inside `$elemMatch` ask the element and stay as they are. */
export function mapParts(condition: Condition, replace: (part: FilterPart) => Condition): Condition {
  switch (condition.op) {
    case 'and':
    case 'or':
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

/** The names of the fields; null when the condition reads all fields. */
export function fieldsOfCondition(condition: Condition): ReadonlySet<string> | null {
  // Where an element is looked at, it is at the path: what is asked of it is inside.
  const names = partsOf(condition).map((part) => (part.op === 'text' ? undefined : part.path[0]));
  return names.every((name) => name !== undefined) ? new Set(names) : null;
}

export function countTests(condition: Condition): number {
  if ('conditions' in condition) return condition.conditions.reduce((sum, each) => sum + countTests(each), 0);
  return 'condition' in condition ? countTests(condition.condition) : 1;
}

/** Whether a condition names a field for which a test holds. Full text names none. */
export function someField(condition: Condition, test: (name: string) => boolean): boolean {
  return leavesOf(condition).some(({ path: [name] }) => name !== undefined && test(name));
}
