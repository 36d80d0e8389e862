/** The positions that several sources have in common. */
import type { Source } from '../../../plan/prepare.ts';
import { ALWAYS } from '../../../query/sql/condition.ts';
import { Marks } from './marks.ts';
import type { SearchReader } from '../reader.ts';

/** Ascending; null where one of the sources has more than `most`: its list would be in memory. */
export function commonPositions(
  records: SearchReader,
  sources: readonly Pick<Source, 'positions' | 'parameters'>[],
  most: number,
): readonly number[] | null {
  const last = records.lastSeq();
  let common: Marks | null = null;
  for (const source of sources) {
    const seqs = records.listed(source, ALWAYS, most + 1);
    if (seqs.length > most) return null;
    const marks = new Marks(last);
    for (const seq of seqs) if (common === null || common.has(seq)) marks.add(seq);
    common = marks;
  }
  return common?.list() ?? [];
}
