/**
 * Random patterns of all constructs: the engine finds what a naive matcher finds. Places and captures are compared in
 * PCRE's syntax. In ECMAScript's only the start is: a schema asks whether a text matches, and no more.
 */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { compileFullMatch, literalPrefix } from '../../src/query/regex/pattern.ts';
import { patternsAndSubjects } from '../support/patterns/arbitraries.ts';
import { engineMatch, engineTest } from '../support/patterns/engine.ts';
import { isSameMatch, type PatternMatch } from '../support/patterns/match.ts';
import { naiveFullMatch, naiveMatch, type Dialect } from '../support/patterns/naive.ts';
import { printed } from '../support/patterns/print.ts';
import { childrenOf, type Tree } from '../support/patterns/tree.ts';
import { scaled } from '../support/long.ts';

const SEED = 20;

/** How often things happened, so that the property is seen not to be empty. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

/** The constructs in a tree. */
function constructsIn(tree: Tree): readonly string[] {
  return [constructOf(tree), ...childrenOf(tree).flatMap(constructsIn)];
}

function constructOf(tree: Tree): string {
  switch (tree.kind) {
    case 'repeat':
      return tree.mode;
    case 'anchor':
      return tree.anchor;
    case 'look':
      return `look${tree.behind ? ' behind' : ''}${tree.negative ? ' not' : ''}`;
    default:
      return tree.kind;
  }
}

function isSame(dialect: Dialect, one: PatternMatch, other: PatternMatch): boolean {
  if (dialect === 'pcre') return isSameMatch(one, other);
  return one.index === other.index;
}

/** Compares the engine with the naive matcher; counts the outcomes, and the constructs of patterns that match. */
function compare(dialect: Dialect, runs: number, starts: fc.Arbitrary<number>): Counts {
  const counts = new Counts();
  fc.assert(
    fc.property(patternsAndSubjects(dialect), starts, ([tree, subject], start) => {
      const from = Array.from(subject).slice(0, start).join('').length;
      const pattern = printed(tree, dialect);
      const expected = naiveMatch(tree, subject, dialect, from);
      const actual = engineMatch(dialect, pattern, '', subject, from);
      counts.add(expected.kind);
      if (expected.kind === 'long') return;
      if (expected.kind === 'endless') {
        expect(actual.kind).toMatch(/long|none|match/);
        return;
      }
      if (from === 0) expect(engineTest(dialect, pattern, subject), pattern).toBe(expected.kind === 'match');
      if (expected.kind !== 'match') {
        expect(actual.kind, pattern).toBe(expected.kind);
        return;
      }
      if (actual.kind !== 'match' || !isSame(dialect, actual.match, expected.match)) {
        expect([pattern, subject, actual]).toEqual([pattern, subject, expected]);
      }
      for (const construct of new Set(constructsIn(tree))) counts.add(construct);
    }),
    { numRuns: runs, seed: SEED },
  );
  return counts;
}

const COMMON = [
  ...['char', 'set', 'dot', 'sequence', 'choice', 'capture', 'backreference', 'greedy', 'lazy'],
  ...['look', 'look not', 'look behind', 'look behind not', '^', '$', '\\b', '\\B'],
];
const PCRE_ONLY = [
  ...['possessive', 'atomic', 'call', 'condition', 'define', 'reset', 'fold', 'linebreak'],
  ...['(?m:^)', '(?m:$)', '\\A', '\\Z', '\\z', '\\G', '\\K'],
];

function expectFilled(counts: Counts, runs: number, constructs: readonly string[]): void {
  expect(counts.of('match')).toBeGreaterThan(runs / 4);
  expect(counts.of('none')).toBeGreaterThan(runs / 4);
  expect(counts.of('long') + counts.of('endless')).toBeLessThan(runs / 8);
  const rare = constructs.filter((construct) => counts.of(construct) < scaled(20));
  expect(rare).toEqual([]);
}

describe('what the engine finds is what the naive matcher finds', () => {
  it("in PCRE's syntax", () => {
    const runs = scaled(3000);
    expectFilled(compare('pcre', runs, fc.constant(0)), runs, [...COMMON, ...PCRE_ONLY]);
  });

  it("in PCRE's syntax, from a place within the subject", () => {
    const runs = scaled(1500);
    const counts = compare('pcre', runs, fc.integer({ min: 1, max: 3 }));
    expect(counts.of('match')).toBeGreaterThan(runs / 5);
    expect(counts.of('\\G')).toBeGreaterThan(scaled(5));
  });

  it("in ECMAScript's syntax", () => {
    const runs = scaled(2500);
    expectFilled(compare('ecma', runs, fc.constant(0)), runs, COMMON);
  });
});

describe('what is known of a pattern before it runs', () => {
  it('a full match takes the whole subject, as the naive matcher finds', () => {
    const runs = scaled(2000);
    const counts = new Counts();
    fc.assert(
      fc.property(patternsAndSubjects('pcre'), ([tree, subject]) => {
        const pattern = printed(tree, 'pcre');
        const compiled = compileFullMatch(pattern);
        if (!compiled.ok) throw new Error(`${pattern}: ${compiled.reason}`);
        const part = naiveMatch(tree, subject, 'pcre');
        const found = part.kind === 'match' ? [subject.slice(part.match.index, part.match.end)] : [];
        for (const text of [subject, ...found]) {
          const { kind } = naiveFullMatch(tree, text);
          if (kind !== 'match' && kind !== 'none') continue;
          counts.add(kind);
          const matches = compiled.pattern.test(text);
          expect([pattern, text, matches]).toEqual([pattern, text, kind === 'match']);
          if (matches) expect(compiled.pattern.mayMatch(text)).toBe(true);
        }
      }),
      { numRuns: runs, seed: SEED },
    );
    expect(counts.of('match')).toBeGreaterThan(runs / 10);
    expect(counts.of('none')).toBeGreaterThan(runs / 4);
  });

  it('every subject that matches begins with the literal prefix, and an exact one is enough', () => {
    const runs = scaled(2000);
    const counts = new Counts();
    const start: Tree = { kind: 'anchor', anchor: '^' };
    fc.assert(
      fc.property(patternsAndSubjects('pcre'), fc.constantFrom('', 'a', 'b'), ([tree, subject], first) => {
        const letter: readonly Tree[] = first === '' ? [] : [{ kind: 'char', char: first }];
        const whole: Tree = { kind: 'sequence', items: [start, ...letter, tree] };
        const pattern = printed(whole, 'pcre');
        const known = literalPrefix(pattern, '');
        if (!known) return;
        counts.add(known.exact ? 'exact' : 'begins');
        for (const text of [first + subject, subject, known.prefix, known.prefix + subject]) {
          const { kind } = naiveMatch(whole, text, 'pcre');
          if (kind !== 'match' && kind !== 'none') continue;
          const isBegun = text.startsWith(known.prefix);
          if (kind === 'match') expect([pattern, text, isBegun]).toEqual([pattern, text, true]);
          else if (known.exact) expect([pattern, text, isBegun]).toEqual([pattern, text, false]);
          counts.add(kind);
        }
      }),
      { numRuns: runs, seed: SEED },
    );
    expect(counts.of('begins')).toBeGreaterThan(runs / 3);
    expect(counts.of('exact')).toBeGreaterThan(scaled(20));
    expect(counts.of('match')).toBeGreaterThan(runs / 3);
  });
});
