/**
 * The regular expressions of schemas: ECMA-262's syntax and meaning (with the flag u), in time linear in the text.
 * Nothing here throws, whatever the pattern and the text are, and no pattern ever runs on JavaScript's own engine.
 */
import { Lru } from '../../domain/lru.ts';
import { measure } from '../../query/regex/measure.ts';
import { Search } from '../../query/regex/search.ts';
import type { Node } from '../../query/regex/tree.ts';
import { parseEcma } from './parse.ts';

/** Instructions of a program, and the largest product of nested counts, as for the patterns of filters. */
const MAX_PROGRAM = 4000;
const MAX_COPIES = 1000;
/** Patterns that are kept for all schemas together. Each may hold up to 1 MiB for each of its programs. */
const CACHED = 32;

/** A pattern that is found anywhere in a text, or not. */
export class Pattern {
  readonly #searches: readonly (readonly [search: Search, negated: boolean])[];
  #workSeen = 0;

  /** Instructions of its programs. */
  get size(): number {
    return this.#searches.reduce((sum, [search]) => sum + search.size, 0);
  }

  constructor(searches: readonly (readonly [search: Search, negated: boolean])[]) {
    this.#searches = searches;
  }

  /** The most work that a test of the text can take, in units of about 10 ns; infinite when it may not be tested. */
  cost(text: string): number {
    return this.#searches.reduce(
      (sum, [search]) => sum + (search.fits(text) ? search.cost(text) : Infinity),
      0,
    );
  }

  /** Whether the text matches, and the work that finding out took, in the units of `cost`. */
  test(text: string): { readonly matches: boolean; readonly work: number } {
    const matches = this.#searches.every(([search, negated]) => search.test(text) !== negated);
    const total = this.#searches.reduce((sum, [search]) => sum + search.work, 0);
    const work = total - this.#workSeen;
    this.#workSeen = total;
    return { matches, work };
  }
}

export type CompiledEcma =
  | { readonly ok: true; readonly pattern: Pattern }
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
  const parts = [{ tree: parsed.tree, negated: false }, ...parsed.conditions];
  const wrong = parts.map(({ tree }) => faultOf(tree)).find((reason) => reason !== undefined);
  if (wrong !== undefined) return { ok: false, reason: wrong };
  try {
    const searches = parts.map(({ tree, negated }) => [new Search(tree, 'anywhere', 0), negated] as const);
    return { ok: true, pattern: new Pattern(searches) };
  } catch {
    // The tree holds nothing that the engine does not know; it may still nest deeper than the engine goes.
    return { ok: false, reason: 'it is too complex' };
  }
}

function faultOf(tree: Node): string | undefined {
  const { size, copies } = measure(tree);
  if (copies > MAX_COPIES) return `a repetition counts to more than ${MAX_COPIES}, alone or nested`;
  return size > MAX_PROGRAM ? 'it is too large once its repetitions are written out' : undefined;
}
