/**
 * What JavaScript's own expressions say of a pattern: an oracle for ours. The search of V8 14.6 (Node 26) for a place
 * skips surrogates (`/[\D]$/u` does not find an emoji): so it is told not to optimize, and is asked at each place.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-regexp-optimization');

/** Where the first match begins, in UTF-16 units; undefined without one. `flags` has u. */
export function indexOfRegExp(source: string, flags: string, text: string): number | undefined {
  const pattern = new RegExp(source, `${flags}y`);
  let at = 0;
  for (const character of [...Array.from(text), '']) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return at;
    at += character.length;
  }
  return undefined;
}

/** Whether the pattern matches anywhere in the text. */
export function matchesRegExp(source: string, text: string, flags = 'u'): boolean {
  return indexOfRegExp(source, flags, text) !== undefined;
}
