/** Strings in the order of their code points, which is also that of their UTF-8 bytes. Never by locale. */

/** Below, equal or above zero as `a` is below, equal to or above `b`. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates, the halves of the highest code points, below U+E000…U+FFFF: lift them above. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
