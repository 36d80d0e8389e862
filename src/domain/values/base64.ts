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

/** The digits as codes of characters: a text that grows by one digit is another text each time. */
const DIGITS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (digit) =>
  digit.charCodeAt(0),
);

function digitOf(bits: number): number {
  return DIGITS[bits & 63] ?? 0;
}

/** The same as `toBase64Url` of a few bytes, for which the platform needs longer to begin than for the work. */
export function fewToBase64Url(bytes: readonly number[]): string {
  const text: number[] = [];
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    // Those that have gone out at the top are written already.
    bits = (bits << 8) | byte;
    for (held += 8; held >= 6;) {
      held -= 6;
      text.push(digitOf(bits >> held));
    }
  }
  if (held > 0) text.push(digitOf(bits << (6 - held)));
  return String.fromCharCode(...text);
}

export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A byte as two hexadecimal digits: where there are few bytes, this is faster than to make an array of them. */
export function hexOfByte(byte: number): string {
  return HEX[byte] ?? '';
}
