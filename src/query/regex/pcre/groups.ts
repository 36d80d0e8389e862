/** Reads the text after an opening parenthesis, but for conditions and verbs. */
import type { Cursor } from '../syntax/cursor.ts';
import type { Groups } from '../tree.ts';
import { type Flags, NO_FLAGS } from './flags.ts';
import type { References } from '../syntax/references.ts';

export interface LookKind {
  readonly behind: boolean;
  readonly negated: boolean;
  readonly atomic: boolean;
}

export type Opening =
  /** A group whose body follows, read under these flags. */
  | { readonly kind: 'group'; readonly capture: boolean; readonly name?: string; readonly flags: Flags }
  /** Options for the rest of the group around. */
  | { readonly kind: 'flags'; readonly flags: Flags }
  /** Each has a body that follows. `reset`: its branches number their groups from the same number on. */
  | { readonly kind: 'atomic' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'look'; readonly look: LookKind }
  /** A condition follows, its parenthesis opened. */
  | { readonly kind: 'conditional' }
  /** Whole, with its closing parenthesis. */
  | { readonly kind: 'call'; readonly groups: Groups }
  | { readonly kind: 'backreference'; readonly groups: Groups };

const LOOKS: Readonly<Record<string, LookKind>> = {
  '?=': { behind: false, negated: false, atomic: true },
  '?!': { behind: false, negated: true, atomic: true },
  '?*': { behind: false, negated: false, atomic: false },
  '?<=': { behind: true, negated: false, atomic: true },
  '?<!': { behind: true, negated: true, atomic: true },
  '?<*': { behind: true, negated: false, atomic: false },
};
const LOOK = /\?<?[=!*]/y;

/** Assertions and groups by their names: `(*pla:…)`. */
const LONG = /\*([a-z_]+):/y;
const LONG_NAMES: Readonly<Record<string, string>> = {
  pla: '?=',
  positive_lookahead: '?=',
  nla: '?!',
  negative_lookahead: '?!',
  plb: '?<=',
  positive_lookbehind: '?<=',
  nlb: '?<!',
  negative_lookbehind: '?<!',
  napla: '?*',
  non_atomic_positive_lookahead: '?*',
  naplb: '?<*',
  non_atomic_positive_lookbehind: '?<*',
};

const CALL = /\?(?:(R)|([+-]?\d+)|(?:&|P>)([^)]*))\)/y;
const BACKREFERENCE = /\?P=([^)]*)\)/y;
const NAMED = /\?(?:P?<([^>]*)>|'([^']*)')/y;
/** PCRE's rule: at most 32 letters, digits and underscores, no digit first. */
const VALID_NAME = /^[\p{L}_][\p{L}\p{Nd}_]{0,31}$/u;
const SWITCHES = /\?(\^?)([A-Za-z]*)(?:(-)([A-Za-z]*))?([:)])/y;

/** Reads up to the body of the group; the cursor is after the parenthesis. */
export function readOpening(cursor: Cursor, flags: Flags, references: References): Opening {
  const start = cursor.position - 1;
  const look = readLook(cursor);
  if (look) return { kind: 'look', look };
  const long = cursor.scan(LONG);
  if (long?.[1] === 'atomic') return { kind: 'atomic' };
  if (long) return cursor.refuse(reasonAgainst(long[1] ?? ''), start);
  if (cursor.peek(/\*[a-z_]/y)) return cursor.refuse('the assertion (*…) is not known', start);
  if (cursor.eat('?>')) return { kind: 'atomic' };
  if (cursor.eat('?|')) return { kind: 'reset' };
  if (cursor.eat('?(')) return { kind: 'conditional' };
  if (cursor.looksAt('?C')) return cursor.refuse('a callout (?C…) is not supported', start);
  return readReference(cursor, references, start) ?? readPlain(cursor, flags, start);
}

/** Reads what opens a lookaround, in either spelling. */
export function readLook(cursor: Cursor): LookKind | undefined {
  const short = cursor.scan(LOOK)?.[0];
  if (short !== undefined) return LOOKS[short];
  const name = cursor.peek(LONG)?.[1] ?? '';
  const known = Object.hasOwn(LONG_NAMES, name) ? LONG_NAMES[name] : undefined;
  if (known === undefined) return undefined;
  cursor.scan(LONG);
  return LOOKS[known];
}

function reasonAgainst(name: string): string {
  return ['sr', 'asr', 'script_run', 'atomic_script_run'].includes(name)
    ? `a script run (*${name}:…) is not supported`
    : `the assertion (*${name}:…) is not known`;
}

function readReference(cursor: Cursor, references: References, start: number): Opening | undefined {
  const call = cursor.scan(CALL);
  if (call) {
    const [, whole, number, name] = call;
    if (whole !== undefined || number === '0') return { kind: 'call', groups: [0] };
    const groups =
      number === undefined
        ? references.named(validName(cursor, name, start), start)
        : references.numbered(number, start);
    return { kind: 'call', groups };
  }
  const back = cursor.scan(BACKREFERENCE);
  return (
    back && { kind: 'backreference', groups: references.named(validName(cursor, back[1], start), start) }
  );
}

function readPlain(cursor: Cursor, flags: Flags, start: number): Opening {
  if (!cursor.looksAt('?')) return { kind: 'group', capture: !flags.n, flags };
  const named = cursor.scan(NAMED);
  if (named) {
    return { kind: 'group', capture: true, name: validName(cursor, named[1] ?? named[2], start), flags };
  }
  const switches = cursor.scan(SWITCHES);
  if (!switches) return cursor.refuse('what follows (? is not known', start);
  const [, reset, on = '', hyphen, off = '', end] = switches;
  if (reset === '^' && hyphen === '-') cursor.refuse('(?^…) takes no hyphen', start);
  const base = reset === '^' ? { ...NO_FLAGS, U: flags.U, J: flags.J, ucp: flags.ucp } : flags;
  const switched = switchFlags(cursor, switchFlags(cursor, base, on, true, start), off, false, start);
  return end === ':'
    ? { kind: 'group', capture: false, flags: switched }
    : { kind: 'flags', flags: switched };
}

/** The name, which must be one that a group may have. */
export function validName(cursor: Cursor, name: string | undefined, start: number): string {
  return name !== undefined && VALID_NAME.test(name)
    ? name
    : cursor.refuse('the group name is not valid', start);
}

function switchFlags(cursor: Cursor, flags: Flags, letters: string, on: boolean, start: number): Flags {
  const wrong = /[^imsxnUJ]/.exec(letters);
  if (wrong) cursor.refuse(`the inline option ${wrong[0]} is not known`, start);
  const given = Object.fromEntries(Array.from(letters, (letter) => [letter, on]));
  const extended = letters.includes('x') ? { xx: on && letters.includes('xx') } : {};
  return { ...flags, ...given, ...extended };
}
