// What every command does first: installs what is missing. It must run on any Node from 18 and needs only npm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Its package is a Node, for machines whose own is too old. */
const SPARE = join(ROOT, 'scripts', 'node');
const SPARE_NODE = join(SPARE, 'node_modules', '.bin', 'node');

/** Installs what is missing, all at once, and gives the path of the Node that a command runs on. */
export async function nodeWithPackages(how) {
  // Neither needs the other; what has failed ends this when both have ended.
  const [node] = await Promise.all([nodeToRunOn(how), installMissing(how)]);
  if (process.exitCode) process.exit();
  return node;
}

/**
 * The path of the Node that a command runs on: this one, or, if it is too old, one that is installed for the command.
 * What serves needs less than what checks and tests: these run modules of the Worker, which use what workerd has.
 */
async function nodeToRunOn({ serves }) {
  const [needed] = serves
    ? [read(join(ROOT, 'package.json')).engines.node.replace('>=', '')]
    : Object.values(read(join(SPARE, 'package.json')).optionalDependencies);
  if (!isOlder(process.versions.node, needed)) return process.execPath;
  if (existsSync(SPARE_NODE) && holdsAll(SPARE)) return SPARE_NODE;
  const told = `This command needs Node ${needed} or later, and this is ${process.versions.node}`;
  process.stderr.write(`${told}: installing one into scripts/node (once)…\n`);
  if ((await npmCi(SPARE, [])) && !existsSync(SPARE_NODE)) {
    process.stderr.write(`${told}. npm has none for this machine: install one, and run the command again.\n`);
    process.exitCode = 1;
  }
  return SPARE_NODE;
}

/**
 * Runs `npm ci` unless node_modules is what the lock file says. Whoever only serves needs a quarter of it: not what
 * checks, tests and deploys, which is the workspace in `test`.
 */
async function installMissing({ serves }) {
  const modules = join(ROOT, 'node_modules');
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) return; // Somebody else's: not ours to change.
  if (holdsAll(ROOT) || (serves && holdsServing())) return;
  process.stderr.write('Installing what is missing (once)…\n');
  // Where NODE_ENV is production, npm would leave out what the Worker and its pages are built from.
  await npmCi(ROOT, ['--include=dev', ...(serves ? ['--workspaces=false'] : [])]);
}

/** Whether it went well; if not, this process ends with its code. */
async function npmCi(folder, options) {
  const npm = spawn('npm', ['ci', ...options, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'close');
  if (code !== 0) process.exitCode = code ?? 1;
  return code === 0;
}

/** Whether all that the lock file of a folder names is there, but for what is for other machines. */
function holdsAll(folder) {
  const { wanted, installed } = packagesOf(folder);
  return Object.entries(wanted).every(([path, each]) =>
    installed[path] === undefined ? path === '' || each.optional : isSame(installed[path], each),
  );
}

/** Whether what serves is installed. npm installs a package with all that it needs: those that we name are enough. */
function holdsServing() {
  const { wanted, installed } = packagesOf(ROOT);
  const named = Object.keys({ ...wanted[''].dependencies, ...wanted[''].devDependencies });
  return (
    named.every((name) => installed[`node_modules/${name}`] !== undefined) &&
    Object.entries(installed).every(([path, each]) => isSame(each, wanted[path]))
  );
}

/** What the lock file names, and what npm itself keeps of its last installation: whoever ran npm, and with what. */
function packagesOf(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  return {
    wanted: read(join(folder, 'package-lock.json')).packages,
    installed: existsSync(installed) ? read(installed).packages : {},
  };
}

function isSame(installed, wanted) {
  return installed.version === wanted?.version && installed.integrity === wanted?.integrity;
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function isOlder(version, needed) {
  const [ours, theirs] = [version, needed].map((each) => each.split('.').map(Number));
  const differing = theirs.findIndex((part, index) => part !== ours[index]);
  return differing >= 0 && ours[differing] < theirs[differing];
}
