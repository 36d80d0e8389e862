/** Repeated requests: creates with an `Idempotency-Key`, sent twice at once and, after kills, again, make one each. */
import { until as waitUntil } from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const WRITES = 60;
const TYPE = 'retried';

export async function runRetries({
  seed,
  kills,
  until,
}: Limits & { readonly kills: number }): Promise<Figures> {
  const starts = await Starts.prepare();
  const random = new Random(seed);
  const tally = { kills: 0, answered: 0, again: 0 };
  try {
    for (; tally.kills < kills && Date.now() < until; tally.kills += 1) await round(starts, random, tally);
  } catch (error) {
    throw new Error(`The run of repeated requests of seed ${seed} failed.`, { cause: error });
  } finally {
    await starts.end();
  }
  return {
    Kills: tally.kills,
    'Creates answered before them': tally.answered,
    'Creates sent again after them': tally.again,
  };
}

type Tally = Record<'kills' | 'answered' | 'again', number>;

async function round(starts: Starts, random: Random, tally: Tally): Promise<void> {
  const server = await starts.run();
  const first = clientOf(server);
  const name = (n: number) => `${tally.kills}-${n}`;
  const create = (n: number, by: typeof first) =>
    by.create(`/resources/${TYPE}`, { attributes: { name: name(n) } }, { 'idempotency-key': name(n) });
  const answers = new Map<number, string>();
  const enough = 1 + random.below(WRITES / 2);
  const numbers = Array.from({ length: WRITES }, (_, n) => n);
  const all = Promise.allSettled(
    [...numbers, ...numbers].map(async (n) => {
      const { status, text } = await create(n, first);
      // The other one of two may still be under way.
      if (status === 201) answers.set(n, text);
      else if (status !== 409) throw new Error(text);
    }),
  );
  await waitUntil('some are answered', () => answers.size >= enough);
  await server.killAll();
  const wrong = (await all).filter(({ status, ...rest }) => status === 'rejected' && !isBroken(rest));
  if (wrong.length > 0) throw new Error('A create was answered as it should not be.', { cause: wrong[0] });
  tally.answered += answers.size;

  const again = await starts.run();
  const client = clientOf(again);
  for (const n of numbers) {
    const { status, text } = await create(n, client);
    const before = answers.get(n);
    if (status !== 201 || (before !== undefined && before !== text))
      throw new Error(`Create ${name(n)} was answered ${before ?? 'nothing'} and is ${status} ${text}`);
    tally.again += 1;
    const found = await client.get(`/resources/${TYPE}?filter[name]="${name(n)}"`);
    if (found.body.meta.count !== 1)
      throw new Error(`Create ${name(n)} made ${found.body.meta.count} documents.`);
  }
  await again.killAll();
}

/** A connection that ended with the process. */
function isBroken(outcome: object): boolean {
  return 'reason' in outcome && outcome.reason instanceof TypeError;
}
