/** Which fields of a document a condition looks at. */
import type { Condition } from './conditions.ts';

/** The names of the fields; null when the condition reads all fields. */
export function fieldsOfCondition(condition: Condition): ReadonlySet<string> | null {
  const fields = new Set<string>();
  return collect(condition, fields) ? fields : null;
}

/** False when the condition looks at the whole document. */
function collect(condition: Condition, into: Set<string>): boolean {
  switch (condition.op) {
    case 'and':
    case 'or':
    case 'nor':
      return condition.conditions.every((each) => collect(each, into));
    case 'not':
      return collect(condition.condition, into);
    case 'text':
      return false;
    default: {
      // Where an element is looked at, it is at the path: what is asked of it is inside.
      const [name] = condition.path;
      if (name !== undefined) into.add(name);
      return name !== undefined;
    }
  }
}

export function countTests(condition: Condition): number {
  if ('conditions' in condition) return condition.conditions.reduce((sum, each) => sum + countTests(each), 0);
  return 'condition' in condition ? countTests(condition.condition) : 1;
}

/** Whether a condition names a field for which a test holds. Full text names none. */
export function someField(condition: Condition, test: (name: string) => boolean): boolean {
  switch (condition.op) {
    case 'and':
    case 'or':
    case 'nor':
      return condition.conditions.some((each) => someField(each, test));
    case 'not':
      return someField(condition.condition, test);
    case 'text':
      return false;
    default: {
      const [name] = condition.path;
      return name !== undefined && test(name);
    }
  }
}
