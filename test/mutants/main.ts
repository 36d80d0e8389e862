/**
 * `npm run test:mutants [words]`: breaks the service on purpose, one breakage at a time in a copy of the project, and
 * runs the tests that should notice. Words choose the breakages whose file or sentence holds one of them; without, all
 * are run and the result is written into docs/contributing.md. Ends with 1 when a breakage survived without a reason,
 * does not apply any more, or does not run. `--seeds`: the model of transactions looks for each, seed by seed.
 */
import { transform } from 'esbuild';
import { writePart } from '../../scripts/generated-part.ts';
import { Copy } from './copy.ts';
import { MUTANTS, type Mutant } from './mutant.ts';

type Fate = 'noticed' | 'survived' | 'does not apply' | 'does not run';

const testFile = (name: string) => `test/${name}.test.ts`;

/** What becomes of a breakage, and what noticed it or why not. */
async function fateOf(mutant: Mutant, copy: Copy): Promise<readonly [Fate, string]> {
  const { file, find, put, tests } = mutant;
  const original = copy.has(file) ? copy.read(file) : '';
  const absent = tests.find((name) => !copy.has(testFile(name)));
  if (absent !== undefined) return ['does not apply', `there is no test ${absent}`];
  if (original.split(find).length !== 2) return ['does not apply', `not once in ${file}: ${find}`];
  const broken = original.replace(find, () => put);
  try {
    await transform(broken, { loader: 'ts' });
  } catch (error) {
    return ['does not run', String(error)];
  }
  copy.write(file, broken);
  try {
    if (bySeeds) return await foundByModel(copy);
    const { passed, failed, output } = await copy.run(tests.map(testFile));
    if (passed) return ['survived', ''];
    const [first] = failed;
    return first === undefined ? ['does not run', output.slice(-500)] : ['noticed', first];
  } finally {
    copy.write(file, original);
  }
}

function report(fates: ReadonlyMap<Mutant, Fate>): string {
  const survivors = [...fates].filter(([, fate]) => fate === 'survived');
  const noticed = [...fates.values()].filter((fate) => fate === 'noticed').length;
  const date = new Date().toISOString().slice(0, 10);
  return [
    `${date}, Node ${process.versions.node}: ${noticed} of ${fates.size} were noticed.`,
    survivors
      .map(([{ breaks, survives }]) => `- ${breaks}: ${survives ?? 'no test notices it yet.'}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Seeds that look for a breakage, each for half a minute. */
const SEEDS = 4;

/** The first seed by which the model of transactions finds what is broken, and its history. */
async function foundByModel(copy: Copy): Promise<readonly [Fate, string]> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const found = await copy.runModel(seed);
    if (found !== null) return ['noticed', `seed ${seed}: ${found}`];
  }
  return ['survived', `seeds 1 to ${SEEDS}`];
}

const given = process.argv.slice(2);
const bySeeds = given.includes('--seeds');
const words = given.filter((word) => word !== '--seeds');
const chosen = [...MUTANTS.values()]
  .flat()
  .filter(
    ({ file, breaks }) =>
      words.length === 0 || words.some((word) => file.includes(word) || breaks.includes(word)),
  );
const copy = new Copy();
const fates = new Map<Mutant, Fate>();
/** Test files that pass where nothing is broken: only those notice anything. */
const proved = new Set<string>();
try {
  for (const mutant of chosen) {
    const [fate, detail] = (bySeeds ? null : await faultUnbroken(mutant)) ?? (await fateOf(mutant, copy));
    fates.set(mutant, fate);
    console.log(`${fate.padEnd(14)} ${mutant.breaks}${detail === '' ? '' : ` (${detail})`}`);
    if (fate !== 'noticed' && !(fate === 'survived' && mutant.survives !== undefined)) process.exitCode = 1;
  }
  if (words.length === 0 && !bySeeds) {
    await writePart('docs/contributing.md', 'npm run test:mutants', report(fates));
  }
} finally {
  copy.remove();
}

/** What is wrong with the tests of a breakage while nothing is broken; null where they pass. */
async function faultUnbroken({ tests }: Mutant): Promise<readonly [Fate, string] | null> {
  const files = tests.map(testFile).filter((file) => copy.has(file) && !proved.has(file));
  if (files.length === 0) return null;
  const { passed, failed, output } = await copy.run(files, false);
  if (!passed) return ['does not run', `fails unbroken: ${failed.join('; ') || output.slice(-500)}`];
  for (const file of files) proved.add(file);
  return null;
}
