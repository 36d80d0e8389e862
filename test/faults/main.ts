/**
 * `npm run test:faults [-- --seed N] [--minutes M] [names]`: kills, histories and fuzzing, or those named, in their long
 * form. Each run tells its seed, which repeats its choices. The figures go into docs/reliability.md; the first thing
 * found ends with 1.
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
  kills: (limits) => runCrashes({ ...limits, kills: KILLS }),
  histories: (limits) => withService((client) => runHistories(client, { ...limits, count: HISTORIES })),
  fuzzing: (limits) => runFuzz({ ...limits, requests: REQUESTS }),
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
  options: { seed: { type: 'string' }, minutes: { type: 'string' } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes ?? 30);
const chosen = Object.entries(RUNS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
if (!Number.isSafeInteger(seed) || !(minutes > 0) || chosen.length === 0) {
  console.error(
    'Usage: npm run test:faults -- [--seed <integer>] [--minutes <above 0>] [kills] [histories] [fuzzing]',
  );
  process.exit(1);
}

try {
  const end = Date.now() + minutes * 60_000;
  for (const [index, [name, run]] of chosen.entries()) {
    console.log(`${name}, seed ${seed}`);
    // Each run has its share of the time that the ones before have left.
    const until = Date.now() + (end - Date.now()) / (chosen.length - index);
    const figures = await run({ seed, until });
    console.table(figures);
    await writePart('docs/reliability.md', marksOf(`npm run test:faults -- ${name}`), report(figures));
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

function report(figures: Figures): string {
  const [processor] = cpus();
  const machine = `${cpus().length} × ${processor?.model ?? 'processor'}`;
  const date = new Date().toISOString().slice(0, 10);
  const rows = Object.entries(figures).map(([what, count]) => `| ${what} | ${count.toLocaleString('en')} |`);
  const table = ['| What | How many |', '| --- | ---: |', ...rows];
  return `${date}, seed ${seed}, ${machine}, Node ${process.versions.node}. Nothing was found.\n\n${table.join('\n')}`;
}
