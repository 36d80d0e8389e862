// What every command does first: installs what is missing. It must run on any Node from 18 and needs only npm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The Node that the project pins: the machine's own may be older than what the project needs. */
export const NODE = join(ROOT, 'node_modules', '.bin', 'node');

const LOCK = join(ROOT, 'package-lock.json');
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.installed-lock');

/**
 * Runs `npm ci` unless node_modules is what the lock file says. Whoever only serves needs half of it: not what checks and
 * tests.
 */
export function installMissing({ serves }) {
  if (existsSync(MODULES) && lstatSync(MODULES).isSymbolicLink()) return; // Somebody else's: not ours to change.
  const whole = createHash('sha256').update(readFileSync(LOCK)).digest('hex');
  const part = `${whole} without what is for development`;
  const installed = existsSync(NODE) && existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  if (installed === whole || (serves && installed === part)) return;
  process.stderr.write('Installing what is missing (once)…\n');
  const omitted = serves ? ['--omit=dev'] : [];
  const result = spawnSync('npm', ['ci', ...omitted, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
  writeFileSync(STAMP, serves ? part : whole);
}
