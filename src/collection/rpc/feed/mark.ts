import { fail } from '../../../domain/problems.ts';
import { digest64 } from '../../../domain/digest.ts';
import type { DocumentId } from '../../../domain/ids.ts';

/**
 * How far a reader of a feed has come: it knows the collection as of the change `base`, and what has changed since
 * up to the change `position`, as of the change `at`. `state` is what must be the same when it reads on.
 *
 * Whoever begins gets the list of that moment first: with `after`, it knows that only up to a cursor. `listed` tells
 * when its pages were read: up to an id each, as of a change. What had changed by then was not on them.
 */
export interface FeedMark {
  readonly base: number;
  readonly position: number;
  readonly at: number;
  readonly state: string;
  /** Absent where no rights come through links. */
  readonly through?: Through | undefined;
  /** Where the reader's rule looks at linked documents. */
  readonly linked?: LinkedMark | undefined;
  readonly after?: string;
  readonly listed?: Listed | undefined;
}

/** Rights that come through links: as of which change, and a digest of those of the reader; null if not known. */
export interface Through {
  readonly changed: number;
  readonly held: string | null;
}

/** Whether a reader has the rights that it had. */
export function hasSameRights(before: Through | undefined, now: Through | undefined): boolean {
  return before?.changed === now?.changed || (before?.held != null && before.held === now?.held);
}

type Listed = readonly { readonly last: string; readonly at: number }[];

/** Pages that a mark tells apart at most: those after them count as read when the last of these was. */
const PAGES = 10;
/** After every id. */
const END = '~';

/** With a page that ends at an id, or with all, as of a change. Without ascending ids nothing can be told. */
export function listedUpTo(before: Listed | undefined, id: string | null, at: number): Listed | undefined {
  const last = before?.at(-1);
  if (before === undefined || (last !== undefined && id !== null && id <= last.last)) return undefined;
  const isSame = last !== undefined && (last.at === at || before.length >= PAGES);
  return [...(isSame ? before.slice(0, -1) : before), { last: id ?? END, at: isSame ? last.at : at }];
}

/** As of which change a reader knows a document. */
export function knownAt({ base, listed = [] }: FeedMark, id: string): number {
  return listed.find(({ last }) => id <= last)?.at ?? base;
}

/** The refusal of a mark that nobody can go on from. */
export function expired() {
  const detail =
    'The state at the mark is no longer known: it is too old, or rights have changed: ' +
    'begin anew without a mark.';
  return fail('mark-expired', detail, { parameter: 'changes[since]' });
}

/** The linked documents of a type that meet a condition. */
export interface Met {
  readonly type: string;
  readonly condition: string;
  readonly ids: readonly DocumentId[];
}

/** By types, the last id that there was; null where clients choose ids, so that any may be a later one's. */
type LastIds = Readonly<Record<string, string | null>>;

/**
 * What a feed knows of the linked documents that its reader's rule looks at. A mark holds while those of its time meet
 * the rule as then. Later ones do not matter to it: what links to them has changed since, and is told.
 */
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
