/** The paths of updates: their form, and that no two of them meet. */
import { LIMITS } from '../../domain/limits.ts';
import { faultOfFieldName, faultOfName, faultOfNewFieldName } from '../../domain/field-names.ts';
import type { Path } from '../../query/walk.ts';
import { recall } from '../../domain/caching/recall.ts';

/** The levels of arrays and objects around an attribute in the body of a request. */
export const LEVELS_AROUND = 3;

/** A path that something is made at, split; or, as a sentence, why it can be none. */
export function readTarget(text: string): Path | string {
  return read(text, faultOfNewFieldName);
}

/** The same for a path at which something may be that no request could put there now. */
export function readSource(text: string): Path | string {
  return read(text, faultOfFieldName);
}

function read(text: string, faultOfFirst: (name: string) => string | undefined): Path | string {
  const path = text.split('.');
  if (path.length > LIMITS.jsonDepth - LEVELS_AROUND) {
    return `A path has at most ${LIMITS.jsonDepth - LEVELS_AROUND} steps.`;
  }
  const positional = path.find((name) => name.startsWith('$'));
  if (positional !== undefined) {
    return `There is no ${positional.slice(0, 20)} in paths here: name items by their position.`;
  }
  const [first = '', ...others] = path;
  return faultOfFirst(first) ?? others.map(faultOfName).find((fault) => fault !== undefined) ?? path;
}

/** One step of paths that begin alike. */
export interface Branch<T> {
  /** What is done at the path that ends here. */
  leaf: T | null;
  readonly next: Map<string, Branch<T>>;
}

export function newBranch<T>(): Branch<T> {
  return { leaf: null, next: new Map() };
}

/** Adds a path. Gives what is there already at the same path, in front of it or behind it, and then adds nothing. */
export function addPath<T>(root: Branch<T>, path: Path, leaf: T): T | null {
  let branch = root;
  for (const name of path) {
    if (branch.leaf !== null) return branch.leaf;
    branch = recall(branch.next, name, () => newBranch());
  }
  const other = anyLeaf(branch);
  if (other === null) branch.leaf = leaf;
  return other;
}

function anyLeaf<T>(branch: Branch<T>): T | null {
  let at: Branch<T> | undefined = branch;
  while (at?.leaf === null) at = at.next.values().next().value;
  return at?.leaf ?? null;
}
