/** The part of a content that a request asks for (RFC 9110, section 14): one range of bytes. */

/** The range of a header in a content of so many bytes: null for the whole, `none` where nothing is in it. */
export function rangeIn(header: string | null, size: number) {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  // What is no range, or several, may be answered with the whole.
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  // Where there are no bytes, the last ones are all, and no part can be told.
  if (first === '' && size === 0 && Number(last) > 0) return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return from > to ? 'none' : { offset: from, length: to - from + 1 };
}
