/** What JavaScript's own expressions say of a pattern: an oracle for ours. */

/**
 * Whether the pattern matches anywhere in the text, with the flag u. It is asked at each place, because V8 14 overlooks
 * characters beyond the BMP when it looks for a place by itself: `/[\D]$/u` does not find `😀`.
 */
export function matchesRegExp(source: string, text: string): boolean {
  const pattern = new RegExp(source, 'uy');
  let at = 0;
  for (const character of [...Array.from(text), '']) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return true;
    at += character.length;
  }
  return false;
}
