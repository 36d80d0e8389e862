/**
 * The names that ECMA-262 has for Unicode properties, asked of the regex module: general categories by their short
 * and long names, with and without `General_Category=`, and scripts behind `Script=` and `Script_Extensions=`.
 */
import type { Cursor } from '../syntax/cursor.ts';
import { CATEGORY_NAMES } from '../unicode/names.ts';
import { propertyOf } from '../unicode/properties.ts';
import type { Part } from '../tree.ts';

/** Reads what follows `\p` or `\P`; `start` is the position of the backslash. */
export function readEcmaProperty(cursor: Cursor, negated: boolean, start: number): Part {
  const found = cursor.scan(
    /\{(?:(General_Category|gc|Script|sc|Script_Extensions|scx)=)?([A-Za-z0-9_]+)\}/y,
  );
  const written = found?.[2];
  if (written === undefined) return cursor.refuse('the Unicode property is not supported', start);
  const name = CATEGORY_NAMES.get(written) ?? written;
  const kind = found?.[1];
  const isScript = kind !== undefined && /^(?:Script|sc)/.test(kind);
  const part = propertyOf(isScript ? `${kind}=${name}` : name, negated);
  return part ?? cursor.refuse(`the Unicode property ${written} is not supported`, start);
}
