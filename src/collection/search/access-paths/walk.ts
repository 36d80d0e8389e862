/** The way over the keys of an index in the order of the answer. */
import type { Outcome } from '../../../domain/problems.ts';
import { POSITIONS_EACH, type Plan } from '../../../plan/plan.ts';
import type { SortedBy } from '../../../plan/prepare.ts';
import { allOf } from '../candidates.ts';
import { placeOf, START } from '../cursor.ts';
import { nextLimit, STEP_UNITS } from '../../storage/steps.ts';
import { Marks } from '../marks.ts';
import { candidateAt, type Candidate, type Found, type SearchRun } from '../run.ts';
import { Slice } from '../top-n.ts';
import { pageOf } from './positions.ts';

/** Walks the keys up to the end of the page; null when the index cannot serve it. */
export async function walk(
  run: SearchRun,
  { sortedBy, total, looks, among }: Plan & { readonly way: 'order-of-an-index' },
): Promise<Outcome<Found> | null> {
  if (among !== null) return walkAmong(run, sortedBy, among);
  const { page, query, scan, records, start, tuning } = run.around;
  let after = start === START ? null : placeOf(start, sortedBy);
  // A cursor whose key stands for several values names no place in the order of keys.
  if (after === undefined) return null;
  if (!looks) {
    // Every key is that of a match.
    const place = after;
    return pageOf(run, (part) => records.passes.inOrderOfKeys(sortedBy, place, part), total);
  }
  const { test } = allOf(query);
  const reading = scan.decoder.reading(test, []);
  const wanted = scan.wanted(test.may);
  const kept = new Slice<Candidate>(run.offset, page.limit + 1);
  const most = Math.max(1, Math.floor(tuning.walkedKeys / scan.load));
  let limit = Math.min(run.end, most);
  let unrested = 0;
  while (!kept.isFull()) {
    let rows = 0;
    let units = 0;
    for (const { key, matches, row } of records.passes.inKeyOrder(sortedBy, after, wanted, reading, limit)) {
      rows += 1;
      after = { key, seq: row.seq };
      const match = matches ? scan.decoder.open(row, reading) : null;
      if (match !== null) kept.add({ seq: match.seq, version: match.version, key: [] });
      units += scan.unitsOf(row);
      if (kept.isFull() || query.budget.exceeded || units > STEP_UNITS) break;
    }
    scan.passed(rows);
    // A piece is read to its end: where every key matches, the first one is no more than the page.
    if (kept.isFull() || query.budget.exceeded || (rows < limit && units <= STEP_UNITS)) break;
    unrested += units;
    if (limit >= most || unrested > STEP_UNITS) {
      unrested = 0;
      await scan.yield();
    }
    limit = nextLimit(limit, { rows, units }, most);
    if (!isOrder(sortedBy)) return null;
  }
  return run.fetch(kept.page(), total);
}

/** The same where all matches are known: no document is looked at. */
async function walkAmong(
  run: SearchRun,
  sortedBy: SortedBy,
  seqs: readonly number[],
): Promise<Outcome<Found> | null> {
  const { page, records, start, scan, state, tuning } = run.around;
  let after = start === START ? null : placeOf(start, sortedBy);
  if (after === undefined) return null;
  const matches = new Marks(seqs.at(-1) ?? 0, seqs);
  const kept = new Slice<Candidate>(run.offset, page.limit + 1);
  const most = tuning.walkedKeys * POSITIONS_EACH;
  let limit = Math.min(most, Math.ceil((run.end * state.documents) / Math.max(1, seqs.length)));
  for (;;) {
    const keys = records.passes.positionsInKeyOrder(sortedBy, after, limit);
    for (const seq of keys.seqs) if (matches.has(seq)) kept.add(candidateAt(seq));
    if (kept.isFull() || keys.seqs.length < limit) break;
    after = keys.last;
    if (limit === most) await scan.yield();
    limit = Math.min(limit * 4, most);
    if (!isOrder(sortedBy)) return null;
  }
  return run.fetch(kept.page(), seqs.length);
}

/** Whether each document still has one key: a write may have given it several, and the walk would meet it several times. */
function isOrder({ index }: SortedBy): boolean {
  return index === 'id' || (index.single && index.exact);
}
