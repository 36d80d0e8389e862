/**
 * `npm pack` runs it: makes what the package `foredge` holds, in `dist`: the command with all that it imports, the
 * Worker, its assets, and the client. Only the runtime is a dependency.
 */
import { build, type Metafile, type Plugin } from 'esbuild';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GROUPS, buildAssets } from './build-assets.ts';
import { buildClient } from './build-client.ts';
import { CLOCK, WORKER } from './build-worker.ts';
import { orEnd } from './failure.ts';
import { schemasOfFiles } from './project/schemas.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist');

/** Nothing is built where the package is. */
const BUILT: Plugin = {
  name: 'built',
  setup: (bundle) => {
    bundle.onResolve({ filter: /\/build-(assets|client|worker)\.ts$/ }, () => ({
      path: join(ROOT, 'scripts/packaged.ts'),
    }));
    // Never called, and larger than all the rest.
    bundle.onResolve({ filter: /^prettier$/ }, () => ({ path: 'prettier', namespace: 'absent' }));
    bundle.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: '' }));
  },
};

async function buildPackage(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  cpSync(join(ROOT, 'scripts/workerd.sh'), join(FOLDER, 'workerd.sh'));
  const command = await build({
    entryPoints: { foredge: join(ROOT, 'scripts/app.ts'), testing: join(ROOT, 'scripts/testing.ts') },
    chunkNames: 'part-[hash]',
    outdir: FOLDER,
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    external: ['miniflare', 'workerd'],
    // Some packages are of the time before modules.
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
    plugins: [BUILT],
    metafile: true,
    logLevel: 'error',
  });
  const options = { ...WORKER, metafile: true } as const;
  const worker = await build({ ...options, absWorkingDir: ROOT, outfile: join(FOLDER, 'worker.js') });
  await build({ ...CLOCK, outfile: join(FOLDER, 'clock.js') });
  await buildAssets(
    GROUPS.map((group) => ({ ...group, make: async () => withoutPictures(await group.make()) })),
    join(FOLDER, 'assets'),
  );
  await buildClient(join(FOLDER, 'client'));
  writeTypesOfTesting();
  mkdirSync(join(FOLDER, 'schemas'));
  for (const [name, text] of schemasOfFiles()) writeFileSync(join(FOLDER, 'schemas', `${name}.json`), text);
  writeFileSync(join(FOLDER, 'LICENSES.txt'), licences(command.metafile, worker.metafile));
}

/** They import the client's alone. */
function writeTypesOfTesting(): void {
  const text = readFileSync(join(ROOT, 'scripts/testing-types.ts'), 'utf8');
  const declared = 'export declare const startForedge: StartForedge;\nexport declare const refused: Refused;';
  writeFileSync(
    join(FOLDER, 'testing.d.ts'),
    `${text.replace('../src/client/index.ts', './client/index.js')}${declared}\n`,
  );
}

/** The pictures of the documentation weigh more than all else. */
function withoutPictures(
  assets: ReadonlyMap<string, string | Uint8Array>,
): ReadonlyMap<string, string | Uint8Array> {
  const kept = [...assets].filter(([name]) => !name.endsWith('.png'));
  return new Map(
    kept.map(([name, content]) => [
      name,
      typeof content === 'string'
        ? content.replaceAll(/<picture>.*?<\/picture>|<img [^>]*\.png"[^>]*>/gs, '')
        : content,
    ]),
  );
}

/** The licences of all packages of which the bundles have something, and of those that assets are made of. */
function licences(...made: readonly Metafile[]): string {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly devDependencies: object;
  };
  const inputs = made.flatMap(({ inputs: files }) => Object.keys(files));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const named = Object.keys(devDependencies).map((name) => `node_modules/${name}`);
  return [...new Set([...folders, ...named])]
    .sort()
    .map((folder) => {
      const file = readdirSync(join(ROOT, folder)).find((name) => /^licen[cs]e/i.test(name));
      const text = file === undefined ? '' : readFileSync(join(ROOT, folder, file), 'utf8');
      return `${folder.replace(/^.*node_modules\//, '')}\n\n${text}`;
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

await orEnd(buildPackage);
