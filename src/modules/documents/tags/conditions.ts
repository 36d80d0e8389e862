/** Conditional requests (RFC 9110, section 13): what the tags of the two headers say about an answer. */
import type { IfMatch } from '../../../collection/rpc/writes/operations.ts';
import { typeKey, type Digests, type EntityTag, type TagList } from './etag.ts';
import type { ApplicationId } from '../../../domain/ids.ts';
import type { TypeName } from '../../../domain/types.ts';

/** What an `If-Match` means to the collection of one type. `subject` is as in a `Composition`. */
export function ifMatchOf(
  list: TagList,
  application: ApplicationId,
  type: string,
  subject: string | null = null,
): IfMatch {
  if (list === null || list === 'any') return list;
  const key = typeKey(application, type);
  return list
    .filter((tag) => subject === null || subject === tag.subject)
    .flatMap((tag) => tag.counters.get(key) ?? []);
}

/** The last change of something that an answer shows. */
interface Stamped {
  readonly type: string;
  readonly version: number;
  /** The type of the collection whose number it is, if that is another one. */
  readonly of?: TypeName;
}

/** The parts of an answer that tags describe. A digest of null requires nothing of a tag. */
export interface Composition extends Digests {
  readonly application: ApplicationId;
  /** Of each shown document, and of the document that would have been shown if it were not deleted. */
  readonly stamps: readonly Stamped[];
}

/** The tags that say that nothing of the answer has changed (spec, Conditional requests, rule 2), if they are of its past. */
export function unchangedSince(list: readonly EntityTag[], composition: Composition): readonly EntityTag[] {
  const { view, set, subject, wrapped, csv, counted } = composition;
  const candidates = list.filter(
    (tag) =>
      wrapped === tag.wrapped &&
      csv === tag.csv &&
      counted === tag.counted &&
      (view === null || view === tag.view) &&
      (set === null || set === tag.set) &&
      (subject === null || subject === tag.subject),
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
