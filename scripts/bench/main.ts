/**
 * `npm run bench`: our server, the floor (what the runtime itself costs) and peers, loaded with the same data and
 * asked the same questions in turn. `--help` tells the options.
 */
import { CONTENDERS, type Contender, type ContenderName } from './contender.ts';
import { startFloor, loadFloor } from './floor/contender.ts';
import { runFiles } from './files.ts';
import { runHistory } from './history.ts';
import { runLive } from './live.ts';
import { foredgeWorks } from './foredge/works.ts';
import { loadForedge } from './foredge/data.ts';
import { loadHand } from './hand/contender.ts';
import { firstFilters } from './foredge/first-filter.ts';
import { startForedge } from './foredge/serve.ts';
import { runMemory } from './memory.ts';
import { FULL_SIZE, readOptions, USAGE, type Options } from './options.ts';
import { runRules } from './rules.ts';
import { startPeers } from './peers/start.ts';
import { endAll, endOnSignals, isInterrupted } from './processes.ts';
import { reportOf } from './report.ts';
import { missedTargets } from './targets.ts';
import { runWorks, type FirstFilter, type Outcome } from './run.ts';
import { writePart } from '../generated-part.ts';
import { short } from './stats.ts';

/** The page with the figures. */
const PAGE = 'docs/benchmarks.md';

interface Loaded {
  readonly contenders: readonly Contender[];
  readonly first: (() => Promise<FirstFilter>) | null;
  readonly notes: readonly string[];
  readonly failures: number;
}

if (process.argv.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
endOnSignals();
const outcomes: Outcome[] = [];
try {
  const options = readOptions(process.argv.slice(2));
  if (options.files) console.log(await runFiles(options.rounds));
  else if (options.live !== null) console.log(await runLive(options.live));
  else if (options.history !== null) console.log(await runHistory(options.history, options));
  else if (options.rules !== null) console.log(await runRules(options.rules, options));
  else if (options.memory) await inLittleMemory(options);
  else {
    await runSizes(options).catch((error: unknown) => {
      if (!isInterrupted() && outcomes.length > 0) console.log(reportOf(outcomes, options));
      throw error;
    });
    await publish(options);
  }
} catch (error) {
  if (!isInterrupted()) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await endAll();
}
process.exit();

async function runSizes(options: Options): Promise<void> {
  for (const size of options.sizes) {
    outcomes.push(await runSize(size, options));
    await endAll();
  }
}

async function inLittleMemory({ sizes, complete, write }: Options): Promise<void> {
  const [size = FULL_SIZE] = sizes;
  const { report, failures } = await runMemory(size);
  console.log(report);
  if (failures > 0) process.exitCode = 1;
  if (write || (complete && failures === 0)) await writePart(PAGE, 'the run in little memory', report);
}

async function publish(options: Options): Promise<void> {
  const report = reportOf(outcomes, options);
  console.log(`${report}\n\nFigures that were missed:\n\n${missedTargets(outcomes)}`);
  const failures = outcomes.reduce((sum, outcome) => sum + outcome.failures, 0);
  if (options.write || (options.complete && failures === 0)) await writePart(PAGE, 'npm run bench', report);
  else if (options.complete) console.error(`${PAGE} was not written: something failed.`);
}

async function runSize(size: number, options: Options): Promise<Outcome> {
  console.error(`${size.toLocaleString('en')} documents`);
  const { contenders, first, notes, failures } = await loadAll(size, options);
  const imports = contenders.flatMap(({ name, imported }) =>
    imported === null ? [] : [[name, imported.documents / imported.seconds] as const],
  );
  const measured = await runWorks(contenders, options);
  const firstFilter = options.works.includes('selective') ? ((await first?.()) ?? null) : null;
  return {
    size,
    ...measured,
    notes: [...notes, ...measured.notes],
    failures: failures + measured.failures,
    imports: new Map(imports),
    first: firstFilter,
  };
}

async function loadAll(size: number, { contenders: names, works }: Options): Promise<Loaded> {
  const contenders: Contender[] = [];
  let first: Loaded['first'] = null;
  const notes: string[] = [];
  const add = (contender: Contender) => {
    contenders.push(contender);
    const { imported } = contender;
    if (imported === null) return;
    const { documents, seconds, how } = imported;
    console.error(`  ${CONTENDERS[contender.name]}: ${short(documents / seconds)} documents/s (${how})`);
  };
  const wanted = (name: ContenderName) => names.includes(name);
  if (wanted('ours')) {
    const { credentials } = await startForedge();
    const loaded = await loadForedge(credentials, size, works.includes('acl'));
    add({
      name: 'ours',
      url: credentials.url,
      imported: loaded.imported,
      works: foredgeWorks(credentials, loaded, size),
    });
    first = () => firstFilters(credentials, loaded);
  }
  if (wanted('floor') || wanted('hand')) {
    const url = await startFloor();
    if (wanted('floor')) add(await loadFloor(url, size));
    if (wanted('hand')) add(await loadHand(url, size));
  }
  const peers = await startPeers(names, size, works.includes('acl'));
  for (const peer of peers.contenders) add(peer);
  for (const note of peers.notes) console.error(`  ${note}`);
  return { contenders, first, notes: [...notes, ...peers.notes], failures: peers.failures };
}
