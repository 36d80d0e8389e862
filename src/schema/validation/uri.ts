/** URIs and references, where RFC 3986 is stricter than the schema library: authorities, brackets, colons. */

const ESCAPE = '%[\\da-f]{2}';
const charactersOf = (more: string) => `(?:[\\w.~!$&'()*+,;=${more}-]|${ESCAPE})*`;
const REST = charactersOf(':@/?');

/** The scheme, what stands in brackets, the authority as a whole, the path. Each character has one way to match. */
const REFERENCE = new RegExp(
  `^(?:([a-z][a-z\\d+.-]*):)?` +
    `(//(?:${charactersOf(':')}@)?(?:\\[([^\\]]*)\\]|${charactersOf('')})(?::\\d*)?(?=[/?#]|$))?` +
    `(${charactersOf(':@/')})(?:\\?${REST})?(?:#${REST})?$`,
  'i',
);

const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** What references of RFC 3987 have beside those of RFC 3986: letters anywhere, private ones in a query. */
const LETTER = /(?![\p{Cn}\p{Co}\p{Cs}\ufff0-\uffff])[^\0-\x9f]/gu;
const QUERY = /^([^?#]*\?)([^#]*)/;

/** A reference of RFC 3986 in place of one of RFC 3987. */
export function inAscii(text: string): string {
  return text
    .replace(QUERY, (_, before: string, query: string) => before + query.replace(/\p{Co}/gu, 'a'))
    .replace(LETTER, 'a');
}

/** Whether a text is a reference by RFC 3986, with a scheme or without. `isIpv6` tells what may stand in brackets. */
export function isReference(text: string, isIpv6: (text: string) => boolean): boolean {
  const found = REFERENCE.exec(text);
  if (found === null) return false;
  const [, scheme, authority, address, path = ''] = found;
  if (address !== undefined && !isIpv6(address) && !FUTURE_ADDRESS.test(address)) return false;
  if (authority !== undefined) return true;
  // A colon in the first segment would end a scheme.
  return !path.startsWith('//') && (scheme !== undefined || !/^[^/]*:/.test(path));
}
