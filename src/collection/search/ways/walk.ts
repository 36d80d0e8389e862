/** The way over the keys of an index in the order of the answer. */
import type { Outcome } from '../../../domain/problems.ts';
import type { Plan } from '../../../query/plan/plan.ts';
import { CERTAIN } from '../../../query/sql/body-test.ts';
import { allOf } from '../candidates.ts';
import { placeOf, START } from '../cursor.ts';
import type { Candidate, Found, SearchRun } from '../run.ts';
import { Slice } from '../top-n.ts';

/** Walks the keys up to the end of the page; null when the index cannot serve it. */
export async function walk(
  run: SearchRun,
  { sortedBy, total, looks }: Plan & { readonly way: 'order-of-an-index' },
): Promise<Outcome<Found> | null> {
  const { page, query, scan, records, start, tuning } = run.around;
  let after = start === START ? null : placeOf(start, sortedBy);
  // A cursor whose key stands for several values names no place in the order of keys.
  if (after === undefined) return null;
  const test = looks ? allOf(query).test : CERTAIN;
  const reading = scan.decoder.reading(test, []);
  const where = scan.readable(test.may);
  const kept = new Slice<Candidate>(looks ? run.offset : 0, page.limit + 1);
  let offset = looks ? 0 : run.offset;
  const most = Math.max(1, Math.floor(tuning.walkedKeys / scan.weight));
  // A piece is read to its end: where every key matches, the first one is no more than the page.
  let limit = looks ? Math.min(run.end, most) : page.limit + 1;
  while (!kept.isFull()) {
    let rows = 0;
    const part = { offset, limit };
    for (const { key, matches, row } of records.passes.inKeyOrder(sortedBy, after, where, reading, part)) {
      rows += 1;
      after = { key, seq: row.seq };
      const match = matches ? scan.decoder.open(row, reading) : null;
      if (match !== null) kept.add({ seq: match.seq, version: match.version, key: [] });
      if (kept.isFull() || query.budget.exceeded) break;
    }
    if (looks) scan.passed(rows);
    if (rows < limit || kept.isFull() || query.budget.exceeded) break;
    offset = 0;
    if (limit >= most) await scan.yield();
    limit = Math.min(limit * 4, most);
    // A write has given a document several keys: the walk would meet it several times.
    if (sortedBy.index !== 'id' && !(sortedBy.index.single && sortedBy.index.exact)) return null;
  }
  return run.fetch(kept.page(), total);
}
