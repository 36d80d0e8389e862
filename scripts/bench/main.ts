/**
 * `npm run bench`: our server, the floor (what the runtime itself costs) and peers, loaded with the same data and
 * asked the same questions in turn. `--help` tells the options.
 */
import { CONTENDERS, type Contender, type ContenderName } from './contender.ts';
import { startFloor, loadFloor } from './floor/contender.ts';
import { foredgeWorks } from './foredge/works.ts';
import { loadForedge } from './foredge/data.ts';
import { firstFilters } from './foredge/first-filter.ts';
import { startForedge } from './foredge/serve.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { startPeers } from './peers/start.ts';
import { endAll, endOnSignals } from './processes.ts';
import { reportOf } from './report.ts';
import { runWorks, type FirstFilter, type Outcome } from './run.ts';
import { writePage } from './write.ts';
import { short } from './stats.ts';

interface Loaded {
  readonly contenders: readonly Contender[];
  readonly first: (() => Promise<FirstFilter>) | null;
  readonly notes: readonly string[];
}

if (process.argv.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
endOnSignals();
try {
  const options = readOptions(process.argv.slice(2));
  const outcomes: Outcome[] = [];
  for (const size of options.sizes) {
    outcomes.push(await runSize(size, options));
    await endAll();
  }
  const report = reportOf(outcomes, options);
  console.log(report);
  if (options.complete || options.write) await writePage(report);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await endAll();
}
process.exit();

async function runSize(size: number, options: Options): Promise<Outcome> {
  console.error(`${size.toLocaleString('en')} documents`);
  const { contenders, first, notes } = await loadAll(size, options);
  const imports = contenders.flatMap(({ name, imported }) =>
    imported === null ? [] : [[name, imported.documents / imported.seconds] as const],
  );
  const measured = await runWorks(contenders, options);
  const filters = first === null || options.works.length < 2 ? null : await first();
  return {
    size,
    ...measured,
    notes: [...notes, ...measured.notes],
    imports: new Map(imports),
    first: filters,
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
    notes.push(`${CONTENDERS[contender.name]} was loaded so: ${how}.`);
  };
  const wanted = (name: ContenderName) => names.includes(name);
  if (wanted('ours')) {
    const credentials = await startForedge();
    const loaded = await loadForedge(credentials, size, works.includes('acl'));
    add({
      name: 'ours',
      url: credentials.url,
      imported: loaded.imported,
      works: foredgeWorks(credentials, loaded, size),
    });
    first = () => firstFilters(credentials, loaded);
  }
  if (wanted('floor')) add(await loadFloor(await startFloor(), size));
  const peers = await startPeers(names, size, works.includes('acl'));
  for (const peer of peers.contenders) add(peer);
  for (const note of peers.notes) console.error(`  ${note}`);
  return { contenders, first, notes: [...notes, ...peers.notes] };
}
