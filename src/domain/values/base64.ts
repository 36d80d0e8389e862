/** Bytes as text: base64 without padding (RFC 4648), in the ordinary alphabet and that for URLs; hexadecimal digits. */

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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A byte as two hexadecimal digits: where there are few bytes, this is faster than to make an array of them. */
export function hexOfByte(byte: number): string {
  return HEX[byte] ?? '';
}
