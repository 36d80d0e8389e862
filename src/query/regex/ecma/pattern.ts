/**
 * The regular expressions of schemas: ECMA-262's syntax and meaning (with the flag u), in work that is bounded.
 * Nothing here throws, whatever the pattern and the text are, and no pattern ever runs on JavaScript's own engine.
 */
import { Lru } from '../../../domain/caching/lru.ts';
import { Search } from '../search.ts';
import { parseEcma } from './parse.ts';

/** Patterns that are kept for all schemas together. */
const CACHED = 32;

export type CompiledEcma =
  | { readonly ok: true; readonly pattern: Search }
  /** `reason` goes into the middle of a sentence. */
  | { readonly ok: false; readonly reason: string };

const cache = new Lru<string, CompiledEcma>(CACHED);

/** Compiles a pattern, or says why it cannot be used. The latest ones are kept. */
export function compileEcma(pattern: string): CompiledEcma {
  const known = cache.get(pattern);
  if (known) return known;
  const compiled = compile(pattern);
  if (compiled.ok) cache.set(pattern, compiled);
  return compiled;
}

/** Whether the pattern is kept, so that compiling it takes no time. */
export function isCompiled(pattern: string): boolean {
  return cache.get(pattern) !== undefined;
}

function compile(pattern: string): CompiledEcma {
  const parsed = parseEcma(pattern);
  if (!parsed.ok) return parsed;
  const { tree, groups } = parsed;
  const options = {
    source: pattern,
    groups,
    dialect: 'ecma',
    mayBeEmpty: 'always',
    skipsCrLf: false,
  } as const;
  return { ok: true, pattern: new Search(tree, 'anywhere', options) };
}
