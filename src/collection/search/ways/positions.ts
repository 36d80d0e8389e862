/** Ways that need no look at documents: positions decide what matches, and in which order. */
import type { Outcome } from '../../../domain/problems.ts';
import type { Listed } from '../../../query/plan/plan.ts';
import type { Source } from '../../../query/plan/prepare.ts';
import { ALWAYS } from '../../../query/sql/condition.ts';
import { START } from '../cursor.ts';
import { READ_AT_ONCE, readPage } from '../page.ts';
import type { Part, Positions } from '../statements.ts';
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
  const part = partOf(run);
  const positions =
    viewer === null
      ? records.inOrderOfCreation(
          query.ids === null ? records.skipped(part) : part,
          state.idsAscend,
          query.ids,
        )
      : records.readable.page(viewer, part);
  return pageOf(run, positions, total);
}

/** The page where an index gives all matches in the order of creation. */
export function ofSource(run: SearchRun, source: Source, total: number | null): Promise<Outcome<Found>> {
  return pageOf(run, run.around.records.inOrderOf(source, partOf(run)), total);
}

/** The positions of the page, and one more if others follow. */
function partOf(run: SearchRun): Part {
  const { start, page } = run.around;
  return { after: start.seq, limit: page.limit + 1, offset: run.offset };
}

/** The page at positions that surely match. */
async function pageOf(run: SearchRun, positions: Positions, total: number | null): Promise<Outcome<Found>> {
  const { page, permit, records, provenance } = run.around;
  const { limit } = page;
  if (limit >= READ_AT_ONCE || !permit.isFree) {
    return run.fetch(records.seqs(positions).map(candidateAt), total, ALWAYS);
  }
  const documents = readPage(records, positions, limit, provenance);
  if (!documents.ok) return documents;
  const shown = documents.value.slice(0, limit);
  return run.found(shown, documents.value.length > limit, total, shown.at(-1));
}
