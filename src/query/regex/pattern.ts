/**
 * Regular expressions for clients: PCRE's syntax and meaning, and in schemas ECMA-262's with the flag u, in bounded
 * work. Nothing here throws, whatever the pattern and the subject are, and no pattern ever runs on JavaScript's own
 * engine. docs/regex.md tells clients what they may use.
 */
import { Lru } from '../../domain/caching/lru.ts';
import { MOST_SEARCHED, prefixOf, textsOf, type Texts } from './analysis/texts.ts';
import { parseEcma } from './ecma/parse.ts';
import { flagsOf, normalOptions } from './pcre/flags.ts';
import { parsePattern } from './pcre/parse.ts';
import type { PatternReading } from './syntax/cursor.ts';
import type { ParsedPattern } from './syntax/front.ts';
import { WORK } from '../../domain/limits.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { planOfTest } from './analysis/test-plan.ts';
import { BacktrackSearch, type Span } from './backtrack/search.ts';

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
 * pattern is refused. It may be shorter than it could be, never wrong.
 */
export function literalPrefix(pattern: string, options: string): string | undefined {
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
  const parsed: PatternReading<ParsedPattern> =
    kind === 'ecma' ? parseEcma(pattern) : parsePattern(pattern, flagsOf(options));
  if (!parsed.ok) return parsed;
  const made = { ok: true, pattern: new Search(pattern, parsed.read, kind === 'whole') } as const;
  cache.set(key, made);
  return made;
}

/** A match, and the text of each capturing group, `undefined` if it took no part. */
interface Found extends Span {
  readonly captures: readonly (string | undefined)[];
}

/** A test by the string's own methods, for literal text. */
interface PlainTest {
  readonly matches: (subject: string) => boolean;
  readonly unitsPerCharacter: number;
}

interface Part {
  readonly search: BacktrackSearch;
  /** It must not match. */
  readonly negated: boolean;
}

/** A test may be several searches, each in linear time; without such a plan it is one that backtracks. */
export class Search {
  readonly #whole: BacktrackSearch;
  /** The searches of a test; `null` if it is that of the whole pattern, in work that may grow faster than subjects. */
  readonly #parts: readonly Part[] | null;
  /** The same test without any search, where that is possible. */
  readonly #plain: PlainTest | undefined;
  /** Where the whole subject must match: what it has to begin with. Comparing that spares most tests the search. */
  readonly #beginning: string;

  readonly source: string;
  readonly prefix: string | undefined;
  /** Steps, of all programs that may have to run. */
  readonly size: number;

  constructor(source: string, { tree, ...options }: ParsedPattern, whole: boolean) {
    this.source = source;
    const texts = textsOf(tree);
    this.prefix = prefixOf(texts);
    this.#beginning = whole ? (texts.texts[0] ?? '') : '';
    this.#whole = new BacktrackSearch(tree, { ...options, whole });
    const isUsual = options.mayBeEmpty === 'always';
    this.#plain = isUsual ? plainTest(texts, whole) : undefined;
    // A plan may let matches begin elsewhere, such as within a newline of two characters.
    const plan =
      isUsual && (!options.skipsCrLf || this.#whole.linearSize !== undefined)
        ? planOfTest(tree, whole)
        : null;
    this.#parts = plan && [
      {
        search: plan.tree === tree ? this.#whole : new BacktrackSearch(plan.tree, { ...options, whole }),
        negated: false,
      },
      ...plan.conditions.map(({ tree: condition, negated }) => ({
        search: new BacktrackSearch(condition, { ...options, whole: false }),
        negated,
      })),
    ];
    this.size = this.#parts?.reduce((sum, { search }) => sum + search.size, 0) ?? this.#whole.size;
  }

  /** False for a subject that certainly does not match: it begins otherwise. Hardly any work. */
  mayMatch(subject: string): boolean {
    return subject.startsWith(this.#beginning);
  }

  /** Whether the pattern matches. False where the budget ends before that is known: `exceeded` tells. */
  test(subject: string, budget = new WorkBudget(WORK.search)): boolean {
    if (budget.exceeded || !this.mayMatch(subject)) return false;
    if (this.#plain)
      return budget.spend(subject.length * this.#plain.unitsPerCharacter + 1) && this.#plain.matches(subject);
    return this.#parts === null
      ? this.#whole.find(subject, 0, budget, false) !== undefined
      : passes(this.#parts, subject, budget);
  }

  /**
   * The leftmost match that begins at or after `from`, with its groups; `undefined` if there is none, or if the
   * budget ends before that is known. Text before `from` is still seen by assertions.
   */
  find(subject: string, from = 0, budget = new WorkBudget(WORK.search)): Found | undefined {
    if (from < 0 || from > subject.length || budget.exceeded) return undefined;
    // Where there is no match a plan in linear time knows so without fail.
    const hasPlan = this.#parts !== null && this.#whole.linearSize === undefined;
    if (hasPlan && from === 0 && !passes(this.#parts, subject, budget)) return undefined;
    const match = this.#whole.find(subject, from, budget, true);
    if (!match) return undefined;
    const captures = match.groups.map((group) => group && subject.slice(group.index, group.end));
    return { index: match.index, end: match.end, captures };
  }
}

function passes(parts: readonly Part[], subject: string, budget: WorkBudget): boolean {
  return parts.every(({ search, negated }) => {
    const found = search.find(subject, 0, budget, false) !== undefined;
    return !budget.exceeded && found !== negated;
  });
}

/** A search for plain text reads many characters in the time of one unit of work. */
const UNITS_PER_CHARACTER = 1 / 16;

function plainTest(
  { anchored, texts: [literal = ''], whole, plain }: Texts,
  isWhole: boolean,
): PlainTest | undefined {
  if (!whole || !plain) return undefined;
  const unitsPerCharacter = UNITS_PER_CHARACTER;
  if (isWhole) return { matches: (subject) => subject === literal, unitsPerCharacter };
  if (anchored) return { matches: (subject) => subject.startsWith(literal), unitsPerCharacter };
  return {
    matches: (subject) => subject.includes(literal),
    // Many characters of a long text may be compared at each place.
    unitsPerCharacter: literal.length <= MOST_SEARCHED ? unitsPerCharacter : literal.length / 128,
  };
}
