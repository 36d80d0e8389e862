/**
 * What JavaScript's own expressions say of a pattern: an oracle for ours. V8 14.6 (Node 26) errs in two ways, which
 * earlier ones do not: it loses alternatives behind a caret that can not hold (`/.*?a^|/s` finds nothing in the empty
 * text), and its search for a place skips surrogates (`/[\D]$/u` does not find an emoji). So it is told not to optimize,
 * is asked at each place, and is not trusted with such carets.
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

/** False for patterns with a caret behind something else. What such patterns mean, `regex-search.test.ts` says. */
export function isTrusted(source: string): boolean {
  return !/[^(|[]\^/.test(source);
}
