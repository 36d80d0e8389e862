/** Puts a peer's npm packages into a cache folder outside the repository, once. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../processes.ts';

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'foredge-bench');

/** The folder from which the packages can be required. Throws where there is no network. */
export async function installed(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(CACHE, name);
  const there = Object.keys(packages).every((each) =>
    existsSync(join(folder, 'node_modules', each, 'package.json')),
  );
  if (there) return folder;
  mkdirSync(folder, { recursive: true });
  const manifest = { name: `foredge-bench-${name}`, private: true };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const wanted = Object.entries(packages).map(([each, version]) => `${each}@${version}`);
  console.error(`  Installing ${wanted.join(', ')} into ${folder}…`);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], folder);
  return folder;
}
