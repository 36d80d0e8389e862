/** Rewrites conditions for viewers who do not see some fields: these count as missing. */
import { isAllSeen, isUnseen, type Unseen } from '../../domain/rules.ts';
import type { Fields } from '../../domain/values/values.ts';
import { EVERYTHING, NOTHING, type Condition } from './conditions.ts';
import { mapParts } from './map.ts';
import { compileMatcher } from './matcher.ts';

const WITHOUT: Fields = {};

/**
 * The condition with each part that looks at such a field replaced by what it says of a document that lacks it. So no
 * plan, index or order sees one. Full text looks into no secret field anyway (text/words.ts); where only some
 * fields are seen it looks into these, and the index of words, which holds all, is not asked.
 */
export function withoutFields(condition: Condition, unseen: Unseen): Condition {
  if (isAllSeen(unseen)) return condition;
  return mapParts(condition, (part) => {
    if (part.op === 'text') {
      return unseen.only === null ? part : { ...part, unindexed: true, only: unseen.only };
    }
    const [name] = part.path;
    if (name === undefined || !isUnseen(unseen, name)) return part;
    return compileMatcher(part)(WITHOUT) ? EVERYTHING : NOTHING;
  });
}
