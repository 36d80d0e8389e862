/** Unicode properties (`\p{…}`): general categories and scripts, by the names that PCRE takes for them. */
import { RE2JS } from 're2js';
import { Lru } from '../../domain/lru.ts';
import type { Cursor } from './cursor.ts';
import { MAX_CODE, complement } from './sets.ts';
import type { Part, Range } from './tree.ts';

/** Names that stand for plain ranges. */
const RANGES: Readonly<Record<string, readonly Range[]>> = { any: [[0, MAX_CODE]], ascii: [[0, 0x7f]] };

/** Names that the engine spells in another way. `L&` is every letter that has a case. */
const RENAMED: Readonly<Record<string, string>> = { 'l&': 'LC', lc: 'LC' };

const known = new Lru<string, boolean>(500);

/** Reads what follows `\p` or `\P`; `start` is the position of the backslash. */
export function readProperty(cursor: Cursor, capital: boolean, start: number): Part {
  const found = cursor.scan(/\{(\^?)([^{}]*)\}|[A-Za-z]/y);
  if (!found) return cursor.refuse('\\p must be followed by a letter or a name in braces', start);
  const [whole, caret, braced = whole] = found;
  const negated = capital !== (caret === '^');
  const written = braced.trim().replace(/^(?:sc|script) *[:=] */i, '');
  // PCRE compares names without regard to case, blanks, hyphens and underscores.
  const wanted = written.replace(/[\s_-]/g, '').toLowerCase();

  const ranges = Object.hasOwn(RANGES, wanted) ? RANGES[wanted] : undefined;
  if (ranges) return { kind: 'ranges', ranges: negated ? complement(ranges) : ranges };
  const name = spellings(wanted, written).find(isKnown);
  if (name === undefined) return cursor.refuse(`the Unicode property \\p${whole} is not known`, start);
  return { kind: 'property', name, negated };
}

/** How the engine may spell a name: a category as `Lu`, a script as `Old_Italic`. */
function spellings(wanted: string, written: string): readonly string[] {
  const renamed = Object.hasOwn(RENAMED, wanted) ? RENAMED[wanted] : undefined;
  if (renamed !== undefined) return [renamed];
  if (wanted.length <= 2) return [capitalized(wanted)];
  return [
    written,
    written
      .split(/[\s_-]+/)
      .map(capitalized)
      .join('_'),
    capitalized(wanted),
  ];
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
}

/** The engine has no list to ask, so a name is tried once. */
function isKnown(name: string): boolean {
  if (!/^[A-Za-z_]+$/.test(name)) return false;
  const before = known.get(name);
  if (before !== undefined) return before;
  let answer = true;
  try {
    RE2JS.compile(`\\p{${name}}`);
  } catch {
    answer = false;
  }
  known.set(name, answer);
  return answer;
}
