/** Measures the works of the contenders in turn: A B A B, so that what slows the machine slows all of them. */
import {
  CONTENDERS,
  WORKS,
  type Contender,
  type ContenderName,
  type Work,
  type WorkName,
} from './contender.ts';
import { measure } from './load.ts';
import { isInterrupted } from './processes.ts';
import type { Options } from './options.ts';
import { figuresOf, short, type Figures, type Sample } from './stats.ts';

/** What one size has come to. */
export interface Outcome {
  readonly size: number;
  readonly figures: ReadonlyMap<WorkName, ReadonlyMap<ContenderName, Figures>>;
  readonly notes: readonly string[];
  /** Works, or whole contenders, of which there are no figures though there should be. */
  readonly failures: number;
  readonly imports: ReadonlyMap<ContenderName, number>;
  readonly first: FirstFilter | null;
}

/** Filters on fields that no search has asked for before. Milliseconds. */
export interface FirstFilter {
  readonly p50: number;
  /** Between two answers of a reader beside them. */
  readonly pause: number;
}

type Measured = Pick<Outcome, 'figures' | 'notes' | 'failures'>;

/**
 * Milliseconds. V8 compiles what a work needs only after it has run for some seconds. What takes longer than all rounds
 * even so is measured no more: nothing is gained by waiting again.
 */
const WARM_UP = 2000;

export async function runWorks(contenders: readonly Contender[], options: Options): Promise<Measured> {
  const figures = new Map<WorkName, ReadonlyMap<ContenderName, Figures>>();
  const notes: string[] = [];
  let failures = 0;
  for (const name of options.works) {
    const taking = contenders.flatMap((contender) => {
      const work = contender.works[name];
      return work === undefined ? [] : [{ contender, work, samples: [] as Sample[], next: numbered(work) }];
    });
    const failed = new Set<Contender>();
    const told = (contender: Contender, text: string) =>
      `${CONTENDERS[contender.name]}, ${WORKS[name]}: ${text}`;
    const attempt = async (contender: Contender, what: () => Promise<void>) => {
      if (failed.has(contender)) return;
      await what().catch((error: unknown) => {
        if (isInterrupted()) throw error;
        failed.add(contender);
        failures += 1;
        notes.push(told(contender, error instanceof Error ? error.message : String(error)));
      });
    };
    const most = (options.rounds * options.milliseconds) / 1000;
    for (const { contender, work, samples, next } of taking) {
      await attempt(contender, async () => {
        const remark = (await work.prepare?.()) ?? null;
        if (remark !== null) console.error(`  ${told(contender, remark)}`);
        const first = await measure(contender.url, {
          ...widthOf(work, options),
          ...next,
          milliseconds: WARM_UP,
        });
        if (first.seconds < Math.max(most, (2 * WARM_UP) / 1000)) return;
        samples.push(first);
      });
    }
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { contender, work, samples, next } of taking) {
        if (secondsOf(samples) >= most) continue;
        await attempt(contender, async () => {
          const { milliseconds } = options;
          await work.wake?.();
          samples.push(await measure(contender.url, { ...widthOf(work, options), ...next, milliseconds }));
        });
      }
    }
    const found = taking.flatMap(({ contender, samples }) =>
      failed.has(contender) ? [] : [[contender.name, figuresOf(samples)] as const],
    );
    figures.set(name, new Map(found));
    const line = found.map(([who, { rate, p50 }]) => `${who} ${short(rate)}/s (${short(p50)} ms)`).join(', ');
    console.error(`  ${WORKS[name]}: ${line}`);
  }
  return { figures, notes, failures };
}

function secondsOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, { seconds }) => sum + seconds, 0);
}

function widthOf(work: Work, { connections }: Options) {
  return { connections: work.single === true || work.before !== undefined ? 1 : connections };
}

/** Exchanges with numbers that go on from round to round. */
function numbered({ next, before }: Work) {
  let index = 0;
  const count = <Result>(make: (index: number) => Result) => {
    index += 1;
    return make(index);
  };
  return { next: () => count(next), before: before === undefined ? undefined : () => count(before) };
}
