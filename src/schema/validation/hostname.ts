/**
 * Internationalized host names (RFC 5890 to 5893). The runtime knows Punycode, the order of letters and most joiners;
 * here is what IDNA2008 asks beyond that.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

/** What labels are made of (RFC 5892, 2 and 3), of what the runtime lets through. */
const LABEL = new RegExp(
  String.raw`^[[\p{L}\p{Mn}\p{Mc}\p{Nd}\u200c-\u200d\-\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb]--` +
    String.raw`[\u20d0-\u20ff\u302e-\u302f\u0640\u07fa\u1100-\u11ff\u3031-\u3035\u303b\ua960-\ua97f\ud7b0-\ud7ff` +
    String.raw`\u{1d100}-\u{1d24f}]]+$`,
  'v',
);

/** Hyphens, and what needs others beside it (RFC 5891, 4.2.3.1; RFC 5892, A). What is no Punycode begins with xn--. */
const MISPLACED = [
  /^-|-$|^..--/u,
  /(?<!l)\u00b7|\u00b7(?!l)|\u0375(?!\p{sc=Greek})|(?<!\p{sc=Hebrew})[\u05f3\u05f4]/u,
  /(?<![\p{M}\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}])\u200c/u,
  /^(?!.*[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]).*\u30fb/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/u,
];

/** Beside labels from right to left, none begins with a digit (RFC 5893, 2). */
const RIGHT_TO_LEFT = /[\p{L}&&[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]]/v;
const DIGIT_FIRST = /(?:^|\.)\p{Nd}/u;

/** Of a name in ASCII, which is longer. The runtime's time grows with the square. */
const LONGEST = 253;

/** `isHostname` tells whether a name of ASCII is one. */
export function isIdnHostname(text: string, isHostname: (text: string) => boolean): boolean {
  if (text.length > LONGEST) return false;
  const name = domainToUnicode(text);
  const ascii = domainToASCII(name);
  return (
    isHostname(ascii) &&
    ascii === domainToASCII(text) &&
    !(RIGHT_TO_LEFT.test(name) && DIGIT_FIRST.test(name)) &&
    name.split('.').every((label) => LABEL.test(label) && !MISPLACED.some((rule) => rule.test(label)))
  );
}
