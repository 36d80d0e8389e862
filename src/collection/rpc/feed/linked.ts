/**
 * What a feed knows of the linked documents that its reader's rule looks at. A mark holds while those of its time meet
 * the rule as then. Later ones do not matter to it: what links to them has changed since, and is told.
 */
import { digest64 } from '../../../domain/digest.ts';
import type { DocumentId } from '../../../domain/ids.ts';

/** The linked documents of a type that meet a condition. */
export interface Met {
  readonly type: string;
  readonly condition: string;
  readonly ids: readonly DocumentId[];
}

/** By types, the last id that there was; null where clients choose ids, so that any may be a later one's. */
export type LastIds = Readonly<Record<string, string | null>>;

export interface LinkedMark {
  readonly last: LastIds;
  readonly digest: string;
}

/** The mark of what meets a rule; null where that cannot be told, and so nothing does. */
export function markOfLinked(met: readonly Met[] | null, last: LastIds): LinkedMark {
  const known = met?.flatMap(({ type, condition, ids }) => {
    const bound = last[type];
    if (bound === undefined) return [];
    return `${type} ${condition} ${ids.filter((id) => bound === null || id <= bound).join(' ')}`;
  });
  return { last, digest: known === undefined ? '' : digest64(JSON.stringify(known.toSorted())) };
}

/** Whether the documents that a mark knows meet a rule as they did. */
export function isAsMarked(mark: LinkedMark | undefined, met: readonly Met[] | null | undefined): boolean {
  if (mark === undefined || met === undefined) return mark === met;
  return markOfLinked(met, mark.last).digest === mark.digest;
}
