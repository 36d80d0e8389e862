/** The documents of one page, once it is known which they are. */
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import type { SqlCondition } from '../query/index/sql.ts';
import { stored, type StoredDocument } from './records.ts';
import type { Scan } from './scan.ts';
import type { SearchReader } from './search-reader.ts';

/** Documents that are read before their sizes are asked: of the largest there are, twice what an answer may hold. */
const READ_AT_ONCE = 32;

interface Shown {
  readonly seq: number;
  readonly version: number;
}

/** The documents of `shown` that may be read, in its order; refused when they are too large together. */
export function fetchPage(
  records: SearchReader,
  readable: SqlCondition,
  shown: readonly Shown[],
  scan: Pick<Scan, 'paused' | 'matches'>,
): Outcome<readonly StoredDocument[]> {
  const documents: StoredDocument[] = [];
  let units = 0;
  for (let at = 0; at < shown.length; at += READ_AT_ONCE) {
    const part = shown.slice(at, at + READ_AT_ONCE);
    const found = records.at(
      part.map(({ seq }) => seq),
      readable,
    );
    for (const { seq, version } of part) {
      const document = found.get(seq);
      // While the search paused it may have been changed so that it no longer matches.
      const changed = scan.paused && document?.version !== version;
      if (document === undefined || (changed && !scan.matches(document.id, document.body))) continue;
      units += document.body.length;
      if (units > LIMITS.answer) return tooLarge();
      documents.push(stored(document));
    }
  }
  return ok(documents);
}

function tooLarge(): Outcome<never> {
  const detail = 'The documents of this page are too large together: ask for fewer at a time.';
  return fail('answer-too-large', detail);
}

/** The refusal of a page for which too much would have to be kept in order. */
export function tooDeep(): Outcome<never> {
  return fail(
    'answer-too-large',
    'The values that this page and all before it are sorted by are too large together: page by cursor.',
  );
}
