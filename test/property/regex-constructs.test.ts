/**
 * Random patterns of all constructs of PCRE: the engine finds what a naive matcher finds. Those of ECMAScript's are
 * compared with V8 (schema-patterns.test.ts).
 */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { compileFullMatch, literalPrefix } from '../../src/query/regex/pattern.ts';
import { patternsAndSubjects } from '../support/patterns/arbitraries.ts';
import { engineMatch, engineTest } from '../support/patterns/engine.ts';
import { isSameMatch } from '../support/patterns/match.ts';
import { naiveFullMatch, naiveMatch } from '../support/patterns/naive.ts';
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

/** Compares the engine with the naive matcher; counts the outcomes, and the constructs of patterns that match. */
function compare(runs: number, starts: fc.Arbitrary<number>): Counts {
  const counts = new Counts();
  fc.assert(
    fc.property(patternsAndSubjects(), starts, ([tree, subject], start) => {
      const from = Array.from(subject).slice(0, start).join('').length;
      const pattern = printed(tree);
      const expected = naiveMatch(tree, subject, from);
      const actual = engineMatch(pattern, '', subject, from);
      counts.add(expected.kind);
      if (expected.kind === 'long') return;
      if (expected.kind === 'endless') {
        expect(actual.kind).toMatch(/long|none|match/);
        return;
      }
      if (from === 0) expect(engineTest(pattern, subject), pattern).toBe(expected.kind === 'match');
      if (expected.kind !== 'match') {
        expect(actual.kind, pattern).toBe(expected.kind);
        return;
      }
      if (actual.kind !== 'match' || !isSameMatch(actual.match, expected.match)) {
        expect([pattern, subject, actual]).toEqual([pattern, subject, expected]);
      }
      for (const construct of new Set(constructsIn(tree))) counts.add(construct);
    }),
    { numRuns: runs, seed: SEED },
  );
  return counts;
}

const CONSTRUCTS = [
  ...['char', 'set', 'dot', 'sequence', 'choice', 'capture', 'backreference', 'greedy', 'lazy'],
  ...['look', 'look not', 'look behind', 'look behind not', '^', '$', '\\b', '\\B'],
  ...['possessive', 'atomic', 'call', 'condition', 'define', 'reset', 'fold', 'linebreak'],
  ...['(?m:^)', '(?m:$)', '\\A', '\\Z', '\\z', '\\G', '\\K'],
];

function expectFilled(counts: Counts, runs: number): void {
  expect(counts.of('match')).toBeGreaterThan(runs / 4);
  expect(counts.of('none')).toBeGreaterThan(runs / 4);
  expect(counts.of('long') + counts.of('endless')).toBeLessThan(runs / 8);
  const rare = CONSTRUCTS.filter((construct) => counts.of(construct) < scaled(20));
  expect(rare).toEqual([]);
}

describe('what the engine finds is what the naive matcher finds', () => {
  it('from the start of the subject', () => {
    const runs = scaled(3000);
    expectFilled(compare(runs, fc.constant(0)), runs);
  });

  it('from a place within the subject', () => {
    const runs = scaled(1500);
    const counts = compare(runs, fc.integer({ min: 1, max: 3 }));
    expect(counts.of('match')).toBeGreaterThan(runs / 5);
    expect(counts.of('\\G')).toBeGreaterThan(scaled(5));
  });
});

describe('what is known of a pattern before it runs', () => {
  it('a full match takes the whole subject, as the naive matcher finds', () => {
    const runs = scaled(2000);
    const counts = new Counts();
    fc.assert(
      fc.property(patternsAndSubjects(), ([tree, subject]) => {
        const pattern = printed(tree);
        const compiled = compileFullMatch(pattern);
        if (!compiled.ok) throw new Error(`${pattern}: ${compiled.reason}`);
        const part = naiveMatch(tree, subject);
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

  it('every subject that matches begins with the literal prefix', () => {
    const runs = scaled(2000);
    const counts = new Counts();
    const start: Tree = { kind: 'anchor', anchor: '^' };
    fc.assert(
      fc.property(patternsAndSubjects(), fc.constantFrom('', 'a', 'b'), ([tree, subject], first) => {
        const letter: readonly Tree[] = first === '' ? [] : [{ kind: 'char', char: first }];
        const whole: Tree = { kind: 'sequence', items: [start, ...letter, tree] };
        const pattern = printed(whole);
        const known = literalPrefix(pattern, '');
        if (!known) return;
        counts.add('begins');
        for (const text of [first + subject, subject, known, known + subject]) {
          const { kind } = naiveMatch(whole, text);
          if (kind !== 'match' && kind !== 'none') continue;
          const isBegun = text.startsWith(known);
          if (kind === 'match') expect([pattern, text, isBegun]).toEqual([pattern, text, true]);
          counts.add(kind);
        }
      }),
      { numRuns: runs, seed: SEED },
    );
    expect(counts.of('begins')).toBeGreaterThan(runs / 3);
    expect(counts.of('match')).toBeGreaterThan(runs / 3);
  });
});
