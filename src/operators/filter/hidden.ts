/** Conditions as they are on documents without some of their fields: what must not be seen is missing. */
import type { Fields } from '../../domain/values.ts';
import { EVERYTHING, type Condition } from './conditions.ts';
import { compileMatcher } from './match.ts';

const NOTHING: Condition = { op: 'nor', conditions: [EVERYTHING] };
const WITHOUT: Fields = {};

/**
 * The condition with each part that looks at such a field replaced by what it says of a document that lacks it. So no
 * plan, index or order ever comes to see one. Full text is not concerned: it looks into no such field (text/words.ts).
 */
export function withoutFields(condition: Condition, hidden: readonly string[]): Condition {
  if (hidden.length === 0) return condition;
  switch (condition.op) {
    case 'and':
    case 'or':
    case 'nor':
      return {
        op: condition.op,
        conditions: condition.conditions.map((each) => withoutFields(each, hidden)),
      };
    case 'not':
      return { op: 'not', condition: withoutFields(condition.condition, hidden) };
    case 'text':
      return condition;
    default: {
      const [name] = condition.path;
      if (name === undefined || !hidden.includes(name)) return condition;
      return compileMatcher(condition)(WITHOUT) ? EVERYTHING : NOTHING;
    }
  }
}
