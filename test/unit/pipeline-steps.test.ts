/**
 * A run goes in steps, its end too: what a group, an order or a sample has kept is given a little at a time, and what
 * comes of each is counted. Steps and work are looked at, never time.
 */
import { describe, expect, it } from 'vitest';
import type { Fields, Value } from '../../src/domain/values/values.ts';
import {
  compilePipeline,
  type CompiledPipeline,
  type PipelineRun,
  type Result,
} from '../../src/pipeline/pipeline.ts';

function compiled(pipeline: Value): CompiledPipeline {
  const made = compilePipeline({ inputType: 'thing', pipeline }, new Map());
  if (!made.ok) throw new Error(JSON.stringify(made.faults));
  return made.pipeline;
}

function fed(pipeline: CompiledPipeline, input: readonly Fields[]): PipelineRun {
  // The least number first: a sample gives the same each time.
  const run = pipeline.start({ random: () => 0 });
  for (const document of input) if (run.push(document) === 'enough') break;
  return run;
}

/** The end of a run in steps: the work of each, and the result. */
function ended(
  run: PipelineRun,
  units: number,
): { readonly steps: readonly number[]; readonly result: Result } {
  const steps: number[] = [];
  for (;;) {
    const before = run.spent;
    const result = run.proceed(units);
    steps.push(run.spent - before);
    if (result !== undefined) return { steps, result };
  }
}

const DOCUMENTS: readonly Fields[] = Array.from({ length: 4_000 }, (_, index) => ({
  id: index,
  k: index % 40,
  v: (index * 7919) % 1000,
}));

describe('the end of a run goes in steps', () => {
  it.each<[behaviour: string, pipeline: Value, leastSteps: number]>([
    ['a group that is unwound', [{ group: { id: '$k', all: { $push: '$v' } } }, { unwind: '$all' }], 20],
    [
      'a group of a group',
      [
        { group: { id: '$k', all: { $push: '$v' } } },
        { unwind: '$all' },
        { group: { id: '$all', n: { $sum: 1 } } },
        { sort: 'id' },
      ],
      40,
    ],
    ['a group of which a filter lets none through', [{ group: { id: '$id' } }, { filter: { id: -1 } }], 10],
    ['an order', [{ sort: 'v' }], 40],
    [
      'buckets of as many each',
      [{ bucketAuto: { groupBy: '$v', buckets: 10 } }, { project: { id: '$id.min' } }],
      20,
    ],
    ['an order with a limit', [{ sort: 'v' }, { skip: 5 }, { limit: 2_000 }], 20],
    [
      'windows over partitions',
      [
        {
          setWindowFields: {
            partitionBy: '$k',
            sortBy: 'v',
            output: {
              rank: { $rank: {} },
              sum: { $sum: '$v', window: { documents: ['unbounded', 'current'] } },
            },
          },
        },
      ],
      60,
    ],
    [
      'windows over one wide partition',
      [
        {
          setWindowFields: {
            sortBy: 'id',
            output: {
              sum: { $sum: '$v', window: { documents: [-2_000, 'current'] } },
              least: { $min: '$v', window: { range: [-500, 1_000] } },
              median: { $median: { input: '$v', method: 'approximate' } },
              all: { $count: {} },
            },
          },
        },
      ],
      100,
    ],
    ['a sample', [{ sample: 2_000 }, { project: { v: { $add: ['$v', 1] } } }], 10],
    ['an unwound sample', [{ sample: 100 }, { project: { l: { $range: [0, 100] } } }, { unwind: '$l' }], 40],
  ])('%s', (_behaviour, pipeline, leastSteps) => {
    const UNITS = 2_000;
    const made = compiled(pipeline);
    const { steps, result } = ended(fed(made, DOCUMENTS), UNITS);
    expect(steps.length).toBeGreaterThanOrEqual(leastSteps);
    // What one document takes may come on top of the units that were asked for.
    expect(Math.max(...steps)).toBeLessThan(UNITS + 1_000);
    expect(result.ok).toBe(true);
    expect(result).toEqual(fed(made, DOCUMENTS).finish());
  });

  it('and each step has the bounds of one document', () => {
    const pipeline = compiled([
      { group: { id: '$id' } },
      { project: { l: { $range: [0, { $add: ['$id', 1_000] }] } } },
    ]);
    const budget = { work: 1e9, step: 40_000, held: 1e9, outputs: 1e6 };
    const run = pipeline.start({ budget });
    for (const document of DOCUMENTS) run.push(document);
    expect(run.finish()).toMatchObject({ ok: true });
    const short = pipeline.start({ budget: { ...budget, step: 1_000 } });
    for (const document of DOCUMENTS) short.push(document);
    expect(short.finish()).toMatchObject({ ok: false, stage: 1, detail: /over one document/ });
  });
});

describe('the input ends early', () => {
  const pushedOf = (pipeline: Value): number => {
    const run = compiled(pipeline).start();
    let pushed = 1;
    for (const document of DOCUMENTS) {
      if (run.push(document) === 'enough') break;
      pushed += 1;
    }
    return pushed;
  };

  it.each<[behaviour: string, pipeline: Value, pushed: number]>([
    ['where a limit has enough', [{ limit: 3 }], 3],
    ['behind what is skipped', [{ skip: 4 }, { limit: 3 }], 7],
    [
      'in the middle of a document taken apart',
      [{ project: { l: { $range: [0, 4] } } }, { unwind: '$l' }, { limit: 6 }],
      2,
    ],
    ['before a group', [{ limit: 3 }, { group: { id: null, n: { $sum: 1 } } }], 3],
  ])('%s', (_behaviour, pipeline, pushed) => {
    expect(pushedOf(pipeline)).toBe(pushed);
  });

  it('and what was kept is given at the end alone', () => {
    const run = fed(compiled([{ limit: 3 }, { group: { id: '$id' } }]), DOCUMENTS);
    const before = run.spent;
    expect(run.finish()).toEqual({ ok: true, outputs: [{ id: 0 }, { id: 1 }, { id: 2 }] });
    expect(run.spent).toBeGreaterThan(before);
  });
});

describe('the work of unwind', () => {
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, index]));
  const list = Array.from({ length: 100 }, (_, index) => index);

  it('counts each item, however small its document is', () => {
    expect(fed(compiled([{ unwind: '$l' }]), [{ l: list }]).spent).toBeGreaterThan(100 * 40);
  });

  it.each<[behaviour: string, unwind: Value, document: Fields]>([
    ['counts the fields beside the list', '$l', { ...wide, l: list }],
    ['counts those of each object on the way', '$a.b.l', { a: { b: { ...wide, l: list } } }],
    [
      'counts the copy for the position',
      { path: '$l', includeArrayIndex: 'a.b.at' },
      { l: list, a: { b: wide } },
    ],
  ])('%s', (_behaviour, unwind, document) => {
    const run = fed(compiled([{ unwind }]), [document]);
    expect(run.spent).toBeGreaterThan(100 * 2_000);
  });
});
