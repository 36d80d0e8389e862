/**
 * Regular expressions for clients: PCRE's syntax and meaning, and in schemas ECMA-262's with the flag u, in work that is
 * bounded. Nothing here throws, whatever the pattern and the subject are, and no pattern ever runs on JavaScript's own
 * engine. docs/regex.md tells clients what they may use.
 */
import { Lru } from '../../domain/caching/lru.ts';
import type { Prefix } from './analysis/texts.ts';
import { parseEcma } from './ecma/parse.ts';
import { flagsOf, normalOptions } from './pcre/flags.ts';
import { parsePattern } from './pcre/parse.ts';
import { Search } from './search.ts';
import type { Reading } from './syntax/cursor.ts';
import type { ParsedPattern } from './syntax/front.ts';

/** Compiled patterns that are kept. */
const CACHED = 64;

export type Compiled =
  | { readonly ok: true; readonly pattern: Search }
  /** `reason` goes into the middle of a sentence for the client. */
  | { readonly ok: false; readonly reason: string };

type Kind = 'anywhere' | 'whole' | 'ecma';

const cache = new Lru<string, Compiled>(CACHED);

/**
 * Compiles a pattern to be searched for anywhere in a subject, as MongoDB's `$regex` does. `options` is any of
 * `i`, `m`, `s` and `x`.
 */
export function compilePattern(pattern: string, options: string): Compiled {
  const normal = normalOptions(options);
  if (normal === undefined) return { ok: false, reason: 'the options may be i, m, s and x only' };
  return compiled('anywhere', pattern, normal);
}

/**
 * Compiles a pattern that must match the whole subject, from its first character to its last, in the same case:
 * what the path of a permission is. An alternative never matches a part only, and a final newline is a character.
 */
export function compileFullMatch(pattern: string): Compiled {
  return compiled('whole', pattern, '');
}

/** Compiles a pattern of a schema. */
export function compileEcma(pattern: string): Compiled {
  return compiled('ecma', pattern, '');
}

/** Whether a pattern of a schema is kept, so that compiling it takes no time. */
export function isCompiledEcma(pattern: string): boolean {
  return cache.get(keyOf('ecma', pattern, '')) !== undefined;
}

/**
 * The text with which every subject begins that a pattern matches, or `undefined` if there is none or the
 * pattern is refused. It may be shorter than it could be, never wrong. `exact` says that beginning so is enough.
 */
export function literalPrefix(pattern: string, options: string): Prefix | undefined {
  const compiled = compilePattern(pattern, options);
  return compiled.ok ? compiled.pattern.prefix : undefined;
}

function keyOf(kind: Kind, pattern: string, options: string): string {
  return `${kind} ${options}/${pattern}`;
}

function compiled(kind: Kind, pattern: string, options: string): Compiled {
  const key = keyOf(kind, pattern, options);
  const known = cache.get(key);
  if (known) return known;
  const parsed: Reading<ParsedPattern> =
    kind === 'ecma' ? parseEcma(pattern) : parsePattern(pattern, flagsOf(options));
  if (!parsed.ok) return parsed;
  const made = { ok: true, pattern: new Search(pattern, parsed.read, kind === 'whole') } as const;
  cache.set(key, made);
  return made;
}
