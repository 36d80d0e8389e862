/** Which fields of a document a condition looks at. */
import type { Condition } from './conditions.ts';
import { leavesOf, partsOf } from './map.ts';

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
