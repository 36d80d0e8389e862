/** What an index on a path holds of a document: one key for each value that a filter's walk over the path sees. */
import type { Fields } from '../../domain/values.ts';
import { compileWalk } from '../filter/walk.ts';
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
  let visits = 0;
  let exact = true;
  let composite = false;
  const walk = compileWalk(path, 'items and array', (value) => {
    const key = keyOfValue(value);
    keys.add(key.hex);
    visits += 1;
    if (isComposite(key)) composite = true;
    else if (!key.exact) exact = false;
    return false;
  });
  return (document) => {
    keys = new Set();
    visits = 0;
    exact = true;
    composite = false;
    walk(document);
    return { keys: [...keys], exact, single: visits === 1 && !composite };
  };
}

/** A path as text: the name of its index. Field names hold no dots. */
export function nameOfPath(path: readonly string[]): string {
  return path.join('.');
}
