/** The entries of an index on a path for a document: one key for each value that a filter's walk over the path sees. */
import type { Fields } from '../../domain/values/values.ts';
import { compileWalk, type Path } from '../walk.ts';
import { compileKeys } from '../order/keys.ts';
import { isComposite, indexKeyOf } from './keys.ts';

export interface PathEntries {
  /** Keys in hexadecimal, each once. */
  readonly keys: readonly string[];
  /** True when every key means exactly one value. */
  readonly exact: boolean;
  /** True when the document has one plain value at the path, or none: then its key is its sort key as well. */
  readonly single: boolean;
}

const DIRECTIONS = ['ascending', 'descending'] as const;

/** An index and the matcher see the same values, because both walk the same way. */
export function compileEntries(path: readonly string[]): (document: Fields) => PathEntries {
  let keys = new Set<string>();
  const kinds: { exact: boolean; composite: boolean } = { exact: true, composite: false };
  const walk = compileWalk(path, 'items and array', (value) => {
    const key = indexKeyOf(value);
    keys.add(key.hex);
    if (isComposite(key)) kinds.composite = true;
    else if (!key.exact) kinds.exact = false;
    return false;
  });
  const sortKeys = DIRECTIONS.map((direction) => compileKeys([{ path, direction }]));
  return (document) => {
    keys = new Set();
    Object.assign(kinds, { exact: true, composite: false });
    walk(document);
    const { exact, composite } = kinds;
    return {
      keys: [...keys],
      exact,
      single: keys.size === 1 && !composite && sortsBy(document, sortKeys, keys),
    };
  };
}

/** Whether the one key of a document is that of all values by which it may sort: of the least and the greatest. */
function sortsBy(document: Fields, sortKeys: readonly SortKeys[], keys: ReadonlySet<string>): boolean {
  return sortKeys.every((keyOf) => {
    const [value] = keyOf(document);
    // An empty array sorts before null, and has no key of its own.
    return value !== undefined && keys.has(indexKeyOf(value).hex);
  });
}

type SortKeys = ReturnType<typeof compileKeys>;

/** A path as text: the name of its index. Field names hold no dots. */
export function nameOfPath(path: readonly string[]): string {
  return path.join('.');
}

/** True for paths that begin with a field that no body holds. */
export function isOwn([first]: Path): boolean {
  return first === 'id' || first === 'type';
}

export function isId(path: Path): boolean {
  return path.length === 1 && path[0] === 'id';
}
