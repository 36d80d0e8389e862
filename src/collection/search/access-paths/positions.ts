/** Ways that need no look at documents: positions decide what matches, and in which order. */
import type { Outcome } from '../../../domain/problems.ts';
import { lastOf } from '../../rpc/packing/packing.ts';
import type { Listed } from '../../../plan/plan.ts';
import type { Source } from '../../../plan/prepare.ts';
import { ALWAYS } from '../../../query/sql/condition.ts';
import { START } from '../cursor.ts';
import { readPage } from '../page.ts';
import { READ_AT_ONCE, type State } from '../../storage/documents/documents.ts';
import type { Part, Positions } from '../reading/statements.ts';
import { candidateAt, type Found, type SearchRun } from '../run.ts';

/** The page among positions that all match, in the order of creation. */
export function ofPositions(run: SearchRun, { seqs }: Pick<Listed, 'seqs'>): Promise<Outcome<Found>> {
  const { start } = run.around;
  const behind = start === START ? seqs : seqs.filter((seq) => seq > start.seq);
  return run.fetch(behind.slice(run.offset, run.end).map(candidateAt), seqs.length);
}

/** The page of all documents that the viewer may read, or have ids in a range, in the order of creation. */
export function ofCreation(run: SearchRun, total: number | null): Promise<Outcome<Found>> {
  const { viewer, records, state, query } = run.around;
  const positionsOf = (part: Part) =>
    viewer === null
      ? records.inOrderOfCreation(
          query.ids === null ? skipped(part, state) : part,
          state.idsAscend,
          query.ids,
        )
      : records.readable.page(viewer, part);
  return pageOf(run, positionsOf, total);
}

/** The same part of all documents, which begins without a walk past the first ones where no position is free. */
function skipped({ after, limit, offset }: Part, { documents, first, last }: State): Part {
  const isDense = last - first + 1 === documents;
  if (after > 0 || offset === 0 || !isDense) return { after, limit, offset };
  return { after: Math.min(first - 1 + offset, last), limit, offset: 0 };
}

/** The page where an index gives all matches in the order of creation. */
export function ofSource(run: SearchRun, source: Source, total: number | null): Promise<Outcome<Found>> {
  return pageOf(run, (part) => run.around.records.inOrderOf(source, part), total);
}

/** The page of positions that surely match; `positionsOf` gives a part of them. */
export async function pageOf(
  run: SearchRun,
  positionsOf: (part: Part) => Positions,
  total: number | null,
): Promise<Outcome<Found>> {
  const { start, page, permit, records, provenance } = run.around;
  const { limit, units } = page;
  const part = { after: start.seq, limit, offset: run.offset };
  if (limit >= READ_AT_ONCE || !permit.isFree || units !== undefined) {
    const positions = positionsOf({ ...part, limit: limit + 1 });
    return run.fetch(records.seqs(positions).map(candidateAt), total, ALWAYS);
  }
  // Where it is not known how many there are behind the page, one more document tells whether others follow.
  const left = start === START && total !== null ? total - run.offset : null;
  const positions = positionsOf(left === null ? { ...part, limit: limit + 1 } : part);
  const read = readPage(records, positions, limit, provenance);
  if (!read.ok) return read;
  const { documents, more } = read.value;
  return run.found(documents, left === null ? more : left > limit, total, lastOf(documents));
}
