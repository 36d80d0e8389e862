/**
 * Regular expressions for clients: PCRE's syntax and meaning, in work that is bounded. Nothing here throws, whatever
 * the pattern and the subject are; what is refused is refused with a reason.
 * docs/regex.md tells clients what they may use.
 */
import { Lru } from '../../domain/caching/lru.ts';
import { flagsOf, normalOptions } from './pcre/flags.ts';
import { parsePattern } from './pcre/parse.ts';
import { prefixOf, type Prefix } from './analysis/prefix.ts';
import { Search } from './search.ts';
import type { Scope } from './match.ts';

/** Compiled patterns that are kept. */
const CACHED = 32;

export type Compiled =
  | { readonly ok: true; readonly pattern: Search }
  /** `reason` is a sentence for the client; `position` counts UTF-16 units of the pattern from 0. */
  | { readonly ok: false; readonly reason: string; readonly position: number };

const cache = new Lru<string, Compiled>(CACHED);

/**
 * Compiles a pattern to be searched for anywhere in a subject, as MongoDB's `$regex` does. `options` is any of
 * `i`, `m`, `s` and `x`.
 */
export function compilePattern(pattern: string, options: string): Compiled {
  return compileCached('anywhere', pattern, options);
}

/**
 * Compiles a pattern that must match the whole subject, from its first character to its last, in the same case:
 * what the path of a permission is. An alternative never matches a part only, and a final newline is a character.
 */
export function compileFullMatch(pattern: string): Compiled {
  return compileCached('whole', pattern, '');
}

/**
 * The text with which every subject begins that a pattern matches, or `undefined` if there is none or the
 * pattern is refused. It may be shorter than it could be, never wrong. `exact` says that beginning so is enough.
 */
export function literalPrefix(pattern: string, options: string): Prefix | undefined {
  const normal = normalOptions(options);
  const parsed = normal === undefined ? undefined : parsePattern(pattern, flagsOf(normal));
  return parsed?.ok === true ? prefixOf(parsed.tree) : undefined;
}

function compileCached(scope: Scope, pattern: string, options: string): Compiled {
  const normal = normalOptions(options);
  if (normal === undefined) return refused('the options may be i, m, s and x only');
  const key = `${scope} ${normal}/${pattern}`;
  const known = cache.get(key);
  if (known) return known;
  const compiled = compile(scope, pattern, normal);
  if (compiled.ok) cache.set(key, compiled);
  return compiled;
}

function compile(scope: Scope, pattern: string, options: string): Compiled {
  const parsed = parsePattern(pattern, flagsOf(options));
  if (!parsed.ok) return refused(`${parsed.reason} (at position ${parsed.position})`, parsed.position);
  const { tree, groups, leading, namesBreak } = parsed;
  const search = new Search(tree, scope, {
    source: pattern,
    groups,
    dialect: 'pcre',
    mayBeEmpty:
      leading.notEmpty === null ? 'always' : leading.notEmpty === 'anywhere' ? 'never' : 'not-at-start',
    skipsCrLf: ['CRLF', 'ANYCRLF', 'ANY'].includes(leading.newlines) && !namesBreak,
  });
  return { ok: true, pattern: search };
}

function refused(reason: string, position = 0): Compiled {
  return { ok: false, reason, position };
}
