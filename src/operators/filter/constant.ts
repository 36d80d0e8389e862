/** Conditions that hold for every document, or for none, by their form. */
import { encodeText } from '../../domain/values/codec.ts';
import type { Condition } from './conditions.ts';

/** True where each document meets it, false where none does; null where the documents decide. */
export function constantOf(condition: Condition): boolean | null {
  switch (condition.op) {
    case 'and':
      return every(condition.conditions);
    case 'or':
      return negated(every(condition.conditions, true));
    case 'not':
      return negated(constantOf(condition.condition));
    case 'in':
      return condition.values.length + condition.patterns.length === 0 ? false : null;
    default:
      return null;
  }
}

/** Whether all hold; or where `negates`, none of them. */
function every(conditions: readonly Condition[], negates = false): boolean | null {
  const known = conditions.map((each) => (negates ? negated(constantOf(each)) : constantOf(each)));
  if (known.includes(false) || contradict(conditions)) return false;
  return known.includes(null) ? null : true;
}

/** Whether two of them say the opposite of each other. */
function contradict(conditions: readonly Condition[]): boolean {
  const texts = new Set(conditions.map((each) => encodeText(each)));
  return conditions.some((each) => each.op === 'not' && texts.has(encodeText(each.condition)));
}

function negated(known: boolean | null): boolean | null {
  return known === null ? null : !known;
}
