/**
 * The runtime (scripts/runtime.ts) for tests: the Worker, and each Worker of the tests, is bundled once for a whole run, by
 * the first file that starts it.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, startRuntime, type Runtime, type RuntimeOptions } from '../../scripts/runtime.ts';

/** Names the folder of the bundles to all processes of a run. */
const FOLDER = 'FOREDGE_TEST_BUNDLES';

/** To be called before a run: what is bundled from here on is kept in this folder. */
export function shareBundles(folder: string): void {
  mkdirSync(folder);
  process.env[FOLDER] = folder;
}

export function startTestRuntime(options: RuntimeOptions): Promise<Runtime> {
  return startRuntime({ bundler: bundleOnce, ...options });
}

async function bundleOnce(entry: string): Promise<string> {
  const folder = process.env[FOLDER];
  if (folder === undefined) return bundle(entry);
  const file = join(folder, encodeURIComponent(entry));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = await bundle(entry);
  // Whole or not at all: another file may start the same at the same time.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
  return text;
}
