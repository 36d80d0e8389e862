/** The base64url of signed credentials (RFC 7515), for tests that forge them. */

/** The form of a text of bytes, a character each, without padding. */
export function base64url(text: string): string {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}
