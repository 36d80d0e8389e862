/** The Worker as one module, kept as assets are (build-assets.ts): made again when its source changes. */
import type { BuildOptions } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildAssets } from './build-assets.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src/index.ts');

/** How the Worker of the project is bundled. */
export const WORKER = {
  entryPoints: [SOURCE],
  bundle: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  // V8 reads a third less, and no text of two bytes a character. Names are kept: what is logged tells them.
  minifyWhitespace: true,
  lineLimit: 120,
  // A library asks for it. V8 would read the whole Worker once more, to say where there is none.
  define: { localStorage: 'undefined' },
  logLevel: 'error',
} as const satisfies BuildOptions;

/** What stands before the Worker where a test moves the clock: it imports that as `./worker.js`. */
export const CLOCK = {
  ...WORKER,
  entryPoints: [join(ROOT, 'scripts/clock-worker.ts')],
  plugins: [
    {
      name: 'worker',
      setup: (bundle) => {
        bundle.onResolve({ filter: /\/index\.ts$/ }, () => ({ path: './worker.js', external: true }));
      },
    },
  ],
} as const satisfies BuildOptions;

export async function buildClock(): Promise<string> {
  return bundle(CLOCK);
}

/** The text of the Worker of an entry module; tests have entries of their own. */
export async function buildWorker(entry = SOURCE): Promise<string> {
  const name = relative(ROOT, entry);
  const folder = join(ROOT, '.worker', encodeURIComponent(name));
  const inputs = [...new Set(['src', 'scripts/moved-date.ts', 'package-lock.json', dirname(name)])];
  const make = async () => new Map([['worker.js', await bundle({ ...WORKER, entryPoints: [entry] })]]);
  await buildAssets([{ name, inputs, make }], folder);
  return readFileSync(join(folder, 'worker.js'), 'utf8');
}

async function bundle(options: BuildOptions): Promise<string> {
  const { build } = await import('esbuild');
  const result = await build({ ...options, write: false });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('The Worker could not be bundled.');
  return output.text;
}

if (process.argv[1] === import.meta.filename) await buildWorker();
