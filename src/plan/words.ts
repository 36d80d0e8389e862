/** Full-text searches in a condition: whether there are any, and how to do without the index of words. */
import type { Condition } from '../operators/filter/conditions.ts';
import { mapParts } from '../operators/filter/map.ts';

/** True when a condition holds a full-text search: then the index of words must be there. */
export function needsWords(condition: Condition): boolean {
  switch (condition.op) {
    case 'text':
      return true;
    case 'and':
    case 'or':
    case 'nor':
      return condition.conditions.some(needsWords);
    case 'not':
      return needsWords(condition.condition);
    default:
      return false;
  }
}

/** The same condition, decided without the index of words. */
export function withoutWords(condition: Condition): Condition {
  return mapParts(condition, (part) => (part.op === 'text' ? { ...part, unindexed: true } : part));
}
