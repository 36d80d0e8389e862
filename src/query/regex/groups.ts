/** What may follow an opening parenthesis: captures with and without a name, inline options, and much that is refused. */
import type { Cursor } from './cursor.ts';
import { type Flags, NO_FLAGS } from './flags.ts';

export type Opening =
  /** A group whose body follows, read under these flags. */
  | { readonly kind: 'group'; readonly capture: boolean; readonly name?: string; readonly flags: Flags }
  /** Options for the rest of the group around. */
  | { readonly kind: 'flags'; readonly flags: Flags };

/** By what the text after the parenthesis looks like; the first that fits is the reason. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\?=/y, 'lookahead (?=…) is not supported'],
  [/\?!/y, 'negative lookahead (?!…) is not supported'],
  [/\?<=/y, 'lookbehind (?<=…) is not supported'],
  [/\?<!/y, 'negative lookbehind (?<!…) is not supported'],
  [/\?<?\*/y, 'non-atomic lookaround (?*…) is not supported'],
  [/\?>/y, 'an atomic group (?>…) is not supported'],
  [/\?\|/y, 'branch reset (?|…) is not supported'],
  [/\?\(/y, 'a conditional (?(…)…) is not supported'],
  [/\?C/y, 'a callout (?C…) is not supported'],
  [/\?(?:R|[+-]?[0-9]|&|P>)/y, 'recursion or a subroutine call (?R), (?1), (?&name) is not supported'],
  [/\?P=/y, 'a named backreference (?P=name) is not supported'],
  [/\*[A-Za-z_:]/y, 'a verb (*…) is not supported'],
];

const NAME = /\?(?:P?<([^>]*)>|'([^']*)')/y;
/** PCRE's rule: at most 32 letters, digits and underscores, no digit first. */
const VALID_NAME = /^[\p{L}_][\p{L}\p{Nd}_]{0,31}$/u;
const SWITCHES = /\?(\^?)([A-Za-z]*)(?:(-)([A-Za-z]*))?([:)])/y;

/** Reads up to the body of the group; the cursor stands after the parenthesis. */
export function readOpening(cursor: Cursor, flags: Flags): Opening {
  const start = cursor.position - 1;
  const refused = REFUSED.find(([expression]) => cursor.peek(expression));
  if (refused) cursor.refuse(refused[1], start);
  if (!cursor.looksAt('?')) return { kind: 'group', capture: !flags.n, flags };

  const named = cursor.scan(NAME);
  if (named) {
    const name = named[1] ?? named[2] ?? '';
    if (!VALID_NAME.test(name)) cursor.refuse('the group name is not valid', start);
    return { kind: 'group', capture: true, name, flags };
  }
  const switches = cursor.scan(SWITCHES);
  if (!switches) return cursor.refuse('what follows (? is not known', start);
  const [, reset, on = '', hyphen, off = '', end] = switches;
  if (reset === '^' && hyphen === '-') cursor.refuse('(?^…) takes no hyphen', start);
  const base = reset === '^' ? { ...NO_FLAGS, U: flags.U, ucp: flags.ucp } : flags;
  const switched = switchFlags(cursor, switchFlags(cursor, base, on, true, start), off, false, start);
  return end === ':'
    ? { kind: 'group', capture: false, flags: switched }
    : { kind: 'flags', flags: switched };
}

function switchFlags(cursor: Cursor, flags: Flags, letters: string, on: boolean, start: number): Flags {
  const wrong = /[^imsxnUJ]/.exec(letters);
  if (wrong) cursor.refuse(`the inline option ${wrong[0]} is not known`, start);
  if (letters.includes('J')) cursor.refuse('duplicate group names (?J) are not supported', start);
  const given = Object.fromEntries(Array.from(letters, (letter) => [letter, on]));
  const extended = letters.includes('x') ? { xx: on && letters.includes('xx') } : {};
  return { ...flags, ...given, ...extended };
}
