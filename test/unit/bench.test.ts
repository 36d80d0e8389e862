/** The benchmark's pure parts: what it counts with must be right before its figures can be. */
import { describe, expect, test } from 'vitest';
import { madePlace, placeOf, randomOf, searchedWords, SHARING, wordOf } from '../../scripts/bench/data.ts';
import {
  bandOf,
  EARTH_RADIUS,
  metersBetween,
  stripsAround,
  type Position,
} from '../../scripts/bench/hand/around.ts';
import { readOptions } from '../../scripts/bench/options.ts';
import type { Outcome } from '../../scripts/bench/run.ts';
import { figuresOf, markdownTable, percentile, short, times } from '../../scripts/bench/stats.ts';
import { missedTargets } from '../../scripts/bench/targets.ts';

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
    expect(figuresOf(rounds)).toEqual({ rate: 1, p50: 2, p99: 9, p999: NaN });
  });

  test('one answer in a thousand is told of a thousand answers or more', () => {
    const times = Array.from({ length: 1000 }, (_, index) => index + 1);
    expect(figuresOf([{ times, seconds: 1 }]).p999).toBe(999);
    expect(figuresOf([{ times: times.slice(1), seconds: 1 }]).p999).toBeNaN();
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
  const figures = (rate: number, p50: number) => ({ rate, p50, p99: p50, p999: p50 });
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
  const rows = missedTargets([outcome(10_000, 800, 1), outcome(1_000_000, 799, 1.6)]).split('\n');
  const row = (start: string) => rows.find((line) => line.startsWith(`- ${start}`));

  test('are reached at the bound and not below it', () => {
    expect(row("read by id: requests/s to the floor's")).toMatch(/: ≥ 0\.80×; 0\.80×, \*\*0\.80×\*\*$/);
    expect(row('import')).toMatch(/\*\*9,999 documents\/s\*\*/);
  });

  test('of tails hold them against those of the floor', () => {
    expect(row('read by id: p99.9')).toMatch(/: ≤ 1\.00×; 1\.00×, \*\*1\.60×\*\*$/);
  });

  test('of growth hold the last size against the first', () => {
    expect(row('read by id: growth')).toMatch(/: ≤ 1\.50×; –, \*\*1\.60×\*\*$/);
  });

  test('that were not measured are not missed', () => {
    expect(row('create: requests/s to the floor')).toBeUndefined();
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

describe('the area around a point', () => {
  const random = randomOf(3);
  const degrees = (span: number) => (random() - 0.5) * span;
  const anywhere = (): Position => [degrees(360), degrees(180)];
  const positions = Array.from({ length: 2000 }, anywhere);

  test.each<[where: string, at: Position, meters: number]>([
    ['on the equator', [0, 0], 500_000],
    ['west of the antimeridian', [179.9, 12], 900_000],
    ['east of the antimeridian', [-179.9, -50], 900_000],
    ['near a pole', [40, 88], 700_000],
    ['with the south pole', [-100, -75], 4_000_000],
    ['of half the earth', [7, 50], 12_000_000],
    ['of nothing', [10.5, 20.25], 0],
  ])('%s has each position within the distance in one strip', (_, at, meters) => {
    const strips = stripsAround(at, meters);
    for (const position of [at, ...positions].filter((each) => metersBetween(at, each) <= meters)) {
      const having = strips.filter(
        ([band, west, east]) => band === bandOf(position[1]) && position[0] >= west && position[0] <= east,
      );
      expect(having).toHaveLength(1);
    }
  });

  test('is measured along the sphere', () => {
    expect(metersBetween([0, 0], [90, 0])).toBeCloseTo((EARTH_RADIUS * Math.PI) / 2, 3);
    expect(metersBetween([30, -90], [0, 90])).toBeCloseTo(EARTH_RADIUS * Math.PI, 3);
  });
});

describe('the options', () => {
  test('by default make a complete run of two sizes', () => {
    expect(readOptions([])).toMatchObject({ sizes: [10_000, 100_000], complete: true, connections: 16 });
  });

  test.each([
    ['--full', { sizes: [10_000, 100_000, 1_000_000], complete: true }],
    ['--size 1000', { sizes: [1000], complete: false }],
    ['--no-peers', { contenders: ['ours', 'floor', 'hand'], complete: false }],
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
