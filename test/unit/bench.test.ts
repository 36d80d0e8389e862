/** The benchmark's pure parts: what it counts with must be right before its figures can be. */
import { describe, expect, test } from 'vitest';
import { madePlace, placeOf, searchedWords, SHARING, wordOf } from '../../scripts/bench/data.ts';
import { readOptions } from '../../scripts/bench/options.ts';
import type { Outcome } from '../../scripts/bench/run.ts';
import { figuresOf, markdownTable, percentile, short, times } from '../../scripts/bench/stats.ts';
import { targetTable } from '../../scripts/bench/targets.ts';

const SIZE = 1000;
const places = Array.from({ length: SIZE }, (_, index) => placeOf(index, SIZE));

describe('figures', () => {
  test.each([
    [[1], 0.5, 1],
    [[1, 2], 0.5, 1],
    [[1, 2, 3], 0.5, 2],
    [[1, 2, 3, 4], 0.99, 4],
    [Array.from({ length: 100 }, (_, index) => index + 1), 0.99, 99],
    [[], 0.5, NaN],
  ])('the percentile of %j at %d is %d', (sorted, share, expected) => {
    expect(percentile(sorted, share)).toBe(expected);
  });

  test('rounds count as one: all answers in all the time', () => {
    const rounds = [
      { times: [3, 1], seconds: 1 },
      { times: [2, 9], seconds: 3 },
    ];
    expect(figuresOf(rounds)).toEqual({ rate: 1, p50: 2, p99: 9 });
  });

  test.each([
    [1234.5, '1,235'],
    [12.345, '12.3'],
    [1.239, '1.24'],
    [NaN, '–'],
  ])('%d is written %s', (value, text) => {
    expect(short(value)).toBe(text);
  });

  test('a ratio with nothing to compare with is a dash', () => {
    expect([times(0.5), times(undefined), times(1 / 0)]).toEqual(['0.50×', '–', '–']);
  });

  test('a table has a rule and a line for each row', () => {
    expect(markdownTable(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --: |\n| 1 | 2 |');
  });
});

describe('the figures to reach', () => {
  const figures = (rate: number, p50: number) => ({ rate, p50, p99: p50 });
  const outcome = (size: number, read: number, p50: number): Outcome => ({
    size,
    figures: new Map([
      ['read', new Map([['ours', figures(read, p50)] as const, ['floor', figures(1000, 1)] as const])],
    ]),
    notes: [],
    failures: 0,
    imports: new Map([['ours', 9999]]),
    first: null,
  });
  const rows = targetTable([outcome(10_000, 700, 2), outcome(1_000_000, 699, 3.1)]).split('\n');
  const row = (start: string) => rows.find((line) => line.startsWith(`| ${start}`));

  test('are reached at the bound and not below it', () => {
    expect(row("read by id: requests/s to the floor's")).toMatch(
      /\| ≥ 0\.70× \| 0\.70× yes \| 0\.70× \*\*no\*\* \|$/,
    );
    expect(row('import')).toMatch(/9,999 documents\/s \*\*no\*\*/);
  });

  test('of growth hold the last size against the first', () => {
    expect(row('read by id: growth')).toMatch(/\| ≤ 1\.50× \| – \| 1\.55× \*\*no\*\* \|$/);
  });

  test('that were not measured are neither reached nor missed', () => {
    expect(row('create: requests/s to the floor')).toMatch(/\| – \| – \|$/);
  });
});

describe('the data', () => {
  test('are the same twice, and of about 1 KB', () => {
    expect(placeOf(17, SIZE)).toEqual(placeOf(17, SIZE));
    const bytes = places.map((place) => JSON.stringify(place).length);
    const mean = bytes.reduce((sum, each) => sum + each, 0) / SIZE;
    expect(mean).toBeGreaterThan(800);
    expect(mean).toBeLessThan(1300);
  });

  test('have each batch as often as is said, and each rank once', () => {
    const batches = Map.groupBy(places, ({ batch }) => batch);
    expect(batches.size).toBe(SIZE / SHARING);
    expect([...batches.values()].every(({ length }) => length === SHARING)).toBe(true);
    expect(places.map(({ rank }) => rank).toSorted((one, other) => one - other)).toEqual(
      places.map((_, i) => i),
    );
  });

  test('have distinct words, and those that are searched for as often as is said', () => {
    const words = Array.from({ length: 12_000 }, (_, rank) => wordOf(rank));
    expect(new Set(words).size).toBe(words.length);
    const counts = searchedWords(SIZE);
    for (const [word, count] of counts) {
      const having = places.filter(
        (place) => JSON.stringify(place).match(new RegExp(`\\b${word}\\b`)) !== null,
      );
      expect(having).toHaveLength(count);
    }
    expect(Math.max(...counts.values())).toBeGreaterThan(0);
  });

  test('made during a run match no filter of it', () => {
    const made = madePlace(3, SIZE);
    expect(made.rank).toBeLessThan(0);
    expect(places.some(({ batch }) => batch === made.batch)).toBe(false);
    expect([...searchedWords(SIZE).keys()].some((word) => made.summary.split(' ').includes(word))).toBe(
      false,
    );
  });
});

describe('the options', () => {
  test('by default make a complete run of two sizes', () => {
    expect(readOptions([])).toMatchObject({ sizes: [10_000, 100_000], complete: true, connections: 16 });
  });

  test.each([
    ['--full', { sizes: [10_000, 100_000, 1_000_000], complete: true }],
    ['--size 1000', { sizes: [1000], complete: false }],
    ['--no-peers', { contenders: ['ours', 'floor'], complete: false }],
    ['--only ours,floor --works create,read', { contenders: ['ours', 'floor'], works: ['create', 'read'] }],
  ])('%s', (line, expected) => {
    expect(readOptions(line.split(' '))).toMatchObject(expected);
  });

  test.each(['--size 1234', '--works reed', '--only them', '--rounds 0', '--nothing'])(
    '%s is refused',
    (line) => {
      expect(() => readOptions(line.split(' '))).toThrow();
    },
  );
});
