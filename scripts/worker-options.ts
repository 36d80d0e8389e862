/**
 * What wrangler.toml says of the Worker: bindings, compatibility date and flags, rate limits, as wrangler's own reader
 * gives them to Miniflare. Loading wrangler takes longer than all else that `npm start` loads, so what it read is kept
 * in node_modules until wrangler.toml or wrangler is another.
 */
import type { V4WorkerOptions } from 'miniflare';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const CONFIGURATION = join(import.meta.dirname, '../wrangler.toml');
const KEPT = join(import.meta.dirname, '../node_modules/.cache/foredge/worker-options.json');

/** What others look at; there is more in it. */
export type WorkerOptions = Pick<V4WorkerOptions, 'durableObjects' | 'ratelimits' | 'serviceBindings'>;

/** What was read, and from what. */
interface Kept {
  readonly text: string;
  readonly wrangler: string;
  readonly options: WorkerOptions;
}

/** The Worker of wrangler.toml. Its `[vars]` are a deployment's: on this machine, settings come with each start. */
export async function workerOptions(file = CONFIGURATION, keptIn = KEPT): Promise<WorkerOptions> {
  const { version: wrangler } = createRequire(import.meta.url)('wrangler/package.json') as Readonly<
    Record<'version', string>
  >;
  const text = readFileSync(file, 'utf8');
  const kept = readKept(keptIn);
  if (kept?.text === text && kept.wrangler === wrangler) return kept.options;
  const options = await read(file);
  keep(keptIn, { text, wrangler, options });
  return options;
}

async function read(file: string): Promise<WorkerOptions> {
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler');
  const { workerOptions: all } = unstable_getMiniflareWorkerOptions(file);
  // The Worker is bundled to one module, the runtime reads assets from the disk, and what is kept may be moved with its folder.
  const taken = Object.entries(all).filter(
    ([name]) => !['assets', 'bindings', 'modulesRules', 'rootPath'].includes(name),
  );
  return Object.fromEntries(taken);
}

function readKept(file: string): Kept | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept | null;
  } catch {
    return null;
  }
}

/** Whole or not at all: others may start at the same time. Where nothing can be kept, the next start reads again. */
function keep(file: string, kept: Kept): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, file);
  } catch {
    // A folder that is not ours to write.
  }
}
