/**
 * The clock run: documents that end at dates, and a clock that is set forward, back, and back while the service starts
 * again. Whoever was told that a document has ended is told so from then on, and no other is gone.
 */
import { OwnService, workerNamed } from '../support/own-service.ts';
import { settle } from '../support/type-settings.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const DOCUMENTS = 20;
const TURNS = 6;
const MINUTE = 60_000;
/** Documents end within so many minutes, and the clock is at most so far ahead. */
const SPAN = 60;

export async function runClocks({
  seed,
  rounds,
  until,
}: Limits & { readonly rounds: number }): Promise<Figures> {
  const service = await OwnService.start({ entry: workerNamed('clock') });
  const tally = { rounds: 0, back: 0, restarts: 0, ended: 0, looks: 0 };
  const random = new Random(seed);
  try {
    while (tally.rounds < rounds && Date.now() < until) {
      await round(service, `stories-${tally.rounds}`, random.fork(tally.rounds), tally);
      tally.rounds += 1;
    }
  } catch (error) {
    throw new Error(`The clock run of seed ${seed} failed in round ${tally.rounds}.`, { cause: error });
  } finally {
    await service.stop();
  }
  return {
    Rounds: tally.rounds,
    'Clocks set back': tally.back,
    'of them over a start': tally.restarts,
    'Documents that ended': tally.ended,
    'Lists compared': tally.looks,
  };
}

type Tally = Record<'rounds' | 'back' | 'restarts' | 'ended' | 'looks', number>;

async function round(service: OwnService, type: string, random: Random, tally: Tally): Promise<void> {
  const setClock = async (minutes: number) => {
    await fetch(`${service.url}/test/clock?ahead=${minutes * MINUTE}`, { method: 'POST' });
  };
  await setClock(0);
  await settle(service.client, { name: type, expires: 'until' });
  const start = Date.now();
  const ends = new Map<string, number>();
  for (let n = 0; n < DOCUMENTS; n += 1) {
    // Half a minute lies between any end and any look.
    const minute = 1.5 + random.below(SPAN);
    const { id } = await service.client.make(type, { until: { $date: start + minute * MINUTE } });
    ends.set(id, minute);
  }
  let [clock, latest] = [0, 0];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const next = 1 + random.below(SPAN);
    const isBack = next < clock;
    if (isBack) tally.back += 1;
    if (isBack && random.below(2) === 0) {
      tally.restarts += 1;
      await service.restart();
    }
    await setClock(next);
    clock = next;
    latest = Math.max(latest, clock);
    const { body, text } = await service.client.get(`/resources/${type}?page[limit]=${DOCUMENTS}`);
    const left = [...ends].filter(([, end]) => end > latest).map(([id]) => id);
    const found = body.data.map(({ id }) => id).sort();
    if (found.join() !== left.sort().join() || body.meta.count !== left.length)
      throw new Error(`At minute ${clock}, after ${latest}, ${left.length} documents are left, but: ${text}`);
    tally.looks += 1;
  }
  tally.ended += [...ends.values()].filter((end) => end <= latest).length;
}
