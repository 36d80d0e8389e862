/** The documents of one page, once it is known which they are. */
import { LIMITS } from '../../domain/limits.ts';
import { bytesInMemory } from '../../domain/work/memory.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { ALWAYS, type SqlCondition } from '../../query/sql/condition.ts';
import { busy, type PagePermit } from './page-semaphore.ts';
import {
  isLarge,
  packDocuments,
  splitDocuments,
  unpackDocument,
  withoutLast,
} from '../rpc/packing/packing.ts';
import { READ_AT_ONCE } from '../storage/documents/documents.ts';
import type { Scan } from './scan.ts';
import type { SearchReader } from './reading/reader.ts';
import type { Positions } from './reading/statements.ts';

/** The same when the rights of many identities are checked for each. */
const READ_AMONG_MANY = 8;

interface Shown {
  readonly seq: number;
  readonly version: number;
}

/**
 * Resolves when the documents of a page may be read: at once, unless the page is large and others are on their way.
 * True when it waited: the documents may have changed meanwhile.
 */
export async function turnOf(
  permit: PagePermit,
  records: SearchReader,
  shown: readonly Shown[],
  scan: Pick<Scan, 'yield'>,
): Promise<Outcome<boolean>> {
  if (permit.isFree || !isLarge(records.sizesAt(shown).reduce(sum, 0))) return ok(false);
  if (!(await permit.acquire())) return busy();
  await scan.yield();
  return ok(true);
}

/** The documents of `shown` that the viewer may read, packed, in its order; refused if they are too large together. */
export async function fetchPage(
  records: SearchReader,
  readable: SqlCondition,
  shown: readonly Shown[],
  scan: Pick<Scan, 'paused' | 'decoder' | 'weight' | 'yield'>,
  auditFields: boolean,
): Promise<Outcome<string>> {
  const many = scan.weight > 1;
  const size = many ? READ_AMONG_MANY : READ_AT_ONCE;
  if (shown.length > 0 && shown.length <= size && !scan.paused) {
    const joined = records.joined(positionsAt(shown), readable, auditFields);
    if (joined !== null) return ok(joined.packed);
  }
  const documents: string[] = [];
  let bytes = 0;
  for (let at = 0; at < shown.length; at += size) {
    const part = shown.slice(at, at + size).map(({ seq }) => seq);
    if (many && at > 0) await scan.yield();
    for (const { packed } of records.at(part, readable, auditFields)) {
      // During a pause the document may have changed so that it no longer matches, even before the search looked at it:
      // the search does not ask the index again.
      if (scan.paused && !scan.decoder.matches(unpackDocument(packed))) continue;
      bytes += bytesInMemory(packed);
      if (bytes > LIMITS.answer) return tooLarge();
      documents.push(packed);
    }
  }
  return ok(packDocuments(documents));
}

/** The statement of the positions of `shown`, in its order. */
function positionsAt(shown: readonly Shown[]): Positions {
  const text = 'SELECT value AS seq FROM json_each(?)';
  return { text, parameters: [JSON.stringify(shown.map(({ seq }) => seq))] };
}

/**
 * The documents at few positions, which were not looked at yet; refused when the first `limit` of them, which are the
 * page, are too large together. One more means that others follow.
 */
export function readPage(records: SearchReader, positions: Positions, limit: number, auditFields: boolean) {
  const joined = records.joined(positions, ALWAYS, auditFields);
  // All of them together are far smaller than an answer.
  if (joined !== null) {
    const more = joined.documents > limit;
    return ok({ documents: more ? withoutLast(joined.packed) : joined.packed, more });
  }
  const documents = records.at(records.seqs(positions), ALWAYS, auditFields).map(({ packed }) => packed);
  const shown = documents.slice(0, limit);
  const bytes = shown.map(bytesInMemory).reduce(sum, 0);
  return bytes > LIMITS.answer
    ? tooLarge()
    : ok({ documents: packDocuments(shown), more: documents.length > limit });
}

/**
 * The last document of a page that is unchanged since it was found. It has the version that the search looked at, and
 * no two documents have ever had the same version; or, if only an index entry gave its place, its version is not above
 * the counter at which the search began.
 */
export function lastInPlace(documents: string, shown: readonly Shown[], counter: number): string | undefined {
  const versions = new Set(shown.map(({ version }) => version));
  return splitDocuments(documents).findLast((packed) => {
    const { version } = unpackDocument(packed);
    return version <= counter || versions.has(version);
  });
}

function sum(one: number, other: number): number {
  return one + other;
}

export function tooLarge(): Outcome<never> {
  const detail = 'The documents of this page are too large together: ask for fewer at a time.';
  return fail('answer-too-large', detail);
}
