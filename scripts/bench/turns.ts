/** Works that are measured in turn: what else the machine does meanwhile concerns all of them. */
import { measure, type Exchange } from './load.ts';
import type { Options } from './options.ts';
import { figuresOf, type Sample } from './stats.ts';

export interface Work {
  readonly name: string;
  readonly next: () => Exchange;
}

/** Requests a second of each, by name. */
export async function ratesInTurn(
  url: string,
  works: readonly Work[],
  { connections, milliseconds, rounds }: Pick<Options, 'connections' | 'milliseconds' | 'rounds'>,
): Promise<(name: string) => number> {
  const samples = new Map(works.map(({ name }) => [name, [] as Sample[]]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, next } of works) {
      const sample = await measure(url, { connections, milliseconds, next });
      if (round > 0) samples.get(name)?.push(sample);
    }
  }
  return (name) => figuresOf(samples.get(name) ?? []).rate;
}
