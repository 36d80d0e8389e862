/**
 * Transfers: eight writers move money between types, every process is killed amid them, and again. After each
 * start, every account holds what the ledger says, and no type stays locked.
 */
import { clientOf, Starts } from '../support/starts.ts';
import type { Client } from '../support/client.ts';
import { until as waitUntil } from '../support/started.ts';
import { ACCOUNTS, auditAccounts, LEDGER, openAccounts, transfer } from './crash/bank.ts';
import { answered } from './crash/answered.ts';
import { lookIntoFiles } from './files.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const WRITERS = 8;
/** Transfers that are answered before a death: fewer than so many. */
const MOST_TRANSFERS = 100;

export async function runTransfers({
  seed,
  kills,
  until,
}: Limits & { readonly kills: number }): Promise<Figures> {
  const starts = await Starts.prepare();
  const random = new Random(seed);
  const tally = { kills: 0, answered: 0, prepared: 0, audits: 0, entries: 0, locked: 0 };
  try {
    for (; tally.kills < kills && Date.now() < until; tally.kills += 1) {
      const server = await starts.run();
      const client = clientOf(server);
      if (tally.kills === 0) await openAccounts(client);
      else tally.locked = Math.max(tally.locked, await lockedFor(client));
      await audit(client, tally);
      const forked = random.fork(tally.kills);
      const enough = tally.answered + 1 + forked.below(MOST_TRANSFERS);
      const writers = Array.from({ length: WRITERS }, (_, index) => write(client, forked.fork(index), tally));
      const ended = Promise.all(writers).then(
        () => null,
        (error: unknown) => error,
      );
      await waitUntil('enough transfers are answered', () => tally.answered >= enough);
      await server.killAll();
      const error = await ended;
      if (error !== null) throw new Error('A transfer was answered what it should not be.', { cause: error });
      const { prepared, faults } = lookIntoFiles(starts.folder);
      if (faults.length > 0) throw new Error(faults.join('; '));
      tally.prepared += prepared;
    }
    const server = await starts.run();
    tally.locked = Math.max(tally.locked, await lockedFor(clientOf(server)));
    await audit(clientOf(server), tally);
  } catch (error) {
    throw new Error(`The run of transfers of seed ${seed} failed after ${tally.kills} kills.`, {
      cause: error,
    });
  } finally {
    await starts.end();
  }
  return {
    Kills: tally.kills,
    'Transfers answered before them, by 8 writers': tally.answered,
    'Transfers in the ledger': tally.entries,
    'Types that a kill left prepared': tally.prepared,
    'Audits of all accounts': tally.audits,
    'Milliseconds after a start until every type had taken a write, at most': tally.locked,
  };
}

/** Transfers until the service is gone. */
async function write(client: Client, random: Random, tally: { answered: number }): Promise<void> {
  try {
    for (;;) {
      await transfer(client, random);
      tally.answered += 1;
    }
  } catch (error) {
    // A connection that broke is what the service is killed for.
    if (!(error instanceof TypeError)) throw error;
  }
}

/**
 * Milliseconds until each type has taken a write: one waits while a transaction is prepared, and is refused where that
 * stays so.
 */
async function lockedFor(client: Client): Promise<number> {
  const begun = performance.now();
  const replies = await Promise.all([
    client.create(`/resources/${LEDGER}`, { attributes: { from: 'nobody', amount: 0 } }),
    ...ACCOUNTS.map(({ type, id }) =>
      client.update(`/resources/${type}/${id}`, { attributes: { looked: begun } }),
    ),
  ]);
  for (const [at, reply] of replies.entries()) answered(reply, at === 0 ? 201 : 200);
  return Math.ceil(performance.now() - begun);
}

async function audit(client: Client, tally: Record<'kills' | 'audits' | 'entries', number>): Promise<void> {
  const { entries, faults } = await auditAccounts(client);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  tally.audits += 1;
  tally.entries = entries - tally.kills;
}
