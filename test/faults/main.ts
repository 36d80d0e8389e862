/**
 * `npm run test:faults [-- --seed N] [--minutes M] [--short] [names]`: all runs, or those named, in the long form. Each
 * tells its seed, which repeats its choices. The figures go into docs/reliability.md; the first fault ends with 1.
 * The short form does little of each, and writes nothing.
 */
import { parseArgs } from 'node:util';
import { writePart } from '../../scripts/generated-part.ts';
import { startRuntime } from '../../scripts/runtime.ts';
import { Operator } from '../../scripts/operator.ts';
import { Client } from '../support/client.ts';
import { runClocks } from './clocks.ts';
import { runCrashes } from './crash.ts';
import { runFuzz } from './fuzz/fuzz.ts';
import { runHistories } from './histories.ts';
import { runRestores } from './restores.ts';
import { runRetries } from './retries.ts';
import type { Figures, Limits } from './run.ts';
import { runSessions } from './sessions.ts';
import { runTransactions } from './transactions.ts';
import { runTransfers } from './transfers.ts';

/** How much the long form does, where time is enough, and the short one. */
const LONG = {
  kills: 30,
  histories: 200,
  transactions: 500,
  transfers: 100,
  requests: 50_000,
  retries: 10,
  clocks: 40,
  restores: 10,
  sessions: 10_000,
};
const SHORT: typeof LONG = {
  kills: 1,
  histories: 2,
  transactions: 2,
  transfers: 1,
  requests: 100,
  retries: 1,
  clocks: 1,
  restores: 1,
  sessions: 100,
};

const RUNS: Readonly<Record<string, (limits: Limits, work: typeof LONG) => Promise<Figures>>> = {
  kills: (limits, { kills }) => runCrashes({ ...limits, kills }),
  histories: (limits, { histories: count }) =>
    withService((client) => runHistories(client, { ...limits, count })),
  transactions: (limits, { transactions: count }) => runTransactions({ ...limits, count }),
  transfers: (limits, { transfers: kills }) => runTransfers({ ...limits, kills }),
  retries: (limits, { retries: kills }) => runRetries({ ...limits, kills }),
  clocks: (limits, { clocks: rounds }) => runClocks({ ...limits, rounds }),
  restores: (limits, { restores: kills }) => runRestores({ ...limits, kills }),
  sessions: (limits, { sessions: users }) => runSessions({ ...limits, users }),
  fuzzing: (limits, { requests }) => runFuzz({ ...limits, requests }),
};

/** A service that only this run asks. */
async function withService<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const secret = 'h'.repeat(40);
  const secrets = { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: secret };
  const service = await startRuntime({ port: 0, data: null, secrets, log: () => undefined });
  try {
    const { id, apiKey } = await new Operator(service.url, secret).create('histories');
    return await work(new Client(service.url, id, apiKey));
  } finally {
    await service.stop();
  }
}

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string' }, short: { type: 'boolean' } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes ?? 30);
const chosen = Object.entries(RUNS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
if (!Number.isSafeInteger(seed) || !(minutes > 0) || chosen.length === 0) {
  console.error(
    'Usage: npm run test:faults -- [--seed <integer>] [--minutes <above 0>] [--short] ' +
      `[names of ${Object.keys(RUNS).join(', ')}]`,
  );
  process.exit(1);
}

try {
  const end = Date.now() + minutes * 60_000;
  for (const [index, [name, run]] of chosen.entries()) {
    console.log(`${name}, seed ${seed}`);
    // Each run has its share of the time that the ones before have left.
    const until = Date.now() + (end - Date.now()) / (chosen.length - index);
    const figures = await run({ seed, until }, values.short === true ? SHORT : LONG);
    console.table(figures);
    if (values.short !== true)
      await writePart('docs/reliability.md', `npm run test:faults -- ${name}`, report(figures));
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

function report(figures: Figures): string {
  const date = new Date().toISOString().slice(0, 10);
  const counts = Object.entries(figures).map(([what, count]) => `${what}: ${count.toLocaleString('en')}`);
  return `${date}, seed ${seed}. ${counts.join(', ')}.`;
}
