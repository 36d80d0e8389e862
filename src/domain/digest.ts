/** Short digests of texts, for telling equal from different. They guard nothing: whoever tries can make two alike. */

/** A 32-bit digest. */
export function digest32(text: string): number {
  return mix(text, 0x9e3779b9);
}

/** A 64-bit digest as 16 hexadecimal digits. */
export function digest64(text: string): string {
  const hex = (part: number) => part.toString(16).padStart(8, '0');
  return hex(mix(text, 0x9e3779b9)) + hex(mix(text, 0x85ebca6b));
}

/** Multiplies and folds each UTF-16 unit in, then spreads the last ones over all bits. */
function mix(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
