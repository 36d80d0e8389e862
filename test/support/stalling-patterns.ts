/** Patterns of permissions that would stall a backtracking engine on a path that they nearly match. */

export const STALLING_PATTERNS: readonly string[] = [
  '/resources/(a+)+c',
  '/resources/(a|a)*c',
  '/resources/(a|ab|b)*d',
  '/resources/([ab]*)*d',
  '/resources/(.*)(.*)(.*)(.*)(.*)(.*)d',
  '/resources/(a?){100}a{100}',
  '/(.+)+/(.+)+/(.+)+',
  '/resources/(([ab]?){30}){30}d',
  '/resources/(?:a|b|ab|ba|aba|bab){1,100}d',
  '(?:/?[^/]*)*d',
];

/** The path of a GET, with so many pairs of letters. */
export function stallingPath(pairs: number): string {
  return `/resources/${'ab'.repeat(pairs)}c`;
}
