/** What is done with an operator on a path. Each operator is one entry, in a file of its own, and a line in `table.ts`. */
import { compileWalk, type ArrayEnd, type Path, type Predicate } from '../../query/walk.ts';
import type { Leaf, LeafName } from './conditions.ts';
import type { Matching } from './matching.ts';

export interface LeafOperator<Op extends LeafName> {
  /** Decides exactly, for a document or for an element of an array: what mingo runs. */
  readonly matches: (leaf: Leaf<Op>, path: Path, matching: Matching) => Predicate;
}

/** Matches where the test passes of some value that the path reaches. */
export function ofValues<Op extends LeafName>(
  end: ArrayEnd,
  test: (leaf: Leaf<Op>, matching: Matching) => Predicate,
): LeafOperator<Op>['matches'] {
  return (leaf, path, matching) => compileWalk(path, end, test(leaf, matching));
}
