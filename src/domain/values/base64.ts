/** Bytes as text: base64 without padding (RFC 4648), in the ordinary alphabet and in the one for URLs. */

export function toBase64(bytes: Uint8Array): string {
  return bytes.toBase64({ omitPadding: true });
}

/** The bytes of a text in either alphabet, or undefined for what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}

export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}
