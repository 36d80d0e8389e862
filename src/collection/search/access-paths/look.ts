/** Ways that look at documents: at candidates, at those in the order of creation up to the end of the page, or at all. */
import { noMemory, SortMemory } from '../../../domain/work/memory.ts';
import type { Outcome } from '../../../domain/problems.ts';
import { weightOfKey } from '../../../query/order/ordering.ts';
import type { Candidates } from '../candidates.ts';
import { START } from '../cursor.ts';
import type { Match } from '../reading/decoder.ts';
import { tooDeep } from '../page.ts';
import type { Candidate, Found, SearchRun } from '../run.ts';
import { Slice, TopN, type Kept } from '../top-n.ts';

/**
 * Looks at candidates for the page, and at all of them if their number is asked for and not known yet; null where the
 * page is not full after `most` of them. Up to the position `behind` there is no match.
 */
export async function look(
  run: SearchRun,
  candidates: Candidates,
  known: number | null,
  most = Infinity,
  behind = 0,
): Promise<Outcome<Found> | null> {
  const { query, scan, start } = run.around;
  const { ordering, fields } = query;
  const memory = new SortMemory();
  const kept = keptOf(run, memory);
  const counts = known === null && run.counted;
  let total = 0;
  let last = 0;
  const names = ordering === null ? [] : fields;
  // In the order of ids, candidates before the start are only counted.
  const from = Math.max(behind, ordering === null && !counts ? start.seq : 0);
  const visit = (match: Match) => {
    total += 1;
    last = match.seq;
    const candidate = placed(run, match);
    if (start === START || run.compare(candidate, start) > 0) kept.add(candidate);
    // If the rest must be counted, that is faster without looking at each.
    return kept.isFull() || kept.tooHeavy ? 'enough' : 'more';
  };
  const expected = ordering === null ? run.end : Infinity;
  try {
    if (!(await scan.each(candidates, from, names, visit, expected, most))) return null;
    if (memory.isDenied) return noMemory();
    if (kept.tooHeavy) return tooDeep();
    if (counts && kept.isFull()) total += await scan.count(candidates, last);
    return await run.fetch(kept.page(), counts ? total : known);
  } finally {
    memory.release();
  }
}

function keptOf(run: SearchRun, memory: SortMemory): Kept<Candidate> {
  const { query, page } = run.around;
  return query.ordering === null
    ? new Slice(run.offset, page.limit + 1)
    : new TopN(run.offset, page.limit + 1, (a, b) => run.compare(a, b), weightOfCandidate, memory.hold);
}

function placed({ around }: SearchRun, { seq, version, fields }: Match): Candidate {
  return { seq, version, key: fields === null ? [] : (around.query.ordering?.keyOf(fields) ?? []) };
}

function weightOfCandidate({ key }: Candidate): number {
  return 64 + weightOfKey(key);
}
