/** The base64url of signed credentials (RFC 7515), for tests that forge them. */

/** The form of an ASCII text without padding. */
export function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
