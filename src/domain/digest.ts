/** Short digests of texts, for telling equal from different. They guard nothing: whoever tries can make two alike. */

/** A 32-bit digest. */
export function digest32(text: string): number {
  let hash = 0x9e3779b9 ^ text.length;
  for (let index = 0; index < text.length; index += 1) hash = fold(hash, text.charCodeAt(index));
  return spread(hash);
}

/** A 64-bit digest as 16 hexadecimal digits. */
export function digest64(text: string): string {
  // Both halves in one pass: the text may be a whole answer.
  let one = 0x9e3779b9 ^ text.length;
  let other = 0x85ebca6b ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = fold(one, unit);
    other = fold(other, unit);
  }
  return hex(spread(one)) + hex(spread(other));
}

/** Multiplies a UTF-16 unit in. */
function fold(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x01000193);
  return (mixed << 13) | (mixed >>> 19);
}

/** Spreads the last units over all bits. */
function spread(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return (twice ^ (twice >>> 16)) >>> 0;
}

function hex(part: number): string {
  return part.toString(16).padStart(8, '0');
}
