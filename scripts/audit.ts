/**
 * Known vulnerabilities of the packages, as the registry tells them, and the licences of those that the Worker has.
 * Some registries (mirrors, mostly) tell no vulnerabilities: then this is said, and only the licences are checked.
 */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, orEnd } from './failure.ts';

const ROOT = join(import.meta.dirname, '..');

/** They ask for no more than their text and their notices. */
const ACCEPTED: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Apache 2.0',
  'Unicode-3.0',
]);

/** Vulnerabilities of these grades, in what is served or built with, end the command with 1. */
const GRAVE = ['high', 'critical'];

await orEnd(() => checkLicences().then(checkVulnerabilities));

async function checkLicences(): Promise<void> {
  const licences = new Map((await packagesOfWorker()).map((name) => [name, licenceOf(name)]));
  for (const [name, licence] of licences) console.log(`${name}: ${licence}`);
  const others = Array.from(licences).filter(([, licence]) => !ACCEPTED.has(licence));
  if (others.length > 0) {
    throw new Failure(
      `Licences that are not accepted: ${others.map(([name, licence]) => `${name} (${licence})`).join(', ')}.`,
    );
  }
}

/** The packages whose files are in the bundle: what is only built or tested with is not there. */
async function packagesOfWorker(): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'src/index.ts')],
    absWorkingDir: ROOT,
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

function licenceOf(name: string): string {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
  const { license } = JSON.parse(text) as { readonly license?: unknown };
  return typeof license === 'string' ? license : 'none';
}

/** What `npm audit --json` tells: counts by grade, or an error. */
interface Audit {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
}

function checkVulnerabilities(): void {
  const { stdout } = spawnSync('npm', ['audit', '--include=dev', '--workspaces=false', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const { metadata } = JSON.parse(stdout) as Audit;
  if (metadata === undefined) {
    console.log('The registry tells no vulnerabilities: ask another one (npm audit --registry …).');
    return;
  }
  console.log('Vulnerabilities:', JSON.stringify(metadata.vulnerabilities));
  const grave = GRAVE.filter((grade) => (metadata.vulnerabilities[grade] ?? 0) > 0);
  if (grave.length > 0)
    throw new Failure(`There are vulnerabilities that are ${grave.join(' and ')}: npm audit tells which.`);
}
