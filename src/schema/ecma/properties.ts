/**
 * The names that ECMA-262 has for Unicode properties, in the spelling of the regex module: general categories by
 * their long names, and `Script=` and `General_Category=` before a name.
 */
import { Cursor } from '../../query/regex/cursor.ts';
import { readProperty } from '../../query/regex/properties.ts';
import type { Part } from '../../query/regex/tree.ts';

/** Each short name with its long ones. */
const CATEGORIES = `
  L Letter; LC Cased_Letter; Lu Uppercase_Letter; Ll Lowercase_Letter; Lt Titlecase_Letter; Lm Modifier_Letter;
  Lo Other_Letter; M Mark Combining_Mark; Mn Nonspacing_Mark; Mc Spacing_Mark; Me Enclosing_Mark; N Number;
  Nd Decimal_Number digit; Nl Letter_Number; No Other_Number; P Punctuation punct; Pc Connector_Punctuation;
  Pd Dash_Punctuation; Ps Open_Punctuation; Pe Close_Punctuation; Pi Initial_Punctuation; Pf Final_Punctuation;
  Po Other_Punctuation; S Symbol; Sm Math_Symbol; Sc Currency_Symbol; Sk Modifier_Symbol; So Other_Symbol;
  Z Separator; Zs Space_Separator; Zl Line_Separator; Zp Paragraph_Separator; C Other; Cc Control cntrl;
  Cf Format; Cs Surrogate; Co Private_Use`;

const SHORT: ReadonlyMap<string, string> = new Map(
  CATEGORIES.split(';').flatMap((row) => {
    const [short = '', ...long] = row.trim().split(' ');
    return long.map((name) => [name, short] as const);
  }),
);

/** Reads what follows `\p` or `\P`; `start` is the position of the backslash. */
export function readEcmaProperty(cursor: Cursor, negated: boolean, start: number): Part {
  const found = cursor.scan(/\{(?:(?:General_Category|gc|Script|sc)=)?([A-Za-z0-9_]+)\}/y);
  const written = found?.[1];
  if (written === undefined) return cursor.refuse('the Unicode property is not supported', start);
  const name = SHORT.get(written) ?? written;
  // Its own cursor, so that a refusal is placed in this pattern and not in the rewritten name.
  try {
    return readProperty(new Cursor(`{${name}}`), negated, 0);
  } catch {
    return cursor.refuse(`the Unicode property ${written} is not supported`, start);
  }
}
