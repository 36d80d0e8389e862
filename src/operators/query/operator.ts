/** The parts of an operator on a path. Each operator is one entry, in a file of its own, and a line in `table.ts`. */
import type { BodyTest } from '../../query/sql/body-test.ts';
import type { FindIndex } from '../../query/index/path-index.ts';
import type { KeyRange, Translation } from '../../query/sql/positions.ts';
import { compileWalk, type ArrayEnd, type Path, type Predicate } from '../../query/walk.ts';
import type { Leaf, LeafName } from '../filter/conditions.ts';
import type { Matching } from '../filter/matching.ts';

export interface LeafOperator<Op extends LeafName> {
  /** Decides exactly, for a document or for an element of an array: what mingo runs. */
  readonly matches: (leaf: Leaf<Op>, path: Path, matching: Matching) => Predicate;
  /** The look-up in an index, exact or wider; null where it would find everything. */
  readonly index?: (leaf: Leaf<Op>, find: FindIndex) => Translation | null;
  /** The same as one range of the keys of an index, which may be joined with other ranges of the path. */
  readonly range?: (leaf: Leaf<Op>, find: FindIndex) => KeyRange | null;
  /** Of the id: what the primary key decides. */
  readonly ofId?: (leaf: Leaf<Op>) => Translation | null;
  /** The test of a body in SQL where the path, a literal of SQL, leads through objects alone; undefined for none. */
  readonly body?: (leaf: Leaf<Op>, path: string) => BodyTest | undefined;
}

/** Matches where the test passes of some value that the path reaches. */
export function ofValues<Op extends LeafName>(
  end: ArrayEnd,
  test: (leaf: Leaf<Op>, matching: Matching) => Predicate,
): LeafOperator<Op>['matches'] {
  return (leaf, path, matching) => compileWalk(path, end, test(leaf, matching), matching.looked);
}
