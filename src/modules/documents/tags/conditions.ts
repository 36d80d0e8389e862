/** Conditional requests (RFC 9110, section 13): what the tags of the two headers say about an answer. */
import type { IfMatch } from '../../../collection/rpc/writes/operations.ts';
import { subjectOf, typeKey, type Digests, type EntityTag, type TagList } from './etag.ts';
import type { ApplicationId } from '../../../domain/ids.ts';
import type { TypeName } from '../../../domain/types.ts';

/** The document that a tag must be about; `me` where its address is that of whoever asks. */
interface Subject {
  readonly type: string;
  readonly id: string;
  readonly me?: boolean;
}

/** What an `If-Match` on a document means to the collection of its type; `tagged` is the type as tags have it. */
export function ifMatchOf(
  list: TagList,
  application: ApplicationId,
  subject: Subject,
  tagged: string = subject.type,
): IfMatch {
  if (list === null || list === 'any') return list;
  const key = typeKey(application, tagged);
  return about(list, application, subject).flatMap((tag) => tag.counters.get(key) ?? []);
}

/**
 * The tags of answers that showed a document: it alone, or with others. At `me` it is the one that was asked for: when
 * another user takes over a browser, it still sends the tag of the former user.
 */
function about(
  list: readonly EntityTag[],
  application: ApplicationId,
  { me = false, ...link }: Subject,
): readonly EntityTag[] {
  const subject = subjectOf(application, link);
  return list.filter((tag) => subject === tag.subject || (!me && (tag.subject === null || tag.shared)));
}

/** Whether a header names a tag of text in quotes: `If-None-Match` weakly, `If-Match` strongly (RFC 9110, 13.1). */
export function namesTag(header: string | null, tag: string, strongly = false): boolean {
  if (header === '*') return true;
  const tags = header?.split(',').map((each) => each.trim()) ?? [];
  return tags.some((each) => each === tag || (!strongly && each === `W/${tag}`));
}

/** The last change of something that an answer shows. */
interface Stamped {
  readonly type: string;
  readonly version: number;
  /** The type of the collection whose number it is, if that is another one. */
  readonly of?: TypeName;
}

/** The parts of an answer that tags describe. A digest or subject of null requires nothing of a tag. */
export interface Composition extends Omit<Digests, 'subject' | 'shared'> {
  readonly application: ApplicationId;
  readonly subject: Subject | null;
  /** Of each shown document, and of the document that would have been shown if it were not deleted. */
  readonly stamps: readonly Stamped[];
}

/** The tags that say that nothing of the answer has changed (spec, Conditional requests, rule 2), if of its past. */
export function unchangedSince(list: readonly EntityTag[], composition: Composition): readonly EntityTag[] {
  const { application, view, set, subject, wrapped, csv, counted } = composition;
  const candidates = (subject === null ? list : about(list, application, subject)).filter(
    (tag) =>
      wrapped === tag.wrapped &&
      csv === tag.csv &&
      counted === tag.counted &&
      (view === null || view === tag.view) &&
      (set === null || set === tag.set),
  );
  if (candidates.length === 0) return candidates;
  const versions = latestVersions(composition);
  return candidates.filter(({ counters }) =>
    versions.every(([key, version]) => version <= (counters.get(key) ?? -1)),
  );
}

/** The latest version under each key: a header may hold thousands of tags, and an answer a thousand documents. */
function latestVersions({ application, stamps }: Composition): readonly (readonly [number, number])[] {
  const byType = new Map<string, number>();
  for (const { type, version } of stamps) byType.set(type, Math.max(version, byType.get(type) ?? version));
  return Array.from(byType, ([type, version]) => [typeKey(application, type), version] as const);
}
