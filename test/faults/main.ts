/**
 * `npm run test:faults [-- --seed N] [--minutes M]`: kills, histories and fuzzing, in their long form. Each run tells
 * its seed, which repeats its choices. The figures go into docs/reliability.md; the first thing found ends with 1.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { marksOf, writePart } from '../../scripts/marked-part.ts';
import { startRuntime } from '../../scripts/runtime.ts';
import { Operator } from '../../scripts/operator.ts';
import { Client } from '../support/client.ts';
import { runCrashes } from './crash.ts';
import { runFuzz } from './fuzz/fuzz.ts';
import { runHistories } from './histories.ts';
import type { Figures, Limits } from './run.ts';

/** How much the long form does, where time is enough. */
const KILLS = 30;
const HISTORIES = 200;
const REQUESTS = 50_000;

const RUNS: Readonly<Record<string, (limits: Limits) => Promise<Figures>>> = {
  Kills: (limits) => runCrashes({ ...limits, kills: KILLS }),
  Histories: (limits) => withService((client) => runHistories(client, { ...limits, count: HISTORIES })),
  Fuzzing: (limits) => runFuzz({ ...limits, requests: REQUESTS }),
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

const { values } = parseArgs({ options: { seed: { type: 'string' }, minutes: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes ?? 30);
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  console.error('Usage: npm run test:faults -- [--seed <integer>] [--minutes <number above 0>]');
  process.exit(1);
}

const rows: string[] = [];
try {
  for (const [name, run] of Object.entries(RUNS)) {
    console.log(`${name}, seed ${seed}`);
    // Each run has its share of the time; what one does not need is lost.
    const until = Date.now() + (minutes * 60_000) / Object.keys(RUNS).length;
    const figures = await run({ seed, until });
    console.table(figures);
    for (const [what, count] of Object.entries(figures)) {
      rows.push(`| ${name} | ${what} | ${count.toLocaleString('en')} |`);
    }
  }
  const [processor] = cpus();
  const machine = `${cpus().length} × ${processor?.model ?? 'processor'}`;
  const date = new Date().toISOString().slice(0, 10);
  const head = `${date}, seed ${seed}, ${machine}, Node ${process.versions.node}. Nothing was found.`;
  const table = ['| Run | What | How many |', '| --- | --- | ---: |', ...rows].join('\n');
  await writePart('docs/reliability.md', marksOf('npm run test:faults'), `${head}\n\n${table}`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
