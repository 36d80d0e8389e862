/** Indexes are built beside requests: in small steps, and with pauses in which nothing waits for the disk. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Learning } from '../../src/collection/learning.ts';
import { resting } from '../../src/collection/storage/steps.ts';
import { Rollout } from '../../src/collection/write/upkeep/rollout.ts';
import { NO_SETTINGS, type TypeSettings } from '../../src/domain/types/settings.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { fieldOf } from '../support/names.ts';

const SIZE = 1_000;
/** Documents of one step: some milliseconds. */
const MOST = 50;

let collection: LocalCollection;
beforeEach(() => {
  collection = new LocalCollection();
  for (let n = 0; n < SIZE; n += 1) collection.create({ n, text: `word ${n}` });
});
afterEach(() => {
  collection.close();
});

describe('a step', () => {
  test('indexes a few documents by a path, and forgets a few entries', () => {
    collection.learn('n');
    const sizes: number[] = [];
    while (!collection.build(1)) sizes.push(collection.rows('entries'));
    const steps = sizes.map((size, at) => size - (sizes[at - 1] ?? 0));
    expect(Math.max(...steps)).toBe(MOST);
    expect(sizes.at(-1)).toBe(SIZE);
    collection.tidy(Number.MAX_SAFE_INTEGER);
    collection.build(1);
    expect(collection.rows('entries')).toBeGreaterThanOrEqual(SIZE / 2);
    collection.build();
    expect(collection.rows('entries')).toBe(0);
  });

  test('indexes the words of a few documents', async () => {
    let steps = 0;
    await collection.buildWords(() => {
      steps += 1;
    });
    expect(steps).toBeGreaterThanOrEqual(SIZE / MOST);
  });

  test.each<readonly [string, Partial<TypeSettings>]>([
    ['unique values', { unique: [['n']] }],
    ['rights', { rights: { read: ['*'], update: [], delete: [] } }],
    ['ends', { expires: fieldOf('until') }],
  ])('adopts the settings of the type for a few documents, and frees a few of them: %s', async (_, some) => {
    const { tables } = collection;
    const steps: string[] = [];
    const writes = {
      exclusive: <T>(work: () => T): Promise<T> => {
        steps.push('step');
        return Promise.resolve(work());
      },
    };
    const rest = () => () => {
      steps.push('pause');
      return Promise.resolve();
    };
    const rollout = new Rollout({ tables, writes, rest, background: { run: (work) => work() } });
    const settings = { ...NO_SETTINGS, ...some };
    expect(await rollout.stage(1, settings)).toEqual({ ok: true, value: null });
    // The first one begins.
    expect(steps.slice(1)).toEqual(Array.from({ length: SIZE / MOST }, () => ['step', 'pause']).flat());
    await rollout.settle(1, settings);
    steps.length = 0;
    await rollout.stage(2, null);
    await rollout.settle(2, null);
    const rows = some.rights === undefined ? 500 : MOST;
    const few = some.expires === undefined ? SIZE / rows : 0;
    expect(steps.filter((each) => each === 'pause').length).toBeGreaterThanOrEqual(few);
    expect(tables.settings.all).toEqual([]);
  });
});

describe('a pause after a step', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('waits until the step is on disk, and then as long again if anybody calls', async () => {
    const events: unknown[] = [];
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.stubGlobal('scheduler', {
      wait: (milliseconds: number) => {
        events.push(milliseconds);
        return Promise.resolve();
      },
    });
    let arrived = 0;
    let takes = 8;
    const sync = () => {
      events.push('on disk');
      vi.advanceTimersByTime(takes);
      return Promise.resolve();
    };
    const pause = resting({ sync }, () => arrived);
    await pause();
    // Nobody calls; two do; a disk that is slow does not stop the work.
    await pause();
    arrived += 2;
    await pause();
    arrived += 1;
    takes = 1_000;
    await pause();
    expect(events).toEqual(['on disk', 8, 'on disk', 0, 'on disk', 8, 'on disk', 50]);
  });

  test.each<readonly [string, number, number, readonly number[]]>([
    ['three times as many have come as have waited', 8, 4, [8, 8, 8]],
    ['it has lasted long enough', 20, 1, [20, 20]],
    ['none arrives', 8, 0, [8]],
  ])('goes on while calls arrive, until %s', async (_, takes, arriving, rests) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const waits: number[] = [];
    let arrived = 0;
    vi.stubGlobal('scheduler', {
      wait: (milliseconds: number) => {
        waits.push(milliseconds);
        arrived += arriving;
        return Promise.resolve();
      },
    });
    const sync = () => {
      vi.advanceTimersByTime(takes);
      return Promise.resolve();
    };
    const pause = resting({ sync }, () => arrived);
    await pause();
    waits.length = 0;
    arrived += 4;
    await pause();
    expect(waits).toEqual(rests);
  });

  test('comes after each step of the alarm', async () => {
    collection.learn('n');
    const events: string[] = [];
    const storage = {
      getAlarm: () => Promise.resolve(null),
      setAlarm: () => Promise.resolve(),
      transactionSync: <T>(work: () => T): T => {
        events.push('step');
        return work();
      },
    };
    const learning = new Learning({
      storage,
      tables: collection.tables,
      isSearched: () => true,
      hasRoom: () => Promise.resolve(true),
      pause: () => {
        events.push('pause');
        return Promise.resolve();
      },
    });
    await learning.alarm();
    expect(collection.indexes(['n'])).toEqual(['n']);
    const steps = events.filter((each) => each === 'step').length;
    expect(steps).toBeGreaterThan(SIZE / MOST);
    // The last one finds nothing to do.
    expect(events).toEqual(
      Array.from({ length: 2 * steps - 1 }, (_, at) => (at % 2 === 0 ? 'step' : 'pause')),
    );
  });
});
