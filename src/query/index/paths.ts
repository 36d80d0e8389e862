/** What an index on a path holds of a document: one key for each value that a filter's walk over the path sees. */
import type { Fields } from '../../domain/values.ts';
import { compileWalk } from '../walk.ts';
import { forEachSortValue } from '../order/keys.ts';
import { isComposite, keyOfValue } from './keys.ts';

export interface PathEntries {
  /** Keys in hexadecimal, each once. */
  readonly keys: readonly string[];
  /** True when every key stands for one value alone. */
  readonly exact: boolean;
  /** True when the document has one plain value at the path, or none: then its key is its sort key as well. */
  readonly single: boolean;
}

/** An index and the matcher see the same values, because both walk the same way. */
export function compileEntries(path: readonly string[]): (document: Fields) => PathEntries {
  let keys = new Set<string>();
  const kinds: { exact: boolean; composite: boolean } = { exact: true, composite: false };
  const walk = compileWalk(path, 'items and array', (value) => {
    const key = keyOfValue(value);
    keys.add(key.hex);
    if (isComposite(key)) kinds.composite = true;
    else if (!key.exact) kinds.exact = false;
    return false;
  });
  return (document) => {
    keys = new Set();
    Object.assign(kinds, { exact: true, composite: false });
    walk(document);
    const { exact, composite } = kinds;
    return { keys: [...keys], exact, single: keys.size === 1 && !composite && sortsBy(document, path, keys) };
  };
}

/** Whether the one key of a document is that of the one value by which it sorts. */
function sortsBy(document: Fields, path: readonly string[], keys: ReadonlySet<string>): boolean {
  const sortKeys: (string | undefined)[] = [];
  forEachSortValue(document, path, (value) => {
    // An empty array sorts before null, and has no key of its own.
    sortKeys.push(value === undefined ? undefined : keyOfValue(value).hex);
  });
  const [only] = sortKeys;
  return sortKeys.length === 1 && only !== undefined && keys.has(only);
}

/** A path as text: the name of its index. Field names hold no dots. */
export function nameOfPath(path: readonly string[]): string {
  return path.join('.');
}
